"""The count of calls and tokens."""

import pytest

from falai import Message, ModelReply, ProviderError, Talk, Usage
from tests.turn.kit import Chat, Reply, counted, flow, judged, said

ON = [Message(["oi"])]


def two_calls(understand: Reply, speak: Reply) -> tuple[int, Usage | None]:
    """Make an understand and a speak call; give what was counted."""
    flows = [flow(Talk("s", prompt="Ajude."), id=name, on=ON) for name in ("a", "b")]
    result = Chat(*flows).hear(understand=understand, speak=speak)
    return result.llm_calls, result.usage


ROUTED = judged(flows={"b": 70})


def test_usage_is_the_sum_over_the_calls():
    counts = two_calls(counted(ROUTED, 100, 5, 40), counted(said(), 10, 20))
    assert counts == (
        2,
        Usage(prompt_tokens=110, completion_tokens=25, cached_input_tokens=40),
    )


@pytest.mark.parametrize("usage", [None, Usage()])
def test_usage_is_absent_when_nobody_counted(usage: Usage | None):
    silent = ModelReply(structured=ROUTED.structured, usage=usage)
    assert two_calls(silent, said()) == (2, None)


def test_usage_is_absent_when_no_call_was_made():
    assert Chat().hear().usage is None


def test_usage_of_one_call_stands_when_the_other_counted_nothing():
    assert two_calls(ROUTED, counted(said(), 3)) == (2, Usage(prompt_tokens=3))


def test_a_call_that_fails_counts_and_keeps_the_tokens_of_the_others():
    counts = two_calls(counted(ROUTED, 7), ProviderError("scripted", "auth"))
    assert counts == (2, Usage(prompt_tokens=7))


def test_a_blank_answer_is_counted_with_its_tokens():
    assert two_calls(ROUTED, counted(said(" "), 4)) == (2, Usage(prompt_tokens=4))
