"""Pasted HTML, LaTeX source, reStructuredText directives and front matter, made markdown."""

from __future__ import annotations

import re
import warnings
from typing import Final

from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, XMLParsedAsHTMLWarning
from bs4.element import Comment, NavigableString, PageElement, PreformattedString, Tag
from bs4.exceptions import ParserRejectedMarkup

_TAGS: Final = (
    "a|abbr|article|aside|b|blockquote|body|br|caption|center|code|col|colgroup|dd|del|details|div"
    "|dl|dt|em|figcaption|figure|font|footer|form|h[1-6]|head|header|hr|html|i|img|ins|kbd|label"
    "|li|link|main|mark|meta|nav|ol|p|pre|s|script|section|small|span|strong|style|sub|summary"
    "|sup|table|tbody|td|tfoot|th|thead|title|tr|tt|u|ul|video|iframe|svg|path"
)
_TAG: Final = re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>|<!--.*?-->|<!doctype[^>]*>", re.I | re.S)
_NO_TAG: Final = re.compile(rf"<(?!/?(?:{_TAGS})(?:\s[^<>]*)?/?>|!--|!doctype)", re.I)
_NO_ENTITY: Final = re.compile(r"&(?!(?:#\d+|#x[0-9a-f]+|[a-z][a-z0-9]*);)", re.I)
_ENTITY: Final = re.compile(
    r"&(?:amp|lt|gt|quot|nbsp|apos|#\d{2,5}|#x[0-9a-f]{2,4}|[mn]dash|[lr][sd]quo|hellip);", re.I
)
_CODE: Final = re.compile(r"(^[ \t]*(```|~~~).*?^[ \t]*\2[^\S\n]*$|`[^`\n]+`)", re.S | re.M)
_BLOCKS: Final = frozenset(
    """
    p div section article ul ol table blockquote details figure header footer main dl center
    """.split()
)
_DROPPED: Final = frozenset(["script", "style", "head", "nav", "form", "svg", "iframe", "video"])
_HIDDEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)

_FRONT: Final = re.compile(r"\A\s*---[^\S\n]*\n(.*?)\n(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.S)
_FRONT_TOML: Final = re.compile(r"\A\s*\+\+\+[^\S\n]*\n(.*?)\n\+\+\+[^\S\n]*(?:\n|\Z)", re.S)
_FRONT_KEY: Final = re.compile(r"^([A-Za-z][\w -]{0,40})\s*[:=]\s*(\S.*?)\s*$", re.M)


def front_matter(text: str) -> tuple[dict[str, str], str]:
    """The flat keys of YAML or TOML front matter (lower case), and `text` without it."""
    match = _FRONT.match(text) or _FRONT_TOML.match(text)
    if not match or not _FRONT_KEY.search(match.group(1)):
        return {}, text
    keys = {
        key.strip().lower(): value.strip("\"'") for key, value in _FRONT_KEY.findall(match.group(1))
    }
    # A rule between two paragraphs looks the same; front matter is keys, lists and comments only.
    for line in match.group(1).split("\n"):
        if line.strip() and not re.match(r"\s|[-#]|[\w -]{1,40}\s*[:=]|\]", line):
            return {}, text
    return keys, text[match.end() :]


def strip_html(text: str) -> tuple[str, bool]:
    """`text` with HTML made markdown and hidden parts dropped, and whether there was any.

    Code keeps its tags. What is no HTML tag (`<think>`, `a < b`) stays as it stands.
    """
    if not (_TAG.search(text) or _ENTITY.search(text)):
        return text, False
    if len(_TAG.findall(text)) > 20 and re.match(
        r"\s*<(?:!doctype|html|body|div|p|h1)\b", text, re.I
    ):
        return _convert(text), True
    pieces: list[str] = []
    saved: list[str] = []

    def keep(match: re.Match[str]) -> str:
        saved.append(match.group())
        return f"\ue000{len(saved) - 1}\ue001"

    hidden = _CODE.sub(keep, text.replace("\ue000", "").replace("\ue001", ""))
    if not (_TAG.search(hidden) or _ENTITY.search(hidden)):
        return text, False
    pieces.append(_convert(hidden))
    restored = re.sub("\ue000(\\d+)\ue001", lambda m: saved[int(m.group(1))], "".join(pieces))
    return restored, True


def _convert(text: str) -> str:
    text = _NO_ENTITY.sub("&amp;", _NO_TAG.sub("&lt;", text))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        try:
            soup = BeautifulSoup(text, "html.parser")
        except (ParserRejectedMarkup, AssertionError):
            return _TAG.sub("", text).replace("&lt;", "<").replace("&amp;", "&")
    out = "".join(_markdown(soup))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in out.split("\n")))


def _markdown(root: Tag) -> list[str]:
    """Markdown of a parsed tree, by a stack: pasted pages nest deeper than Python recurses."""
    out: list[str] = []
    stack: list[PageElement | str] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Comment | PreformattedString):
            continue
        if isinstance(node, NavigableString):
            out.append(str(node))
            continue
        if isinstance(node, str):
            out.append(node)
            continue
        if not isinstance(node, Tag):
            continue
        if node.name in _DROPPED or _HIDDEN.search(str(node.get("style", ""))):
            continue
        before, after = _marks(node)
        stack.append(after)
        stack.extend(reversed(list(node.children)))
        stack.append(before)
    return out


def _marks(tag: Tag) -> tuple[str, str]:
    name = tag.name
    if re.fullmatch(r"h[1-6]", name):
        return f"\n\n{'#' * int(name[1])} ", "\n\n"
    if name in ("li", "dd", "dt"):
        return "\n- ", ""
    if name in ("td", "th"):
        return "", " | "
    if name == "tr":
        return "\n| ", ""
    if name == "br":
        return "\n", ""
    if name == "pre":
        return "\n```\n", "\n```\n"
    if name in ("b", "strong"):
        if any(isinstance(child, Tag) for child in tag.children):
            return "", ""
        text = tag.get_text()
        return ("**", "**") if text.strip() == text and text and "\n" not in text else ("", "")
    if name == "summary":
        return "\n\n**", "**\n\n"
    return ("\n\n", "\n\n") if name in _BLOCKS else ("", "")


_RST_HINT: Final = re.compile(r"^\.\. [\w-]+::|^\.\. _[\w .-]+:|^:[\w ]+: \S", re.M)


def strip_rst(text: str, *, is_rst: bool) -> tuple[str, bool]:
    """`text` without reStructuredText directives, targets and options; their content stays."""
    if not is_rst and len(_RST_HINT.findall(text)) < 2:
        return text, False
    out: list[str] = []
    in_directive = False
    for line in text.split("\n"):
        match = re.match(r"^(\s*)\.\.(?:\s+(.*))?$", line)
        if match:
            rest = match.group(2) or ""
            topic = re.match(r"(?:topic|admonition|note|warning|abstract)::\s*(.*)", rest)
            title = topic.group(1).strip() if topic else ""
            out.append(f"**{title.strip('*')}**" if title else "")
            in_directive = True
            continue
        if in_directive and line.strip() and not line[0].isspace():
            in_directive = False
        if in_directive:
            if re.match(r"^\s+:[\w -]+:", line):
                continue
            line = line[4:] if line.startswith("    ") else line.lstrip()
        out.append(re.sub(r"^(\s*)#\.\s", r"\1- ", re.sub(r"(?<=\w)::$", ":", line)))
    return "\n".join(out), True


_TEX_HINT: Final = re.compile(r"\\documentclass|\\begin\{document\}|\\(?:sub)*section\*?\{")
_TEX_STEPS: Final[tuple[tuple[str, str], ...]] = (
    (r"(?<!\\)%[^\n]*", ""),
    (r"\A.*?\\begin\{document\}", ""),
    (r"\\end\{document\}.*\Z", ""),
    (r"\\begin\{abstract\}", "\n\n# Abstract\n\n"),
    (r"\\begin\{(?:verbatim|lstlisting)\}", "\n```\n"),
    (r"\\end\{(?:verbatim|lstlisting)\}", "\n```\n"),
    (r"\\begin\{(equation|align|gather|displaymath)\*?\}", r"\n$$\n"),
    (r"\\end\{(equation|align|gather|displaymath)\*?\}", r"\n$$\n"),
    (r"\\(?:begin|end)\{[^}]*\}(?:\[[^\]]*\])?", "\n"),
    (r"\\(?:maketitle|tableofcontents|newpage|clearpage|noindent|centering|bigskip|medskip)\b", ""),
    (r"~?\\(?:cite[pt]?|ref|label|footnote|eqref|autoref|cref)\*?(?:\[[^\]]*\])*\{[^{}]*\}", ""),
    (r"\\section\*?\{([^{}]*)\}", r"\n\n# \1\n\n"),
    (r"\\subsection\*?\{([^{}]*)\}", r"\n\n## \1\n\n"),
    (r"\\subsubsection\*?\{([^{}]*)\}", r"\n\n### \1\n\n"),
    (r"\\paragraph\*?\{([^{}]*?)[.:]?\}", r"\n\n**\1.** "),
    (r"\\item\s*\[([^\]]*)\]", r"\n- **\1** "),
    (r"\\item\b\s*", "\n- "),
    (r"\\(?:textbf|emph|textit|texttt|textsc|underline|mbox|text)\{([^{}]*)\}", r"\1"),
    (r"``|''", '"'),
    (r"\\([%&#_$])", r"\1"),
    (r"(?<!\\)~", " "),
)


def strip_latex(text: str) -> tuple[str, bool]:
    """LaTeX source with its sectioning made headings; maths stays. Other text is left alone."""
    if len(_TEX_HINT.findall(text)) < 2:
        return text, False
    title = re.search(r"\\title\{([^{}]*)\}", text)
    stated = re.search(r"\\date\{([^{}\\]*)\}", text)
    for pattern, replacement in _TEX_STEPS:
        text = re.sub(pattern, replacement, text, flags=re.S)
    text = re.sub(r"\\(?:title|author|date)\{[^{}]*\}", "", text)
    head = f"Title: {' '.join(title.group(1).split())}\n\n" if title else ""
    head += f"Date: {stated.group(1).strip()}\n\n" if stated and stated.group(1).strip() else ""
    return head + re.sub(r"\n{3,}", "\n\n", text).strip() + "\n", True
