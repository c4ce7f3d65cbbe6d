"""Puts a recorder under the HTTP clients of this process, by way of VCR.py.

VCR.py knows the clients, and hands their requests to a cassette. This one does not read, match
or write: it asks the recorder, which looks an answer up at once and says at once when there is
none. What is sent outside of a model call, such as the agent's own HTTP, passes by.
"""

import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from vcr.cassette import Cassette  # pyright: ignore[reportMissingTypeStubs] - it has no types

from falai.shapes import is_list
from simulator.cassette.bodies import json_text
from simulator.cassette.calls import CALL
from simulator.cassette.recorder import HttpRequest, HttpResponse, Recorder

_filters: Any = import_module("vcr.filters")
_open = threading.Lock()
"""Held while a tape is in: what VCR.py replaces in the clients is replaced for the process."""


@contextmanager
def inserted(recorder: Recorder) -> Generator[None]:
    """Let model calls be answered and recorded by a recorder.

    Raises RuntimeError when another one is at work in this process.
    """
    if not _open.acquire(blocking=False):
        raise RuntimeError(
            "Another cassette is in use: play scenarios with cassettes one after another, "
            "or in processes of their own."
        )
    try:
        deck: Any = Deck
        with deck.use(path="", recorder=recorder):
            yield
    finally:
        _open.release()


class Deck(Cassette):
    """A cassette whose answers come from a recorder; VCR.py's stubs call it."""

    def __init__(self, path: str, recorder: Recorder) -> None:
        super().__init__(path)  # pyright: ignore[reportUnknownMemberType] - the same
        self._recorder = recorder
        self._found: dict[int, HttpResponse] = {}

    @classmethod
    def load(cls, **options: Any) -> "Deck":
        """Make one: there is nothing to load."""
        return cls(**options)

    @property
    def write_protected(self) -> bool:
        """Whether a request without an answer must not be sent: the recorder has said so already."""
        return False

    def can_play_response_for(self, request: Any) -> bool:
        """Look for an answer; raises CassetteMissError when there must be one and is none."""
        call = CALL.get()
        if call is None:
            return False
        found = self._recorder.answer(call, _request(request))
        if found is not None:
            self._found[id(request)] = found
        return found is not None

    def play_response(self, request: Any) -> dict[str, Any]:
        """Hand out the answer; after a redirect it was not looked for before."""
        if id(request) in self._found or self.can_play_response_for(request):
            return _as_vcr(self._found.pop(id(request)))
        raise LookupError(f"{request.uri} is not on the tape, where a redirect leads to it")

    def append(self, request: Any, response: Any) -> None:
        """Take an answer down."""
        call = CALL.get()
        if call is None:
            return
        decoded = _filters.decode_response(response)
        headers = _headers(decoded["headers"])
        if "content-encoding" not in headers:  # else nobody could read it, nor see secrets in it
            status = decoded["status"]["code"]
            body = decoded["body"].get("string") or b""
            self._recorder.take_down(call, _request(request), HttpResponse(status, headers, body))


def _request(request: Any) -> HttpRequest:
    return HttpRequest(request.method, request.uri, _headers(request.headers), _bytes(request))


def _bytes(request: Any) -> bytes:
    body: Any = request.body_bytes
    if isinstance(body, dict):  # some clients hand JSON over as data
        return json_text(body).encode()
    return body.encode() if isinstance(body, str) else bytes(body or b"")


def _headers(headers: Mapping[str, Any]) -> dict[str, str]:
    """The last value of each, by lower-case name: clients differ in how they spell them."""
    return {
        name.lower(): str(value[-1] if is_list(value) else value) for name, value in headers.items()
    }


def _as_vcr(response: HttpResponse) -> dict[str, Any]:
    return {
        "status": {"code": response.status, "message": ""},
        "headers": {name: [value] for name, value in response.headers.items()},
        "body": {"string": response.body},
    }
