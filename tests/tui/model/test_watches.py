"""Watches: what stands at a path, when it changed, and who changed it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai.turn.needs import Phase
from tests.property.profile import checked
from tests.simulator.kit import agent, flow
from tests.tui.model.kit import NOTHING, drawn, of_the_house, timeline
from tui.model.timeline import Timeline
from tui.model.watches import (
    PathError,
    changed,
    changes,
    check_path,
    source_of,
    value_at,
    value_before,
    who_set,
)

TALK = timeline()
PATHS = (
    "data.nome",
    "data.visto",
    "data",
    "runs",
    "runs[0].status",
    "runs.pedido.stepId",
    "runs.pedido.asked.nome",
    "floor",
    "claims",
    "inputs",
    "clock",
)


def of_session(play: Timeline, at: int) -> list[int]:
    session = play.session_of(play.turn_of(at))
    return [it for it in range(len(play)) if play.session_of(play.turn_of(it)) == session]


@checked
@given(drawn(least=1), st.sampled_from(PATHS), st.data())
def test_who_set_is_the_nearest_step_of_the_session_that_changed_it(
    play: Timeline, path: str, data: st.DataObject
):
    at = data.draw(st.integers(0, len(play) - 1))
    steps = [it for it in of_session(play, at) if changed(play, path, it)]
    assert who_set(play, path, at) == max((it for it in steps if it <= at), default=None)
    assert who_set(play, path, at, here=False) == max((it for it in steps if it < at), default=None)
    assert who_set(play, path, at, 1) == min((it for it in steps if it > at), default=None)


@pytest.mark.parametrize("path", PATHS)
def test_what_changed_is_read_off_the_records_as_step_by_step(path: str):
    for play in of_the_house():
        assert list(changes(play, path)) == [
            at for at in range(len(play)) if changed(play, path, at)
        ]


@checked
@given(drawn(least=1), st.sampled_from(PATHS))
def test_between_two_changes_a_value_stands_still(play: Timeline, path: str):
    for at in range(1, len(play)):
        if play.turn_of(at) == play.turn_of(at - 1):
            assert value_before(play, path, at) == value_at(play, path, at - 1)


@pytest.mark.parametrize(
    ("path", "place", "held"),
    [
        ("data.nome", 1, "Bia"),
        ("data[nome]", 1, "Bia"),
        ("data.visto", 1, True),
        ("data.falta", 1, None),
        ("data.nome.x", 1, None),
        ("data", 1, {"nome": "Bia", "visto": True}),
        ("runs[0].status", 0, "asking"),
        ("runs.0.status", 0, "asking"),
        ("runs[3].status", 0, None),
        ("runs.pedido.stepId", 1, "pausa"),
        ("runs.pedido.waiting.kind", 1, "timer"),
        ("runs.pedido.input", 1, None),
        ("runs.nada.stepId", 1, None),
        ("runs.pedido.nada", 1, None),
        ("floor", 0, "pedido"),
        ("floor", 1, None),
        ("runs", 3, []),
        ("clock", 3, "2026-01-05T11:00:00.000Z"),
    ],
)
def test_a_path_leads_to_a_value(path: str, place: int, held: Any):
    assert value_at(TALK, path, TALK.at(place)) == held


def test_names_with_dots_are_found_whole():
    play = timeline(
        "- {event: oi}",
        agent=agent(
            flow("a.b", {"id": "p", "wait": "1h"}),
            fields={"nome.do.meio": {"type": "string"}},
            actions={"agir": {"set": {"nome.do.meio": "Rui"}}},
        ),
    )
    at = play.at(0)
    [run] = play.state(at).runs
    assert value_at(play, "runs.a.b.status", at) == "waiting"
    assert value_at(play, f"runs.{run.id}.stepId", at) == "p"
    [key] = play.state(at).claims
    assert value_at(play, f"claims.{key}.at", at) == play.turns[0].now


def test_true_and_one_are_two_values():
    play = timeline(
        "- {event: oi, actions: {agir: {ok: true}}}\n- {event: pago}",
        agent=agent(
            flow("um", {"id": "a", "do": "um"}),
            flow("sim", {"id": "a", "do": "sim"}, on=[{"event": "pago"}]),
            actions={"um": {"set": {"x": 1}}, "sim": {"set": {"x": True}}, "agir": {}},
            fields={"x": {"type": "number"}},
        ),
    )
    assert [play.turn_of(at) for at in changes(play, "data.x")] == [0, 1]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("nome", "data.nome"),
        (" data.nome ", "data.nome"),
        ("floor", "floor"),
        ("runs[0]", "runs[0]"),
    ],
)
def test_a_bare_slug_is_a_field(text: str, path: str):
    assert check_path(text) == path


@pytest.mark.parametrize("text", ["", " ", "[0]", ".nome"])
def test_no_path_is_refused_with_what_can_be_written(text: str):
    with pytest.raises(PathError, match="write a path that begins with data, runs, claims"):
        check_path(text)


def test_where_no_turn_was_played_nothing_was_set():
    assert who_set(NOTHING, "data.nome", 0) is None
    assert who_set(NOTHING, "clock", 0, 1) is None


# --- who did it ---------------------------------------------------------------------------------


def sources(play: Timeline, path: str) -> list[tuple[int, Phase, str]]:
    return [
        (play.turn_of(at), play.phase_of(at), source_of(play, path, at))
        for at in changes(play, path)
    ]


def test_a_field_was_set_by_a_call_or_by_an_action():
    assert sources(TALK, "data.nome") == [(1, Phase.DECIDE, "understand call")]
    assert sources(TALK, "data.visto") == [(1, Phase.RUN, "action cobrar")]


def test_a_run_was_started_by_what_was_heard_and_ended_by_the_flow():
    started, *_, ended = sources(TALK, "runs.pedido.id")
    assert started == (0, Phase.DECIDE, "understand call")
    assert ended == (3, Phase.RUN, "the flow")


def test_an_event_starts_a_run_without_a_call():
    play = timeline(
        "- {event: oi}", agent=agent(flow("f", {"id": "p", "wait": "1h"}), idle="silent")
    )
    assert sources(play, "runs.f.id")[0] == (0, Phase.INGEST, "event oi")


def test_what_was_heard_of_is_set_by_the_input():
    assert [source for _, _, source in sources(TALK, "inputs")] == ["message", "message"]
    assert {source for _, _, source in sources(TALK, "clock")} == {"the clock"}


SPEAKER = agent(
    flow("f", {"id": "p", "prompt": "Fale.", "collect": ["nome"], "tools": ["busca"]}),
    fields={"nome": {"type": "string"}, "cidade": {"type": "string"}},
    tools=[
        {
            "id": "busca",
            "description": "Busca.",
            "parameters": {"type": "object"},
            "returns": {"data": {"cidade": "Natal"}},
        }
    ],
)


def test_a_field_was_set_by_the_spoken_reply_or_by_a_tool():
    play = timeline(
        """
        - event: oi
          model:
            speak:
              - {toolCalls: [{tool: busca}]}
              - {message: "Oi, Bia!", nome: Bia}
        """,
        agent=SPEAKER,
    )
    assert [it[2] for it in sources(play, "data.cidade")] == ["tool busca"]
    assert [it[2] for it in sources(play, "data.nome")] == ["speak call"]


def test_without_phases_only_the_turn_is_known():
    assert sources(timeline(phases=False), "data.nome") == [(1, Phase.SETTLE, "this turn")]


def test_what_another_hand_stored_is_seen_when_it_is_loaded():
    stored = {
        "id": "cliente",
        "v": 4,
        "version": 3,
        "data": {"nome": "Eva"},
        "runs": [],
        "claims": {},
        "inputs": [],
        "metadata": {},
    }
    play = timeline("- {event: oi}", session="cliente", given={"session": stored})
    assert sources(play, "data.nome") == [(0, Phase.LOAD, "the store")]
