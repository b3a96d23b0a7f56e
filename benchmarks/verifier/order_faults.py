"""Artifacts out of their order, their place or their way of growing."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from benchmarks.verifier.evidence_faults import observed_text
from benchmarks.verifier.site import Operator, Site
from benchmarks.verifier.title_faults import observed_addresses, seen
from ideatrail.evidence.urls import canonical
from ideatrail.trail.artifacts import (
    PROPOSAL_SECTIONS,
    SYNTHESIS_SECTIONS,
    artifact_name,
    cited,
    parse,
)
from ideatrail.trail.stage import ARTIFACTS, STAGES, ArtifactName, artifact_stage
from ideatrail.trail.text import squeeze
from ideatrail.trail.turn import Draft

_HEADINGS: Final[dict[ArtifactName, tuple[str, ...]]] = {
    "claim_audit.md": (
        "C1. The size of the effect is unknown",
        "C2. The cost of the remedy is unknown",
        "C3. The two groups of papers disagree",
    ),
    "synthesis.md": SYNTHESIS_SECTIONS,
    "idea_candidates.md": (
        "I1. One step after the other",
        "I2. Both steps at once",
        "I3. The plain variant",
    ),
    "research_proposal.md": PROPOSAL_SECTIONS,
}
_TITLES: Final[dict[ArtifactName, str]] = {
    "claim_audit.md": "Claim audit",
    "synthesis.md": "Synthesis",
    "idea_candidates.md": "Idea candidates",
    "research_proposal.md": "Research proposal",
}


def skeleton(name: ArtifactName) -> str:
    """The artifact with nothing but its headings."""
    blocks = "".join(f"\n## {heading}\n- status: open\n" for heading in _HEADINGS[name])
    return f"# {_TITLES[name]}\n{blocks}"


def _begun(site: Site) -> set[ArtifactName]:
    """Artifacts that exist before the turn or that the clean draft writes."""
    paths = [*site.files, *(str(c.parsed.get("file_path", "")) for c in site.draft.calls)]
    return {name for path in paths if (name := artifact_name(path))}


def _rank(name: ArtifactName) -> int:
    return STAGES.index(artifact_stage(name))


def _later(site: Site) -> list[ArtifactName]:
    """Artifacts not begun whose stage has not opened yet."""
    now = STAGES.index(site.turn.stage)
    return [n for n in ARTIFACTS if _rank(n) > now and n not in _begun(site)]


def _write(site: Site, name: ArtifactName, folder: str = "") -> Draft:
    path = f"{site.home}/{folder}{name}"
    return site.call("Write", file_path=path, content=skeleton(name))


def _too_early(site: Site) -> Draft | None:
    names = _later(site)
    return _write(site, site.rng.choice(names)) if names else None


def _proposal_first(site: Site) -> Draft | None:
    begun = _begun(site)
    if site.stage == "propose" or {"idea_candidates.md", "research_proposal.md"} & begun:
        return None
    return _write(site, "research_proposal.md")


def _on_nothing(site: Site) -> Draft | None:
    """The artifact after one that is absent or has only headings."""
    texts = {artifact_name(path): text for path, text in site.files.items()}
    begun = _begun(site)
    written = {artifact_name(str(c.parsed.get("file_path", ""))) for c in site.draft.calls}
    for before, name in pairwise(ARTIFACTS):
        empty = parse(before, texts.get(before)).state in ("absent", "skeleton")
        own = [n for n in site.calls("Edit") if artifact_name(_path(site, n)) == before]
        # A draft that fills the one before in the same turn would make it a matter of order.
        if empty and not own and name not in begun and (before in texts or before in written):
            return _write(site, name)
    return None


def _path(site: Site, index: int) -> str:
    return str(site.draft.calls[index].parsed.get("file_path", ""))


def _in_one_block(site: Site) -> Draft | None:
    """An artifact whole as it stands later in the trail, where all that it rests on is known."""
    name = next((n for n in ARTIFACTS if artifact_stage(n) == site.stage), None)
    path = f"{site.home}/{name}"
    if name is None or path in site.files:
        return None
    versions = dict.fromkeys(files.get(path, "") for files in site.clean.files_before[site.at :])
    whole = [v for v in versions if parse(name, v).state in ("filled", "final")]
    site.rng.shuffle(whole)
    text = next((v for v in whole if _borne(site, v)), None)
    if text is None:
        return None
    here = [n for n in site.calls("Write") if _path(site, n) == path]
    if here:
        return site.put(here[0], content=text)
    return site.call("Write", file_path=path, content=text)


def _borne(site: Site, text: str) -> bool:
    """Whether quotes, sources, claims and names of `text` were all there before the turn."""
    observed = observed_text(site)
    quotes = re.findall(r'^- quote: "(.*)"$', text, re.MULTILINE)
    urls = {canonical(u) for u in re.findall(r"https?://\S+", text)}
    own = set(re.findall(r"^## ([CI]\d+)\.", "\n".join([text, *site.files.values()]), re.M))
    names = set(re.findall(r"([A-Z][\w’'-]+)(?: et al\.| and [A-Z][\w’'-]+)?,? \(?\d{4}\)", text))
    known = {a.split()[-1] for one in seen(site) for a in one.authors}
    return (
        all(squeeze(q) in observed for q in quotes)
        and urls <= observed_addresses(site)
        and set(cited(text)) <= own
        and names <= known
    )


_FOLDERS: Final = ("drafts/", "notes/", "old/", "work/", "v2/")


def _misplaced(site: Site) -> Draft | None:
    folder = site.rng.choice(_FOLDERS)
    here = [n for n in site.calls("Write") if artifact_name(_path(site, n))]
    if here:
        path = _path(site, here[0])
        head, _, name = path.rpartition("/")
        return site.put(here[0], file_path=f"{head}/{folder}{name}")
    own = [n for n in ARTIFACTS if artifact_stage(n) == site.stage and n not in _begun(site)]
    return _write(site, own[0], folder) if own else None


def _hidden_early(site: Site) -> Draft | None:
    names = _later(site)
    folder = site.rng.choice(_FOLDERS)
    return _write(site, site.rng.choice(names), folder) if names else None


_CODE: Final = "premature_artifact"

OPERATORS: Final[tuple[Operator, ...]] = (
    Operator(
        "artifact of a later stage",
        _CODE,
        "An artifact is begun in its own stage at the earliest.",
        _too_early,
    ),
    Operator(
        "proposal before there are ideas",
        _CODE,
        "The proposal is written from a selected candidate, so the candidates come first.",
        _proposal_first,
    ),
    Operator(
        "artifact upon one without content",
        _CODE,
        "An artifact is begun when the one before it holds something.",
        _on_nothing,
    ),
    Operator(
        "whole artifact in one block",
        _CODE,
        "Artifacts grow by skeleton, fill, revision and finish, and are not written whole at once.",
        _in_one_block,
    ),
    Operator(
        "artifact in another folder",
        _CODE,
        "The four artifacts stand in the topic's folder itself, once.",
        _misplaced,
        also=("malformed_call",),
    ),
    Operator(
        "artifact of a later stage in another folder",
        _CODE,
        "A folder between makes an artifact no less early.",
        _hidden_early,
        also=("malformed_call",),
    ),
)
