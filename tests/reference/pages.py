"""All reference pages, by the names of their files in `docs/reference`."""

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.reference.api import api_page
from tests.reference.commands import commands_page
from tests.reference.keys import keys_page
from tests.reference.schemas import agent_page, results_page, scenario_page
from tests.reference.words import errors_page, inspector_page, matchers_page, outcomes_page

FOLDER = Path(__file__).parents[2] / "docs" / "reference"

PAGES: Mapping[str, Callable[[], str]] = {
    "scenario": scenario_page,
    "matchers": matchers_page,
    "agent": agent_page,
    "results": results_page,
    "outcomes": outcomes_page,
    "keys": keys_page,
    "errors": errors_page,
    "commands": commands_page,
    "inspector-keys": inspector_page,
    "api": api_page,
}
