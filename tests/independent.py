"""An auditor of finished runs that shares no code with the package: standard library and orjson.

`audit(folder)` reads a run's folder as a stranger would, from the written contract alone, and
returns every problem it finds. It is deliberately plain: where the verifier follows a trail turn
by turn with indexes, this reads the record once from front to back.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

# The tests' folder is no package, and benchmarks load this file by its path.
sys.path.insert(0, str(Path(__file__).resolve().parent))

from independent_reading import (
    ARTIFACTS,
    ISO_DAY,
    STAGES,
    Problem,
    Reading,
    candidates,
    canonical,
    claims,
    header,
    hits,
    horizon,
    latest,
    plain,
    read_through,
    squeeze,
    strings,
)
from independent_shape import shape

__all__ = ["Problem", "audit", "audit_record", "shape"]

URL = re.compile(r"https?://[^\s<>\"'`|\])}]+")
PIPELINE = re.compile(
    r"\b(?:advisors?|oracles?|anchors?|verifiers?|verdicts?|milestones?"
    r"|leakage locks?|locked terms?|hidden targets?|hidden proposal|stage line|retry budget"
    r"|rejected draft|(?:this|another|the) retry|draft (?:of this turn )?was not taken"
    r"|Turn \d+ of \d+|Stage: (?:explore|audit|synthesize|ideate|propose))\b",
    re.IGNORECASE,
)
INNOCENT = re.compile(r"anchor (?:text|word|point|box)s?|oracle summar(?:y|ies)", re.IGNORECASE)
HOST_PATH = re.compile(r"(?<![\w.:/])/(?:home|tmp|root|Users|var|work|mnt|private)/\S+")


def check_scrapes(reading: Reading) -> None:
    """Every scraped URL stood in an earlier observation."""
    known: dict[str, int] = {}
    for seen in reading.seen:
        for url in [*URL.findall(seen.text), *([f"https://{seen.url}"] if seen.url else [])]:
            known.setdefault(canonical(url), seen.message)
    for at, call, _, arguments, _ in reading.pairs:
        if call["function"]["name"] == "Scraper":
            url = canonical(str(arguments.get("url", "")))
            if known.get(url, at) >= at:
                reading.fault("scraped url", f"{url} was not observed before", at)


def check_quotes(reading: Reading) -> None:
    """Quotes and notes are verbatim in one earlier observation of the source they name."""
    by_url: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for seen in reading.seen:
        if seen.url:
            by_url[seen.url].append((seen.message, squeeze(seen.text)))
    done: set[tuple[str, str]] = set()
    for step in reading.steps:
        if not step.path.endswith("/claim_audit.md"):
            continue
        for claim in claims(step.after):
            for source in claim["sources"]:
                url = canonical(source["url"])
                texts = [text for message, text in by_url[url] if message < step.message]
                facts = f"{source['title']} {source['year']} {url}"
                if (url, facts) not in done:
                    done.add((url, facts))
                    _check_source(reading, step.message, claim["id"], source, texts)
                for quote in source["verbatim"]:
                    if (url, quote) in done:
                        continue
                    done.add((url, quote))
                    if not any(squeeze(quote) in text for text in texts):
                        reading.fault("quote", f"{claim['id']}: {quote[:80]!r}", step.message)


def _check_source(
    reading: Reading, at: int, claim: str, source: dict[str, Any], texts: list[str]
) -> None:
    if not texts:
        reading.fault("source", f"{claim}: {source['url']} was not observed before", at)
    elif not any(squeeze(source["title"]) in text for text in texts):
        reading.fault("source", f"{claim}: no observed title {source['title'][:60]!r}", at)
    elif source["year"] != "n.d." and not any(source["year"] in text for text in texts):
        reading.fault("source", f"{claim}: year {source['year']} was not observed", at)


def check_counts(reading: Reading) -> None:
    """Five claims with a source each, three candidates with one choice and reasons."""
    audit = _artifact(reading, "claim_audit.md")
    backed = [c for c in claims(audit) if any(s["verbatim"] for s in c["sources"])]
    if len(backed) < 5:
        reading.fault("claims", f"{len(backed)} with a source and a quote or note")
    for claim in claims(audit):
        if not claim["sources"]:
            reading.fault("claims", f"{claim['id']} has no source")
    ideas = candidates(_artifact(reading, "idea_candidates.md"))
    if len(ideas) < 3:
        reading.fault("candidates", f"{len(ideas)}")
    chosen = [i for i in ideas if i["decision"].startswith("selected")]
    reasons = [
        i
        for i in ideas
        if re.match(r"rejected\W+because\b", i["decision"]) and re.search(r"\bC\d", i["decision"])
    ]
    if len(chosen) != 1 or len(reasons) < 2:
        reading.fault(
            "decisions", f"{len(chosen)} selected, {len(reasons)} rejected with a claim as reason"
        )


def _artifact(reading: Reading, name: str) -> str:
    return next((t for p, t in reading.files.items() if p.endswith(f"/{name}")), "")


def check_dates(reading: Reading) -> None:
    """No result is dated after the cutoff, neither in its text nor in our notes on it."""
    system = str(reading.messages[0].get("content"))
    trail = reading.record.get("_trail", {})
    cutoff = str(trail.get("cutoff", ""))
    first = ISO_DAY.search(system)
    if not first or first[0] != cutoff[:10]:
        reading.fault("cutoff", f"the system prompt says {first and first[0]}, _trail {cutoff}")
        return
    limit = horizon(cutoff)
    for _, call, at, _, content in reading.pairs:
        if content.startswith("Error: "):
            continue
        name = call["function"]["name"]
        if name == "WebSearch":
            shown = [hit["date"] for hit in hits(content)]
        elif name == "Scraper":
            shown = [header(content).get("Date", "")]
        else:
            continue
        for date in shown:
            end = latest(date)
            if end is None or end > limit:
                reading.fault("date", f"{date!r} is not at or before {cutoff}", at)
    results = trail.get("results", {})
    for _, call, at, _, content in reading.pairs:
        mark = results.get(call["id"])
        if mark is None:
            reading.fault("results", f"no entry for {call['id']}", at)
            continue
        if mark["sha256"] != hashlib.sha256(content.encode()).hexdigest():
            reading.fault("results", f"{call['id']}: another hash than its content's", at)
        if (mark["status"] == "ok") == content.startswith("Error: "):
            reading.fault("results", f"{call['id']}: status {mark['status']}", at)
        if mark["date_latest"] and _moment(mark["date_latest"]) > limit:
            reading.fault("date", f"{mark['date_latest']} is after {cutoff}", at)


def _moment(text: str) -> datetime:
    if ISO_DAY.fullmatch(text):
        return horizon(text)
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def generator_texts(reading: Reading) -> Iterator[tuple[int, str]]:
    """Everything the Generator wrote, by message."""
    for at, message in enumerate(reading.messages):
        if message.get("role") != "assistant":
            continue
        yield at, str(message.get("reasoning_content") or "")
        yield at, str(message.get("content") or "")
        for call in message.get("tool_calls") or []:
            try:
                yield from ((at, text) for text in strings(json.loads(_arguments(call))))
            except ValueError:
                yield at, _arguments(call)


def _arguments(call: dict[str, Any]) -> str:
    return str(call["function"]["arguments"])


def check_locks(reading: Reading, oracle: dict[str, Any]) -> None:
    """No locked term stands in Generator text before it was observed or unlocked."""
    stage_of = {t["message"]: t["stage"] for t in reading.record["_trail"]["turns"]}
    texts: dict[int, str] = defaultdict(str)
    for at, text in generator_texts(reading):
        texts[at] += plain(text)
    public = [
        (at, plain(str(m.get("content"))))
        for at, m in enumerate(reading.messages)
        if m.get("role") in ("user", "tool")
    ]
    for lock in oracle.get("locks", []):
        opens = STAGES.index(lock["opens_at"])
        for form in lock["forms"]:
            term = plain(form)
            if not term.strip():
                continue
            free = next((at for at, text in public if term in text), len(reading.messages))
            for at, text in texts.items():
                if at < free and term in text and STAGES.index(stage_of[at]) < opens:
                    reading.fault("locked term", f"{lock['id']} in stage {stage_of[at]}", at)
                    break


def check_language(reading: Reading) -> None:
    """No word of the pipeline in Generator text, unless the direction or a source uses it."""
    public = [
        (at, str(m.get("content")).casefold())
        for at, m in enumerate(reading.messages)
        if m.get("role") in ("user", "tool")
    ]
    for at, text in generator_texts(reading):
        for match in PIPELINE.finditer(INNOCENT.sub(" ", text)):
            word = match[0].casefold()
            if not any(word.rstrip("s") in said for before, said in public if before < at):
                reading.fault("pipeline language", repr(match[0]), at)
        for match in HOST_PATH.finditer(text):
            reading.fault("host path", match[0], at)


def check_growth(reading: Reading) -> None:
    """Artifacts come in order and grow by skeleton, fill and finalize steps that change them."""
    endpoint = reading.record["_trail"]["endpoint"]
    wanted = ARTIFACTS if endpoint == "proposal" else ARTIFACTS[:3]
    first: list[int] = []
    for name in wanted:
        steps = [s for s in reading.steps if s.path.endswith(f"/{name}") and s.before != s.after]
        if not steps:
            reading.fault("artifacts", f"{name} was never written")
            continue
        first.append(steps[0].message)
        start, end = steps[0].after, steps[-1].after
        if len(steps) < 3 or len({s.message for s in steps}) < 2:
            reading.fault("growth", f"{name} has {len(steps)} steps that changed it")
        if "- status: open" not in start and len(start) > 0.5 * len(end):
            reading.fault("growth", f"{name} does not begin as a skeleton", steps[0].message)
        if not any(s.before and len(s.after) > len(s.before) for s in steps[:-1]):
            reading.fault("growth", f"{name} is never filled before its last step")
        if _open_and_used(reading, name, end):
            reading.fault("growth", f"{name} is left open", steps[-1].message)
    if first != sorted(first):
        reading.fault("artifacts", f"first written in messages {first}, out of order")
    rest = set(ARTIFACTS) - set(wanted)
    extra = [s.path for s in reading.steps if s.path.rsplit("/", 1)[-1] in rest]
    if extra:
        reading.fault("artifacts", f"{extra[0]} has no place in an {endpoint} trail")


def _open_and_used(reading: Reading, name: str, text: str) -> bool:
    """Whether something is left open; a claim may be, as long as nothing cites it."""
    if name != "claim_audit.md":
        return "- status: open" in text
    blocks = re.split(r"(?m)^(?=## )", text)
    left = [re.match(r"## (C\d+)\.", b) for b in blocks if "- status: open" in b]
    others = "\n".join(t for p, t in reading.files.items() if not p.endswith(f"/{name}"))
    cites = set(re.findall(r"\bC\d+\b", " ".join(re.findall(r"\[[CI\d, ]+\]", others))))
    return any(m and m[1] in cites for m in left)


def check_block(reading: Reading) -> None:
    """`_trail` and the `_` keys agree with the messages."""
    record, trail = reading.record, reading.record["_trail"]
    turns = [t["message"] for t in trail["turns"]]
    at = [i for i, m in enumerate(reading.messages) if m.get("role") == "assistant"]
    if turns != at:
        reading.fault("turns", "the turns of _trail are not the assistant messages")
    ranks = [STAGES.index(t["stage"]) for t in trail["turns"]]
    if ranks != sorted(ranks):
        reading.fault("stages", "go back")
    marks = [(s["stage"], s["from_message"]) for s in trail["stages"]]
    begins = [
        (t["stage"], t["message"])
        for i, t in enumerate(trail["turns"])
        if i == 0 or trail["turns"][i - 1]["stage"] != t["stage"]
    ]
    if marks != begins:
        reading.fault("stages", "do not begin where the turns say")
    proposal = trail["endpoint"] == "proposal"
    if record.get("_proposal_synth", False) is not proposal:
        reading.fault("endpoint", "_proposal_synth does not fit")
    path = record.get("_proposal_path")
    if (path is not None) != proposal or (path and (path.startswith("/") or ".." in path)):
        reading.fault("endpoint", f"_proposal_path {path!r} does not fit")
    if trail["outcome"] == "accepted" and trail["endpoint"] not in ("idea", "proposal"):
        reading.fault("endpoint", "an accepted trail without one")
    if record.get("parallel_tool_calls") is not True:
        reading.fault("roles", "parallel_tool_calls is not true")


def audit_record(
    record: dict[str, Any],
    oracle: dict[str, Any] | None = None,
    workspace: dict[str, str] | None = None,
) -> list[Problem]:
    """Every problem of an accepted record; `workspace` maps paths to final texts."""
    reading = read_through(record)
    check_block(reading)
    if any(p.rule in ("turns", "roles") for p in reading.problems):
        return reading.problems  # nothing below could be trusted
    check_scrapes(reading)
    check_quotes(reading)
    check_counts(reading)
    check_dates(reading)
    check_language(reading)
    check_growth(reading)
    if oracle is not None:
        check_locks(reading, oracle)
    if workspace is not None:
        for path, text in reading.files.items():
            if workspace.get(path) != text:
                reading.fault("workspace", f"{path} is not what its edits make of it")
    return reading.problems


def audit(folder: Path) -> list[Problem]:
    """Every problem of the accepted run in `folder`."""
    lines = (folder / "trajectory.jsonl").read_bytes().split(b"\n")
    if len(lines) != 2 or lines[1]:
        return [Problem("file", "trajectory.jsonl is not one whole line")]
    record = orjson.loads(lines[0])
    oracle = orjson.loads((folder / "advisor" / "oracle.json").read_bytes())
    root = folder / "workspace"
    files = {
        path.relative_to(root).as_posix(): path.read_bytes().decode("utf-8", "replace")
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
    problems = audit_record(record, oracle, files)
    if record["sample_id"] != folder.name:
        problems.append(Problem("file", "sample_id is not the folder's name"))
    return problems
