"""Checking files without playing them: what each one is, and what is wrong with it."""

from pathlib import Path

import pytest

from simulator.check import Finding, check_file, check_paths, kind_of
from simulator.load import Document
from tests.simulator.conftest import Write

AGENT = """
name: Ana
idle: silent
events: {oi: {}}
actions: {agir: {}}
flows:
  - {id: f, name: f, on: [{event: oi}], steps: [{id: a, say: Oi!}]}
"""
BROKEN = AGENT.replace("say: Oi!", "say: Oi!, then: nada")
"""Its step leads nowhere, in line 7, column 45."""
SCENARIO = "scenario: t\nagent: agents/ana.yaml\nturns:\n  - {event: oi}\n"
SESSION = (
    '{"id": "s1", "v": 4, "version": 1, "data": {}, "runs": [], "claims": {}, "inputs": [], '
    '"metadata": {}}'
)


@pytest.fixture
def folder(write: Write) -> Write:
    """A folder with a good agent, to write more into."""
    write("agents/ana.yaml", AGENT)
    return write


def found(*paths: str) -> list[tuple[str, str, str, int, int]]:
    """File, kind, status, line and column of every finding."""
    findings = check_paths(map(Path, paths))
    return [(f.file, f.kind, f.status, f.line, f.column) for f in findings]


def messages(path: str) -> list[str]:
    return [finding.message for finding in check_file(Path(path))]


def said(folder: Write, text: str) -> list[str]:
    """What is said of a scenario."""
    folder("s.yaml", text)
    return messages("s.yaml")


# --- what a file is -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("{scenario: t}", "scenario"),
        ("{scenario: t, name: A, flows: [], runs: []}", "scenario"),
        ("{name: A, flows: []}", "agent"),
        ("{id: f, steps: []}", "flow"),
        ("[{id: f, steps: []}]", "flow"),
        ("{id: s1, runs: []}", "session"),
        ("{a: 1}", "unknown"),
        ("[]", "unknown"),
        ("[1]", "unknown"),
        ("texto", "unknown"),
    ],
)
def test_what_a_file_means_to_be(text: str, kind: str):
    assert kind_of(Document(Path("x.yaml"), text)) == kind


# --- good files ---------------------------------------------------------------------------------


def test_each_good_file_has_one_finding(folder: Write):
    folder("s.yaml", SCENARIO)
    folder("flows/f.json", '{"id": "f", "name": "f", "steps": [{"id": "a", "say": "Oi"}]}')
    folder("sessions/s.json", SESSION)
    assert found(".") == [
        ("agents/ana.yaml", "agent", "ok", 1, 1),
        ("flows/f.json", "flow", "ok", 1, 1),
        ("s.yaml", "scenario", "ok", 1, 1),
        ("sessions/s.json", "session", "ok", 1, 1),
    ]


def test_a_finding_that_is_ok_says_nothing(folder: Write):
    assert check_file(Path("agents/ana.yaml")) == [
        Finding(file="agents/ana.yaml", kind="agent", status="ok", line=1, column=1, message="")
    ]


def test_nothing_is_played(folder: Write):
    text = SCENARIO.replace("{event: oi}", "{event: oi, expect: {replies: [outra]}}")
    assert said(folder, text) == [""]


# --- bad files ----------------------------------------------------------------------------------


def test_a_mistake_has_its_line_and_column(folder: Write):
    folder("s.yaml", SCENARIO + "  - {mesage: oi}\n")
    [finding] = check_file(Path("s.yaml"))
    assert (finding.status, finding.line, finding.column) == ("error", 5, 6)
    assert finding.message == 'unknown key "mesage". Did you mean "message"?'


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.yaml", "name: A\nflows: 3\n", "flows must be a list, not the number 3."),
        ("f.yaml", "id: f\nname: f\nsteps: 3\n", "steps"),
        ("s.json", '{"id": "s1", "v": 3, "runs": []}', "InvalidSessionError"),
        ("x.yaml", "a: [1\n", "not valid YAML"),
        ("x.yaml", "", "the file is empty."),
        ("x.json", "{,}", "not valid JSON"),
    ],
)
def test_a_bad_file_of_any_kind_has_an_error(folder: Write, name: str, text: str, message: str):
    folder(name, text)
    [finding] = check_file(Path(name))
    assert (finding.file, finding.status) == (name, "error")
    assert message in finding.message


def test_a_file_that_is_not_there_has_an_error(folder: Write):
    assert found("nada.yaml") == [("nada.yaml", "unknown", "error", 1, 1)]
    assert messages("nada.yaml") == ["there is no such file. Check the path."]


def test_a_mistake_in_another_file_is_found_where_it_stands(folder: Write):
    folder("agents/ana.yaml", BROKEN)
    folder("s.yaml", SCENARIO)
    error = next(f for f in check_file(Path("s.yaml")) if f.status == "error")
    assert (error.file, error.line) == ("agents/ana.yaml", 7)
    assert 'step "nada"' in error.message


def test_a_mistake_in_another_file_is_of_that_files_kind(folder: Write):
    folder("agents/ana.yaml", BROKEN)
    folder("s.yaml", SCENARIO)
    kinds = [kind for file, kind, *_ in found("s.yaml") if file == "agents/ana.yaml"]
    assert kinds == ["agent"]


def test_a_mistake_that_several_files_share_is_told_once(folder: Write):
    folder("agents/ana.yaml", BROKEN)
    folder("s.yaml", SCENARIO)
    folder("t.yaml", SCENARIO)
    assert [file for file, _, status, *_ in found(".") if status == "error"] == ["agents/ana.yaml"]


def test_every_checked_file_is_in_the_findings(folder: Write):
    folder("agents/ana.yaml", BROKEN)
    folder("s.yaml", SCENARIO)
    assert {file for file, *_ in found(".")} == {"agents/ana.yaml", "s.yaml"}


def test_a_name_with_a_colon_in_it_is_not_cut(folder: Write):
    folder("a: b/x.yaml", "scenario: t\nagen: x\n")
    [message] = messages("a: b/x.yaml")
    assert message.startswith('unknown key "agen".')


# --- what a scenario names ----------------------------------------------------------------------


def test_an_agent_that_is_not_there_is_an_error(folder: Write):
    [message] = said(folder, SCENARIO.replace("ana.yaml", "bia.yaml"))
    assert message.startswith("there is no file agents/bia.yaml.")


def test_an_agent_of_a_later_entry_is_checked_too(folder: Write):
    [message] = said(folder, SCENARIO.replace("{event: oi}", "{event: oi, agent: nada.yaml}"))
    assert message.startswith("there is no file nada.yaml.")


def test_an_agent_that_only_one_combination_has_is_checked_too(folder: Write):
    text = f"{SCENARIO}matrix: {{agent: [agents/ana.yaml, nada.yaml]}}\n"
    [message] = said(folder, text)
    assert message.startswith("there is no file nada.yaml.")


def test_a_stub_for_nothing_is_an_error(folder: Write):
    [message] = said(folder, f"{SCENARIO}stubs: {{actions: {{agor: {{}}}}}}\n")
    assert message.startswith('the agent has no action "agor". Did you mean "agir"?')


def test_a_stored_session_that_is_none_is_an_error(folder: Write):
    folder("sessions/s.json", SESSION.replace('"v": 4', '"v": 3'))
    folder("s.yaml", f"{SCENARIO}given: {{session: sessions/s.json}}\n")
    [error] = [one for one in found("s.yaml") if one[2] == "error"]
    assert error[0] == "sessions/s.json"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{event: ai}", 'the agent has no event "ai". Write oi.'),
        ("{start: g}", 'the agent has no flow "g". Write f.'),
        ("{start: {flow: g}}", 'the agent has no flow "g". Write f.'),
        ("{wake: {flow: g}}", 'the agent has no flow "g". Write f.'),
        ("{race: [{event: ai}, {event: oi}]}", 'the agent has no event "ai".'),
        ("{race: [{event: oi}, {start: g}]}", 'the agent has no flow "g".'),
    ],
)
def test_a_name_that_the_agent_lacks_is_a_warning(folder: Write, entry: str, message: str):
    folder("s.yaml", SCENARIO.replace("{event: oi}", entry))
    [finding] = check_file(Path("s.yaml"))
    assert (finding.file, finding.status, finding.line) == ("s.yaml", "warning", 4)
    assert finding.message.startswith(message)


@pytest.mark.parametrize(
    "entry",
    [
        "{event: oi, actions: {agor: {ok: true}}}",
        "{race: [{event: oi, actions: {agor: {ok: true}}}, {event: oi}]}",
        "{advance: 1h, fired: [{actions: {agor: {ok: true}}}]}",
    ],
)
def test_results_that_no_play_would_take_are_an_error(folder: Write, entry: str):
    folder("s.yaml", SCENARIO.replace("{event: oi}", entry))
    [finding] = check_file(Path("s.yaml"))
    assert (finding.status, finding.line) == ("error", 4)
    assert finding.message == 'the agent has no action "agor". Did you mean "agir"?'


# --- warnings -----------------------------------------------------------------------------------


def test_a_warning_of_an_agent_stands_where_it_speaks_of(folder: Write):
    folder("agents/ana.yaml", AGENT.replace("say: Oi!", "say: Oi!, then: {flow: nada}"))
    [(file, kind, status, line, column)] = found("agents/ana.yaml")
    assert (file, kind, status) == ("agents/ana.yaml", "agent", "warning")
    assert (line, column) == (7, 73)


def test_a_warning_of_an_agent_is_told_once_for_all_its_scenarios(folder: Write):
    folder("agents/ana.yaml", AGENT.replace("say: Oi!", "say: Oi!, then: {flow: nada}"))
    folder("s.yaml", SCENARIO)
    folder("t.yaml", SCENARIO)
    warned = [file for file, _, status, *_ in found(".") if status == "warning"]
    assert warned == ["agents/ana.yaml"]


def test_a_file_of_no_known_kind_is_named(folder: Write):
    folder("notas.yaml", "a: 1\n")
    assert found("notas.yaml") == [("notas.yaml", "unknown", "warning", 1, 1)]
    assert "it has none of their keys" in messages("notas.yaml")[0]


def test_a_folder_may_be_empty(folder: Write):
    Path("vazia").mkdir()
    assert found("vazia") == []
