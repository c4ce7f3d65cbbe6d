"""What is typed at the prompt of `falai step`, and what is printed of it."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches

import click

from tui.model.breakpoints import NAMES, Breakpoint, BreakpointError
from tui.model.moment import moment
from tui.model.places import PlaceError, read_place
from tui.model.shown import cut, shown, value
from tui.model.sitting import Sitting
from tui.model.watches import ROOTS, PathError, check_path, value_at, who_set
from tui.panes import PANES, bar

HELP = """\
s S     one phase on, back              e E     the next failure, the one before
n N     one turn on, back               g G     the first step, the last
c C     run to the next breakpoint, back: else to the end, to the start
:PLACE  go to 6, 6.decide, #53 or 09:30; ' goes back from there
b       list breakpoints                w PATH  watch a value, or no longer
b WHAT  set one: code:max-asks, calls>2 u PATH  who set it: back to the step that did
b -2    take away number 2              U PATH  where it is set next
b 2     switch it off, or on again      b 2 skip 3, b 2 every 4: not at each hit
/TEXT   find; then n N go from hit to hit, and / alone ends it
p       print state; p PANE, p PATH: another pane, a value
?       this                            q       leave
An empty line does the last thing again."""

_NOWHERE = {
    "c": "This is the end.",
    "C": "This is the start.",
    "e": "No later turn failed.",
    "E": "No earlier turn failed.",
    "'": "Nothing was jumped from.",
}


class RefusedError(Exception):
    """Something typed cannot be done; the prompt says so and goes on."""


class Debugger:
    """Moves in a play, and prints what is there."""

    def __init__(self, sitting: Sitting, width: int) -> None:
        self._sitting = sitting
        self._width = width
        self._last = ""
        self._path = ""
        cursor = sitting.cursor
        self._moves: Mapping[str, Callable[[], bool]] = {
            "s": lambda: cursor.step(1),
            "S": lambda: cursor.step(-1),
            "n": lambda: self._turn(1),
            "N": lambda: self._turn(-1),
            "c": lambda: cursor.run(1),
            "C": lambda: cursor.run(-1),
            "e": lambda: cursor.failure(1),
            "E": lambda: cursor.failure(-1),
            "g": cursor.first,
            "G": cursor.last,
            "'": cursor.back,
        }
        self._others: Mapping[str, Callable[[str], None]] = {
            ":": self._go,
            "/": self._find,
            "b": self._break,
            "w": self._watch,
            "u": lambda path: self._who(path, -1),
            "U": lambda path: self._who(path, 1),
            "p": self._print,
            "?": lambda _: click.echo(HELP),
        }

    def take(self, typed: str) -> None:
        """Do what is typed; an empty line does the last thing again."""
        self._last = typed.strip() or self._last
        try:
            self._do(self._last)
        except (RefusedError, BreakpointError, PlaceError, PathError) as error:
            self._say(str(error))

    def _do(self, text: str) -> None:
        word, rest = text[:1], text[1:].strip()
        if text in self._moves:
            if not self._moves[text]():
                raise RefusedError(_NOWHERE.get(text, "There is nothing further that way."))
            self.here()
        elif word in self._others and (word in ":/" or text[1:2] in ("", " ")):
            self._others[word](rest)
        elif text:
            raise RefusedError(f'There is no "{text}". ? lists what can be typed.')

    def _say(self, text: str) -> None:
        click.echo(f"  {shown(text)}")

    # --- where ----------------------------------------------------------------------------------

    def here(self) -> None:
        """The place, what its step brought, and what is watched."""
        sitting = self._sitting
        view = sitting.view(self._width)
        # The name stays the same from line to line.
        place = "".join(span.text for span in bar(view)[0].spans[1:]).strip(" ·")
        click.secho(place or bar(view)[0].text, bold=True)
        if not view.timeline.turns:
            return
        for text in moment(view.timeline, view.at):
            click.echo(f"  {cut(text, self._width - 2)}")
        for path in sitting.watches:
            click.echo(f"  {path} = {cut(value(value_at(view.timeline, path, view.at)), 72)}")
        for point in sitting.breakpoints.hits(view.timeline, view.at):
            self._say(f"● {point.text}")
        for hit in sitting.hits:
            if hit.at == view.at:
                self._say(f"/ {hit.pane}: {hit.excerpt}")

    def _go(self, text: str) -> None:
        cursor = self._sitting.cursor
        cursor.jump(read_place(text, self._sitting.subject.timeline, cursor.at))
        self.here()

    def _turn(self, by: int) -> bool:
        """A turn, or a hit while something is looked for."""
        if not self._sitting.query:
            return self._sitting.cursor.turn_by(by)
        hit = self._sitting.go_to_hit(by)
        if hit is None:
            raise RefusedError("There is no further hit that way. / ends the search.")
        return True

    def _find(self, text: str) -> None:
        """Look for a text and go to the first hit from here on, else to the last before."""
        sitting = self._sitting
        if not text:
            sitting.stop_search()
            self._say("No longer searching.")
            return
        count = sitting.search(text)
        if not count:
            sitting.stop_search()
            raise RefusedError(f'"{text}" is nowhere in this play.')
        self._say(f"{count} hits" if count > 1 else "1 hit")
        here = [hit for hit in sitting.hits if hit.at >= sitting.cursor.at] or sitting.hits[-1:]
        sitting.cursor.jump(here[0].at)
        self.here()

    def _who(self, path: str, direction: int) -> None:
        """To the step that set a value before this one, or that sets it next."""
        timeline, cursor = self._sitting.subject.timeline, self._sitting.cursor
        self._path = path = check_path(path or self._path or next(iter(self._sitting.watches), ""))
        found = who_set(timeline, path, cursor.at, direction, here=False)
        if found is None:
            raise RefusedError(f"{path} was not set {'before' if direction < 0 else 'later'}.")
        cursor.jump(found)
        self.here()

    # --- what is set up -------------------------------------------------------------------------

    def _break(self, text: str) -> None:
        points = self._sitting.breakpoints
        words = text.split()
        if words and words[0].lstrip("-").isdecimal():
            point = self._numbered(words[0].lstrip("-"))
            if text.startswith("-"):
                points.remove(point.text)
            else:
                _change(point, words[1:])
        elif text:
            points.add(text if text.split(":")[0].isalpha() or ">" in text else f"at:{text}")
        self._list()

    def _numbered(self, number: str) -> Breakpoint:
        points = self._sitting.breakpoints.points
        if not 1 <= int(number) <= len(points):
            raise RefusedError(f"There is no breakpoint {number}. b lists them.")
        return points[int(number) - 1]

    def _list(self) -> None:
        timeline = self._sitting.subject.timeline
        for number, point in enumerate(self._sitting.breakpoints, 1):
            self._say(f"{number} {_listed(point, len(point.steps(timeline)))}")
        if not self._sitting.breakpoints.points:
            self._say("No breakpoint is set. b WHAT sets one:")
            for text, does in NAMES.items():
                self._say(f"  {text:<14} {does}")

    def _watch(self, path: str) -> None:
        if path:
            self._sitting.watch(path)
        view = self._sitting.view(self._width)
        for watched in view.watches:
            self._say(f"{watched} = {value(value_at(view.timeline, watched, view.at))}")
        if not view.watches:
            self._say("Nothing is watched. w data.name watches a field.")

    def _print(self, what: str) -> None:
        view = self._sitting.view(self._width)
        pane = PANES.get(what or "state")
        if pane is not None:
            for line in pane(view):
                click.echo(f"  {line.text.rstrip()}")
            return
        near = get_close_matches(what, PANES, n=1)
        known = {*ROOTS, *view.subject.fields, *view.timeline.state(view.at).data}
        if near and what not in known:
            raise RefusedError(f'There is no pane "{what}". Did you mean {near[0]}?')
        self._say(value(value_at(view.timeline, check_path(what), view.at)))


def _change(point: Breakpoint, words: Sequence[str]) -> None:
    """Switch a breakpoint, or say which of its hits are to stop a run."""
    match words:
        case []:
            point.on = not point.on
        case ["skip", number] if number.isdecimal():
            point.skip = int(number)
        case ["every", number] if number.isdecimal() and int(number) > 0:
            point.every = int(number)
        case _:
            raise RefusedError("Write b 2, b -2, b 2 skip 3 or b 2 every 4.")


def _listed(point: Breakpoint, found: int) -> str:
    parts = [
        f"{'●' if point.on else '○ off'} {point.text}",
        f"{found} in this play",
        f"stopped {point.hits} times" if point.hits != 1 else "stopped once",
    ]
    if point.skip:
        parts.append(f"skips {point.skip}")
    if point.every > 1:
        parts.append(f"every {point.every}")
    return "  ".join(parts)
