"""The shape of a record: figures to hold against the paper's release, and sentence skeletons."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import orjson
from independent_reading import (
    Reading,
    grepped,
    header,
    path_of,
    plain,
    read_through,
    squeeze,
    viewed,
)

FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a about above after again against all also although always am among an and another
        any are as at away back be because been before being below between both but by can
        cannot could did do does doing done down during each either else enough even ever
        every few first for from further had has have having he hence her here him his how
        however i if in instead into is it its itself just last least less let like may me
        might more most much must my neither never next no none nor not nothing now of off
        often on once one only onto or other others our out over own per perhaps quite
        rather same second seem seems shall she should since so some something soon still
        such than that the their them then there therefore these they third this those
        though three through thus to together too toward towards two under until up upon
        us very was we well were what whatever when where whereas whether which while who
        whose why will with within without would yet you your""",
    )
)


def sentences(text: str) -> list[str]:
    """Sentences of running text; quotes are masked first, so that their full stops end nothing."""
    text = re.sub(
        r'"[^"\n]*"|“[^”\n]*”', lambda q: " QQ. " if q[0][-2:-1] in ".?!" else " QQ ", text
    )
    text = re.sub(r"\b(et al|e\.g|i\.e|cf|vs|Fig|Sec|Eq|No)\.", r"\1", text)
    return [s.strip() for s in re.split(r"(?<=[.!?])\s+|\n+", text) if s.strip()]


def vocabulary(record: dict[str, Any]) -> set[str]:
    """Words of the direction and of every tool result, folded as `skeleton` folds them."""
    words: set[str] = set()
    for message in record["messages"]:
        if message.get("role") in ("user", "tool"):
            words.update(plain(str(message.get("content"))).split())
    return words - {w for f in FUNCTION_WORDS for w in plain(f).split()}


def skeleton(sentence: str, taken: set[str]) -> tuple[str, int]:
    """The sentence with quotes, names, numbers and observed words masked, and the words left.

    Neighbouring masks become one, so that a filler's length makes no new skeleton.
    """
    out: list[str] = []
    left = 0
    for number, token in enumerate(re.findall(r"[^\W_]+(?:['’][^\W_]+)?|[^\w\s]", sentence)):
        word = plain(token).strip()
        if token == "QQ" or any(c.isdigit() for c in token):
            masked = True
        elif not word:
            masked = False
            if token not in ".?!,;:":
                continue
        else:
            name = token[0].isupper() and number > 0 and token != "I"
            masked = name or any(part in taken for part in word.split() if len(part) > 1)
        if masked:
            while out and out[-1] == "," and len(out) > 1 and out[-2] == "_":
                out.pop()
            if not out or out[-1] != "_":
                out.append("_")
        else:
            out.append(word or token)
            left += bool(word)
    return " ".join(out), left


def skeletons(record: dict[str, Any]) -> dict[str, Any]:
    """Distinct sentence skeletons of the reasoning, and the most uses of a skeleton and a sentence.

    A sentence of which fewer than three words are left is no sentence plan but its fillers.
    """
    taken = vocabulary(record)
    plans: dict[str, int] = defaultdict(int)
    whole: dict[str, int] = defaultdict(int)
    for message in record["messages"]:
        if message.get("role") != "assistant":
            continue
        text = f"{message.get('reasoning_content') or ''}\n{message.get('content') or ''}"
        for sentence in sentences(text):
            plan, left = skeleton(sentence, taken)
            if left >= 3:
                plans[plan] += 1
        for sentence in re.split(r"(?<=[.!?])\s+|\n+", text):
            if len(sentence.split()) >= 3:
                whole[squeeze(sentence)] += 1
    top = max(plans, key=lambda p: plans[p], default="")
    again = max(whole, key=lambda s: whole[s], default="")
    return {
        "skeletons": len(plans),
        "skeleton_max": plans.get(top, 0),
        "skeleton_top": top,
        "sentence_max": whole.get(again, 0),
        "sentence_top": again,
    }


def repeated_views(reading: Reading) -> tuple[int, int]:
    """(Views every line of which had been shown before from that file, Views in all)."""
    shown: dict[str, set[str]] = defaultdict(set)
    total = repeated = 0
    for _, call, _, arguments, content in reading.pairs:
        if content.startswith("Error: "):
            continue
        name = call["function"]["name"]
        if name == "Scraper" and "Saved as" in header(content):
            shown[header(content)["Saved as"]].update(map(squeeze, content.split("\n")))
        elif name == "Grep":
            for file, line in grepped(content):
                shown[file].add(squeeze(line))
        elif name == "View":
            lines = {squeeze(line) for line in viewed(content)} - {""}
            total += 1
            repeated += lines <= shown[path_of(arguments)]
            shown[path_of(arguments)] |= lines
    return repeated, total


def shape(record: dict[str, Any]) -> dict[str, Any]:
    """The figures by which a record is held against the paper's release."""
    reading = read_through(record)
    messages = record["messages"]
    names = [
        c["function"]["name"]
        for m in messages
        if m.get("role") == "assistant"
        for c in m.get("tool_calls") or []
    ]
    batches = [len(m["tool_calls"]) for m in messages if m.get("tool_calls")]
    total = max(len(names), 1)
    first = next((i for i, n in enumerate(names) if n in ("Write", "Edit")), len(names))
    characters = {
        "observations": sum(len(m["content"]) for m in messages if m["role"] == "tool"),
        "reasoning": sum(len(m.get("reasoning_content") or "") for m in messages),
        "visible": sum(len(m["content"] or "") for m in messages if m["role"] == "assistant"),
        "system": sum(len(m["content"]) for m in messages if m["role"] == "system"),
        "user": sum(len(m["content"]) for m in messages if m["role"] == "user"),
    }
    everything = max(sum(characters.values()), 1)
    repeated, views = repeated_views(reading)
    tiers = [m.get("value_tier") for m in messages if m["role"] == "assistant"]

    def share(*wanted: str) -> float:
        return sum(n in wanted for n in names) / total

    return {
        "calls": len(names),
        "messages": len(messages),
        "fan_out": sum(batches) / max(len(batches), 1),
        "fan_out_max": max(batches, default=0),
        "calls_before_write": first,
        "authoring": share("Write", "Edit"),
        "view": share("View"),
        "retrieval": share("WebSearch", "Scraper"),
        "discovery": share("Glob", "Grep"),
        "views_repeated": repeated / max(views, 1),
        "characters": everything,
        "bytes": len(orjson.dumps(record)),
        **{f"characters_{k}": v / everything for k, v in characters.items()},
        **{f"tier_{t}": tiers.count(t) / max(len(tiers), 1) for t in ("high", "normal", "low")},
        **skeletons(record),
    }
