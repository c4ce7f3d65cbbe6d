"""Faults that were put in: each is found, made small, fails under `falai run`, and is mended."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from falai.turn import ingest
from tests.cli.conftest import Command
from tests.simulator.conftest import Write

MOST_ENTRIES = 4


@pytest.fixture(autouse=True)
def _modules() -> Iterator[None]:
    """Modules of one test are none of the next."""
    known = set(sys.modules)
    path = list(sys.path)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - known:
        if name == "shop":
            del sys.modules[name]


def the_one_found(falai: Command, *args: str) -> tuple[Path, dict[str, Any]]:
    """Fuzz until the first fault; the file that it left, and what stands in it."""
    result = falai("fuzz", *args, "--seed", "1", "--examples", "2000", "-x")
    assert result.exit_code == 1, result.output
    file = next(Path("fuzz").glob("*.yaml"))
    scenario = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert len(scenario["turns"]) <= MOST_ENTRIES
    return file, scenario


def fails_for(falai: Command, file: Path, reason: str) -> None:
    result = falai("run", str(file))
    assert (result.exit_code, reason in result.output) == (1, True), result.output


def passes(falai: Command, file: Path) -> None:
    result = falai("run", str(file))
    assert result.exit_code == 0, result.output


def agent(*steps: str, **parts: str) -> str:
    own = "".join(f"{key}: {value}\n" for key, value in parts.items())
    listed = "\n".join(f"      - {step}" for step in steps)
    return (
        "name: Ana\nfields: {nome: {type: string}}\nidle: silent\n"
        f"{own}flows:\n  - id: oi\n    name: Oi\n    on: [{{message: []}}]\n    steps:\n{listed}\n"
    )


FOR_EVER = "{id: quem, kind: collect, collect: [nome], maxAsks: 500}"


def test_a_flow_that_asks_for_ever(write: Write, falai: Command):
    write("ana.yaml", agent(FOR_EVER))
    file, _ = the_one_found(falai, "ana.yaml")
    fails_for(falai, file, 'promises.asks: flow "oi": it asks for ever')
    write("ana.yaml", agent(FOR_EVER.replace("500", "3")))
    passes(falai, file)


def test_a_loop_that_forgets_and_asks_again(write: Write, falai: Command):
    ask = "{id: quem, kind: collect, collect: [nome]}"
    again = "{id: ok, kind: if, if: {equals: {nome: Ana}}, then: fim, else: OTHER}"
    end = "{id: fim, kind: say, say: Oi!}"
    loop = again.replace("OTHER", "{step: quem, clear: [nome]}")
    write("ana.yaml", agent(ask, loop, end))
    file, _ = the_one_found(falai, "ana.yaml")
    fails_for(falai, file, "promises.")
    write("ana.yaml", agent(ask, again.replace("OTHER", "end"), end))
    passes(falai, file)


def test_a_flow_that_can_never_end(write: Write, falai: Command):
    wait, say = "{id: w, kind: wait, wait: 1d}", "{id: s, kind: say, say: Oi!, then: NEXT}"
    write("ana.yaml", agent(wait, say.replace("NEXT", "w")))
    file, _ = the_one_found(falai, "ana.yaml")
    fails_for(falai, file, "no way leads from here to an end")
    write("ana.yaml", agent(wait, say.replace("NEXT", "end")))
    passes(falai, file)


def test_flows_that_chain_in_a_circle(write: Write, falai: Command):
    start = "name: Ana\nidle: silent\nflows:\n"
    ping = "  - {id: ping, name: P, steps: [{id: a, say: P, then: {flow: pong}}]}\n"
    pong = "  - {id: pong, name: P, steps: [{id: b, say: P, then: NEXT}]}\n"
    write("ana.yaml", start + ping + pong.replace("NEXT", "{flow: ping}"))
    file, _ = the_one_found(falai, "ana.yaml")
    fails_for(falai, file, "promises.hop-limit")
    write("ana.yaml", start + ping + pong.replace("NEXT", "end"))
    passes(falai, file)


def test_a_budget_that_is_too_small(write: Write, falai: Command):
    story = "scenario: t\nagent: ana.yaml\nbudget: {perTurn: MOST}\nturns: [{message: oi}]\n"
    talk = "{id: q, kind: collect, collect: [nome], branches: [{when: quer sair, then: end}]}"
    write("ana.yaml", agent(talk))
    write("story.yaml", story.replace("MOST", "1"))
    file, _ = the_one_found(falai, "story.yaml")
    fails_for(falai, file, "budget.perTurn: the turn made 2 model calls, the budget allows 1")
    text = file.read_text(encoding="utf-8")
    write(str(file), text.replace("{perTurn: 1}", "{perTurn: 2}"))
    passes(falai, file)


SHOP = """\
from falai import Action, Agent, Do, Event, Flow, Param, Say
from falai import EventDef


def shop():
    taken = {}

    def book(args, ctx):
        if taken.get("monday", MINE) != MINE:
            return {"failed": "monday is taken"}
        taken["monday"] = MINE_NOW
        return {"ok": True}

    flow = Flow(id="book", name="Book", on=[Event("asked")], steps=[Do(id="a", do="book")])
    return Agent(
        name="Ana", flows=[flow], actions={"book": Action(book, {})},
        events={"asked": EventDef()}, idle="silent",
    )
"""


def test_an_action_that_is_not_idempotent_under_a_crash(write: Write, falai: Command):
    write("shop.py", SHOP.replace("MINE_NOW", "ctx.key").replace("MINE", '"nobody"'))
    file, scenario = the_one_found(falai, "shop:shop")
    fails_for(falai, file, "promises.replay: the same input came to something else")
    assert scenario["turns"][-1]["crash"] == "before-save"
    del sys.modules["shop"]
    write("shop.py", SHOP.replace("MINE_NOW", "ctx.key").replace("MINE", "ctx.key"))
    passes(falai, file)


def test_a_wake_that_a_patched_engine_honours_twice(
    write: Write, falai: Command, monkeypatch: pytest.MonkeyPatch
):
    def forgetful(run: Any) -> None:
        run.status = "running"  # and what it waited for stays

    wait = "{id: w, kind: wait, wait: 1h}"
    write("ana.yaml", agent(wait, "{id: quem, kind: collect, collect: [nome]}"))
    with monkeypatch.context() as patched:
        patched.setattr(ingest, "_wake_up", forgetful)
        file, _ = the_one_found(falai, "ana.yaml")
        fails_for(falai, file, 'promises.wakes: a wake of flow "oi" was honoured twice')
    passes(falai, file)


def test_a_check_of_the_authors_own(write: Write, falai: Command):
    write(
        "shop.py",
        "def short(turn):\n    return all(len(m.text) < 99 for m in turn.result.messages)\n",
    )
    write("ana.yaml", agent("{id: fala, kind: prompt, prompt: Converse.}"))
    file, scenario = the_one_found(falai, "ana.yaml", "--check", "shop:short")
    fails_for(falai, file, "promises.shop:short: it does not hold")
    assert scenario["promises"] == ["all", "shop:short"]


def test_a_session_that_grows_beyond_its_bytes(write: Write, falai: Command):
    write("ana.yaml", agent("{id: quem, kind: collect, collect: [nome]}"))
    file, scenario = the_one_found(falai, "ana.yaml", "--max-bytes", "10000")
    fails_for(falai, file, "promises.size: the session is too large")
    assert scenario["promises"] == ["all", {"size": 10_000}]
