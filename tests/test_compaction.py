"""Compaction: what it leaves alone, what it shortens first, and the summary that it asks for."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from falai import (
    Agent,
    Compaction,
    Flow,
    FlowConfigurationError,
    Message,
    ModelCall,
    ModelReply,
    ProviderError,
    Say,
    ScriptedProvider,
    ScriptError,
    Stepper,
    Usage,
    falai,
)
from falai.compaction import estimate
from falai.text.profile import Profile
from falai.text.summary import read_summary, summary_call
from falai.words.session import fresh_session
from simulator.cli import main

Item = dict[str, Any]
HEAD = "[Conversation Summary]\n"


def user(content: str, **more: Any) -> Item:
    return {"role": "user", "content": content, **more}


def reply(content: str) -> Item:
    return {"role": "assistant", "content": content}


def calls(*ids: str) -> Item:
    made = [{"id": id_, "name": "agenda", "arguments": {"dia": 1}} for id_ in ids]
    return {"role": "assistant", "content": "", "toolCalls": made}


def result(content: Any, id_: str = "a") -> Item:
    return {"role": "tool", "toolCallId": id_, "name": "agenda", "content": content}


def roles(history: Sequence[Any]) -> str:
    return " ".join(item["role"][0] for item in history)


# --- the option -------------------------------------------------------------------------------


WHOLE = "Use a whole number, at least"
SHARE = "Use a number from 0.5 to 0.95."


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"maxTokens": 0}, f"has maxTokens 0. {WHOLE} 1."),
        ({"maxTokens": True}, f"has maxTokens true. {WHOLE} 1."),
        ({"maxTokens": "9"}, f'has maxTokens "9". {WHOLE} 1.'),
        ({"maxTokens": 1.5}, f"has maxTokens 1.5. {WHOLE} 1."),
        ({"compactionThreshold": 0.49}, f"has compactionThreshold 0.49. {SHARE}"),
        ({"compactionThreshold": 0.951}, f"has compactionThreshold 0.951. {SHARE}"),
        ({"compactionThreshold": None}, f"has compactionThreshold null. {SHARE}"),
        ({"compactionThreshold": True}, f"has compactionThreshold true. {SHARE}"),
        ({"preserveRecentCount": 1}, f"has preserveRecentCount 1. {WHOLE} 2."),
        ({"maxToolResultChars": 0}, f"has maxToolResultChars 0. {WHOLE} 1."),
        ({"enabled": 1}, "has enabled 1. Use true or false."),
    ],
)
def test_an_option_out_of_range_is_refused_by_name_value_and_fix(
    mapping: dict[str, Any], message: str
):
    with pytest.raises(FlowConfigurationError) as caught:
        Compaction.from_mapping({"maxTokens": 9, **mapping})
    assert str(caught.value) == f"[FlowConfigurationError] agent: compaction {message}"


@pytest.mark.parametrize(
    ("mapping", "message"),
    [({}, "lacks maxTokens"), ({"max_tokens": 9}, 'has no key "max_tokens". Use maxTokens, ')],
)
def test_a_mapping_needs_max_tokens_and_no_key_of_its_own(mapping: dict[str, Any], message: str):
    with pytest.raises(FlowConfigurationError, match=message):
        Compaction.from_mapping(mapping)


def test_the_bounds_themselves_are_allowed():
    assert Compaction(1, 0.5, 2, 1).compaction_threshold == 0.5
    assert Compaction(1, 0.95).compaction_threshold == 0.95


def test_what_is_not_set_has_its_default():
    assert Compaction.from_mapping({"maxTokens": 9}) == Compaction(
        max_tokens=9,
        compaction_threshold=0.8,
        preserve_recent_count=4,
        max_tool_result_chars=5_000,
        enabled=True,
    )


def test_an_agent_takes_it_built_as_a_mapping_or_not_at_all():
    built = Compaction(max_tokens=9, enabled=False)
    mapping = {"maxTokens": 9, "enabled": False}
    assert Agent(name="Ana", compaction=built).compaction is built
    assert Agent(name="Ana", compaction=mapping).compaction == built
    assert falai().agent("Ana", compaction=mapping).replace(name="Bia").compaction == built
    assert Agent(name="Ana").compaction is None
    assert Agent(name="Ana", compaction=None).compaction is None


def test_an_agent_refuses_anything_else():
    options: dict[str, Any] = {"compaction": 500}
    with pytest.raises(FlowConfigurationError, match="agent: compaction is 500"):
        Agent(name="Ana", **options)


# --- the estimate -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("history", "tokens"),
    [
        ([], 0),
        ([user("")], 1),
        ([user("oi")], 2),
        ([user("olá!")], 2),
        ([user("oi", name="Ana")], 3),
        ([user("oi"), reply("oi")], 3),
        ([{"role": "assistant", "content": None}], 1),
        ([{"role": "assistant", "toolCalls": []}], 1),
        ([result({"a": 1})], 5),
    ],
)
def test_a_message_counts_its_text_its_name_and_four(history: list[Item], tokens: int):
    assert estimate(history) == tokens


@pytest.mark.parametrize(("characters", "due"), [(311, False), (312, False), (313, True)])
def test_it_is_due_at_the_threshold(characters: int, due: bool):
    # 316 characters are 79 tokens, 317 are 80: 0.8 x 100.
    assert Compaction(100).is_due([user("x" * characters)]) is due
    assert not Compaction(100, enabled=False).is_due([user("x" * characters)])


# --- without a model --------------------------------------------------------------------------

RECENT = [user("a"), reply("b"), user("c"), reply("d")]


def test_an_older_tool_result_is_cut_with_a_notice_of_its_length():
    history = [user("oi"), calls("a"), result("0123456789" * 30), *RECENT]
    cut = Compaction(60, max_tool_result_chars=12).shorten(history)
    assert cut[2] == result("012345678901… [cut: the full result has 300 characters]")
    assert [*cut[:2], *cut[3:]] == [*history[:2], *RECENT]


@pytest.mark.parametrize("length", [12, 13, 30])
def test_a_result_that_its_notice_would_make_longer_is_not_cut(length: int):
    history = [user("x" * 900), result("y" * length), *RECENT]
    assert Compaction(10, max_tool_result_chars=12).shorten(history) == history


def test_a_result_in_another_shape_is_cut_as_its_json():
    history = [calls("a"), result({"dias": ["2026-01-05"] * 20}), *RECENT]
    cut = Compaction(40, max_tool_result_chars=10).shorten(history)
    assert cut[1]["content"].startswith('{"dias":["… [cut: the full result has ')


def test_blanks_of_older_results_collapse_when_a_cut_is_not_enough():
    history = [user("oi   aí"), calls("a"), result("  um \t dois \n\n  três\n"), *RECENT]
    shorter = Compaction(10).shorten(history)
    assert shorter == [history[0], history[1], result("um dois\ntrês"), *RECENT]


def test_a_cut_that_is_enough_leaves_the_blanks():
    history = [calls("a", "b"), result("x" * 900), result("um  dois", "b"), *RECENT]
    assert Compaction(70, max_tool_result_chars=40).shorten(history)[2] == history[2]


@pytest.mark.parametrize(
    ("history", "edge"),
    [
        ([], 0),
        (RECENT[:3], 0),
        ([user("oi"), *RECENT], 1),
        ([user("oi"), calls("a"), result("r"), *RECENT[1:]], 1),
        ([user("oi"), calls("a", "b"), result("r"), result("s", "b"), *RECENT[1:]], 1),
        ([user("oi"), calls("a"), result("r"), *RECENT], 3),
        ([result("r"), *RECENT[1:]], 0),
    ],
)
def test_the_newest_messages_never_open_on_a_result_whose_call_was_cut(
    history: list[Item], edge: int
):
    assert Compaction(1).edge(history) == edge


@pytest.mark.parametrize(
    ("history", "left"),
    [
        ([user("x" * 200), reply("y"), *RECENT], "a u a u a"),
        ([user("y"), reply("x" * 200), user("z"), *RECENT], "u u a u a"),
        ([user("x" * 200), *RECENT], "u a u a"),
        ([calls("a", "b"), result("x" * 200), result("s", "b"), user("z"), *RECENT], "u u a u a"),
        ([user("x"), *[user("y" * 99)] * 4], "u u u u"),
        ([reply("x" * 200), calls("a"), result("y" * 300), *RECENT[1:]], "a t a u a"),
    ],
)
def test_the_oldest_go_with_their_results_until_the_rest_fits(history: list[Item], left: str):
    assert roles(Compaction(30).drop_oldest(history)) == left


CONTENT = st.text(alphabet="ab \n", max_size=60)
ROUND = st.lists(CONTENT, min_size=1, max_size=4).map(
    lambda texts: [
        calls(*map(str, range(len(texts)))),
        *(result(t, f"{n}") for n, t in enumerate(texts)),
    ]
)
CONVERSATION = st.lists(
    st.one_of(
        CONTENT.map(lambda text: [user(text)]), CONTENT.map(lambda text: [reply(text)]), ROUND
    ),
    max_size=12,
).map(lambda groups: [item for group in groups for item in group])
OPTION = st.builds(
    Compaction,
    st.integers(1, 300),
    st.floats(0.5, 0.95),
    st.integers(2, 8),
    st.integers(1, 60),
)


@given(CONVERSATION, OPTION)
def test_the_newest_messages_stay_untouched(history: list[Item], option: Compaction):
    newest = history[-option.preserve_recent_count :]
    for shorter in (option.shorten(history), option.drop_oldest(history)):
        assert list(shorter[len(shorter) - len(newest) :]) == newest


@given(CONVERSATION, OPTION)
def test_the_estimate_never_grows(history: list[Item], option: Compaction):
    shorter = option.shorten(history)
    assert estimate(option.drop_oldest(shorter)) <= estimate(shorter) <= estimate(history)


@given(CONVERSATION, OPTION)
def test_nothing_is_done_under_the_threshold(history: list[Item], option: Compaction):
    if not option.is_due(history):
        assert option.shorten(history) == history
        assert option.drop_oldest(history) == history


@given(CONVERSATION, OPTION)
def test_no_history_opens_on_a_result_without_its_call(history: list[Item], option: Compaction):
    for head in (history[option.edge(history) :], option.drop_oldest(history)):
        assert not head or head[0]["role"] != "tool"


@given(CONVERSATION, OPTION)
def test_what_is_left_fits_or_is_only_the_newest(history: list[Item], option: Compaction):
    left = option.drop_oldest(history)
    assert not option.is_due(left) or option.edge(left) == 0


# --- the summary ------------------------------------------------------------------------------

ANA = Profile(name="Ana")


def test_the_call_carries_what_was_said_quoted_by_line():
    older = [
        user("quero\nsaber", name="Bia"),
        reply("claro"),
        reply(""),
        calls("a"),
        result({"livre": ["seg"]}),
    ]
    call = summary_call(ANA, older, context={"id": 7})
    assert (call.purpose, call.schema, call.history, call.tools) == ("summary", None, (), ())
    assert call.context == {"id": 7}
    assert "Ana" in (call.system or "")
    assert (
        'user "Bia":\n> quero\n> saber\n'
        "assistant:\n> claro\n"
        'assistant:\n> calls [{"id":"a","name":"agenda","arguments":{"dia":1}}]\n'
        'tool "agenda":\n> {"livre":["seg"]}'
    ) in call.prompt


@pytest.mark.parametrize(
    ("message", "structured", "text"),
    [
        (" Bia quer preço.\n", None, "Bia quer preço."),
        ('{"message": "Bia"}', {"message": "Bia"}, "Bia"),
        ('{"message": "Bia"}', None, "Bia"),
        ('```json\n{"message": "Bia"}\n```', None, "Bia"),
        ('{"message": "Bia quer', None, "Bia quer"),
        ('A agenda disse {"message": "x"}.', None, 'A agenda disse {"message": "x"}.'),
        ("`nome` é Bia", None, "`nome` é Bia"),
        ('{"summary": "Bia"}', None, '{"summary": "Bia"}'),
        ('{"message": null}', {"message": None}, ""),
        ("{}", None, ""),
        (" \n", None, ""),
    ],
)
def test_a_reply_is_read_in_whatever_it_was_wrapped(
    message: str, structured: dict[str, Any] | None, text: str
):
    assert read_summary(ModelReply(message=message, structured=structured)) == text


# --- in a turn --------------------------------------------------------------------------------

PRECO = Flow(id="preco", name="Preço", on=[Message(["quer saber o preço"])], steps=[Say("a", "10")])
LONG = [user("x" * 400), reply("y" * 400), *RECENT]


def agent(**parts: Any) -> Agent:
    usual: dict[str, Any] = {"compaction": {"maxTokens": 100}, "flows": [PRECO]}
    return Agent(name="Ana", **(usual | parts))


def played(
    stepper: Stepper, summary: ModelReply | Exception | None = None
) -> tuple[Stepper, list[ModelCall]]:
    """Answer every call of a turn; return the turn and what was asked."""
    asked: list[ModelCall] = []
    while stepper.pending is not None:
        if not isinstance(stepper.pending, ModelCall):
            stepper.answer()
            continue
        asked.append(stepper.pending)
        if stepper.pending.purpose != "summary":
            stepper.answer(ModelReply(message='{"message": "Oi!"}'))
        elif isinstance(summary, Exception):
            stepper.fail(summary)
        else:
            assert summary is not None
            stepper.answer(summary)
    return stepper, asked


def test_the_summary_stands_for_the_older_messages_in_both_calls():
    stepper, asked = played(
        agent().steps(session_id="s", message="oi", history=LONG), ModelReply(message="Bia quer X.")
    )
    assert [call.purpose for call in asked] == ["summary", "understand", "speak"]
    for call in asked[1:]:
        assert list(call.history) == [{"role": "system", "content": HEAD + "Bia quer X."}, *RECENT]
    assert stepper.result is not None
    assert stepper.result.llm_calls == 3


@pytest.mark.parametrize(
    "summary",
    [
        ModelReply(message=" "),
        ModelReply(message="{}", structured={"message": None}),
        ProviderError("p", "context"),
        ProviderError("p", "timeout"),
    ],
)
def test_a_summary_that_fails_or_is_blank_drops_the_oldest(summary: ModelReply | Exception):
    history = [user("x" * 400), reply("y"), *RECENT]
    stepper, asked = played(agent().steps(session_id="s", message="oi", history=history), summary)
    assert [list(call.history) for call in asked[1:]] == [history[1:]] * 2
    assert stepper.result is not None
    assert stepper.result.llm_calls == 3


def test_a_script_that_has_no_summary_is_no_failing_provider():
    bare = agent(provider=ScriptedProvider())
    with pytest.raises(ScriptError, match="unscripted summary call"):
        bare.turn_sync(session_id="s", message="oi", history=LONG)


@pytest.mark.parametrize(
    ("option", "history"),
    [
        (None, LONG),
        ({"maxTokens": 100, "enabled": False}, LONG),
        ({"maxTokens": 1000}, LONG),
        ({"maxTokens": 100}, [user("x" * 400)] * 4),
    ],
)
def test_a_history_that_fits_or_is_all_new_goes_out_as_it_is(option: Any, history: list[Item]):
    _, asked = played(agent(compaction=option).steps(session_id="s", message="oi", history=history))
    assert [list(call.history) for call in asked] == [history] * 2


def test_no_call_is_made_where_shorter_tool_results_are_enough():
    history = [calls("a"), result("x" * 4000), *RECENT]
    option = Compaction(100, max_tool_result_chars=50)
    _, asked = played(agent(compaction=option).steps(session_id="s", message="oi", history=history))
    assert [call.purpose for call in asked] == ["understand", "speak"]
    assert "4000" in asked[0].history[1]["content"]


def test_the_session_keeps_its_history():
    session = replace(fresh_session("s"), history=list(LONG))
    stepper, asked = played(
        agent().steps(session_id="s", message="oi", session=session), ModelReply(message="Resumo.")
    )
    assert roles(asked[1].history) == "s u a u a"
    assert stepper.result is not None
    assert stepper.result.session.history == LONG


def tokens(count: int) -> Usage:
    return Usage(prompt_tokens=count)


def test_the_tokens_of_the_summary_count():
    provider = ScriptedProvider(
        summary=[ModelReply(message="Resumo.", usage=tokens(7))],
        understand=[ModelReply(message="{}", usage=tokens(5))],
        speak=[ModelReply(message="Oi!")],
    )
    done = agent(provider=provider).turn_sync(session_id="s", message="oi", history=LONG)
    assert done.usage == tokens(12)


def test_a_wake_without_a_session_asks_nothing():
    _, asked = played(agent().steps(session_id="s", wake="k", history=LONG))
    assert asked == []


# --- through the command ----------------------------------------------------------------------

SCENARIO = """\
scenario: A long talk is summed up
agent:
  name: Ana
  compaction: {maxTokens: 60, preserveRecentCount: 2}
  flows:
  - {id: preco, name: Preço, on: [{message: [quer saber o preço]}], steps: [{id: a, kind: say, say: "10"}]}
turns:
- message: oi, sou a Bia, procuro uma bicicleta usada para ir ao trabalho e voltar
  model: {understand: {}, speak: {message: "Oi Bia! Temos três modelos usados, todos revisados."}}
  expect: {calls: [understand, speak]}
- message: e o mais leve dos três, qual é?
  model: {understand: {}, speak: {message: "O de alumínio, que pesa onze quilos."}}
  expect: {calls: [understand, speak]}
- message: e tem garantia?
  model:
    summary: {message: Bia procura uma bicicleta usada., usage: {promptTokens: 9}}
    understand: {}
    speak: {message: "Tem, de um ano."}
  expect:
    calls: [summary, understand, speak]
    llmCalls: 3
    usage: {promptTokens: 9}
    replies: ["Tem, de um ano."]
    prompts:
      summary: {$contains: ["Ana", "> oi, sou a Bia", "Temos três modelos"]}
- message: e as cores?
  model: {summary: {fail: context}, understand: {}, speak: {message: Azul.}}
  expect: {calls: [summary, understand, speak], replies: [Azul.]}
"""


def run(path: Path, text: str) -> tuple[int, str]:
    path.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["run", str(path)])
    return done.exit_code, done.output


def test_a_scenario_scripts_the_summary(tmp_path: Path):
    code, output = run(tmp_path / "long.yaml", SCENARIO)
    assert code == 0, output


def test_a_summary_that_no_script_gives_fails_the_scenario(tmp_path: Path):
    code, output = run(tmp_path / "long.yaml", SCENARIO.replace("summary: {fail: context}, ", ""))
    assert code == 1
    assert "unscripted summary call" in output


def test_an_agent_file_with_an_option_out_of_range_is_a_bad_file(tmp_path: Path):
    code, output = run(tmp_path / "long.yaml", SCENARIO.replace("maxTokens: 60", "maxTokens: 0"))
    assert code == 2
    assert "compaction has maxTokens 0. Use a whole number, at least 1." in output
