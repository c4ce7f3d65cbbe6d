"""The page in a real browser: no error, no request, and readable as it is shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.report.frames import frames_of
from simulator.report.html import html_report
from tests.simulator.report.browser import MISSING, Browser
from tests.simulator.report.kit import TALK, decoded, scenario, trace, turn
from tests.simulator.report.test_html import hostile

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of an ordinary conversation and of one that is full of markup."""
    spoke = turn()
    spoke["result"]["messages"] = [{"text": "Olá!", "kind": "ai", "afterMs": 0}]
    played = decoded(trace(*TALK["scenarios"], *hostile()["scenarios"], scenario(spoke)))
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(html_report(frames_of(played), played), encoding="utf-8")
    return file


def test_this_browser_tells_errors_and_requests(browser: Browser, tmp_path: Path):
    """Else the next test could not fail."""
    bad = tmp_path / "bad.html"
    bad.write_text(
        "<!doctype html><img src=http://127.0.0.1:9/a.png><script>throw Error('zqxj')</script>",
        encoding="utf-8",
    )
    browser.show(bad)
    assert any("zqxj" in line for line in browser.console())
    assert browser.requests() == [bad.as_uri(), "http://127.0.0.1:9/a.png"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_opens_with_no_error_and_no_request(
    browser: Browser, report: Path, scheme: str, width: int
):
    browser.show(report, width=width, scheme=scheme)
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert browser.console() == []
    assert browser.requests() == [report.as_uri()]
    assert browser.run("return document.querySelectorAll('.conversation').length") == 4


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_nothing_hangs_over_the_edge(browser: Browser, report: Path, width: int):
    browser.show(report, width=width)
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert browser.run("return innerWidth") == width
    assert browser.run("return document.documentElement.scrollWidth") <= width


LIGHT = """
const parts = getComputedStyle(document.querySelector(arguments[0]))[arguments[1]].match(/[\\d.]+/g);
const [red, green, blue] = parts.slice(0, 3).map((part) => {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});
return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
"""
"""The luminance of a colour, as the accessibility guidelines count it."""

TEXTS = [
    *(("h1", "body"), ("td.number", ".scroll"), ("header p", "body"), (".tiles .note", ".tiles")),
    *((".status.passed", ".conversation"), (".status.failed", ".conversation")),
    *((".said.customer small", ".said.customer"), (".said.ai small", ".said.ai")),
    *((".facts .bad", ".conversation"), (".node", ".node"), (".raised", ".conversation")),
]
"""What is read, and what it stands on."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(browser: Browser, report: Path, scheme: str):
    browser.show(report, scheme=scheme)
    ratios = {(text, ground): contrast(browser, text, ground) for text, ground in TEXTS}
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < 4.5} == {}


def contrast(browser: Browser, text: str, ground: str) -> float:
    """The ratio that the accessibility guidelines want to be 4.5 at least."""
    ink = browser.run(LIGHT, text, "color")
    paper = browser.run(LIGHT, ground, "backgroundColor")
    return (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05)


def test_dark_is_dark_and_light_is_light(browser: Browser, report: Path):
    browser.show(report, scheme="light")
    light = browser.run(LIGHT, "body", "backgroundColor")
    browser.show(report, scheme="dark")
    assert browser.run(LIGHT, "body", "backgroundColor") < 0.05 < 0.9 < light


FIND = """
const find = document.getElementById('find');
find.value = arguments[0];
find.dispatchEvent(new Event('input'));
const shown = [...document.querySelectorAll('.conversation')].filter((one) => one.offsetParent);
return [shown.map((one) => one.querySelector('b').textContent), document.getElementById('found').value];
"""


def test_conversations_are_found_by_any_word_in_them(browser: Browser, report: Path):
    browser.show(report)
    assert browser.run("return document.querySelector('.filter').offsetParent !== null")
    assert browser.run(FIND, "PROVIDER-unavail") == [["Idle"], "1 of 4"]
    assert browser.run(FIND, "zqxj") == [[], "0 of 4"]
    names, count = browser.run(FIND, "")
    assert (names[:2], count) == (["Triage", "Idle"], "4 of 4")
