"""The provenance graph on its own: nodes and edges for JSON, GraphML and whatever draws graphs.

Edges point from what rests to what it rests on: sentence → edit (`written_by`) → turn (`in`),
sentence → claim (`cites`), claim → support (`quotes`), support → observation (`found_in`, with the
bytes), observation → turn (`in`).
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal
from xml.sax.saxutils import escape, quoteattr

import orjson

from ideatrail.evidence.urls import canonical
from ideatrail.records.writer import replace
from ideatrail.trail.provenance import build
from ideatrail.trail.turn import Trail

Kind = Literal["turn", "edit", "sentence", "claim", "support", "observation"]
_ATTRIBUTES: Final = ("kind", "label", "turn", "artifact", "section", "tool", "source", "grounded")
_EDGE_ATTRIBUTES: Final = ("kind", "start", "end")


@dataclass(frozen=True)
class Graph:
    """Nodes by id with their attributes, and edges (from, to, attributes)."""

    nodes: dict[str, dict[str, Any]]
    edges: tuple[tuple[str, str, dict[str, Any]], ...]


def graph_of(trail: Trail) -> Graph:
    """The whole graph of a trail, from its public record alone."""
    whole = build(trail, canonical=canonical)
    nodes: dict[str, dict[str, Any]] = {}
    edges: list[tuple[str, str, dict[str, Any]]] = []
    for turn in trail.turns:
        nodes[f"turn:{turn.index}"] = {"kind": "turn", "label": turn.stage, "turn": turn.index}
        for call, result in turn.pairs:
            if result.observed:
                key = f"observation:{result.call_id}"
                nodes[key] = {
                    "kind": "observation",
                    "label": result.call_id,
                    "turn": turn.index,
                    "tool": call.name,
                }
                edges.append((key, f"turn:{turn.index}", {"kind": "in"}))
    for edit in whole.edits:
        key = f"edit:{edit.call_id}"
        nodes[key] = {
            "kind": "edit",
            "label": edit.call_id,
            "turn": edit.turn,
            "artifact": edit.artifact,
            "tool": edit.tool,
        }
        edges.append((key, f"turn:{edit.turn}", {"kind": "in"}))
    claims = whole.artifacts["claim_audit.md"]
    for section in claims.sections:
        name = section.heading.partition(".")[0]
        nodes[f"claim:{name}"] = {
            "kind": "claim",
            "label": section.heading,
            "grounded": name in whole.grounded,
        }
    for number, support in enumerate(whole.supports):
        key = f"support:{number}"
        nodes[key] = {
            "kind": "support",
            "label": support.text,
            "turn": support.written,
            "source": support.source.url,
        }
        edges.append((f"claim:{support.claim}", key, {"kind": "quotes"}))
        if support.span is not None:
            edges.append(
                (
                    key,
                    f"observation:{support.span.call_id}",
                    {"kind": "found_in", "start": support.span.start, "end": support.span.end},
                )
            )
    for number, sentence in enumerate(whole.sentences):
        key = f"sentence:{number}"
        nodes[key] = {
            "kind": "sentence",
            "label": sentence.text,
            "turn": sentence.turn,
            "artifact": sentence.artifact,
            "section": sentence.section,
        }
        edges.append((key, f"edit:{sentence.call_id}", {"kind": "written_by"}))
        edges += [(key, f"claim:{name}", {"kind": "cites"}) for name in sentence.rests_on]
    known = tuple(edge for edge in edges if edge[0] in nodes and edge[1] in nodes)
    return Graph(nodes, known)


def as_json(graph: Graph) -> bytes:
    """Node-link form, as networkx and d3 read it."""
    held = {
        "directed": True,
        "multigraph": True,
        "graph": {},
        "nodes": [{"id": key, **values} for key, values in graph.nodes.items()],
        "edges": [{"source": a, "target": b, **values} for a, b, values in graph.edges],
    }
    return orjson.dumps(held, option=orjson.OPT_INDENT_2) + b"\n"


def as_graphml(graph: Graph) -> bytes:
    """GraphML, as Gephi, yEd and networkx read it."""
    out = io.StringIO()
    out.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    out.write('<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    for name in _ATTRIBUTES:
        out.write(f'  <key id="n_{name}" for="node" attr.name="{name}" attr.type="string"/>\n')
    for name in _EDGE_ATTRIBUTES:
        out.write(f'  <key id="e_{name}" for="edge" attr.name="{name}" attr.type="string"/>\n')
    out.write('  <graph edgedefault="directed">\n')
    for key, values in graph.nodes.items():
        out.write(f"    <node id={quoteattr(key)}>")
        _data(out, "n", values)
        out.write("</node>\n")
    for source, target, values in graph.edges:
        out.write(f"    <edge source={quoteattr(source)} target={quoteattr(target)}>")
        _data(out, "e", values)
        out.write("</edge>\n")
    out.write("  </graph>\n</graphml>\n")
    return out.getvalue().encode("utf-8", "replace")


def write(trail: Trail, out: Path) -> None:
    """Write a trail's graph; the name's ending says how. Raises ValueError, OSError."""
    makers = {".json": as_json, ".graphml": as_graphml}
    if out.suffix not in makers:
        raise ValueError(f"{out}: end the name with .json or .graphml")
    out.parent.mkdir(parents=True, exist_ok=True)
    replace(out, makers[out.suffix](graph_of(trail)))


def _data(out: io.StringIO, prefix: str, values: dict[str, Any]) -> None:
    for name, value in values.items():
        text = "".join(c for c in str(value) if c >= " " or c in "\t\n")
        out.write(f'<data key="{prefix}_{name}">{escape(text)}</data>')
