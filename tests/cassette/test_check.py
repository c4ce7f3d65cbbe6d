"""`falai check` on tapes: secrets, shape, age, and what no scenario plays."""

import json
from pathlib import Path
from typing import Any

import pytest

from falai.clock import FakeClock
from simulator.check import check_paths
from tests.cassette.kit import HELLO, ROSA, SCENARIO, no_network, recorded
from tests.cli.conftest import Command
from tests.simulator.conftest import Write

TAPE = Path("cassettes/s.yaml")
OK = "2 calls of openai/gpt-4.1-mini, recorded on 2026-05-04"


@pytest.fixture
def tape(scenario: Path) -> str:
    """A good tape of s.yaml; its text."""
    recorded(HELLO, ROSA)
    return TAPE.read_text(encoding="utf-8")


def findings(*paths: str, today: str = "2026-05-10", **options: Any) -> list[tuple[str, str, str]]:
    """File and line, status and message of everything that is said."""
    clock = FakeClock(f"{today}T12:00:00Z")
    with no_network() as tried:
        found = list(check_paths(map(Path, paths or (".",)), clock=clock, **options))
    assert tried == []
    return [(f"{one.file}:{one.line}", one.status, one.message) for one in found if one.message]


def plant(text: str, old: str, new: str) -> None:
    assert old in text
    TAPE.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_good_tape_is_told_with_its_model_and_day(tape: str):
    assert findings() == [("cassettes/s.yaml:2", "ok", OK)]


def test_a_tape_is_checked_with_its_scenario_and_on_its_own(tape: str):
    assert findings("s.yaml") == findings("cassettes") == [("cassettes/s.yaml:2", "ok", OK)]


def test_it_has_a_kind_of_its_own(tape: str):
    kinds = {finding.file: finding.kind for finding in check_paths([Path()])}
    assert kinds == {"cassettes/s.yaml": "cassette", "s.yaml": "scenario"}


# --- secrets ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("You are Otto.", "You are sk-abcdefgh12345678.", "an API key"),
        ("calls:\n", "calls: # org-AbCdEfGh1234\n", "an organisation id"),
        ("You are Otto.", 'You are Otto.\n              A "ghp_abcdefghijklmnopqrst1234"', "a GitHub token"),
        ("{content-type: application/json}", "{authorization: x}", "the header authorization"),
        ("{content-type: application/json}", "{Set-Cookie: a=b}", "the header Set-Cookie"),
        ("/v1/chat/completions", "/v1/chat/completions?key=abc", "a credential in the address"),
        ("http://", "http://me:secret@", "a credential in the address"),
        ("id: chatcmpl-1", 'id: "\\x73k-abcdefgh12345678"', "a secret"),
        ("id: chatcmpl-1", "request_id: abc", "a secret, or the id of an account,"),
        ("created: 1700000000", "created: pin-4711-X", "the value of PIN_TOKEN"),
    ],
)  # fmt: skip
def test_a_secret_is_found_by_its_line(
    tape: str, old: str, new: str, what: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PIN_TOKEN", "pin-4711-X")
    plant(tape, old, new)
    errors = [(at, text) for at, status, text in findings("cassettes") if status == "error"]
    [(at, text)] = errors
    line = tape[: tape.index(old)].count("\n") + new.rstrip().count("\n") + 1
    assert at == f"cassettes/s.yaml:{line}"
    assert text.startswith(what)
    assert text.endswith(
        "left on this cassette. Take it out, and have a key replaced: it may have been read."
    )


def test_a_key_that_a_stream_cuts_up_is_found(write: Write):
    events = [{"data": {"delta": {"content": piece}}} for piece in ("sk-ab", "cdefgh", "12345678")]
    response = {"status": 200, "events": events}
    request = {"method": "POST", "url": "https://a.b/c"}
    call = {"turn": "1", "purpose": "speak", "request": request, "response": response}
    head = {"cassette": 1, "recorded": "2026-05-04", "model": "m"}
    write("t.json", json.dumps({**head, "calls": [call]}))
    [(at, text)] = [(at, text) for at, status, text in findings("t.json") if status == "error"]
    assert at == "t.json:1"
    assert text.startswith("a secret, or the id of an account, is left")


def test_a_secret_ends_the_command_with_2(tape: str, falai: Command):
    plant(tape, "You are Otto.", "You are sk-abcdefgh12345678.")
    result = falai("check", "s.yaml")
    assert result.exit_code == 2
    assert "cassettes/s.yaml:18:23: error: an API key is left on this cassette." in result.output


# --- shape, age and use ---------------------------------------------------------------------------


def test_a_tape_of_a_wrong_shape_is_an_error_at_its_place(tape: str):
    plant(tape, "durationMs", "durationS")
    [(at, status, text), *_] = findings("cassettes")
    assert (at, status) == ("cassettes/s.yaml:8", "error")
    assert text == 'unknown key "durationS". Did you mean "durationMs"?'


@pytest.mark.parametrize(
    ("today", "status", "ago"),
    [("2026-10-31", "ok", ""), ("2026-11-01", "warning", ", 181 days ago. Record it again.")],
)
def test_an_old_tape_is_worth_a_warning(tape: str, today: str, status: str, ago: str):
    assert findings(today=today) == [("cassettes/s.yaml:2", status, f"{OK}{ago}")]


def test_a_tape_that_no_scenario_plays_is_told(tape: str):
    Path("cassettes/old.yaml").write_text(tape, encoding="utf-8")
    text = "no scenario that is checked plays this cassette. Remove it, or name it."
    assert ("cassettes/old.yaml:1", "warning", text) in findings()
    assert "warning" not in [status for _, status, _ in findings("cassettes")]


def test_a_scenario_without_its_tape_is_told(scenario: Path):
    text = "there is no tape cassettes/s.yaml yet. Record it: falai record."
    assert findings() == [("s.yaml:12", "warning", text)]


def test_calls_that_are_never_made_are_told(tape: str):
    shorter = SCENARIO[: SCENARIO.index("  - message: I am")]
    Path("s.yaml").write_text(shorter, encoding="utf-8")
    left = "cassettes/s.yaml has calls that were not made: understand call of turn 2"
    assert ("cassettes/s.yaml:1", "warning", f"{left}. Record it again.") in findings()


def test_code_of_an_agent_is_not_run_to_find_them(tape: str, write: Write):
    write(
        "mine.py",
        "from falai import Agent\ndef make():\n    return Agent(name='A', idle=IDLE)\nIDLE = None\n",
    )
    text = (
        "scenario: t\nagent: mine:make\nprovider: {model: x, cassette: s}\nturns: [{message: a}]\n"
    )
    Path("s.yaml").write_text(text, encoding="utf-8")
    assert findings("s.yaml") == [("cassettes/s.yaml:2", "ok", OK)]


def test_a_tape_that_two_scenarios_share_is_not_said_to_be_left_over(tape: str):
    named = SCENARIO.replace("temperature: 0", "cassette: s, temperature: 0")
    Path("t.yaml").write_text(named[: named.index("  - message: I am")], encoding="utf-8")
    assert findings() == [("cassettes/s.yaml:2", "ok", OK)]


def test_tapes_elsewhere_are_found(tape: str):
    Path("cassettes").rename("tapes")
    assert findings("s.yaml", cassettes=Path("tapes")) == [("tapes/s.yaml:2", "ok", OK)]
