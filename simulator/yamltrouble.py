"""Says what is wrong with a text that is no YAML, in words for its author."""

import re

import yaml

from simulator.place import TextError

TOO_DEEP = "the file is nested too deeply"
_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_KNOWN_PROBLEMS = (
    ("tab character", "a tab where YAML wants spaces", "Indent with spaces."),
    ("mapping values are not allowed", 'a second ": " in this place', "Put such a text in quotes."),
    ("could not find expected ':'", 'a key without ": " behind it', "Write key: value."),
    (
        "expected ',' or",
        "a list or mapping in brackets ends too early",
        "Close its bracket, and put a text with brackets in quotes.",
    ),
    ("undefined alias", "this alias has no anchor", "Write the anchor before it, or use quotes."),
    ("another document", "a second document begins here", "Remove the --- and what follows."),
    ("unexpected end of stream", "a quote that is never closed", "Close it."),
    ("maximum nesting depth", TOO_DEEP, "Flatten it."),
)
_FIX = "Check the indentation, quotes and brackets here and on the line before."


def trouble(text: str, exc: yaml.YAMLError) -> TextError:
    """What PyYAML found, where, and how to mend it."""
    if not isinstance(exc, yaml.MarkedYAMLError):
        found = _FORBIDDEN.search(text)
        offset = found.start() if found else 0
        return TextError(offset, "a control character", "Remove it, or write it as an escape.")
    problem = " ".join(str(exc.problem or exc.context).split())
    mark = exc.problem_mark or exc.context_mark
    if "unexpected end of stream" in problem:
        mark = exc.context_mark or mark  # where the quote opens
    offset = min(mark.index if mark is not None else 0, len(text) - 1)
    if "cannot start any token" in problem:
        return _stray_character(text[offset], offset)
    for words, what, fix in _KNOWN_PROBLEMS:
        if words in problem:
            return TextError(offset, f"not valid YAML: {what}", fix)
    return TextError(offset, f"not valid YAML: {problem}", _FIX)


def _stray_character(character: str, offset: int) -> TextError:
    what, fix = f"no value starts with {character}", "Put the text in quotes."
    if character == "\t":
        what, fix = "a tab where YAML wants spaces", "Indent with spaces."
    return TextError(offset, f"not valid YAML: {what}", fix)
