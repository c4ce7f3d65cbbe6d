"""What is wrong with a tape as a file: secrets that are left on it, and its age."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any, Literal, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from falai.shapes import is_list, is_mapping
from simulator.cassette.bodies import Body
from simulator.cassette.scrub import SCRUBBED, Scrubber
from simulator.cassette.tape import Tape, read_tape
from simulator.load import Document
from simulator.place import Place, counted
from simulator.spot import Spot

OLD_DAYS = 180
"""A model that is served under the same name may have changed since."""

_FIX = "Take it out, and have a key replaced: it may have been read."


class TapeFinding(NamedTuple):
    """One thing to say of a tape."""

    status: Literal["ok", "warning", "error"]
    place: Place
    text: str


Way: TypeAlias = tuple[str | int, ...]


def tape_findings(
    document: Document, today: date, environment: Mapping[str, str]
) -> Iterator[TapeFinding]:
    """Every secret on a tape, and how old it is; raises ScenarioFileError for one that is none."""
    tape = read_tape(document)
    scrubber = Scrubber(environment)
    lines: set[int] = set()
    for place, what in (*_plain(document, scrubber), *_hidden(document, tape, scrubber)):
        if place.line not in lines:
            yield TapeFinding("error", place, f"{what} is left on this cassette. {_FIX}")
        lines.add(place.line)
    yield _age(tape, document.place(("recorded",)), today)


def _age(tape: Tape, place: Place, today: date) -> TapeFinding:
    days = (today - date.fromisoformat(tape.recorded)).days
    what = f"{counted(len(tape.calls), 'call')} of {tape.model}, recorded on {tape.recorded}"
    if days <= OLD_DAYS:
        return TapeFinding("ok", place, what)
    return TapeFinding("warning", place, f"{what}, {days} days ago. Record it again.")


# --- secrets ----------------------------------------------------------------------------------


def _plain(document: Document, scrubber: Scrubber) -> Iterator[tuple[Place, str]]:
    """Secrets that can be read in the file as it is, comments included."""
    for secret in scrubber.found(document.text):
        yield document.place_of(secret.start), secret.what


def _hidden(document: Document, tape: Tape, scrubber: Scrubber) -> Iterator[tuple[Place, str]]:
    """Secrets by their place, and those that are escaped or cut into pieces."""

    def readable(value: Any) -> bool:
        """Whether the text of the file shows the secret, so that it was found there."""
        text = str(value)
        found = [text[one.start : one.end] for one in scrubber.found(text)]
        return bool(found) and all(secret in document.text for secret in found)

    for index, call in enumerate(tape.calls):
        at = document.spot.at("calls").at(index)
        asked, got = at.at("request"), at.at("response")
        request, response = call.request, call.response
        yield from _of_url(asked.at("url"), scrubber)
        yield from _of_headers(asked, scrubber.request_headers(request.headers))
        yield from _of_headers(got, scrubber.response_headers(response.headers))
        yield from _of_body(asked, request.body, scrubber.body(request.body), readable)
        clean = scrubber.response_body(response.body)
        yield from _of_body(got, response.body, clean, readable)


def _of_url(url: Spot, scrubber: Scrubber) -> Iterator[tuple[Place, str]]:
    text = url.text()
    if scrubber.url(text).count(SCRUBBED) > text.count(SCRUBBED) or "@" in urlsplit(text).netloc:
        yield url.place(), "a credential in the address"


def _of_headers(message: Spot, kept: Mapping[str, str]) -> Iterator[tuple[Place, str]]:
    headers = message.get("headers")
    for name, value in headers.entries() if headers else ():
        if name not in kept:
            yield value.place(key=True), f"the header {name}"


def _of_body(
    message: Spot, body: Body, clean: Body, readable: Callable[[Any], bool]
) -> Iterator[tuple[Place, str]]:
    for way in _changed(body.value, clean.value, (body.form,)):
        spot = message
        for key in way:
            spot = spot.at(key)
        if not readable(spot.value):
            yield spot.place(), "a secret, or the id of an account,"


def _changed(old: Any, new: Any, way: Way) -> Iterator[Way]:
    """The ways to what differs."""
    if is_mapping(old) and is_mapping(new) and old.keys() == new.keys():
        for key, item in old.items():
            yield from _changed(item, new[key], (*way, key))
    elif is_list(old) and is_list(new) and len(old) == len(new):
        for index, item in enumerate(old):
            yield from _changed(item, new[index], (*way, index))
    elif old != new:
        yield way
