"""The reference says what the code says: each page is made from it, and nothing is left out."""

import re
from typing import get_args

import click
import pytest

import falai
from falai import OUTCOME_MESSAGES, errors
from simulator.cli import main
from simulator.matchers import BLOCK_KEYS, MATCHER_CHECKS
from tests.reference.commands import commands
from tests.reference.keys import FORMATS, example_of, seen_keys
from tests.reference.pages import FOLDER, PAGES
from tests.reference.titles import title_of
from tui.actions import ACTIONS


def page_of(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def rows_of(name: str) -> dict[str, str]:
    """The tables of a page: what stands in code in the first column, and the rest of the row."""
    return dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", page_of(name), re.MULTILINE))


def headings_of(name: str) -> set[str]:
    return set(re.findall(r"^## (.+)$", page_of(name), re.MULTILINE))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_code_says(name: str):
    made = PAGES[name]()
    assert page_of(name) == made, "Write it again with `make reference`, and look at what changed."


def test_the_folder_holds_these_pages_and_no_others():
    assert {file.stem for file in FOLDER.iterdir()} == set(PAGES)


def test_every_outcome_code_has_its_sentence():
    assert rows_of("outcomes") == dict(OUTCOME_MESSAGES)


def test_every_error_class_has_a_section_and_every_kind_a_row():
    classes = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, Exception)
    }
    assert headings_of("errors") == {*classes, "Kinds of a ProviderError"}
    assert set(get_args(errors.ErrorKind)) <= rows_of("errors").keys()


def test_every_matcher_and_every_key_of_an_expectation_has_a_row():
    assert rows_of("matchers").keys() == set(MATCHER_CHECKS)
    assert set(BLOCK_KEYS) <= rows_of("scenario").keys()


def test_every_command_has_a_section_and_every_option_a_row():
    assert headings_of("commands") == {f"falai {name}" for name in commands()}
    rows = page_of("commands")
    for command in commands().values():
        for option in command.params:
            for spelt in option.opts if isinstance(option, click.Option) else ():
                assert re.search(rf"^\|.*`{re.escape(spelt)}[` ]", rows, re.MULTILINE), spelt
    assert list(commands()) == main.list_commands(click.Context(main))


def test_every_key_of_the_inspector_has_a_row():
    names = re.findall(r"\| `([\w.]+)` \|$", page_of("inspector-keys"), re.MULTILINE)
    assert sorted(names) == sorted(act.id for act in ACTIONS)


def test_every_public_name_has_a_section():
    assert headings_of("api") == set(falai.__all__)


def test_every_key_that_the_engine_makes_is_of_a_format_on_the_page():
    for where, keys in seen_keys().items():
        forms = [form for form in FORMATS if form.where == where]
        for key in keys:
            assert any(form.pattern.fullmatch(key) for form in forms), f"{where}: {key}"


def test_every_format_of_a_key_is_seen_in_the_engine():
    seen = seen_keys()
    assert [example_of(form, seen[form.where]) for form in FORMATS]
    assert {form.spelt for form in FORMATS if form.where == "wakes"} == {
        "<run>:<step>:<ms>",
        "<run>:start:<ms>",
        "<run>:<step>:<visit>:retry:<ms>",
        "silence:<flow>:<session>:<ms>",
    }


def test_headings_are_words():
    assert title_of("seenOutcome") == "An outcome"
    assert title_of("toolCall") == "A tool call"
