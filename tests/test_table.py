"""The table node × reads × writes × exits, held against the compiled graph and the cards."""

from __future__ import annotations

import inspect
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from ideatrail.graph import NODES, PROMPT_VALUES, build
from ideatrail.resources import folder
from ideatrail.roles import SIDES, load_roles
from ideatrail.state import TABLE, State, reads
from ideatrail.trail.channels import ADVISOR, CHANNELS, PUBLIC


@pytest.fixture(scope="module")
def roles():
    return load_roles(folder("agents"), folder("prompts"), PROMPT_VALUES)


@pytest.fixture(scope="module")
def graph(roles):
    return build(roles.cards)


def test_every_row_is_a_node_and_every_node_a_row(graph):
    assert set(TABLE) == set(NODES) == set(graph.get_graph().nodes) - {"__start__", "__end__"}


@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_node_is_given_what_its_row_lists(name, graph, roles):
    given = set(
        graph.nodes[name].triggers and graph.builder.nodes[name].input_schema.__annotations__
    )
    assert given == TABLE[name].reads == reads(TABLE[name], roles.cards)


@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_node_exits_as_its_return_type_and_its_row_say(name, graph):
    returned = get_type_hints(inspect.unwrap(NODES[name]))["return"]
    (exits,) = get_args(returned)
    assert get_origin(exits) is Literal
    assert set(get_args(exits)) == set(TABLE[name].exits)
    edges = {e.target for e in graph.get_graph().edges if e.source == name}
    assert edges == set(TABLE[name].exits)


@pytest.mark.parametrize("name", sorted(TABLE))
def test_a_node_takes_state_and_a_typed_runtime_only(name):
    assert list(inspect.signature(inspect.unwrap(NODES[name])).parameters) == ["state", "runtime"]


def test_channels_stand_on_one_side_each():
    assert not PUBLIC & ADVISOR
    assert set(State.__annotations__) == CHANNELS


def test_the_generator_reads_public_channels_and_writes_its_draft_alone():
    row = TABLE["generate"]
    assert row.reads <= PUBLIC
    assert row.writes == {"draft"}


def test_every_channel_is_written_by_a_node_or_given_at_the_start():
    given = {"proposal", "paper", "cutoff", "budget"}
    assert CHANNELS - given == {w for row in TABLE.values() for w in row.writes}


def test_there_are_no_conditional_edges(graph):
    assert not graph.builder.branches


def test_sides_are_fixed_by_name(roles):
    assert {name for name, side in SIDES.items() if side == "generator"} == {"generator"}
    assert all(card.side == SIDES[name] for name, card in roles.cards.items())


def test_a_change_of_sees_changes_the_nodes_input(roles: Any):
    card = roles.cards["generator"]
    seen = tuple(c for c in card.sees if c != "portrait")
    cards = {**roles.cards, "generator": card.model_copy(update={"sees": seen})}
    schema = build(cards).builder.nodes["generate"].input_schema
    assert set(schema.__annotations__) == set(seen)
