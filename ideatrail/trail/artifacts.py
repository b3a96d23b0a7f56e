"""The four artifacts and their one parser (contract, "Artifacts"; paper, section 3.2).

One field a line, `- key: value`, under `## ` headings. Parsing never raises: what does not fit the
form is a fault with its line, and the rest is read as far as it goes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from ideatrail.trail.stage import ARTIFACTS, ArtifactName, ArtifactState

SUPPORTS: Final = ("full text", "abstract", "snippet", "summary")
STATUSES: Final = ("open", "supported", "contested", "refuted")
SYNTHESIS_SECTIONS: Final = (
    "Problem levels",
    "Evidence base",
    "Mechanism hypotheses",
    "Contradictions",
    "Boundaries",
    "Candidate directions",
)
PROPOSAL_SECTIONS: Final = (
    "Research question",
    "Motivation",
    "Thesis",
    "Method",
    "Expected contribution",
    "Evaluation",
    "Baselines",
    "Risks",
    "Novelty",
    "Implementation",
)
EVALUATION_FIELDS: Final = ("data", "metric", "baseline", "decision rule")
MIN_CLAIMS: Final = 5
MIN_CANDIDATES: Final = 3
MIN_QUOTE: Final = 12

CITATION: Final = re.compile(r"\[((?:[CI]\d+)(?:\s*,\s*[CI]\d+)*)\]")
_HEADING: Final = re.compile(r"^## +(.*\S)\s*$")
_NUMBERED: Final = re.compile(r"^([CI])(\d+)\. +(.*\S)$")
_FIELD: Final = re.compile(r"^- ([a-z][a-z ]*): ?(.*)$")
_SOURCE: Final = re.compile(
    r"^(.*?\S) \(((?:[^()]|\([^()]*\))+?)(?: et al\.)?, (\d{4}|n\.d\.)\) (\S+)$"
)
_VERBATIM: Final = re.compile(r'^"(.*)"$')


@dataclass(frozen=True)
class Fault:
    """A line that does not have the form."""

    line: int
    """From 1."""
    message: str


@dataclass(frozen=True)
class Section:
    """A `## ` heading and what stands under it."""

    heading: str
    body: str
    """Lines below the heading, joined, outer blank lines removed."""
    line: int
    """Line of the heading, from 1."""
    fields: tuple[tuple[str, str, int], ...]
    """(key, value, line) of each field line, in order; keys may repeat."""

    def value(self, key: str) -> str:
        """The first value of `key`, or an empty string."""
        return next((v for k, v, _ in self.fields if k == key), "")

    @property
    def prose(self) -> str:
        """The body without its field lines."""
        return "\n".join(
            line for line in self.body.splitlines() if line.strip() and not _FIELD.match(line)
        )


@dataclass(frozen=True)
class Source:
    """A source block of a claim."""

    title: str
    author: str
    """First author, as written."""
    year: str
    url: str
    line: int
    quotes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Claim:
    """`## C<n>.` of the claim audit."""

    id: str
    text: str
    line: int
    sources: tuple[Source, ...]
    support: str
    status: str
    limitation: str
    implication: str


@dataclass(frozen=True)
class Candidate:
    """`## I<n>.` of the idea candidates."""

    id: str
    name: str
    line: int
    mechanism: str
    rests_on: tuple[str, ...]
    novelty: str
    risk: str
    decision: str
    """The whole decision line."""

    @property
    def selected(self) -> bool:
        """Whether the decision selects it."""
        return self.decision.lower().startswith("selected")

    @property
    def rejected(self) -> bool:
        """Whether the decision rejects it with a reason."""
        return bool(re.match(r"rejected\b[^a-z]*because\b", self.decision.lower()))


@dataclass(frozen=True)
class Artifact:
    """One artifact as parsed."""

    name: ArtifactName
    text: str
    state: ArtifactState
    sections: tuple[Section, ...]
    claims: tuple[Claim, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    faults: tuple[Fault, ...] = field(default=())

    def section(self, heading: str) -> Section | None:
        """The section with that heading, in any case."""
        return next((s for s in self.sections if s.heading.lower() == heading.lower()), None)

    @property
    def selected(self) -> Candidate | None:
        """The selected candidate, where exactly one is."""
        chosen = [c for c in self.candidates if c.selected]
        return chosen[0] if len(chosen) == 1 else None


def cited(text: str) -> tuple[str, ...]:
    """Ids cited in `text` as `[C1]` or `[C1, C2]`, in order of first use."""
    found: dict[str, None] = {}
    for match in CITATION.finditer(text):
        for one in match.group(1).split(","):
            found[one.strip()] = None
    return tuple(found)


def artifact_name(path: str) -> ArtifactName | None:
    """The artifact that a workspace path names, or None for any other file."""
    last = path.rsplit("/", 1)[-1]
    return next((name for name in ARTIFACTS if name == last and "/sources/" not in path), None)


def parse(name: ArtifactName, text: str | None) -> Artifact:
    """Parse `text` as the artifact `name`; None is an absent file."""
    if text is None:
        return Artifact(name, "", "absent", ())
    faults: list[Fault] = []
    sections = _sections(text)
    claims: tuple[Claim, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    if name == "claim_audit.md":
        claims = tuple(_claims(sections, faults))
        state = _claim_state(claims, faults)
    elif name == "synthesis.md":
        state = _prose_state(sections, SYNTHESIS_SECTIONS, faults)
        if state == "filled" and _synthesis_final(sections, faults):
            state = "final"
    elif name == "idea_candidates.md":
        candidates = tuple(_candidates(sections, faults))
        state = _candidate_state(candidates, faults)
    else:
        state = _prose_state(sections, PROPOSAL_SECTIONS, faults)
        if state == "filled" and _proposal_final(sections, faults):
            state = "final"
    if state == "final" and re.search(r"^- status: open\s*$", text, re.MULTILINE):
        state = "filled"
    return Artifact(name, text, state, tuple(sections), claims, candidates, tuple(faults))


def _sections(text: str) -> list[Section]:
    found: list[Section] = []
    heading, start, body = "", 0, list[str]()

    def close() -> None:
        if not heading:
            return
        fields = []
        for offset, line in enumerate(body, start=1):
            match = _FIELD.match(line)
            if match:
                fields.append((match.group(1).strip(), match.group(2).strip(), start + offset))
        found.append(Section(heading, "\n".join(body).strip(), start, tuple(fields)))

    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip("\r")
        match = _HEADING.match(line)
        if match:
            close()
            heading, start, body = match.group(1), number, []
        else:
            body.append(line)
    close()
    return found


def _numbered(
    section: Section, letter: str, seen: set[str], faults: list[Fault]
) -> tuple[str, str] | None:
    match = _NUMBERED.match(section.heading)
    if not match or match.group(1) != letter:
        faults.append(Fault(section.line, f"heading is not '## {letter}<n>. <text>'"))
        return None
    name = letter + match.group(2)
    if name in seen:
        faults.append(Fault(section.line, f"{name} is used twice"))
    seen.add(name)
    return name, match.group(3)


def _claims(sections: list[Section], faults: list[Fault]) -> list[Claim]:
    claims = []
    seen: set[str] = set()
    for section in sections:
        head = _numbered(section, "C", seen, faults)
        if head is None:
            continue
        status = section.value("status")
        if status and status not in STATUSES:
            faults.append(Fault(section.line, f"status is none of {', '.join(STATUSES)}"))
        support = section.value("support")
        if support and support not in SUPPORTS:
            faults.append(Fault(section.line, f"support is none of {', '.join(SUPPORTS)}"))
        claims.append(
            Claim(
                id=head[0],
                text=head[1],
                line=section.line,
                sources=tuple(_sources(section, faults)),
                support=support,
                status=status,
                limitation=section.value("limitation"),
                implication=section.value("implication"),
            )
        )
    return claims


def _sources(section: Section, faults: list[Fault]) -> list[Source]:
    sources: list[Source] = []
    for key, value, line in section.fields:
        if key == "source":
            match = _SOURCE.match(value)
            if match:
                sources.append(Source(match[1], match[2], match[3], match[4], line))
            else:
                faults.append(
                    Fault(line, "source is not '<title> (<author> et al., <year>) <url>'")
                )
        elif key in ("quote", "note"):
            match = _VERBATIM.match(value)
            if not match or len(match.group(1)) < MIN_QUOTE:
                faults.append(Fault(line, f'{key} is not "<at least {MIN_QUOTE} characters>"'))
            elif not sources:
                faults.append(Fault(line, f"{key} stands before any source"))
            else:
                last = sources[-1]
                sources[-1] = Source(
                    last.title,
                    last.author,
                    last.year,
                    last.url,
                    last.line,
                    (*last.quotes, match.group(1)) if key == "quote" else last.quotes,
                    (*last.notes, match.group(1)) if key == "note" else last.notes,
                )
    return sources


def _candidates(sections: list[Section], faults: list[Fault]) -> list[Candidate]:
    candidates = []
    seen: set[str] = set()
    for section in sections:
        head = _numbered(section, "I", seen, faults)
        if head is None:
            continue
        candidates.append(
            Candidate(
                id=head[0],
                name=head[1],
                line=section.line,
                mechanism=section.value("mechanism"),
                rests_on=tuple(re.findall(r"\bC\d+\b", section.value("rests on"))),
                novelty=section.value("novelty"),
                risk=section.value("risk"),
                decision=section.value("decision"),
            )
        )
    return candidates


def _claim_state(claims: tuple[Claim, ...], faults: list[Fault]) -> ArtifactState:
    sourced = [c for c in claims if any(s.quotes or s.notes for s in c.sources)]
    if not sourced:
        return "skeleton"
    live = [c for c in sourced if c.status in STATUSES[1:] and c.support]
    if len(live) < MIN_CLAIMS:
        return "draft"
    if len(live) == len(claims) and all(c.limitation and c.implication for c in claims):
        return "final" if not faults else "filled"
    return "filled"


def _prose_state(
    sections: list[Section], wanted: tuple[str, ...], faults: list[Fault]
) -> ArtifactState:
    present = {s.heading.lower(): s for s in sections}
    missing = [w for w in wanted if w.lower() not in present]
    if missing:
        faults.append(Fault(1, f"sections missing: {', '.join(missing)}"))
    written = [s for s in sections if s.prose or any(k != "status" and v for k, v, _ in s.fields)]
    if not written:
        return "skeleton"
    if missing or len(written) < len(wanted):
        return "draft"
    return "filled"


def _synthesis_final(sections: list[Section], faults: list[Fault]) -> bool:
    by_heading = {s.heading.lower(): s for s in sections}
    tension = by_heading["contradictions"]
    if len(cited(tension.body)) < 2:
        faults.append(Fault(tension.line, "contradictions cite fewer than two claims"))
    for heading in ("evidence base", "mechanism hypotheses", "candidate directions"):
        if not cited(by_heading[heading].body):
            faults.append(Fault(by_heading[heading].line, f"{heading} cites no claim"))
    return not faults


def _candidate_state(candidates: tuple[Candidate, ...], faults: list[Fault]) -> ArtifactState:
    if not any(c.mechanism for c in candidates):
        return "skeleton"
    if len(candidates) < MIN_CANDIDATES or not all(c.mechanism and c.rests_on for c in candidates):
        return "draft"
    if not all(c.novelty and c.risk for c in candidates):
        return "draft"
    chosen = sum(c.selected for c in candidates)
    dropped = [c for c in candidates if c.rejected]
    if chosen != 1 or len(dropped) < 2 or chosen + len(dropped) != len(candidates):
        return "filled"
    for candidate in dropped:
        if not cited(candidate.decision):
            faults.append(Fault(candidate.line, f"{candidate.id} is rejected without a claim"))
    return "final" if not faults else "filled"


def _proposal_final(sections: list[Section], faults: list[Fault]) -> bool:
    by_heading = {s.heading.lower(): s for s in sections}
    evaluation = by_heading["evaluation"]
    for key in EVALUATION_FIELDS:
        if not evaluation.value(key):
            faults.append(Fault(evaluation.line, f"evaluation has no '- {key}:'"))
    ids = {i for s in sections for i in cited(s.body)}
    if not any(i.startswith("C") for i in ids) or not any(i.startswith("I") for i in ids):
        faults.append(Fault(1, "cites no claim or no candidate"))
    steps = by_heading["implementation"]
    if len(re.findall(r"^\d+\. \S", steps.body, re.MULTILINE)) < 3:
        faults.append(Fault(steps.line, "implementation has fewer than three numbered steps"))
    return not faults
