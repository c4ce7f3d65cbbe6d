"""Actions: what they are given, and what becomes of what they return."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec import UNSET

from falai import (
    Action,
    ActionCtx,
    Chain,
    Do,
    Field,
    If,
    Outcome,
    Param,
    Say,
    ScriptError,
    Silenced,
    TurnResult,
)
from tests.turn.kit import START, Chat, codes, flow, only, texts

Handler = Callable[[Mapping[str, Any], ActionCtx[Any]], Any]
FIELDS = {"nome": Field("string"), "ok": Field("boolean")}


def chat_with(handler: Handler, *after: Any, step: Do | None = None, **parts: Any) -> Chat:
    """A conversation whose flow runs one action, and then goes on."""
    action = Action(handler, {"para": Param("string", optional=True)})
    return Chat(
        flow(step or Do("d", "agir"), *after), fields=FIELDS, actions={"agir": action}, **parts
    )


def run(handler: Handler, *after: Any, **parts: Any) -> TurnResult:
    return chat_with(handler, *after, **parts).hear(id="m1")


def giving(value: Any) -> Handler:
    return lambda _, __: value


def line(returned: Any) -> Outcome:
    return only(run(giving(returned)).outcomes, "d")


# --- results ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Came:
    """What an action returned, and the line that it left."""

    id: str
    returned: Any
    status: str
    code: str | None = None
    detail: str | None = None


FAILED, SKIPPED, DEFERRED = "action-failed", "action-skipped", "action-deferred"
CAME = [
    Came("ok", {"ok": True}, "ok"),
    Came("ok-with-detail", {"ok": True, "detail": "feito"}, "ok", detail="feito"),
    Came("ok-whatever-its-value", {"ok": None}, "ok"),
    Came("ok-before-failed", {"failed": "x", "ok": False}, "ok"),
    Came("detail-that-is-no-text", {"ok": 1, "detail": {"n": 1}}, "ok", detail='{"n":1}'),
    Came("skipped", {"skipped": "já fiz"}, "skipped", SKIPPED, "já fiz"),
    Came("failed", {"failed": "sem rede"}, "failed", FAILED, "sem rede"),
    Came("deferred", {"defer": "1h", "detail": "x"}, "deferred", DEFERRED, "x"),
    Came("deferred-no-detail", {"defer": "1h"}, "deferred", DEFERRED),
]


@pytest.mark.parametrize("case", CAME, ids=lambda case: case.id)
def test_a_result_decides_the_line(case: Came):
    found = line(case.returned)
    assert (found.status, found.code, found.detail) == (case.status, case.code, case.detail)


@pytest.mark.parametrize("returned", [None, "ok", True, 5, [], {}, {"okay": 1}, object()])
def test_anything_else_fails_and_says_what_was_returned(returned: Any):
    found = line(returned)
    assert (found.status, found.code) == ("failed", FAILED)
    assert (found.detail or "").startswith("returned ")


@pytest.mark.parametrize("wait", ["logo", "", "1", 5, None, ["1h"], "-1h"])
def test_a_defer_that_is_no_duration_fails_and_is_not_raised(wait: Any):
    result = run(giving({"defer": wait}))
    assert (codes(result), result.schedule) == ([FAILED], [])


def test_what_an_action_raises_is_its_failure():
    def fail(_: Any, __: Any) -> Any:
        raise ConnectionError("sem rede")

    found = only(run(fail).outcomes, "d")
    assert (found.status, found.detail) == ("failed", "sem rede")


def test_an_action_that_is_awaited_does_the_same():
    async def later(_: Any, __: Any) -> Any:
        await asyncio.sleep(0)
        return {"ok": True, "detail": "feito"}

    assert only(run(later).outcomes, "d").detail == "feito"


def test_an_action_that_raises_while_it_is_awaited_fails():
    async def fail(_: Any, __: Any) -> Any:
        await asyncio.sleep(0)
        raise ValueError("quebrou")

    assert only(run(fail).outcomes, "d").detail == "quebrou"


def test_an_action_that_raises_without_words_says_what_it_raised():
    def fail(_: Any, __: Any) -> Any:
        raise NotImplementedError

    assert only(run(fail).outcomes, "d").detail == "NotImplementedError"


def test_a_stand_in_without_an_answer_is_no_failed_action():
    def dry(_: Any, __: Any) -> Any:
        raise ScriptError("no take")

    with pytest.raises(ScriptError, match="no take"):
        run(dry)


# --- where the run goes -----------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """A result, the targets of the step, and what is said on the way that was taken."""

    id: str
    returned: Any
    says: str
    then: str | None = None
    on_fail: str | None = None


OK, NO = {"ok": True}, {"failed": "x"}
WAYS = [
    Way("ok-goes-to-the-next", OK, "next"),
    Way("ok-follows-then", OK, "then", then="t"),
    Way("ok-passes-on-fail-over", OK, "next", on_fail="f"),
    Way("skipped-follows-then", {"skipped": "x"}, "then", then="t", on_fail="f"),
    Way("failed-follows-on-fail", NO, "fail", then="t", on_fail="f"),
    Way("failed-without-on-fail-follows-then", NO, "then", then="t"),
    Way("failed-without-either-goes-to-the-next", NO, "next"),
]


@pytest.mark.parametrize("case", WAYS, ids=lambda case: case.id)
def test_a_result_decides_the_way(case: Way):
    step = Do("d", "agir", then=case.then, on_fail=case.on_fail)
    after = [
        Say("n", say="next", then="end"),
        Say("t", say="then", then="end"),
        Say("f", say="fail", then="end"),
    ]
    result = run(giving(case.returned), *after, step=step)
    assert texts(result) == [case.says]
    assert result.outcomes[0].next == (case.on_fail if case.says == "fail" else case.then)


def test_a_deferred_action_runs_again_under_the_same_key():
    keys: list[str] = []

    def busy(_: Any, ctx: ActionCtx[Any]) -> Any:
        keys.append(ctx.key)
        return {"defer": "1h"} if len(keys) == 1 else {"ok": True}

    chat = chat_with(busy)
    (wake,) = chat.hear(id="m1").schedule
    chat.clock.advance("1h")
    assert only(chat.take(wake=wake.key).outcomes, "d").status == "ok"
    assert keys == ["a#m1:d:1", "a#m1:d:1"]


def test_a_defer_of_nothing_waits_for_now():
    (wake,) = run(giving({"defer": "0s"})).schedule
    assert wake.at == "2026-01-05T09:00:00.000Z"


# --- what it may write ------------------------------------------------------------------------


def test_what_an_action_sets_is_known_to_the_next_step():
    def write(_: Any, ctx: ActionCtx[Any]) -> Any:
        ctx.set({"nome": "Ana", "livre": [1]})
        return OK

    check = If("i", if_={"known": ["nome"]}, then="s", else_="end")
    result = run(write, check, Say("s", say="Oi {{data.nome}} {{data.livre}}"))
    assert texts(result) == ["Oi Ana 1"]


def test_what_is_set_stands_though_the_action_fails():
    def write(_: Any, ctx: ActionCtx[Any]) -> Any:
        ctx.set({"nome": None, "ok": "talvez"})
        raise ValueError("depois")

    assert run(write).session.data == {"nome": None, "ok": "talvez"}


@pytest.mark.parametrize(("spoke", "at"), [(True, START), (1, None), ("sim", None), (None, None)])
def test_an_action_that_spoke_counts_as_the_assistant_speaking(spoke: Any, at: str | None):
    assert run(giving({"ok": True, "spoke": spoke})).session.last_assistant_at == at


# --- what it sees -----------------------------------------------------------------------------


def test_an_action_sees_the_turn():
    seen: list[ActionCtx[Any]] = []

    def look(_: Any, ctx: ActionCtx[Any]) -> Any:
        seen.append(ctx)
        return OK

    chat_with(look).hear(id="m1", context={"vip": 1}, silenced={"reason": "pausa", "skip": True})
    (ctx,) = seen
    assert (ctx.key, ctx.dedupe_key, ctx.input) == ("a#m1:d:1", "a:s1:", UNSET)
    assert (ctx.context, ctx.data, ctx.now) == ({"vip": 1}, {}, datetime(2026, 1, 5, 9, tzinfo=UTC))
    assert ctx.silenced == Silenced("pausa", skip=True)


def test_arguments_are_rendered_at_any_depth_and_once():
    seen: list[Any] = []

    def look(args: Any, _: Any) -> Any:
        seen.append(args)
        return OK

    step = Do("d", "agir", with_={"para": "{{context.nome}} {{data.x}}"})
    chat_with(look, step=step).hear(context={"nome": "{{context.nome}}"})
    assert seen == [{"para": "{{context.nome}} {{data.x}}"}]


def test_a_child_gets_its_parent_s_input_or_its_own():
    seen: list[Any] = []

    def look(_: Any, ctx: ActionCtx[Any]) -> Any:
        seen.append(ctx.input)
        return OK

    flows = [
        flow(Say("s", say="Oi", then=Chain("c")), on=None),
        flow(Say("s", say="Oi", then=Chain("c", input=None)), id="b", on=None),
        flow(Do("d", "agir"), id="c", on=None),
    ]
    chat = Chat(*flows, actions={"agir": Action(look)})
    chat.take(start={"flow": "a", "key": "k1", "input": {"x": 1}})
    chat.take(start={"flow": "b", "key": "k2", "input": {"x": 2}})
    chat.take(start={"flow": "a", "key": "k3"})
    assert seen == [{"x": 1}, None, UNSET]
