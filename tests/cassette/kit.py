"""Scenarios with a real client, a model server to record them from, and no way to the network."""

import asyncio
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from falai.clock import FakeClock
from falai.providers.base import ModelCall
from simulator.cassette.bodies import Body
from simulator.cassette.deck import inserted
from simulator.cassette.recorder import Recorder
from simulator.cassette.scrub import Scrubber
from simulator.cassette.tape import Tape, TapedCall, TapedRequest, TapedResponse
from simulator.load import load_document
from simulator.options import PlayOptions, RecordMode
from simulator.play import play
from simulator.reading import read_scenario
from simulator.trace import ScenarioRecord
from tests.modelserver.answers import Answer, enveloped
from tests.modelserver.server import ModelServer

MODEL = "openai/gpt-4.1-mini"
KEY = "sk-planted-9f8e7d6c5b4a"
TODAY = FakeClock("2026-05-04T12:00:00Z")

SCENARIO = """\
scenario: Otto asks for the name
agent:
  name: Otto
  fields: {name: {type: string, ask: Ask for the name.}}
  flows:
    - id: welcome
      name: Welcome
      on: [{message: []}]
      steps:
        - {id: who, collect: [name], prompt: Say hello and ask for the name.}
        - {id: thanks, say: "Nice to meet you, {{data.name}}!"}
provider: {model: openai/gpt-4.1-mini, temperature: 0}
turns:
  - message: hello
    expect: {replies: ["Hi! What is your name?"]}
  - message: I am Rosa
    expect: {replies: ["Nice to meet you, Rosa!"], data: {name: Rosa}}
"""
"""A speak call in the turn of line 14, an understand call in the turn of line 16."""

HELLO = enveloped(message="Hi! What is your name?", name=None)
ROSA = enveloped(flows={"welcome": 90}, fields={"name": "Rosa"}, asks=False)
BOB = enveloped(flows={"welcome": 90}, fields={"name": "Bob"}, asks=False)


# --- the network ------------------------------------------------------------------------------

_armed: list[list[str]] = []


def _listen(event: str, arguments: tuple[object, ...]) -> None:
    if _armed and event in ("socket.connect", "socket.getaddrinfo"):
        _armed[-1].append(f"{event} {arguments[1:]}")
        raise ConnectionError("this test has no network")


sys.addaudithook(_listen)


@contextmanager
def no_network() -> Iterator[list[str]]:
    """Let nothing connect, whatever library asks; the list tells who tried."""
    tried: list[str] = []
    _armed.append(tried)
    try:
        yield tried
    finally:
        _armed.pop()


@contextmanager
def no_pauses() -> Iterator[list[float]]:
    """Let nothing wait for real; the list tells who wanted to, in seconds."""
    wanted: list[float] = []

    async def pass_by(seconds: float, result: Any = None) -> Any:
        if seconds > 0:
            wanted.append(seconds)
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("asyncio.sleep", pass_by)
        patch.setattr("time.sleep", wanted.append)
        yield wanted


@contextmanager
def model_server(*answers: Answer) -> Iterator[ModelServer]:
    """A server with these answers, which litellm takes for OpenAI's."""
    with ModelServer() as server, pytest.MonkeyPatch.context() as patch:
        server.answer(*answers)
        patch.setenv("OPENAI_API_KEY", KEY)
        patch.setenv("OPENAI_BASE_URL", server.url)
        yield server


# --- playing ----------------------------------------------------------------------------------


def played(
    file: Path | str = "s.yaml", record: RecordMode = "none", **options: Any
) -> ScenarioRecord:
    """Play the one scenario of a file."""
    [only] = played_all(file, record, **options)
    return only


def played_all(
    file: Path | str = "s.yaml", record: RecordMode = "none", **options: Any
) -> list[ScenarioRecord]:
    """Play every combination of a scenario's matrix."""
    chosen = PlayOptions(record=record, today=TODAY, **options)
    scenarios = read_scenario(load_document(file))
    return [asyncio.run(play(scenario, chosen)) for scenario in scenarios]


def recorded(
    *answers: Answer, mode: RecordMode = "once", file: str = "s.yaml", **options: Any
) -> ScenarioRecord:
    """Play a scenario against a server that then is gone."""
    with model_server(*answers):
        return played(file, mode, **options)


def messages(record: ScenarioRecord) -> list[str]:
    return [failure.message for failure in record.failures]


def replies(record: ScenarioRecord) -> list[list[str]]:
    return [[m.text for m in turn.result.messages] if turn.result else [] for turn in record.turns]


# --- without a scenario -------------------------------------------------------------------------


def recorder(
    tape: Tape | None = None,
    mode: RecordMode = "none",
    environment: Mapping[str, str] | None = None,
) -> Recorder:
    return Recorder(tape, mode, Scrubber(environment or {}))


def tape_of(*calls: TapedCall) -> Tape:
    return Tape(recorded="2026-05-04", model=MODEL, calls=calls)


def taped(
    prompt: str = "hi", answer: str = "hello", *, turn: str = "1", purpose: str = "speak"
) -> TapedCall:
    """A call with this prompt and this text for an answer."""
    return TapedCall(
        turn=turn,
        purpose=purpose,
        duration_ms=7,
        request=request_of(prompt),
        response=TapedResponse(status=200, body=Body("text", answer)),
    )


def request_of(prompt: str, url: str = "https://api.example/v1/chat") -> TapedRequest:
    return TapedRequest(method="POST", url=url, body=Body("json", body_of(prompt)))


def body_of(prompt: str) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": prompt}]}


def model_call(prompt: str = "hi", **parts: Any) -> ModelCall:
    given: dict[str, Any] = {"purpose": "speak", "system": None, "history": [], "schema": None}
    return ModelCall(prompt=prompt, **(given | parts))


def post(recorder: Recorder, url: str, body: Any, **options: Any) -> httpx.Response:
    """Send one request as a model call, through a recorder."""
    with inserted(recorder), recorder.call("speak"), httpx.Client() as client:
        return client.post(url, json=body, **options)
