"""Which addresses may be asked: public ones alone, whatever form they come in.

An address is read once, by the parser that the connection uses too, and the numbers that a name
resolves to are checked in the very list that is connected to. A name that changes its numbers
between check and connect thereby gains nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urljoin

from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from ideatrail.evidence.source import EvidenceError

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]
"""From a host name and port to addresses in text. Raises OSError."""

LONGEST: Final = 8_000
"""Characters of an address; servers seldom take more."""

_V4_CLOSED: Final = tuple(
    ipaddress.IPv4Network(net)
    # The IANA registry of special-purpose addresses, multicast and the reserved class.
    for net in (
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 "
        "192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 "
        "224.0.0.0/4 240.0.0.0/4"
    ).split()
)
_V6_OPEN: Final = ipaddress.IPv6Network("2000::/3")
"""All that is given out to the public."""
_V6_CLOSED: Final = tuple(
    ipaddress.IPv6Network(net) for net in "2001::/23 2001:db8::/32 3fff::/20".split()
)
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_SIX_TO_FOUR: Final = ipaddress.IPv6Network("2002::/16")
_ISATAP: Final = frozenset({0x00005EFE, 0x02005EFE})
_SCHEMES: Final = {"http": 80, "https": 443}
_LOCAL_NAMES: Final = re.compile(
    r"(?:.+\.)?(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa|test|invalid|onion)"
)
_NUMBER: Final = re.compile(r"\d+|0x[0-9a-f]*", re.IGNORECASE)
_UNPRINTABLE: Final = re.compile(r"[\x00-\x20\x7f\\]")
# Everything that may stand in an address as it is; `%` too, since addresses come quoted.
_PLAIN: Final = "!#$%&'()*+,/:;=?@[]~"


@dataclass(frozen=True, slots=True)
class Target:
    """An address in the form in which it is asked for."""

    url: URL
    host: str
    """Lower case, in ASCII, without brackets and final dot."""
    port: int

    @property
    def place(self) -> str:
        """`host:port`, an IPv6 host in brackets."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def join(self, location: str) -> str:
        """A redirect's address, relative ones made whole."""
        try:
            return urljoin(str(self.url), location.strip())
        except ValueError as error:
            raise refusal("no address in a redirect") from error


def refusal(detail: str) -> EvidenceError:
    """The ending of what this side will not ask for."""
    return EvidenceError("refused", detail=detail)


def read(url: str) -> Target:
    """Parse an address; looks at its form alone.

    Raises EvidenceError (`refused`) for other schemes than http and https, a user or password,
    control characters and whatever is no address.
    """
    text = url.strip(" \t\r\n")
    if len(text) > LONGEST:
        raise refusal("an address too long")
    head, slashes, rest = text.partition("://")
    if not slashes or head.lower() not in _SCHEMES:
        raise refusal(f"neither http nor https: {text[:80]!r}")
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if "@" in authority:
        raise refusal("a user or password in an address")
    if not authority or "%" in authority or _UNPRINTABLE.search(authority):
        raise refusal(f"no host in {text[:80]!r}")
    try:
        parsed = URL(quote(f"{head.lower()}://", safe=":/") + authority)
        host, port = parsed.raw_host, parsed.port
    except (ValueError, UnicodeError) as error:
        raise refusal(f"no host in {text[:80]!r}") from error
    if not host or not port:
        raise refusal(f"no host in {text[:80]!r}")
    host = host.lower().rstrip(".")
    form = r"[0-9a-f:.]+" if authority.startswith("[") else r"[0-9a-z._-]+"
    if not re.fullmatch(form, host) or ".." in host:
        raise refusal(f"no host in {text[:80]!r}")
    shown = f"[{host}]" if ":" in host else host
    suffix = "" if port == _SCHEMES[parsed.scheme] else f":{port}"
    tail = quote(rest[len(authority) :].partition("#")[0], safe=_PLAIN)
    if not tail.startswith("/"):
        tail = f"/{tail}"
    return Target(URL(f"{parsed.scheme}://{shown}{suffix}{tail}", encoded=True), host, port)


def is_public(address: str) -> bool:
    """Whether an IP address in its standard text is one of the public Internet's.

    An IPv6 address that carries an IPv4 one (mapped, NAT64, 6to4, ISATAP) is as public as that.
    Raises ValueError for what is no address.
    """
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv4Address):
        return not any(ip in net for net in _V4_CLOSED)
    if ip.scope_id is not None:
        return False
    number = int(ip)
    if ip.ipv4_mapped is not None:
        return is_public(str(ip.ipv4_mapped))
    low = str(ipaddress.IPv4Address(number & 0xFFFFFFFF))
    if ip in _NAT64:
        return is_public(low)
    if ip in _SIX_TO_FOUR and not is_public(str(ipaddress.IPv4Address(number >> 80 & 0xFFFFFFFF))):
        return False
    if (number >> 32 & 0xFFFFFFFF) in _ISATAP and not is_public(low):
        return False
    return ip in _V6_OPEN and not any(ip in net for net in _V6_CLOSED)


class Guard:
    """Decides on targets before, and on their numbers while a connection is made."""

    def __init__(self, allow: Iterable[str] = ()) -> None:
        """`allow`: `host:port` entries that may be asked wherever they lie, `127.0.0.1:8080` or
        `archive.local:80`, say. Raises ValueError for other forms."""
        self._allow = frozenset(_place(entry) for entry in allow)

    def allows(self, host: str, port: int) -> bool:
        """Whether the list of exceptions names this place."""
        return (host.lower().rstrip("."), port) in self._allow

    def check(self, target: Target) -> None:
        """Raise EvidenceError (`refused`) where the host itself tells that it is not public."""
        if self.allows(target.host, target.port):
            return
        host = target.host
        if ":" in host:
            if not is_public(host):
                raise refusal(f"not a public address: {target.place}")
        elif _NUMBER.fullmatch(host.rpartition(".")[2]):
            # Octal, hexadecimal and short forms have no honest use, public or not.
            try:
                public = is_public(host)
            except ValueError:
                raise refusal(f"an odd form of an IP address: {target.place}") from None
            if not public:
                raise refusal(f"not a public address: {target.place}")
        elif "." not in host or _LOCAL_NAMES.fullmatch(host):
            raise refusal(f"not a public name: {target.place}")

    def check_addresses(self, host: str, port: int, addresses: Sequence[str]) -> None:
        """Raise EvidenceError (`refused`) unless all addresses of a name are public: a name with
        one address here and one outside is a trap."""
        if self.allows(host, port):
            return
        for address in addresses:
            try:
                public = is_public(address)
            except ValueError:
                public = False
            if not public:
                raise refusal(f"{host} is at {address}, which is not a public address")


class ForbiddenAddressError(OSError):
    """A refusal on its way through aiohttp, which lets only OSErrors of a resolver through."""

    def __init__(self, refused: EvidenceError) -> None:
        super().__init__(refused.detail)
        self.refused = refused


class GuardedResolver(AbstractResolver):
    """Resolves a name once and hands out exactly the addresses it has checked."""

    def __init__(self, guard: Guard, lookup: Lookup | None = None) -> None:
        self._guard = guard
        self._lookup = lookup or system_lookup

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Addresses to connect to. Raises OSError, ForbiddenAddressError among them."""
        addresses = await self._lookup(host, port)
        if not addresses:
            raise OSError(f"{host} has no address")
        try:
            self._guard.check_addresses(host, port, addresses)
        except EvidenceError as error:
            raise ForbiddenAddressError(error) from error
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for address in addresses
        ]

    async def close(self) -> None:
        """Nothing is held."""


async def system_lookup(host: str, port: int) -> Sequence[str]:
    """The system's resolver, in the order it gives. Raises OSError."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    # A scope (`fe80::1%2`) is kept, so that it is seen and refused.
    return tuple(
        dict.fromkeys(
            f"{address[0]}%{address[3]}" if len(address) == 4 and address[3] else str(address[0])
            for *_, address in found
        )
    )


def _place(entry: str) -> tuple[str, int]:
    host, colon, port = entry.strip().rpartition(":")
    if not colon or not host or not port.isascii() or not port.isdigit():
        raise ValueError(f"no `host:port`: {entry!r}")
    return host.strip("[]").lower().rstrip("."), int(port)
