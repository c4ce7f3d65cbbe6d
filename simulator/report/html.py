"""The report as one page that needs nothing but itself: no network, font, picture or library."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.resources import files

from simulator.report.amounts import counted
from simulator.report.baseline import Comparison
from simulator.report.document import TracedScenario
from simulator.report.figures import figures
from simulator.report.frames import Frames
from simulator.report.markup import Content, Markup, tag
from simulator.report.sections import compared, table, tiles
from simulator.report.timeline import conversation

_TITLE = "falai report"


def html_report(
    frames: Frames, played: Sequence[TracedScenario], comparison: Comparison | None = None
) -> str:
    """The whole page."""
    body = tag(
        "body",
        tag("header", tag("h1", _TITLE), tag("p", _sources(played))),
        tag("main", _sections(frames, played, comparison)),
        tag("script", Markup(_asset("page.js"))),
    )
    return f"<!doctype html>\n{tag('html', _head(), body, lang='en')}\n"


def _asset(name: str) -> str:
    return (files("simulator.report") / name).read_text(encoding="utf-8")


def _head() -> Markup:
    style, script = _asset("page.css"), _asset("page.js")
    # Whatever a trace holds: nothing runs but this script, and nothing is fetched.
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=f"{policy}; img-src data:"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", _TITLE),
        tag("link", rel="icon", href="data:,"),
        tag("style", Markup(style)),
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _sources(played: Sequence[TracedScenario]) -> str:
    names = list(dict.fromkeys(scenario.file for scenario in played))
    more = f" and {counted(len(names) - 3, 'more file')}" if len(names) > 3 else ""
    return f"{', '.join(names[:3])}{more}"


def _sections(
    frames: Frames, played: Sequence[TracedScenario], comparison: Comparison | None
) -> Iterator[Markup]:
    yield tiles(frames)
    if comparison is not None:
        yield _section("Compared with the baseline", compared(comparison), "baseline")
    yield figures(frames)
    yield _section("By flow", [_NO_FLOW, table(frames, "flow")], "by-flow")
    yield _section("By step", table(frames, "step"), "by-step")
    yield _section("By phase", table(frames, "phase"), "by-phase")
    yield _section("By outcome code", table(frames, "code"), "by-code")
    yield _section("By scenario", table(frames, "scenario"), "by-scenario")
    yield _section("Conversations", [_FILTER, *map(conversation, played)], "conversations")


_NO_FLOW = tag(
    "p",
    "A call that reads a message counts for the flow that holds the floor, one that speaks for the "
    "flow that speaks. What belongs to no flow stands under -.",
    class_="note",
)


def _section(title: str, content: Content, name: str) -> Markup:
    return tag("section", tag("h2", title), content, id=name)


_FILTER = tag(
    "p",
    tag("label", "Find ", tag("input", type="search", id="find", autocomplete="off")),
    tag("output", id="found", role="status"),
    class_="filter",
    hidden=True,  # it needs the script, which shows it
)
