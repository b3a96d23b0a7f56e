"""Faults of `target_drift`: ideas and proposals that have left the problem of the first message."""

from __future__ import annotations

import re
from typing import Final

from benchmarks.verifier.far_texts import FAR, NEAR_BY, Far
from benchmarks.verifier.site import Injected, Operator, Site

CODE: Final = "target_drift"
_CANDIDATE: Final = re.compile(r"^## (I\d+)\. .*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_MECHANISM: Final = re.compile(r"^- mechanism: .*$", re.MULTILINE)


def _claims(site: Site, text: str) -> str:
    """Claims that the text cites, or that the audit has."""
    found = re.findall(r"\bC\d+", text) or re.findall(
        r"^## (C\d+)\.", "\n".join(site.files.values()), re.MULTILINE
    )
    return ", ".join(list(dict.fromkeys(found))[:2]) or "C1"


def _block(far: Far, number: str, claims: str, decision: str) -> str:
    return (
        f"## {number}. {far.name}\n- mechanism: {far.mechanism}\n- rests on: {claims}\n"
        f"- novelty: {far.novelty}\n- risk: {far.risk}\n- decision: {decision}\n"
    )


def _selected(site: Site) -> Injected:
    """The selected candidate becomes one of another field."""
    far = site.rng.choice(FAR)

    def change(text: str) -> str | None:
        for match in _CANDIDATE.finditer(text):
            if "- decision: selected" in match.group():
                block = _block(far, match.group(1), _claims(site, text), "selected")
                return text[: match.start()] + block + text[match.end() :]
        return None

    return site.rewrite(change, "idea_candidates.md")


def _whole_file(site: Site) -> Injected:
    """All candidates are of other fields."""
    three = site.rng.sample(FAR, 3)

    def change(text: str) -> str | None:
        if len(text.split()) < 60:
            return None
        claims = _claims(site, text)
        endings = ("selected", f"rejected, because [{claims}] speaks against it")
        return "\n".join(
            _block(far, f"I{n}", claims, endings[n > 1]) for n, far in enumerate(three, 1)
        )

    paths = [p for p in site.files if p.endswith("idea_candidates.md")]
    made = site.rewrite(change, "idea_candidates.md")
    if made is None or not paths:
        return None
    return (
        made if any(c.name == "Write" for c in made.calls) else _rewritten(site, paths[0], change)
    )


def _rewritten(site: Site, path: str, change: object) -> Injected:
    """The file of three candidates written over as a whole."""
    text = site.files[path]
    new = change(text)  # type: ignore[operator]
    return site.call("Write", file_path=path, content=new) if isinstance(new, str) else None


def _proposal(site: Site) -> Injected:
    """The proposal's sections speak of another field."""
    far = site.rng.choice(FAR)

    def change(text: str) -> str | None:
        if len(text.split()) < 40 or "status: open" in text[:60]:
            return None
        heads = re.findall(r"^## .+$", text, re.MULTILINE)
        sections = (far.mechanism, far.novelty, far.risk, far.more)
        if not heads:
            return f"{' '.join(sections)} [{_claims(site, text)}]"
        return "\n\n".join(
            f"{head}\n{sections[n % 4]} [{_claims(site, text)}]" for n, head in enumerate(heads)
        )

    return site.rewrite(change, "research_proposal.md")


def _mechanism(site: Site) -> Injected:
    """The selected candidate keeps its name and gets the rest of another field."""
    far = site.rng.choice(FAR)

    def change(text: str) -> str | None:
        for match in _CANDIDATE.finditer(text):
            block = match.group()
            if "- decision: selected" in block and _MECHANISM.search(block):
                name = block.split("\n", 1)[0]
                other = _block(far, match.group(1), _claims(site, text), "selected")
                swapped = name + "\n" + other.split("\n", 1)[1]
                return text[: match.start()] + swapped + text[match.end() :]
        return None

    return site.rewrite(change, "idea_candidates.md")


def _near_by(site: Site) -> Injected:
    """The selected candidate becomes one of the same field, on another problem."""
    far = site.rng.choice(NEAR_BY)

    def change(text: str) -> str | None:
        for match in _CANDIDATE.finditer(text):
            if "- decision: selected" in match.group():
                block = _block(far, match.group(1), _claims(site, text), "selected")
                return text[: match.start()] + block + text[match.end() :]
        return None

    return site.rewrite(change, "idea_candidates.md")


_RULE: Final = "Ideas and proposals stay in the problem space of the first message: "

OPERATORS: Final[tuple[Operator, ...]] = (
    Operator("selected idea of another field", CODE, f"{_RULE}the selected idea.", _selected),
    Operator("idea file of other fields", CODE, f"{_RULE}the whole file.", _whole_file),
    Operator("proposal of another field", CODE, f"{_RULE}the proposal.", _proposal),
    Operator("mechanism of another field", CODE, f"{_RULE}not the name alone.", _mechanism),
    Operator(
        "idea on another problem of the field",
        CODE,
        f"{_RULE}not a neighbouring problem.",
        _near_by,
        subtle=True,
    ),
)
