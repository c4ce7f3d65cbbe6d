"""Stand-ins for the host's code: results in order, and what they write and test."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from falai.words.context import ActionCtx, Ctx
from falai.words.registry import Action
from simulator.load import Document, ScenarioFileError
from simulator.stubs import ActionStub, StubError, Stubs, ToolStub, condition, overridable

NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)


def run(action: Action, data: dict[str, Any] | None = None) -> Any:
    ctx = ActionCtx(key="k", dedupe_key="d", data={} if data is None else data, context={}, now=NOW)
    return action.handler({}, ctx)


def results(*texts: str) -> tuple[Any, ...]:
    return tuple({"ok": True, "detail": text} for text in texts)


def test_the_default_is_ok():
    stubs = Stubs()
    assert run(ActionStub().action("a", stubs)) == {"ok": True}
    assert ToolStub(id="t").tool(stubs).handler({}, None) == {}  # pyright: ignore[reportArgumentType]


def test_a_list_is_used_in_order_and_the_last_repeats():
    action = ActionStub(results=results("1", "2")).action("a", Stubs())
    assert [run(action)["detail"] for _ in range(4)] == ["1", "2", "2", "2"]


def test_an_attempt_that_is_lost_uses_nothing_up():
    stubs = Stubs(["a"])
    action = ActionStub(results=results("1", "2", "3")).action("a", stubs)
    run(action)
    state = stubs.snapshot()
    assert run(action)["detail"] == "2"
    stubs.restore(state)
    assert run(action)["detail"] == "2"
    assert run(action)["detail"] == "3"


def test_a_turns_own_results_come_first_and_start_anew_each_turn():
    stubs = Stubs(["a"])
    action = ActionStub(results=results("1", "2")).action("a", stubs)
    stubs.override({"a": results("x", "y")})
    state = stubs.snapshot()
    assert [run(action)["detail"] for _ in range(3)] == ["x", "y", "y"]
    stubs.restore(state)
    assert run(action)["detail"] == "x"
    stubs.override({"a": results("z")})
    assert run(action)["detail"] == "z"
    stubs.override({})
    assert [run(action)["detail"] for _ in range(2)] == ["1", "2"]


def test_an_action_that_the_agent_lacks_cannot_be_given_results():
    spot = Document(Path("s.yaml"), "{notfy: {ok: true}, qqq: {ok: true}}").spot
    with pytest.raises(ScenarioFileError) as caught:
        Stubs(["notify"]).override({"notfy": ()}, spot)
    assert str(caught.value) == (
        's.yaml:1:2: the agent has no action "notfy". Did you mean "notify"?'
    )
    with pytest.raises(ScenarioFileError, match=r'no action "qqq"\. Register it on the agent\.'):
        Stubs(["notify"]).override({"qqq": ()}, spot)


def test_what_is_set_is_written_when_the_result_is_ok():
    stubs = Stubs(["a"])
    action = ActionStub(writes={"x": [1]}, results=({"failed": "f"}, {"ok": 0})).action("a", stubs)
    data: dict[str, Any] = {}
    run(action, data)
    assert data == {}
    run(action, data)
    assert data == {"x": [1]}
    data["x"].append(2)
    stubs.override({"a": ({"ok": True},)})
    run(action, data)
    assert data == {"x": [1]}


@pytest.mark.parametrize("result", [None, "text", {"bogus": 1}, ["ok"]])
def test_a_result_of_any_shape_is_handed_on(result: Any):
    action = ActionStub(results=(result,), writes={"x": 1}).action("a", Stubs())
    data: dict[str, Any] = {}
    assert run(action, data) == result
    assert data == {}


def test_throw_raises_its_text():
    stubs = Stubs()
    thrown = ({"throw": "fora do ar"},)
    with pytest.raises(StubError, match=r"^fora do ar$"):
        run(ActionStub(results=thrown).action("a", stubs))
    with pytest.raises(StubError, match=r"^fora do ar$"):
        ToolStub(id="t", results=thrown).tool(stubs).handler({}, None)  # pyright: ignore[reportArgumentType]


def test_an_own_action_gives_way_to_a_turns_results():
    stubs = Stubs(["a"])

    def own(args: Mapping[str, Any], _ctx: ActionCtx[Any]) -> Any:
        return {"ok": True, "detail": "own"}

    action = overridable("a", Action(own), stubs)
    assert run(action)["detail"] == "own"
    stubs.override({"a": results("x")})
    assert run(action)["detail"] == "x"


# --- conditions ---------------------------------------------------------------------------------

CONTEXT = {"lead": {"stage": "novo", "tags": ["vip", 3], "none": None, "n": 1}}


@pytest.mark.parametrize(
    ("path", "op", "argument", "holds"),
    [
        ("context.lead.stage", "equals", "novo", True),
        ("context.lead.stage", "equals", "quente", False),
        ("context.lead.n", "equals", 1.0, True),
        ("context.lead.n", "equals", True, False),
        ("context.lead", "equals", dict(CONTEXT["lead"]), True),
        ("context.lead.gone", "equals", None, False),
        ("context.lead.none", "equals", None, True),
        ("context.lead.tags.0", "equals", "vip", True),
        ("context.lead.tags.01", "equals", 3, False),
        ("context.lead.tags.9", "exists", False, True),
        ("context.lead.stage.x", "exists", False, True),
        ("context.lead.stage", "anyOf", ["novo", "quente"], True),
        ("context.lead.tags", "anyOf", ["vip"], True),
        ("context.lead.tags", "anyOf", ["3"], False),
        ("context.lead.tags", "anyOf", "vip", True),
        ("context.lead.gone", "anyOf", [None], False),
        ("context.lead.stage", "exists", True, True),
        ("context.lead.none", "exists", True, False),
        ("context.lead.gone", "exists", False, True),
        ("data.nome", "equals", "Ana", True),
        ("input", "exists", True, False),
    ],
)
def test_conditions(path: str, op: str, argument: Any, holds: bool):
    ctx = Ctx(context=CONTEXT, data={"nome": "Ana"}, input=UNSET, now=NOW)
    assert condition(path, op)(ctx, argument) is holds


def test_a_condition_on_the_input():
    ctx = Ctx(context=None, data={}, input={"n": 1}, now=NOW)
    assert condition("input.n", "equals")(ctx, 1)
    assert not condition("context.lead", "exists")(ctx, True)
