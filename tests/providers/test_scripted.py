"""The scripted provider: replies by purpose, and no answer once they are used up."""

import asyncio

import pytest

from falai import Chunk, ModelCall, ModelReply, ProviderError, ScriptedProvider, ScriptError
from falai.providers.base import Purpose
from falai.providers.scripted import UnscriptedCallError

ONE, TWO = ModelReply(message="um"), ModelReply(message="dois")


def call(purpose: Purpose = "speak") -> ModelCall:
    return ModelCall(purpose=purpose, system=None, history=(), prompt="", schema=None)


def ask(model: ScriptedProvider, purpose: Purpose = "speak") -> ModelReply:
    return asyncio.run(model.generate(call(purpose)))


def test_replies_come_in_order_and_by_purpose():
    model = ScriptedProvider(speak=[ONE, TWO], understand=[TWO])
    assert [ask(model), ask(model, "understand"), ask(model)] == [ONE, TWO, TWO]


def test_a_reply_may_be_its_text_or_its_envelope():
    model = ScriptedProvider(speak=["um", {"message": "dois"}])
    assert ask(model) == ONE
    assert ask(model) == ModelReply(message='{"message":"dois"}', structured={"message": "dois"})


def test_a_script_that_runs_dry_is_no_provider_failure():
    with pytest.raises(UnscriptedCallError, match=r"^unscripted summary call$") as caught:
        ask(ScriptedProvider(speak=[ONE]), "summary")
    assert isinstance(caught.value, ScriptError)
    assert caught.value.purpose == "summary"


def test_a_failure_is_raised_in_its_place():
    model = ScriptedProvider(speak=[ProviderError("scripted", "rate"), ONE])
    with pytest.raises(ProviderError):
        ask(model)
    assert ask(model) is ONE


def test_replies_that_nobody_asked_for_are_counted():
    model = ScriptedProvider(speak=[ONE, TWO], summary=[ONE])
    ask(model)
    assert model.leftovers == {"speak": 1, "summary": 1}


def test_a_new_script_takes_the_place_of_what_is_left():
    model = ScriptedProvider(speak=[ONE], understand=[ONE])
    model.load({"speak": [TWO]})
    assert ask(model) is TWO
    assert model.leftovers == {}


def test_a_streamed_reply_ends_with_the_whole_of_it():
    async def chunks() -> list[Chunk]:
        return [chunk async for chunk in ScriptedProvider(speak=[ONE]).stream(call())]

    *_, last = asyncio.run(chunks())
    assert last.reply == ONE


def test_a_stream_that_runs_dry_is_no_provider_failure():
    async def first() -> Chunk:
        return await anext(aiter(ScriptedProvider().stream(call())))

    with pytest.raises(ScriptError):
        asyncio.run(first())
