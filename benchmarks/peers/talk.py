"""The conversation that everybody holds: a sales triage of five messages, two model calls each."""

from typing import Final

MESSAGES: Final = (
    "hello, I would like a quote",
    "I am Ana",
    "I work for Zeta",
    "we are 30 people",
    "we can spend 5000 a month",
)
FIELDS: Final = ("name", "company", "size", "budget")
GIVEN: Final[tuple[dict[str, str], ...]] = (
    {},
    {"name": "Ana"},
    {"company": "Zeta"},
    {"size": "30"},
    {"budget": "5000"},
)
"""What the model reads out of each message."""
ASKED: Final = (
    "Hi! What is your name?",
    "Nice to meet you, Ana. Which company are you with?",
    "How many people work there?",
    "And what can you spend a month?",
)
"""What the model says while something is missing."""
GOODBYE: Final = "Thank you, Ana! We will call Zeta today."


def given_by(turn: int) -> dict[str, str]:
    """What message `turn` gives, from 0; after the fifth the talk begins anew."""
    return GIVEN[turn % len(MESSAGES)]


def message(turn: int) -> str:
    return MESSAGES[turn % len(MESSAGES)]


def reply(turn: int) -> str:
    """What the customer must read after message `turn`, whoever made it."""
    place = turn % len(MESSAGES)
    return ASKED[place] if place < len(ASKED) else GOODBYE


def is_last(turn: int) -> bool:
    """Whether the conversation is complete after message `turn`."""
    return turn % len(MESSAGES) == len(MESSAGES) - 1
