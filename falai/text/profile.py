"""What the model is told of an agent, and the parts of it that are the same in every call."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from falai.shapes import is_list, is_mapping
from falai.text.names import Names
from falai.words.field import Field, number_text
from falai.words.flow import Flow, Mention, Talk


class Profile(msgspec.Struct, frozen=True, kw_only=True, eq=False, dict=True):
    """One agent, as far as its prompts go. Hashed by identity: caches hang on it."""

    name: str
    persona: str | None = None
    goal: str | None = None
    knowledge_base: Any = None
    """Text, or mappings and lists of it, at any depth."""
    fields: Mapping[str, Field] = {}
    """Every field of the agent, by slug."""
    flows: Sequence[Flow] = ()
    """Every flow of the agent: what a call names must be among them."""

    @cached_property
    def identity(self) -> str:
        """Who speaks, and what is known; without a part that holds a placeholder."""
        parts = [f"You are {self.name}."]
        parts += [_part(title, text) for title, text in self._persona if "{{" not in text]
        knowledge = _knowledge(self.knowledge_base)
        if knowledge:
            parts.append(_part("What you know", knowledge))
        return "\n\n".join(parts)

    @cached_property
    def changing(self) -> tuple[tuple[str, str], ...]:
        """Title and text of the parts that hold a placeholder."""
        return tuple(part for part in self._persona if "{{" in part[1])

    @cached_property
    def by_id(self) -> Mapping[str, Flow]:
        return {flow.id: flow for flow in self.flows}

    @cached_property
    def field_names(self) -> Names:
        return Names.of(self.fields, "field")

    @cached_property
    def flow_names(self) -> Names:
        return Names.of([flow.id for flow in self.flows], "flow")

    @cached_property
    def mentions(self) -> Mapping[str, Mention]:
        """The mention that counts of each flow that has one: its first."""
        pairs = ((flow.id, mention_of(flow)) for flow in self.flows)
        return {flow_id: mention for flow_id, mention in pairs if mention is not None}

    @cached_property
    def params(self) -> Mapping[str, Names]:
        """The names of what each flow's mention carries, by flow id."""
        return {
            flow_id: Names.of(mention.extract or {}, "value")
            for flow_id, mention in self.mentions.items()
        }

    def ask_of(self, flow_id: str, step_id: str, slug: str) -> str | None:
        """How a step asks for a field: in its own words, else in the field's."""
        steps = self.by_id[flow_id].steps
        own = next(
            (step.ask for step in steps if isinstance(step, Talk) and step.id == step_id), None
        )
        return (own or {}).get(slug) or self.fields[slug].ask

    @property
    def _persona(self) -> tuple[tuple[str, str], ...]:
        parts = (("Persona", self.persona), ("Goal", self.goal))
        return tuple((title, text) for title, text in parts if text and text.strip())


def mention_of(flow: Flow) -> Mention | None:
    """The first mention trigger of a flow, the only one that counts."""
    return next((trigger for trigger in flow.on or () if isinstance(trigger, Mention)), None)


def _part(title: str, text: str) -> str:
    return f"## {title}\n{text}"


def _knowledge(base: Any) -> str:
    return base.strip() if isinstance(base, str) else "\n".join(_bullets(base, ""))


def _bullets(value: Any, indent: str) -> list[str]:
    """Nested bullets; what is null, blank or empty says nothing."""
    if is_mapping(value):
        return [line for key, item in value.items() for line in _entry(f"{key}:", item, indent)]
    if is_list(value):
        return [
            line
            for number, item in enumerate(value, 1)
            for line in _entry(f"{number}:" if _is_nest(item) else "", item, indent)
        ]
    return _entry("", value, indent)


def _entry(head: str, value: Any, indent: str) -> list[str]:
    if _is_nest(value):
        below = _bullets(value, indent + "  ")
        return [f"{indent}- {head}", *below] if below else []
    text = _scalar(value).replace("\n", f"\n{indent}  ")
    return [f"{indent}- {head} {text}" if head else f"{indent}- {text}"] if text else []


def _is_nest(value: Any) -> bool:
    return is_mapping(value) or is_list(value)


def _scalar(value: Any) -> str:
    if isinstance(value, bool | int | float):
        return number_text(value)
    return "" if value is None else str(value).strip()
