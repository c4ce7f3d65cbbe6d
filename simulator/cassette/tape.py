"""What is on a tape: the calls in the order in which they were made, and where they come from."""

from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec

from simulator.cassette.bodies import FORMS, Body, Form, write_body
from simulator.load import Document
from simulator.spot import Spot

FORMAT = 1
"""The version of the file's shape, which stands behind its first key."""
HEAD = "cassette"
"""The key that says that a file is a tape."""

_KEYS = (HEAD, "recorded", "model", "versions", "calls")
_CALL = ("turn", "purpose", "durationMs", "request", "response")
_REQUEST = ("method", "url", "headers", *FORMS)
_RESPONSE = ("status", "headers", *FORMS)
_EVENT = ("event", "id", "retry", "data", "text")
_AGAIN = "Record it again: falai record --update."


class TapedRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request without its secrets."""

    method: str
    url: str
    headers: Mapping[str, str] = {}
    """By lower-case name."""
    body: Body = Body()


class TapedResponse(msgspec.Struct, frozen=True, kw_only=True):
    """What the server answered, without its secrets."""

    status: int
    headers: Mapping[str, str] = {}
    body: Body = Body()


class TapedCall(msgspec.Struct, frozen=True, kw_only=True):
    """One answered request of a model call."""

    turn: str
    """The entry of the scenario, as in a trace."""
    purpose: str
    duration_ms: int
    request: TapedRequest
    response: TapedResponse

    @property
    def name(self) -> str:
        """The call for people."""
        return f"{self.purpose} call of turn {self.turn}"


class Tape(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in one file."""

    recorded: str
    """The day, as `2026-01-05`."""
    model: str
    versions: Mapping[str, str] = {}
    """Of the libraries that wrote the requests."""
    calls: Sequence[TapedCall] = ()


def is_tape(document: Document) -> bool:
    """Whether a file means to be a tape."""
    return document.spot.is_mapping and document.spot.has(HEAD)


# --- reading ----------------------------------------------------------------------------------


def read_tape(document: Document) -> Tape:
    """Read a tape; raises ScenarioFileError at the first thing in it that cannot be played."""
    spot = document.spot
    if not is_tape(document):
        raise spot.error("this is no cassette: it has no cassette key", "Move it elsewhere.")
    spot.mapping(_KEYS)
    if spot.value[HEAD] != FORMAT:
        what = f"this version reads cassettes of format {FORMAT} only"
        raise spot.at(HEAD).error(what, _AGAIN)
    versions = spot.get("versions")
    return Tape(
        recorded=_day(spot.need("recorded")),
        model=spot.need("model").text(),
        versions=_texts(versions) if versions else {},
        calls=tuple(map(_call, spot.need("calls").items())),
    )


def _day(spot: Spot) -> str:
    text = spot.instant()
    if len(text) != len("2026-01-05"):
        raise spot.error("recorded is no day", "Write one such as 2026-01-05.")
    return text


def _call(spot: Spot) -> TapedCall:
    spot.mapping(_CALL)
    return TapedCall(
        turn=spot.need("turn").text(),
        purpose=spot.need("purpose").text(),
        duration_ms=spot.optional("durationMs", Spot.whole) or 0,
        request=_request(spot.need("request")),
        response=_response(spot.need("response")),
    )


def _request(spot: Spot) -> TapedRequest:
    spot.mapping(_REQUEST)
    return TapedRequest(
        method=spot.need("method").text(),
        url=_url(spot.need("url")),
        headers=spot.optional("headers", _texts) or {},
        body=_body(spot),
    )


def _response(spot: Spot) -> TapedResponse:
    spot.mapping(_RESPONSE)
    return TapedResponse(
        status=spot.need("status").whole(100),
        headers=spot.optional("headers", _texts) or {},
        body=_body(spot),
    )


def _url(spot: Spot) -> str:
    text = spot.text()
    try:
        urlsplit(text)
    except ValueError:
        raise spot.error("url is no URL", _AGAIN) from None
    return text


def _texts(spot: Spot) -> Mapping[str, str]:
    return {key: item.text() for key, item in spot.entries()}


def _body(spot: Spot) -> Body:
    forms: list[Form] = [form for form in FORMS if spot.has(form)]
    if not forms:
        return Body()
    if len(forms) > 1:
        raise spot.at(forms[1]).error("a body has one form only", f"Remove {forms[1]}.", key=True)
    found = spot.at(forms[0])
    match forms[0]:
        case "events":
            body = Body("events", list(map(_event, found.items())))
        case "json":
            body = Body("json", found.value)
        case "text" | "base64" as form:
            body = Body(form, found.text())
    return _writable(body, found)


def _event(spot: Spot) -> Mapping[str, Any]:
    for key, item in spot.entries():
        if key not in _EVENT:
            raise spot.unknown(key, _EVENT)
        if key != "data":
            item.text()
    return cast("Mapping[str, Any]", spot.value)


def _writable(body: Body, spot: Spot) -> Body:
    """The body, if there are bytes that it stands for: a file can say more than JSON can."""
    try:
        write_body(body)
    except (ValueError, RecursionError):
        raise spot.error(f"{spot.name} is no {body.form}", _AGAIN) from None
    return body


# --- writing ----------------------------------------------------------------------------------


def tape_data(tape: Tape) -> dict[str, Any]:
    """A tape as the plain data that its file holds."""
    return {
        HEAD: FORMAT,
        "recorded": tape.recorded,
        "model": tape.model,
        "versions": dict(tape.versions),
        "calls": list(map(_call_data, tape.calls)),
    }


def _call_data(call: TapedCall) -> dict[str, Any]:
    request, response = call.request, call.response
    return {
        "turn": call.turn,
        "purpose": call.purpose,
        "durationMs": call.duration_ms,
        "request": {
            "method": request.method,
            "url": request.url,
            **_headers_data(request.headers),
            **_body_data(request.body),
        },
        "response": {
            "status": response.status,
            **_headers_data(response.headers),
            **_body_data(response.body),
        },
    }


def _headers_data(headers: Mapping[str, str]) -> dict[str, Any]:
    return {"headers": dict(headers)} if headers else {}


def _body_data(body: Body) -> dict[str, Any]:
    return {} if body.is_empty else {body.form: body.value}
