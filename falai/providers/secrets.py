"""Takes keys, tokens and account ids out of texts that somebody may read or keep."""

import os
import re
from collections.abc import Iterable, Mapping

REDACTED = "[redacted]"

_SHORTEST = 8
"""A shorter value is no secret, and taking it out would tear words apart."""

_NAME = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$", re.IGNORECASE)
_SHAPES = re.compile(
    r"""
    \b(?:sk|pk|gsk|xai|hf|nvapi|pplx)[-_][\w*.-]{6,}   # keys as their makers spell them
    | \bAIza[\w*-]{10,}
    | \b(?:AKIA|ASIA)[A-Z0-9]{12,}
    | \beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]+)?              # a signed token
    | \b(?:org|proj)[-_][A-Za-z0-9*]{6,}
    | (?<=bearer\ )[\w.~+/=*-]{6,}
    | (?<=basic\ )[\w.~+/=*-]{8,}
    | (?<=key=)[^&\s"'<>]+
    | (?<=token=)[^&\s"'<>]+
    | (?<=sig=)[^&\s"'<>]+
    """,
    re.VERBOSE | re.IGNORECASE,
)


def scrub(text: str, known: Iterable[str] = ()) -> str:
    """Put a mark in the place of every known secret, and of all that has the shape of one."""
    for secret in sorted(set(known), key=len, reverse=True):
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, REDACTED)
    return _SHAPES.sub(REDACTED, text)


def named_secrets(values: Mapping[str, object]) -> list[str]:
    """The texts whose names say that they are secret: `api_key`, `OPENAI_API_KEY`."""
    return [
        value for name, value in values.items() if isinstance(value, str) and _NAME.search(name)
    ]


def environment_secrets() -> list[str]:
    """The secrets in the environment, where clients look for their keys."""
    return named_secrets(os.environ)
