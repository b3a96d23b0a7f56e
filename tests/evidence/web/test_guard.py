"""Only public addresses are asked, whatever they look like and however one gets to them."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ideatrail.evidence.source import EvidenceError
from ideatrail.evidence.web.client import Client
from ideatrail.evidence.web.guard import Guard, is_public, read
from ideatrail.evidence.web.limits import Limiters

if TYPE_CHECKING:
    from conftest import Servers, Talk

PRIVATE_V4 = [
    ipaddress.ip_network(net)
    for net in (
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 "
        "192.168.0.0/16 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4"
    ).split()
]
PRIVATE_V6 = [
    ipaddress.ip_network(net)
    for net in "::/128 ::1/128 fc00::/7 fe80::/10 fec0::/10 ff00::/8 100::/64 2001:db8::/32".split()
]


def refuses(url: str) -> bool:
    try:
        Guard().check(read(url))
    except EvidenceError as error:
        return error.ending == "refused"
    return False


def refuses_to_read(url: str) -> bool:
    try:
        read(url)
    except EvidenceError as error:
        return error.ending == "refused"
    return False


def quad(number: int, base: str, parts: int) -> str:
    """A form of an IPv4 address that `inet_aton` reads."""
    form = {"decimal": "{}", "hex": "0x{:x}", "octal": "0{:o}", "HEX": "0X{:X}"}[base]
    octets = list(number.to_bytes(4, "big"))
    head, tail = octets[: parts - 1], int.from_bytes(bytes(octets[parts - 1 :]), "big")
    return ".".join(form.format(part) for part in [*head, tail])


@st.composite
def private_v4(draw: st.DrawFn) -> int:
    net = draw(st.sampled_from(PRIVATE_V4))
    return int(net.network_address) + draw(st.integers(0, net.num_addresses - 1))


@given(
    number=private_v4(),
    base=st.sampled_from(["decimal", "hex", "octal", "HEX"]),
    parts=st.integers(1, 4),
    scheme=st.sampled_from(["http", "https", "HTTP"]),
    dot=st.sampled_from(["", "."]),
    tail=st.sampled_from(["", ":80", ":8080/x", "/", "?q=1", "#f"]),
)
@settings(max_examples=600)
def test_private_ipv4_is_refused_in_any_form(
    number: int, base: str, parts: int, scheme: str, dot: str, tail: str
) -> None:
    host = quad(number, base, parts)
    assert socket.inet_aton(host) == number.to_bytes(4, "big")
    assert refuses(f"{scheme}://{host}{dot}{tail}")


def v6_texts(address: ipaddress.IPv6Address) -> list[str]:
    low = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    mixed = ":".join(address.exploded.split(":")[:6]) + f":{low}"
    return [address.compressed, address.exploded, address.compressed.upper(), mixed]


@given(data=st.data(), number=private_v4(), tail=st.sampled_from(["", ":443", "/x"]))
@settings(max_examples=400)
def test_private_ipv4_inside_ipv6_is_refused(data: st.DataObject, number: int, tail: str) -> None:
    carrier = data.draw(
        st.sampled_from(
            [
                0xFFFF << 32 | number,  # mapped
                number,  # compatible
                0x64FF9B << 96 | number,  # NAT64
                0x64FF9B0001 << 80 | number,  # NAT64, local
                0x2002 << 112 | number << 80 | 1,  # 6to4
                0x2001 << 112 | 0x4136E378 << 64 | number ^ 0xFFFFFFFF,  # Teredo
                0x2A00145040010000 << 64 | 0x00005EFE << 32 | number,  # ISATAP
            ]
        )
    )
    address = ipaddress.IPv6Address(carrier)
    text = data.draw(st.sampled_from(v6_texts(address)))
    assert refuses(f"http://[{text}]{tail}")
    assert not is_public(address.compressed)


@given(data=st.data())
@settings(max_examples=300)
def test_private_ipv6_is_refused_in_any_form(data: st.DataObject) -> None:
    net = data.draw(st.sampled_from(PRIVATE_V6))
    number = int(net.network_address) + data.draw(st.integers(0, net.num_addresses - 1))
    text = data.draw(st.sampled_from(v6_texts(ipaddress.IPv6Address(number))))
    assert refuses(f"http://[{text}]/")


@given(st.integers(0, 2**32 - 1).map(ipaddress.IPv4Address))
@settings(max_examples=500)
def test_what_is_taken_for_public_is_global(address: ipaddress.IPv4Address) -> None:
    if is_public(str(address)):
        assert address.is_global
        assert not address.is_multicast


@given(st.integers(0, 2**128 - 1).map(ipaddress.IPv6Address))
@settings(max_examples=500)
def test_what_is_taken_for_public_is_global_in_ipv6(address: ipaddress.IPv6Address) -> None:
    if is_public(str(address)):
        assert address.is_global
        assert not address.is_multicast


@pytest.mark.parametrize(
    "address", "8.8.8.8 93.184.216.34 2606:4700::1111 64:ff9b::808:808".split()
)
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://printer/",
        "http://nas.local/", "http://db.internal:8080/", "http://localhost.localdomain/",
        "http://metadata.google.internal/", "http://169.254.169.254/latest/meta-data/",
        "http://[fe80::1%25eth0]/", "http://[::ffff:7f00:1]/", "http://127%2e0.0.1/",
        "http://１２７.０.０.１/", "http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://0/",
        "http://2130706433/", "http://0x7f.1/", "http://017700000001/", "http://127.0.0.1.:80/",
        "http://1.2.3/", "http://1.2.3.4.5/", "http://256.1.1.1/", "http://0x/", "http://8.8.8.010/",
    ],
)  # fmt: skip
def test_local_names_and_odd_numbers_are_refused(url: str) -> None:
    assert refuses(url)


@pytest.mark.parametrize(
    "url",
    [
        "", "x", "//a.org/x", "/x", "ftp://a.org/", "file:///etc/passwd", "javascript:alert(1)",
        "data:text/html,x", "gopher://a.org/", "http:", "http://", "http:///x", "http:a.org",
        "http://user@a.org/", "http://user:pw@a.org/", "http://a.org@127.0.0.1/", "http://:80/",
        "http://a.org:port/", "http://a.org:99999/", "http://a.org:0/", "http://a .org/",
        "http://a.org\\@127.0.0.1/", "http://a\torg/", "http://a\r\nHost: b/", "http://[::1/",
        "http://a..org/", "http://[v1.x]/", "http://" + "a" * 9000, "http://a.org\x00/",
        "http://xn--/", "http://-\u2028.org/",
    ],
)  # fmt: skip
def test_what_is_no_web_address_is_refused(url: str) -> None:
    assert refuses(url)


@given(st.text(max_size=40), st.sampled_from(["", "http://", "https://", "http://a.org/"]))
@settings(max_examples=500)
def test_any_text_is_read_or_refused(text: str, head: str) -> None:
    if refuses_to_read(head + text):
        return
    target = read(head + text)
    assert str(target.url).isascii()
    assert not any(c <= " " for c in str(target.url))
    assert read(str(target.url)) == target


def test_an_address_is_asked_for_as_it_was_given() -> None:
    for url in (
        "https://web.archive.org/web/2020id_/http://a.org//b/../c?x=%2f&y=a+b;c='d'",
        "https://a.org/%7Euser/%C3%A9?q=%20",
        "http://a.org:8080/?=&",
    ):
        assert str(read(url).url) == url
    assert str(read("HTTP://BÜCHER.example:80/ü b#top").url) == (
        "http://xn--bcher-kva.example/%C3%BC%20b"
    )
    assert read("https://a.org.").place == "a.org:443"


def test_the_list_of_exceptions_opens_a_port_and_no_more() -> None:
    guard = Guard(["127.0.0.1:8080", "[::1]:81", "Archive.Local:80"])
    for url in ("http://127.0.0.1:8080/", "http://[::1]:81/", "http://archive.local./x"):
        guard.check(read(url))
    for url in (
        "http://127.0.0.1/",
        "http://127.0.0.1:8081/",
        "http://[::1]/",
        "http://127.1:8080/",
    ):
        with pytest.raises(EvidenceError):
            guard.check(read(url))
    for entry in ("127.0.0.1", "a:b", ":80", ""):
        with pytest.raises(ValueError, match="host:port"):
            Guard([entry])


# Names, over real connections


async def hello(talk: Talk) -> None:
    await talk.answer(200, b"inside")


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"], ["::1"], ["93.184.216.34", "127.0.0.1"], ["10.0.0.7"], ["fe80::1%2"],
        ["::ffff:127.0.0.1"], ["no address"],
    ],
)  # fmt: skip
async def test_name_with_an_address_inside_is_refused(
    servers: Servers, addresses: list[str]
) -> None:
    server = await servers.start(hello)

    async def lookup(host: str, port: int) -> list[str]:
        return addresses

    client = servers.client(lookup=lookup)
    with pytest.raises(EvidenceError) as caught:
        await client.get(f"http://trap.example:{server.port}/")
    assert caught.value.ending == "refused"
    assert not server.connections


async def test_a_name_is_connected_to_at_the_address_that_was_checked(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is public when it is checked and private a moment later."""
    server = await servers.start(hello)
    loop = asyncio.get_running_loop()
    connect = loop.sock_connect
    connected: list[Any] = []

    async def rerouted(sock: socket.socket, address: Any) -> None:
        connected.append(address)
        await connect(sock, ("127.0.0.1", server.port))

    monkeypatch.setattr(loop, "sock_connect", rerouted)
    answers = [["93.184.216.34"], ["127.0.0.1"], ["127.0.0.1"]]
    lookups: list[str] = []

    async def lookup(host: str, port: int) -> list[str]:
        lookups.append(host)
        return answers[len(lookups) - 1]

    client = servers.client(lookup=lookup)
    assert (await client.get("http://rebind.example/")).body == b"inside"
    assert lookups == ["rebind.example"]
    assert connected == [("93.184.216.34", 80)]
    await client.aclose()
    with pytest.raises(EvidenceError) as caught:
        await client.get("http://rebind.example/")
    assert caught.value.ending == "refused"
    assert len(connected) == 1


async def test_an_opened_name_may_lie_inside(servers: Servers) -> None:
    server = await servers.start(hello)

    async def lookup(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    client = servers.client(lookup=lookup, allow=[f"archive.example:{server.port}"])
    assert (await client.get(f"http://archive.example:{server.port}/")).body == b"inside"


async def test_loopback_is_closed_by_default(servers: Servers) -> None:
    server = await servers.start(hello)
    client = Client(limiters=Limiters())
    for host in ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1"):
        with pytest.raises(EvidenceError) as caught:
            await client.get(f"http://{host}:{server.port}/")
        assert caught.value.ending == "refused"
    assert not server.connections
