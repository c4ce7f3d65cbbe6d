"""What the definitions of the schemas are called on the reference pages, and where they stand."""

import re

from simulator.schema import agent_schema

CHOICES = {"Entry": "An entry of turns", "Trigger": "A trigger", "Step": "A step"}
"""Definitions of which a file holds one or the other, by the end of their names."""
_TITLES = {
    "idle": "Who answers when no flow does",
    "said": "A message of the history",
    "fired": "An item of fired",
    "lost": "The attempt that lost",
    "model": "What the model answers",
    "judgement": "A reply to understand",
    "speech": "A reply to speak",
    "block": "expect and exactly",
    "hours": "Business hours",
    "results": "Results of an action",
    "result": "The result of an action",
    "toolResult": "The result of a tool",
    "agentCondition": "A condition of the agent",
    "element": "An element of a list parameter",
    "stubs": "Stubs",
    "claims": "Claims",
    "usage": "Usage",
    "compaction": "Compaction",
    "silenced": "Silenced",
    "seenUsage": "Usage",
    "seenPrompts": "Prompts",
    "seenSent": "A message that was sent",
    "seenEnd": "A run that ended",
    "seenStart": "A run that started",
    "seenSkip": "A start that was refused",
    "seenSession": "The session",
    "seenError": "An error",
}
ONE_OF = {
    "judged": "judgement",
    "spoken": "speech",
    "results": "result",
    "toolResults": "toolResult",
}
"""Definitions of one thing or a list of them, by what one is."""
_AGENT = frozenset(agent_schema()["definitions"])


def title_of(name: str) -> str:
    """The heading under which a definition stands."""
    plain = re.sub("([A-Z])", lambda found: " " + found[1].lower(), name.removeprefix("seen"))
    article = "An" if plain.strip()[0] in "aeiou" else "A"
    return _TITLES.get(name) or f"{article} {plain.strip()}"


def is_told(name: str) -> bool:
    """Whether a definition is for people, and no twin of another or there to refuse something."""
    return re.match("blank|stranger|.*[rR]acer", name) is None


def suffix_of(name: str) -> str:
    """The choice of which a definition is one; empty for what is told by itself."""
    return next((suffix for suffix in CHOICES if name.endswith(suffix)), "")


def page_of(name: str) -> str:
    """The page on which a definition stands."""
    if name in _AGENT:
        return "agent"
    if name == "expected":
        return "matchers"
    return "results" if name.startswith("seen") else "scenario"


def link_to(name: str) -> str:
    """A link to the heading of a definition."""
    title = CHOICES.get(name.capitalize()) or title_of(name)
    anchor = title.lower().replace(" ", "-")
    return f"[{title[0].lower()}{title[1:]}]({page_of(name)}.md#{anchor})"
