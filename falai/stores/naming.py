"""What the stores of a server have in common: names of their own, and what they say when refused."""

from collections.abc import Iterable
from urllib.parse import quote

from falai.errors import FlowConfigurationError


def prefix_of(namespace: str) -> str:
    """What stands before every id of a namespace; no namespace's prefix begins another's."""
    return f"{quote(namespace, safe='')}:" if namespace else ""


def check_removal(namespace: str) -> None:
    """Refuse to remove all sessions that there are."""
    if not namespace:
        raise FlowConfigurationError.at(
            "remove_all",
            "the store has no namespace, so these would be all the sessions that there are",
            "Open the store with a namespace.",
        )


_OF_THE_EXTRA = frozenset({"sqlalchemy", "greenlet", "asyncpg", "aiomysql", "aiosqlite", "redis"})


def missing_package(what: str, error: ModuleNotFoundError) -> FlowConfigurationError:
    """State what a store needs that is not installed."""
    package = (error.name or str(error)).partition(".")[0]
    wanted = "'falai[stores]'" if package in _OF_THE_EXTRA else package
    return FlowConfigurationError.at(
        what, f"needs {package}, which is not installed", f"pip install {wanted}"
    )


def without(text: str, secrets: Iterable[str | None]) -> str:
    """A driver's own words, passwords taken out; drivers quote what they cannot read."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "***")
    return text
