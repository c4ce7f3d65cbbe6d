"""Answers requests from a tape, takes down the answers of others, and knows what is left over."""

from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from time import perf_counter

import msgspec

from falai.providers.base import Purpose
from simulator.cassette.bodies import read_body, write_body
from simulator.cassette.calls import OpenCall, TurnPlace, making, this_turn
from simulator.cassette.difference import difference, nearest
from simulator.cassette.matching import Recorded, key_of
from simulator.cassette.miss import CassetteMissError
from simulator.cassette.scrub import Scrubber
from simulator.cassette.tape import Tape, TapedCall, TapedRequest, TapedResponse
from simulator.options import RecordMode


class HttpRequest(msgspec.Struct, frozen=True):
    """A request as a client sends it."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes


class HttpResponse(msgspec.Struct, frozen=True):
    """A response as a client gets it."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Recorder:
    """One tape under one play. `file` and `again` are what messages call it, and what mends it."""

    def __init__(
        self,
        tape: Tape | None,
        mode: RecordMode,
        scrubber: Scrubber,
        *,
        file: str = "the tape",
        again: str = "falai record",
    ) -> None:
        self.plays = tape is not None and mode != "all"
        self.records = mode in ("all", "new_episodes") or (mode == "once" and tape is None)
        self.calls: list[OpenCall] = []
        """Every call that was begun, in order."""
        self._recorded = Recorded(tape.calls if tape is not None and self.plays else ())
        self._has_tape = tape is not None
        self._scrubber = scrubber
        self._file = file
        self._again = again
        self._taken: list[tuple[int, TapedCall]] = []
        self._begun: Counter[tuple[TurnPlace, Purpose]] = Counter()
        self._in_flight = 0

    # --- calls ----------------------------------------------------------------------------------

    def begin(self, purpose: Purpose) -> OpenCall:
        """Begin a call of the turn that is being played; `finish` ends it."""
        turn = this_turn()
        rank = self._begun[turn, purpose]
        self._begun[turn, purpose] += 1
        call = OpenCall(number=len(self.calls) + 1, turn=turn, purpose=purpose, rank=rank)
        self.calls.append(call)
        self._in_flight += 1
        return call

    def finish(self) -> None:
        """End a call: from now on it cannot take another one's answer."""
        self._in_flight -= 1

    @contextmanager
    def call(self, purpose: Purpose) -> Generator[OpenCall]:
        """Let the HTTP that goes out inside belong to a new call."""
        with making(self.begin(purpose)) as call:
            try:
                yield call
            finally:
                self.finish()

    # --- their requests ---------------------------------------------------------------------------

    def answer(self, call: OpenCall, request: HttpRequest) -> HttpResponse | None:
        """What the tape has for a request, which is then played; None when it is to be sent.

        Raises CassetteMissError when it is not on the tape and cannot be recorded either.
        """
        asked = self._request(request)
        found = None
        if self.plays:
            # Of several calls on their way, each gets the answer that was its own.
            rank = call.rank if self._in_flight > 1 else None
            found = self._recorded.take(key_of(asked), call.turn.entry, call.purpose, rank)
        if found is None:
            if not self.records:
                call.miss = self._miss(call, asked)
                raise call.miss
            call.sent_at = perf_counter()
            return None
        call.answers += 1
        call.recorded = True
        call.duration_ms += found.duration_ms
        return _as_sent(found.response)

    def take_down(self, call: OpenCall, request: HttpRequest, response: HttpResponse) -> None:
        """Keep the answer to a request that was sent."""
        took_ms = round((perf_counter() - call.sent_at) * 1000)
        call.answers += 1
        call.duration_ms += took_ms
        taped = TapedCall(
            turn=call.turn.entry,
            purpose=call.purpose,
            duration_ms=took_ms,
            request=self._request(request),
            response=self._response(response),
        )
        self._taken.append((call.number, taped))

    def _request(self, request: HttpRequest) -> TapedRequest:
        return self._scrubber.request(
            TapedRequest(
                method=request.method,
                url=request.url,
                headers=request.headers,
                body=read_body(request.body),
            )
        )

    def _response(self, response: HttpResponse) -> TapedResponse:
        body = read_body(response.body, response.headers.get("content-type", ""))
        return self._scrubber.response(
            TapedResponse(status=response.status, headers=response.headers, body=body)
        )

    # --- what came of it ----------------------------------------------------------------------------

    @property
    def taken(self) -> list[TapedCall]:
        """What was recorded, in the order in which the calls were made."""
        return [taped for _, taped in sorted(self._taken, key=lambda taken: taken[0])]

    @property
    def kept(self) -> list[TapedCall]:
        """What was on the tape and stays on it."""
        return list(map(self._scrubber.call, self._recorded.calls))

    @property
    def leftovers(self) -> list[TapedCall]:
        """What is on the tape, and nobody asked for."""
        return self._recorded.leftovers

    def _miss(self, call: OpenCall, asked: TapedRequest) -> CassetteMissError:
        """Say what the tape lacks, and what it has instead."""
        details: list[str] = []
        if not self._has_tape:
            why = f"there is no tape {self._file}"
        elif times := self._recorded.times(key_of(asked)):
            why = f"{self._file} has the answer to this request {_times(times)}, and it was played"
        else:
            why = f"{self._file} has no answer to this request"
            details = self._details(call, asked)
        fix = f"To record {'it again' if self._has_tape else 'one'}: {self._again}"
        return CassetteMissError(call.name, call.turn.line, why, details, fix)

    def _details(self, call: OpenCall, asked: TapedRequest) -> list[str]:
        left = self._recorded.leftovers or self._recorded.calls
        near = nearest(asked, call.turn.entry, call.purpose, left)
        if near is None:
            return []
        title = f"The nearest on it is the {near.name} (- recorded, + asked now):"
        return [title, *(f"  {line}" for line in difference(near.request, asked))]


def _as_sent(response: TapedResponse) -> HttpResponse:
    return HttpResponse(response.status, response.headers, write_body(response.body))


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
