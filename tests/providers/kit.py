"""Providers that speak to the model server, the calls they are asked, and turns around them."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, TypeVar

import pytest

from falai import (
    Agent,
    Chunk,
    FakeClock,
    Flow,
    Message,
    ModelCall,
    Provider,
    ProviderError,
    Talk,
    ToolOffer,
)
from falai.providers.litellm import LiteLLMProvider
from falai.text.envelope import speak_envelope
from falai.words.field import Field
from tests.modelserver.server import ModelServer

T = TypeVar("T")
START = "2026-01-05T09:00:00.000Z"
KEY = "sk-a-key-that-nobody-may-read"
MODEL = "openai/some-model"
SCHEMA = speak_envelope({"nome": Field("string", enum=("Ana", "Bia"))}).schema
OFFER = ToolOffer("busca", "Searches.", {"type": "object", "properties": {}})


class Pauses:
    """A sleep that only takes notes."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


def provider(server: ModelServer, model: str = MODEL, **options: Any) -> LiteLLMProvider:
    """A provider for the server; it tries nothing again unless a test says so."""
    given: dict[str, Any] = {"api_base": server.url, "api_key": KEY, "retries": 0}
    return LiteLLMProvider(model, **(given | options))


def call(
    *,
    history: Sequence[Mapping[str, Any]] = (),
    schema: Mapping[str, Any] | None = None,
    tools: Sequence[ToolOffer] = (),
    system: str | None = "You are Ana.",
) -> ModelCall:
    return ModelCall(
        purpose="speak", system=system, history=history, prompt="Oi!", schema=schema, tools=tools
    )


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a loop of its own, as a script does."""
    return asyncio.run(work)


async def chunks_of(model: Provider, asked: ModelCall) -> list[Chunk]:
    return [chunk async for chunk in model.stream(asked)]


def failure_of(work: Coroutine[Any, Any, Any]) -> ProviderError:
    """Run what must fail; give the error."""
    with pytest.raises(ProviderError) as caught:
        wait_for(work)
    return caught.value


# --- turns ------------------------------------------------------------------------------------


def speaker(model: Provider, **parts: Any) -> Agent:
    """An agent whose turns make a speak call and no other."""
    step = Talk("s", prompt="Cumprimente.", collect=["nome"])
    greet = Flow(id="a", name="a", on=[Message()], steps=[step])
    fields = {"nome": Field("string", extract="asked")}
    return _agent(model, flows=[greet], fields=fields, **parts)


def listener(model: Provider) -> Agent:
    """An agent whose turns begin with an understand call."""
    flows = [
        Flow(id=name, name=name, on=[Message([f"fala de {name}"])], steps=[Talk("s", prompt="Oi.")])
        for name in ("a", "b")
    ]
    return _agent(model, flows=flows)


def _agent(model: Provider, **parts: Any) -> Agent:
    return Agent(name="Ana", provider=model, clock=FakeClock(START), **parts)
