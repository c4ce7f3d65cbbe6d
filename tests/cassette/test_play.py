"""A scenario with a model: recorded from a server, played without it."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from simulator.cassette.tape import read_tape
from simulator.load import load_document
from simulator.place import ScenarioFileError
from simulator.trace import TurnRecord
from tests.cassette.kit import (
    BOB,
    HELLO,
    KEY,
    ROSA,
    SCENARIO,
    messages,
    model_server,
    no_network,
    no_pauses,
    played,
    played_all,
    recorded,
    replies,
)
from tests.modelserver.answers import Answer, Completion, cut, enveloped, fails, said
from tests.simulator.conftest import Write

TAPE = Path("cassettes/s.yaml")
WROTE = "wrote cassettes/s.yaml: 2 calls, 240 tokens"


def names(file: Path = TAPE) -> list[str]:
    """The calls on a tape."""
    return [call.name for call in read_tape(load_document(file)).calls]


def put(text: str, file: str = "s.yaml") -> None:
    Path(file).write_text(text, encoding="utf-8")


# --- playing ------------------------------------------------------------------------------------


def test_it_is_played_without_server_key_or_network(scenario: Path):
    live = recorded(HELLO, ROSA)
    assert (live.status, live.notes) == ("passed", (WROTE,))
    with no_network() as tried:
        again = played()
    assert (again.status, again.notes, tried) == ("passed", (), [])
    assert replies(again) == [["Hi! What is your name?"], ["Nice to meet you, Rosa!"]]


def test_the_head_of_the_tape_says_what_it_is(scenario: Path):
    recorded(HELLO, ROSA)
    tape = read_tape(load_document(TAPE))
    assert (tape.recorded, tape.model) == ("2026-05-04", "openai/gpt-4.1-mini")
    assert list(tape.versions) == ["falai", "litellm", "vcrpy"]
    assert names() == ["speak call of turn 1", "understand call of turn 2"]


def test_a_replay_tells_what_the_calls_took_when_they_were_recorded(scenario: Path):
    live = recorded(HELLO, ROSA)
    text = TAPE.read_text(encoding="utf-8")
    first, second = (call.duration_ms for turn in live.turns for call in turn.calls)
    assert f"durationMs: {first}\n" in text
    put(text.replace(f"durationMs: {second}\n", "durationMs: 4321\n"), str(TAPE))
    again = played()
    assert [call.duration_ms for turn in again.turns for call in turn.calls][-1] == 4321
    assert [call.recorded for turn in live.turns for call in turn.calls] == [False, False]
    assert [call.recorded for turn in again.turns for call in turn.calls] == [True, True]
    shown = json.loads(msgspec.json.encode(again))["turns"][1]["calls"][0]
    assert (shown["durationMs"], shown["recorded"]) == (4321, True)


def test_scripted_replies_answer_first_and_have_no_duration(write: Write):
    scripted = '  - message: hello\n    model: {speak: {message: "Hi! What is your name?"}}\n'
    write("s.yaml", SCENARIO.replace("  - message: hello\n", scripted))
    assert recorded(ROSA).status == "passed"
    assert names() == ["understand call of turn 2"]
    record = played()
    assert record.status == "passed"
    shown = json.loads(msgspec.json.encode(record))["turns"][0]["calls"][0]
    assert "durationMs" not in shown
    assert "recorded" not in shown


ENVELOPE = st.fixed_dictionaries(
    {"message": st.text(max_size=8), "name": st.one_of(st.none(), st.text(max_size=5))},
    optional={"flows": st.just({"welcome": 90}), "fields": st.just({"name": "Rosa"})},
)
LOOSE = "\n".join(
    [
        *(line for line in SCENARIO.splitlines() if "expect" not in line),
        "  - message: and now?",
        "  - advance: 8h",
        "",
    ]
)
COUNTED = st.one_of(
    st.none(),
    st.builds(
        lambda asked, said: {
            "prompt_tokens": asked,
            "completion_tokens": said,
            "total_tokens": asked + said,
        },
        st.integers(0, 10**6),
        st.integers(0, 10**6),
    ),
)
ANSWER = st.one_of(
    st.builds(lambda text, usage: said(text, usage=usage), st.text(max_size=9), COUNTED),
    st.builds(
        lambda envelope, usage: Completion(pieces=[json.dumps(envelope)], usage=usage),
        ENVELOPE,
        COUNTED,
    ),
    st.sampled_from([429, 500, 503, 400]).map(lambda status: fails(status, "no")),
)


def error_of(turn: TurnRecord) -> dict[str, Any]:
    """What a turn failed with, without its message: the body in it is spelled anew."""
    return {key: value for key, value in (turn.error or {}).items() if key != "message"}


@settings(max_examples=25, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(st.lists(ANSWER, min_size=6, max_size=6))
def test_a_replay_counts_the_same_calls_and_tokens(answers: list[Answer]):
    with TemporaryDirectory() as folder:
        file = f"{folder}/s.yaml"
        put(LOOSE, file)
        live = recorded(*answers, file=file)
        with no_network() as tried:
            again = played(file)
    assert (again.llm_calls, again.usage, tried) == (live.llm_calls, live.usage, [])
    assert live.llm_calls > 2
    assert [turn.result for turn in again.turns] == [turn.result for turn in live.turns]
    assert [error_of(turn) for turn in again.turns] == [error_of(turn) for turn in live.turns]


# --- what is written ----------------------------------------------------------------------------


def test_a_first_recording_is_kept_even_if_something_else_was_expected(scenario: Path):
    record = recorded(HELLO, BOB)
    assert (record.status, record.notes) == ("failed", (WROTE,))
    assert len(names()) == 2


def test_a_scenario_that_fails_leaves_a_good_tape_alone(scenario: Path):
    recorded(HELLO, ROSA)
    before = TAPE.read_bytes()
    record = recorded(HELLO, BOB, mode="all")
    assert record.status == "failed"
    assert record.notes == ("cassettes/s.yaml was left as it was: the scenario failed",)
    assert TAPE.read_bytes() == before


def test_a_first_recording_without_a_good_key_is_not_kept(scenario: Path):
    record = recorded(fails(401, "bad key"), fails(401, "bad key"))
    assert record.notes == ("nothing was recorded: the model refused the key",)
    assert not TAPE.exists()


def test_a_first_recording_with_a_hole_is_not_kept(scenario: Path):
    record = recorded(cut, ROSA)
    unanswered, nothing = record.notes
    assert unanswered.startswith(
        "the speak call of turn 1 (line 14) got no answer that a tape could hold: openai/gpt-4.1-mini: "
    )
    assert nothing == "nothing was recorded: not every call got an answer"
    assert not TAPE.exists()


def test_a_key_that_is_missing_is_told(scenario: Path):
    record = played(record="once")
    unanswered, nothing = record.notes
    assert "OPENAI_API_KEY" in unanswered
    assert unanswered.endswith("(and 1 more)")
    assert nothing == "nothing was recorded: no call got an answer"
    assert not TAPE.exists()


def test_nothing_is_written_when_nothing_was_asked(write: Write):
    write("s.yaml", f"{SCENARIO[: SCENARIO.index('turns:')]}turns: [{{expect: {{}}}}]\n")
    assert recorded().notes == ("nothing was recorded: no call was made",)
    assert not Path("cassettes").exists()


def test_nothing_is_written_when_the_play_breaks_off(scenario: Path):
    late = "clock: 9999-12-30T00:00:00Z\nturns:"
    put(SCENARIO.replace("turns:", late) + "  - advance: 3d\n")
    with pytest.raises(ScenarioFileError, match="time goes beyond the calendar"):
        recorded(HELLO, ROSA)
    assert not TAPE.exists()


def test_no_file_but_a_tape_is_written_over(scenario: Path):
    for mode in ("once", "new_episodes", "all", "none"):
        with pytest.raises(ScenarioFileError, match=r"s\.yaml:1:1: this is no cassette"):
            recorded(HELLO, ROSA, mode=mode, cassettes=Path())
    assert Path("s.yaml").read_text(encoding="utf-8") == SCENARIO


def test_a_broken_tape_is_told_by_its_place_and_can_be_recorded_again(scenario: Path):
    recorded(HELLO, ROSA)
    put(TAPE.read_text(encoding="utf-8").replace("method: POST", "methd: POST"), str(TAPE))
    with pytest.raises(ScenarioFileError, match=r'cassettes/s\.yaml:10:7: unknown key "methd"'):
        played()
    assert recorded(HELLO, ROSA, mode="all").notes == (WROTE,)
    assert played().status == "passed"


def test_keys_reach_no_tape(scenario: Path, monkeypatch: pytest.MonkeyPatch):
    put(SCENARIO.replace("I am Rosa", "my key is sk-abcdefgh12345678, pin pin-4711-X"))
    monkeypatch.setenv("PIN_TOKEN", "pin-4711-X")
    recorded(HELLO, ROSA)
    text = TAPE.read_text(encoding="utf-8")
    assert "my key is SCRUBBED, pin SCRUBBED" in text
    assert [secret for secret in (KEY, "sk-abc", "pin-4711") if secret in text] == []
    assert played().status == "passed"


# --- modes --------------------------------------------------------------------------------------


def test_none_asks_nobody(scenario: Path):
    with model_server(HELLO, ROSA) as server:
        record = played()
    assert server.requests == []
    assert messages(record) == [
        "speak call of turn 1 (line 14): there is no tape cassettes/s.yaml\n"
        "To record one: falai record s.yaml"
    ]


def test_once_records_where_there_is_no_tape_and_only_there(scenario: Path):
    recorded(HELLO, ROSA)
    with model_server(HELLO, BOB) as server:
        assert played(record="once").status == "passed"
        put(SCENARIO.replace("Say hello", "Say hi"))
        assert "no answer to this request" in messages(played(record="once"))[0]
    assert server.requests == []


def test_new_episodes_plays_what_is_there_and_records_the_rest(scenario: Path):
    recorded(HELLO, ROSA)
    put(f"{SCENARIO}  - message: and now?\n    expect: {{replies: [Bye]}}\n")
    with model_server(enveloped(message="Bye")) as server:
        record = played(record="new_episodes")
    assert (record.status, len(server.requests)) == ("passed", 1)
    assert record.notes == ("wrote cassettes/s.yaml: 1 call, 120 tokens, beside 2 that it had",)
    assert [call.recorded for turn in record.turns for call in turn.calls] == [
        True,
        True,
        False,
    ]
    assert names() == [
        "speak call of turn 1",
        "understand call of turn 2",
        "speak call of turn 3",
    ]
    with no_network():
        assert played().status == "passed"
    with model_server() as server:
        everything = played(record="new_episodes")
    assert everything.notes == ("nothing was recorded: every answer is on the tape",)
    assert server.requests == []


def test_what_is_kept_is_scrubbed_again(scenario: Path):
    recorded(HELLO, ROSA)
    text = TAPE.read_text(encoding="utf-8")
    put(text.replace("id: chatcmpl-1", "id: sk-abcdefgh12345678", 1), str(TAPE))
    put(f"{SCENARIO}  - message: and now?\n")
    recorded(enveloped(message="Bye"), mode="new_episodes")
    assert "sk-abc" not in TAPE.read_text(encoding="utf-8")
    assert len(names()) == 3


def test_all_asks_for_everything_again_and_keeps_nothing_old(scenario: Path):
    recorded(HELLO, ROSA)
    hi = enveloped(message="Hi! What is your name?", name=None, extra=1)
    put(SCENARIO[: SCENARIO.index("  - message: I am")])
    record = recorded(hi, mode="all")
    assert record.notes == ("wrote cassettes/s.yaml: 1 call, 120 tokens",)
    assert names() == ["speak call of turn 1"]
    assert "extra" in TAPE.read_text(encoding="utf-8")


# --- misses -------------------------------------------------------------------------------------


def test_a_miss_ends_the_scenario_with_one_failure(scenario: Path):
    recorded(HELLO, ROSA)
    put(SCENARIO.replace("Say hello", "Say hi"))
    with no_network() as tried, no_pauses() as pauses:
        record = played()
    assert (record.status, tried, pauses, record.notes) == ("failed", [], [], ())
    [failure] = record.failures
    assert (failure.line, failure.path) == (14, "model")
    assert failure.message.splitlines()[:3] == [
        "speak call of turn 1 (line 14): cassettes/s.yaml has no answer to this request",
        "  The nearest on it is the speak call of turn 1 (- recorded, + asked now):",
        "    the prompt:",
    ]
    assert "      - Say hello and ask for the name." in failure.message
    assert "      + Say hi and ask for the name." in failure.message
    assert failure.message.endswith("\nTo record it again: falai record --update s.yaml")


@pytest.mark.parametrize(
    "entry",
    [
        "{message: hello, expect: {error: {class: CassetteMissError}}}",
        "{message: hello, expect: {outcomes: {$any: true}}}",
        "{message: hello, deliver: twice}",
        "{message: hello, crash: before-save}",
        "{message: hello, crash: before-send}",
        "{race: [{message: hello}, {message: hi}]}",
        "{race: [{message: hello, model: {speak: {message: Oi}}}, {message: hi}]}",
        "{race: [{message: hello, model: {speak: {message: Oi}}}, {message: hi}], lost: {model: {}}}",
    ],
)
def test_no_entry_swallows_a_miss(entry: str, write: Write):
    head = SCENARIO[: SCENARIO.index("turns:")]
    write("s.yaml", f"{head}turns:\n  - {entry}\n  - message: later\n")
    [message] = messages(played())
    assert "there is no tape cassettes/s.yaml" in message


def test_a_miss_does_not_hide_what_failed_before_it(scenario: Path):
    recorded(HELLO, ROSA)
    put(SCENARIO.replace("Hi! What", "Hi, what").replace("I am Rosa", "I am Bob"))
    differs, miss = messages(played())
    assert differs == "it differs"
    assert miss.startswith("understand call of turn 2 (line 16): ")


# --- what is left over --------------------------------------------------------------------------


def test_a_call_that_is_not_made_is_a_note_and_a_failure_when_strict(scenario: Path):
    recorded(HELLO, ROSA)
    put(SCENARIO[: SCENARIO.index("  - message: I am")])
    left = "cassettes/s.yaml has calls that were not made: understand call of turn 2"
    record = played()
    assert (record.status, record.notes) == ("passed", (left,))
    strict = played(strict=True)
    assert (strict.status, strict.notes) == ("failed", ())
    assert [(f.line, f.path, f.message) for f in strict.failures] == [(12, "provider", left)]


def test_strict_passes_what_plays_everything(scenario: Path):
    recorded(HELLO, ROSA)
    assert played(strict=True).status == "passed"


# --- failures of the provider ---------------------------------------------------------------------

OUTAGE = f"""{SCENARIO[: SCENARIO.index("turns:")]}turns:
  - message: hello
    expect: {{outcomes: [{{status: deferred, code: provider-unavailable, until: "${{now+1m}}"}}]}}
  - advance: 1m
    fired: [{{expect: {{replies: ["Hi! What is your name?"]}}}}]
"""


def test_a_failure_is_played_like_an_answer(write: Write):
    write("s.yaml", OUTAGE)
    assert messages(recorded(fails(429, "slow down", Retry_After="120"), HELLO)) == []
    with no_network(), no_pauses() as pauses:
        assert messages(played()) == []
    assert pauses == []  # time passes on the scenario's clock alone
    assert names() == ["speak call of turn 1", "speak call of turn 2.1"]


# --- the provider's settings ------------------------------------------------------------------------


def provider(settings: str) -> None:
    put(SCENARIO.replace("{model: openai/gpt-4.1-mini, temperature: 0}", settings))


def test_settings_go_to_the_client_and_another_host_plays_the_same_tape(scenario: Path):
    with model_server(HELLO, ROSA) as server, pytest.MonkeyPatch.context() as patch:
        patch.delenv("OPENAI_BASE_URL")
        settings = f"api_base: {server.url}, max_tokens: 99, num_retries: 3, timeout: 5"
        provider(f'{{model: "openai/x", {settings}, extra_headers: {{x-team: a}}}}')
        assert played(record="once").status == "passed"
    assert server.last.body["max_tokens"] == 99
    assert server.last.body["model"] == "x"
    assert server.last.headers["x-team"] == "a"
    provider('{model: "openai/x", api_base: "https://proxy.example/v1", max_tokens: 99}')
    with no_network() as tried:
        assert played().status == "passed"
    assert tried == []


def test_nothing_is_tried_again(scenario: Path):
    provider("{model: openai/x, num_retries: 3, max_retries: 3, retries: 3}")
    with model_server(fails(500, "no"), fails(500, "no")) as server:
        played(record="all")
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ('{model: " "}', "s.yaml:12:11: Model is required."),
        ("{model: openai/x, api_key: sk-1}", "s.yaml:12:29: api_key does not belong in a file."),
        ("{model: openai/x, cassette: ../x}", "s.yaml:12:39: a cassette's name cannot lead out"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: str, says: str, scenario: Path):
    provider(settings)
    with pytest.raises(ScenarioFileError) as caught:
        played(record="once")
    assert str(caught.value).startswith(says)


# --- several tapes ------------------------------------------------------------------------------


def test_each_combination_of_a_matrix_has_its_tape(scenario: Path):
    put(SCENARIO.replace("turns:", "matrix: {context.who: [ann, bob]}\nturns:"))
    with model_server(HELLO, ROSA, HELLO, BOB):
        statuses = [record.status for record in played_all(record="once")]
    assert statuses == ["passed", "failed"]
    assert sorted(path.name for path in Path("cassettes").iterdir()) == [
        "s.context.who-ann.yaml",
        "s.context.who-bob.yaml",
    ]
    again = played_all()
    assert [replies(record)[1] for record in again] == [
        ["Nice to meet you, Rosa!"],
        ["Nice to meet you, Bob!"],
    ]


def test_a_tape_lies_where_the_options_say(scenario: Path):
    put(SCENARIO.replace("temperature: 0", "cassette: shop/hello"))
    assert recorded(HELLO, ROSA, cassettes=Path("tapes")).status == "passed"
    assert names(Path("tapes/shop/hello.yaml")) == [
        "speak call of turn 1",
        "understand call of turn 2",
    ]
    assert messages(played())[0].endswith("To record one: falai record s.yaml")
    put(Path("s.yaml").read_text(encoding="utf-8").replace("Say hello", "Say hi"))
    command = "To record it again: falai record --update --cassettes tapes s.yaml"
    assert messages(played(cassettes=Path("tapes")))[0].endswith(command)
