"""One logic, whoever drives it: stepped, awaited or streamed, a turn comes to the same."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from hypothesis import given

from falai import Agent, EmptyReplyError, ProviderError, TurnResult
from tests.property.profile import checked
from tests.property.stage import Played, copied, encoded, play
from tests.property.strategies import Story, stories

Driver = Callable[[Agent, dict[str, Any]], Awaitable[tuple[str, TurnResult]]]


async def awaited(agent: Agent, given: dict[str, Any]) -> tuple[str, TurnResult]:
    return "", await agent.turn(**given)


async def streamed(agent: Agent, given: dict[str, Any]) -> tuple[str, TurnResult]:
    """The words as they arrived, and what came last."""
    deltas = [delta async for delta in agent.turn_stream(**given)]
    result = deltas[-1].result
    assert result is not None
    assert all(delta.result is None for delta in deltas[:-1])
    return "".join(delta.text for delta in deltas), result


def drive(played: Played, driver: Driver) -> tuple[str, TurnResult | None]:
    """Handle an input once more, by another driver."""
    stage = played.stage
    stage.world.enter(played.moment)
    given = {**played.given, "session": copied(played.before)}
    try:
        return asyncio.run(driver(stage.agent, given))  # pyright: ignore[reportArgumentType]
    except (ProviderError, EmptyReplyError):
        return "", None


@checked
@given(stories(most=6))
def test_an_awaited_turn_comes_to_what_a_stepped_one_does(story: Story):
    for played in play(story):
        _, result = drive(played, awaited)
        assert encoded(result) == encoded(played.result)


@checked
@given(stories(most=6))
def test_a_streamed_turn_comes_to_what_a_stepped_one_does(story: Story):
    for played in play(story):
        _, result = drive(played, streamed)
        assert encoded(result) == encoded(played.result)


@checked
@given(stories(most=6))
def test_the_words_that_were_streamed_are_the_ones_that_are_sent(story: Story):
    for played in play(story):
        words, result = drive(played, streamed)
        sent = "" if result is None else "".join(m.text for m in result.messages if m.kind == "ai")
        assert words == sent or (not sent and not words.strip())
