"""`falai step`: the inspector as a line debugger."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from tui.cli.opening import one, opened
from tui.model.breakpoints import BreakpointError, Breakpoints
from tui.model.places import PlaceError, read_place
from tui.model.shown import cut, value
from tui.model.sitting import Sitting
from tui.model.watches import PathError, check_path, source_of, value_at, value_before, who_set
from tui.panes import PANES, bar

_HELP = """\
s S    one phase on, back             b        list breakpoints
n N    one turn on, back              b WHAT   set one: code:max-asks, field:name, calls>2, 6.decide
c C    run to the next breakpoint     b -N     take away the one with that number
e E    next failure, the one before   w PATH   watch a value, or no longer
g G    first, last                    u PATH   who set it: to the step that did
:6     turn 6; :6.decide, :#53, :09:30  /TEXT  find; n and N then go from hit to hit, / ends it
p      print a pane or a value: p state, p outcomes, p prompt, p data.name
q      leave                          an empty line does the last thing again"""


@click.command(name="step")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--break", "breaks", multiple=True, metavar="WHAT", help="Set a breakpoint.")
@click.option("-k", "keyword", metavar="TEXT", help="The play with TEXT in its title.")
@click.option("--width", default=100, show_default=True, help="Columns of what is printed.")
def command(path: Path, breaks: Sequence[str], keyword: str | None, width: int) -> None:
    """Step through the conversation at PATH, a scenario or a trace, line by line.

    ? lists what can be typed. Nothing is run: the play is over, and you look at it.

    \b
    Examples:
        falai step scenarios/03-triage-asks-again.yaml
        falai step trace.json -k "asks again" --break code:max-asks
    """
    points = Breakpoints()
    try:
        for text in breaks:
            points.add(text)
    except BreakpointError as error:
        click.echo(f"--break: {error}", err=True)
        sys.exit(2)
    sitting = Sitting(one(opened(path, keyword), path), breakpoints=points)
    Debugger(sitting, width).talk()


class Debugger:
    """Reads what is typed, moves, and prints what is there."""

    def __init__(self, sitting: Sitting, width: int) -> None:
        self._sitting = sitting
        self._width = width
        self._moves: Mapping[str, Callable[[], object]] = {
            "s": lambda: sitting.cursor.step(1),
            "S": lambda: sitting.cursor.step(-1),
            "n": lambda: self._turn(1),
            "N": lambda: self._turn(-1),
            "c": lambda: sitting.cursor.run(1),
            "C": lambda: sitting.cursor.run(-1),
            "e": lambda: sitting.cursor.failure(1),
            "E": lambda: sitting.cursor.failure(-1),
            "g": sitting.cursor.first,
            "G": sitting.cursor.last,
            "'": sitting.cursor.back,
        }

    def talk(self) -> None:
        """Go on until q or the end of the input."""
        self._here()
        last = ""
        while (typed := _read_line()) is not None and typed.strip() != "q":
            last = typed.strip() or last
            try:
                self._take(last)
            except (BreakpointError, PlaceError, PathError) as error:
                click.echo(str(error))

    def _take(self, text: str) -> None:
        if text in self._moves:
            moved = self._moves[text]()
            self._here() if moved else click.echo("  There is no further way.")
        elif text.startswith(":"):
            self._go(text[1:])
        elif text.startswith("/"):
            self._find(text[1:].strip())
        elif text:
            self._ask(text)

    def _ask(self, text: str) -> None:
        """What is looked at or set up, without a move."""
        word, _, rest = text.partition(" ")
        asked: Mapping[str, Callable[[str], None]] = {
            "b": self._break,
            "w": self._watch,
            "u": self._who,
            "p": self._print,
            "?": lambda _: click.echo(_HELP),
        }
        if word not in asked:
            click.echo(f"  There is no {word}. ? lists what can be typed.")
            return
        asked[word](rest.strip())

    def _turn(self, by: int) -> object:
        """A turn, or a hit while something is looked for."""
        if not self._sitting.query:
            return self._sitting.cursor.turn_by(by)
        hit = self._sitting.go_to_hit(by)
        if hit is not None:
            click.echo(f"  {hit.pane}: {cut(hit.excerpt, self._width - 16)}")
        return hit

    def _go(self, text: str) -> None:
        timeline = self._sitting.subject.timeline
        self._sitting.cursor.jump(read_place(text, timeline, self._sitting.cursor.at))
        self._here()

    # --- what is there --------------------------------------------------------------------------

    def _here(self) -> None:
        """The place, and what its step brought."""
        view = self._sitting.view(self._width)
        click.secho(bar(view)[0].text, bold=True)
        for text in self._brought():
            click.echo(f"  {cut(text, self._width - 2)}")
        for path in self._sitting.watches:
            click.echo(f"  {path} = {value(value_at(view.timeline, path, view.at))}")

    def _brought(self) -> Iterator[str]:
        """What is new at this step: fields, lines of the log, messages, wakes, failures."""
        timeline, at = self._sitting.subject.timeline, self._sitting.cursor.at
        before, after = timeline.before(at).data, timeline.state(at).data
        for slug in dict.fromkeys([*before, *after]):
            if before.get(slug) != after.get(slug):
                path = f"data.{slug}"
                old = value(value_before(timeline, path, at))
                yield f"{slug}: {old} → {value(after.get(slug))}  by {source_of(timeline, path, at)}"
        step, done = timeline.step(at), timeline.step(at - 1) if at % 8 else None
        for line in step.outcomes[len(done.outcomes) if done else 0 :]:
            code = f"  {line.code}: {line.message}" if line.code else ""
            yield f"{line.flow_id or 'idle'}/{line.step_id or '-'} {line.kind} {line.status}{code}"
        for message in step.messages[len(done.messages) if done else 0 :]:
            yield f"says: {message.text}"
        for wake in step.schedule[len(done.schedule) if done else 0 :]:
            yield f"schedules {wake.key} at {wake.at}"
        if at % 8 == 7:
            for failure in timeline.failures(timeline.turn_of(at)):
                yield f"✗ line {failure.line} {failure.path}: {failure.message}"

    # --- what is set up -------------------------------------------------------------------------

    def _break(self, text: str) -> None:
        points = self._sitting.breakpoints
        if text.startswith("-") and text[1:].isdecimal():
            number = int(text[1:]) - 1
            if number < len(points.points):
                points.remove(points.points[number].text)
        elif text:
            points.add(text if ":" in text or ">" in text or text.isalpha() else f"at:{text}")
        for number, point in enumerate(points, 1):
            click.echo(f"  {number} {point.text}  {point.hits} hits")
        if not points.points:
            click.echo("  No breakpoint is set.")

    def _watch(self, path: str) -> None:
        if path:
            self._sitting.watch(path)
        for watched in self._sitting.watches:
            click.echo(f"  {watched}")

    def _who(self, path: str) -> None:
        timeline, at = self._sitting.subject.timeline, self._sitting.cursor.at
        path = check_path(path)
        found = who_set(timeline, path, at)
        if found == at:
            found = who_set(timeline, path, at - 1) if at else None
        if found is None:
            click.echo(f"  {path} was not set before.")
            return
        self._sitting.cursor.jump(found)
        self._here()

    def _find(self, text: str) -> None:
        if not text:
            self._sitting.stop_search()
            return
        click.echo(f"  {self._sitting.search(text)} hits")

    def _print(self, what: str) -> None:
        view = self._sitting.view(self._width)
        pane = PANES.get(what or "state")
        if pane is not None:
            for line in pane(view):
                click.echo(f"  {line.text.rstrip()}")
            return
        click.echo(f"  {value(value_at(view.timeline, check_path(what), view.at))}")


def _read_line() -> str | None:
    """What is typed; what is piped in is shown too, so that the output reads as a session."""
    try:
        if sys.stdin.isatty():
            return input("> ")
        line = sys.stdin.readline()
    except (EOFError, KeyboardInterrupt):
        return None
    if not line:
        return None
    click.echo(f"> {line.rstrip()}")
    return line
