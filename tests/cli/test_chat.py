"""`falai chat`: what is typed, what is shown, and what is left behind."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from falai import OUTCOME_MESSAGES
from simulator.cli import main
from tests.cli.conftest import Command
from tests.simulator.conftest import Write

AGENT = {
    "name": "Ana",
    "fields": {"nome": {"type": "string", "ask": "Pergunte o nome."}},
    "events": {"pronto": {}},
    "actions": {"avisar": {}},
    "idle": "silent",
    "flows": [
        {
            "id": "oi",
            "name": "Oi",
            "on": [{"message": ["quer um bolo"]}],
            "steps": [
                {"id": "quem", "collect": ["nome"]},
                {"id": "avisa", "do": "avisar"},
                {"id": "pausa", "wait": "2h"},
                {"id": "tchau", "say": "Tchau, {{data.nome}}!"},
            ],
        },
        {
            "id": "queixa",
            "name": "Queixa",
            "on": [{"message": ["reclama da entrega"]}],
            "steps": [{"id": "diz", "say": "Sinto muito!"}],
        },
        {
            "id": "avisa",
            "name": "Avisa",
            "on": [{"event": "pronto"}],
            "steps": [{"id": "diz", "say": "Pronto: {{input.o}}, {{context.dono}}"}],
        },
    ],
}


@pytest.fixture(autouse=True)
def _agent(write: Write) -> None:
    write("ana.json", json.dumps(AGENT))


def chat(*typed: str, args: tuple[str, ...] = ()) -> Result:
    text = "".join(f"{line}\n" for line in typed)
    return CliRunner().invoke(main, ["chat", "ana.json", *args], input=text, catch_exceptions=False)


def shown(*typed: str, args: tuple[str, ...] = ()) -> list[str]:
    """What is printed behind the greeting, what was typed left out."""
    result = chat(*typed, args=args)
    assert result.exit_code == 0
    greeting, *lines = result.output.splitlines()
    assert greeting.startswith("Ana, 2026-01-05T09:00:00.000Z.")
    return [line for line in lines if not line.startswith("> ")]


def test_a_message_is_answered_and_what_came_of_it_is_shown():
    lines = shown("quero um bolo, sou a Bia", "/data", "/runs", "/pending", "/why")
    assert lines == [
        "  did avisar",
        "  1 model call",
        '  nome: "Bia"',
        "  oi: waiting at pausa",
        "  2026-01-05T11:00:00.000Z  oi#m1:pausa:1767610800000",
        "  oi/quem                  collect skipped already-known: "
        + OUTCOME_MESSAGES["already-known"],
        "  oi/avisa                 do ok",
        "  oi/pausa                 wait waiting",
    ]


@pytest.mark.parametrize("typed", ["/wait 2h", "/wake"])
def test_time_passes_when_told_to(typed: str):
    lines = shown("quero um bolo, sou a Bia", typed)
    assert lines[2:] == ["Ana: Tchau, Bia!", "  it is 2026-01-05T11:00:00.000Z"]


def test_no_wake_may_wait():
    assert shown("/wake") == ["No wake waits."]


def test_events_and_starts_carry_what_is_given():
    context = ("--context", '{"dono": "Rui"}')
    assert shown('/event pronto {"o": "bolo"}', args=context) == ["Ana: Pronto: bolo, Rui"]
    assert shown('/start avisa {"o": "pão"}', args=context) == ["Ana: Pronto: pão, Rui"]
    assert shown("/event pronto", args=context) == ["Ana: Pronto: {{input.o}}, Rui"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("/nope", "There is no /nope. /help lists the commands."),
        ("/event", "Name it: /event bike_ready"),
        ("/start", "Name it: /start triage"),
        ("/event pronto {", "What stands behind the name is no JSON: "),
        ("/wait soon", '[FlowConfigurationError] duration "soon": '),
        ("/save ana.json", "A scenario's file ends in .yaml: /save hello.yaml"),
        ("/save no/where.yaml", "no/where.yaml: cannot be written: No such file or directory."),
    ],
)
def test_what_cannot_be_done_is_said_and_the_talk_goes_on(typed: str, said: str):
    first, *rest = shown(typed, "/wake")
    assert first.startswith(said)
    assert rest == ["No wake waits."]


def test_nothing_typed_is_nothing_said():
    assert shown("", "   ") == []


def test_every_command_is_listed():
    listed = "\n".join(shown("/help"))
    for word in ("/wait", "/wake", "/event", "/start", "/data", "/runs", "/pending", "/why"):
        assert f"  {word} " in listed or f"  {word}\n" in listed


def test_quit_leaves_the_rest_unsaid():
    assert shown("/quit", "quero um bolo") == []


def test_what_is_saved_passes_as_a_scenario(falai: Command):
    talk = ["quero um bolo", "sou a Bia", "/wait 1d", '/event pronto {"o": "bolo"}']
    assert shown(*talk, "/save talk.yaml")[-1] == "  talk.yaml: play it with  falai run talk.yaml"
    result = falai("run", "talk.yaml")
    assert (result.exit_code, "1 passed, 0 failed  (4 turns" in result.output) == (0, True)
    assert falai("check", "talk.yaml").exit_code == 0


def test_a_scenario_in_another_folder_finds_the_agent(falai: Command):
    Path("tests").mkdir()
    shown("oi", "/save tests/talk.yaml")
    assert "agent: ../ana.json\n" in Path("tests/talk.yaml").read_text(encoding="utf-8")
    assert falai("run", "tests").exit_code == 0


def test_a_file_that_is_there_is_left_alone():
    Path("talk.yaml").write_text("mine", encoding="utf-8")
    assert shown("/save talk.yaml") == ["talk.yaml is there already. Choose another name."]
    assert Path("talk.yaml").read_text(encoding="utf-8") == "mine"


def test_time_may_start_elsewhere():
    result = chat("/wait 1m", args=("--clock", "2026-03-29T00:30:00+01:00"))
    assert result.output.startswith("Ana, 2026-03-28T23:30:00.000Z.")
    assert result.output.endswith("  it is 2026-03-28T23:31:00.000Z\n")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--clock", "noon"), '"noon" is no time. Write one such as 2026-01-05T09:00:00Z.'),
        (("--context", "{"), "--context is no JSON: "),
        (("--model", " "), "provider: Model is required. Example: "),
    ],
)
def test_a_wrong_option_ends_with_2(args: tuple[str, ...], said: str):
    result = chat(args=args)
    assert result.exit_code == 2
    assert result.output.startswith(said)


def test_an_agent_that_is_not_there_ends_with_2(falai: Command):
    result = falai("chat", "nobody.yaml")
    assert result.exit_code == 2
    assert "nobody.yaml:1:1: " in result.output
