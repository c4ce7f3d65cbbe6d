"""Files of which expectations are taken away or changed, as an author would in an editor."""

import asyncio
import copy
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from simulator.accept.proposal import Proposal, propose
from simulator.load import Document
from simulator.play import play
from simulator.reading import read_scenario

ROOT = Path(__file__).parents[2]
KINDS = ("message", "event", "start", "wake", "advance", "clock", "race")
BLOCKS = ("expect", "exactly")
Way = tuple[str | int, ...]
Span = tuple[int, int]


def proposed(document: Document) -> Proposal:
    return asyncio.run(propose(document, read_scenario(document)))


def accepted(document: Document) -> Document:
    """The file as it is accepted; fails when it is not."""
    proposal = proposed(document)
    assert list(proposal.problems) == []
    return Document(document.path, proposal.text)


def failures_of(document: Document) -> list[Any]:
    scenarios = read_scenario(document)
    return [it for scenario in scenarios for it in asyncio.run(play(scenario)).failures]


def copied(file: Path, to: Path) -> Path:
    """A copy of a file, with the folders that lie beside it."""
    shutil.copytree(file.parent, to / "s", dirs_exist_ok=True)
    return to / "s" / file.name


# --- what stands in a text ----------------------------------------------------------------------


def comments_of(text: str) -> list[str]:
    """The comments of a YAML text: what stands between its tokens, from a # on."""
    comments: list[str] = []
    at = 0
    for token in yaml.scan(text, Loader=yaml.CSafeLoader):
        if isinstance(token, yaml.ScalarToken):
            comments += re.findall(r"#[^\r\n]*", text[at : token.start_mark.index])
            at = token.end_mark.index
            if token.style in ("|", ">"):
                header = text[token.start_mark.index :].splitlines()[0]
                comments += re.findall(r" (#.*)", header)
    return comments + re.findall(r"#[^\r\n]*", text[at:])


def nodes_of(text: str) -> Any:
    return yaml.compose(text, Loader=yaml.CSafeLoader)


def pairs_of(node: yaml.Node) -> dict[str, tuple[yaml.Node, yaml.Node]]:
    return {key.value: (key, value) for key, value in node.value}


def end_of(text: str, node: yaml.Node) -> int:
    """Behind the last sign of a value, without the comments that follow it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style:
        last = node.value[-1]
        return end_of(text, last[1] if isinstance(last, tuple) else last)
    # The mark of a text of several lines stands where the next line begins.
    return len(text[: node.end_mark.index].rstrip())


# --- expectations taken away --------------------------------------------------------------------


def without_expectations(document: Document) -> Document:
    """The file without any expectation: entries that are nothing else go, too."""
    if document.is_json:
        text = json.dumps(bare(document.value), ensure_ascii=False, indent=2)
    else:
        text = document.text
        for start, end, instead in sorted(cuts(text), reverse=True):
            text = f"{text[:start]}{instead}{text[end:]}"
    return Document(document.path, text)


def bare(value: Any) -> Any:
    value = copy.deepcopy(value)
    value["turns"] = [turn for turn in value["turns"] if set(turn) & set(KINDS)]
    for turn in value["turns"]:
        for entry in [turn, turn.get("lost", {}), *turn.get("race", []), *turn.get("fired", [])]:
            for block in BLOCKS:
                entry.pop(block, None)
    return value


def cuts(text: str) -> Iterator[tuple[int, int, str]]:
    """Start and end of what goes, and what comes instead."""
    turns = pairs_of(nodes_of(text))["turns"][1]
    for turn in turns.value:
        pairs = pairs_of(turn)
        if not set(pairs) & set(KINDS):
            start = text.rindex("-", 0, turn.start_mark.index)
            yield line_start(text, start), next_line(text, end_of(text, turn)), ""
            continue
        yield from cuts_of_entry(text, turn)
        for key in ("race", "fired"):
            for entry in pairs[key][1].value if key in pairs else ():
                yield from cuts_of_entry(text, entry)
        if "lost" in pairs:
            yield from cuts_of_entry(text, pairs["lost"][1])


def cuts_of_entry(text: str, entry: Any) -> Iterator[tuple[int, int, str]]:
    pairs = list(entry.value)
    for at, (key, value) in enumerate(pairs):
        if key.value not in BLOCKS:
            continue
        start, end = key.start_mark.index, end_of(text, value)
        if len(pairs) == 1:
            yield start, end, "" if entry.flow_style else "{}"
        elif not at:
            yield start, pairs[1][0].start_mark.index, ""
        elif entry.flow_style:
            yield end_of(text, pairs[at - 1][1]), end, ""
        else:
            yield line_start(text, start), next_line(text, end), ""


def line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def next_line(text: str, at: int) -> int:
    return text.find("\n", at) + 1 if "\n" in text[at:] else len(text)


# --- expectations changed -----------------------------------------------------------------------


def blocks(value: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    """Every `expect` and `exactly` block of a file, with the way to it."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if key in BLOCKS:
            yield (*way, key), item
        elif isinstance(item, dict | list):
            yield from blocks(item, (*way, key))


def leaves(value: Any, way: Way, *, matchers: bool = False) -> Iterator[Way]:
    """The ways to scalars; those under a matcher only with `matchers`."""
    if isinstance(value, dict):
        for key, item in value.items():
            if matchers or not key.startswith("$"):
                yield from leaves(item, (*way, key), matchers=matchers)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*way, index), matchers=matchers)
    elif value is not None and way[-1] != "message":
        yield way


def node_at(text: str, way: Way) -> yaml.Node:
    node = nodes_of(text)
    for name in way:
        node = node.value[name] if isinstance(name, int) else pairs_of(node)[name][1]
    return node


def span_of(document: Document, way: Way) -> Span:
    """Where a scalar stands; JSON is YAML, too."""
    node = node_at(document.text, way)
    return node.start_mark.index, node.end_mark.index


def with_value(document: Document, way: Way, value: Any) -> Document:
    """The file with another scalar at one place, in quotes or not as the old one was."""
    start, end = span_of(document, way)
    text = document.text
    return Document(document.path, f"{text[:start]}{json.dumps(value)}{text[end:]}")


def value_at(value: Any, way: Way) -> Any:
    for name in way:
        value = value[name]
    return value
