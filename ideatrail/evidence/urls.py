"""One form for all the addresses of one work."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

_TRACKING: Final = re.compile(
    r"utm_.*|mc_[ce]id|_hs(?:enc|mi)|(?:fb|g|ms|dc|tw|y)clid|gclsrc|igshid|spm|ref|ref_src|ref_url"
    r"|source|trk|cmpid",
    re.IGNORECASE,
)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_DOI: Final = re.compile(r"(?:doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_ARXIV_ID: Final = re.compile(
    r"(\d{4}\.\d{4,5}|[a-z][a-z-]*(?:\.[a-z]{2})?/\d{7})(v\d+)?", re.IGNORECASE
)
_ARXIV_HOST: Final = re.compile(
    r"(?:[a-z-]+\.)?arxiv\.org|ar5iv(?:\.labs\.arxiv)?\.org|alphaxiv\.org"
)
_ARXIV_PATH: Final = re.compile(
    r"/(?:abs|pdf|html|format|ps|src|e-print|overview)/(.+?)(?:\.pdf|\.ps\.gz)?/?", re.IGNORECASE
)
_ARXIV_DOI: Final = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_ACL_HOSTS: Final = frozenset({"aclanthology.org", "aclanthology.info", "anthology.aclweb.org"})
_ACL_ID: Final = re.compile(
    r"([a-z]\d{2}-\d{4,5}|\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+)(v\d+)?", re.IGNORECASE
)
_PUBMED: Final = re.compile(r"/(?:pubmed/|article/med/|abstract/med/)?(\d+)", re.IGNORECASE)
_PMC: Final = re.compile(r"(?:/pmc)?/articles?/(?:pmc/)?(?:pmc)?(\d+)(?:/.*)?", re.IGNORECASE)
_CORPUS_ID: Final = re.compile(r"(?:/paper)?/corpusid:(\d+)", re.IGNORECASE)
_OPENALEX: Final = re.compile(r"(?:/works)?/(w\d+)", re.IGNORECASE)
_FILE: Final = re.compile(r"\.(?:pdf|bib|xml|endf|mods|html?)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Address:
    """A canonical address, and the version that the given one asked for."""

    url: str
    version: str | None = None
    """`v2`, say, where the address named one."""


def canonical(url: str) -> str:
    """The form under which all addresses of one work are equal. Idempotent; never raises."""
    return locate(url).url


def doi_url(doi: str) -> str:
    """The canonical address of a DOI in any of its forms."""
    return canonical(doi if "10." in doi else f"https://doi.org/{doi}")


def arxiv_url(identifier: str) -> str:
    """The canonical address of an arXiv id, with or without `arXiv:` and version."""
    return canonical(f"https://arxiv.org/abs/{identifier.strip().removeprefix('arXiv:')}")


@lru_cache(maxsize=65_536)
def locate(url: str) -> Address:
    """Canonical address and version of `url`.

    Scheme, host case, `www.`, default ports, trailing slashes, fragments and tracking parameters
    make no difference, nor do arXiv's abs, pdf and html pages and its mirrors, the ACL Anthology's
    page, pdf and bib, and the forms of a DOI. What is no address at all comes back stripped.
    """
    text = url.strip().strip("<>")
    if text.casefold().startswith("arxiv:"):
        text = f"https://arxiv.org/abs/{text[6:].strip()}"
    elif match := _DOI.fullmatch(text):
        return _doi(match[1])
    if text.startswith("//"):
        text = f"https:{text}"
    elif not _SCHEME.match(text):
        if not re.match(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)", text):
            return Address(text)
        text = f"https://{text}"
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return Address(text)
    scheme = parts.scheme.casefold()
    if scheme not in ("http", "https") or not host:
        return Address(text)
    host = host.removeprefix("www.")
    path = quote(
        unquote(parts.path, errors="surrogateescape"),
        safe="/~!$&'()*+,;=:@-._",
        errors="surrogateescape",
    )
    return _known(host, path, parts.query) or Address(_plain(host, port, path, parts.query))


def _known(host: str, path: str, query: str) -> Address | None:
    if _ARXIV_HOST.fullmatch(host):
        match = _ARXIV_PATH.fullmatch(path)
        return _arxiv(match[1]) if match else None
    if host in ("doi.org", "dx.doi.org") and path.startswith("/10."):
        return _doi(unquote(path[1:]))
    if host in _ACL_HOSTS or (host == "aclweb.org" and path.startswith("/anthology")):
        last = _FILE.sub("", path.rstrip("/").rpartition("/")[2])
        if match := _ACL_ID.fullmatch(last):
            name = match[1] if "." in match[1] else match[1].upper()
            return Address(f"https://aclanthology.org/{name}", match[2])
    if host == "openreview.net" and path in ("/forum", "/pdf"):
        key = dict(parse_qsl(query)).get("id")
        return Address(f"https://openreview.net/forum?id={key}") if key else None
    if host in ("semanticscholar.org", "api.semanticscholar.org"):
        if match := _CORPUS_ID.fullmatch(path.rstrip("/")):
            return Address(f"https://semanticscholar.org/paper/CorpusID:{match[1]}")
        if path.startswith("/paper/"):
            name = path.rstrip("/").rpartition("/")[2]
            return Address(f"https://semanticscholar.org/paper/{name}")
    return _indexed(host, path.rstrip("/"))


def _indexed(host: str, path: str) -> Address | None:
    """Records of OpenAlex and of the medical libraries, each in its one form."""
    if host in ("openalex.org", "api.openalex.org") and (match := _OPENALEX.fullmatch(path)):
        return Address(f"https://openalex.org/{match[1].upper()}")
    medical = ("pubmed.ncbi.nlm.nih.gov", "ncbi.nlm.nih.gov", "europepmc.org")
    if host in medical and (match := _PUBMED.fullmatch(path)):
        bare = "/" not in path[1:]
        if bare == (host == medical[0]):
            return Address(f"https://pubmed.ncbi.nlm.nih.gov/{match[1]}")
    if host in ("pmc.ncbi.nlm.nih.gov", *medical[1:]) and (match := _PMC.fullmatch(path)):
        return Address(f"https://pmc.ncbi.nlm.nih.gov/articles/PMC{match[1]}")
    return None


def _arxiv(identifier: str) -> Address | None:
    match = _ARXIV_ID.fullmatch(unquote(identifier))
    if match is None:
        return None
    name = match[1].casefold()
    if "/" in name:  # math.CO/0101001 and math/0101001 are one paper
        archive, _, number = name.partition("/")
        name = f"{archive.partition('.')[0]}/{number}"
    return Address(f"https://arxiv.org/abs/{name}", match[2] and match[2].casefold())


def _doi(doi: str) -> Address:
    doi = unquote(doi).strip().rstrip("/").casefold()
    if match := _ARXIV_DOI.fullmatch(doi):
        found = _arxiv(match[1])
        if found:
            return found
    return Address(f"https://doi.org/{doi}")


def _plain(host: str, port: int | None, path: str, query: str) -> str:
    if port not in (None, 80, 443):
        host = f"{host}:{port}"
    path = re.sub(r"/{2,}", "/", path).rstrip("/")
    if host == "github.com":
        path = path.removesuffix(".git")
    kept = sorted(
        (key, value)
        for key, value in parse_qsl(query, keep_blank_values=True, errors="surrogateescape")
        if not _TRACKING.fullmatch(key)
    )
    tail = f"?{urlencode(kept, errors='surrogateescape')}" if kept else ""
    return f"https://{host}{path}{tail}"
