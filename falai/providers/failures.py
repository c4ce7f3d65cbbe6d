"""Turns whatever a model client raised into a ProviderError that says what would fix it.

The client's own classes are looked at last: they are chosen by words that may as well stand in
the prompt. What the server answered comes first, then what happened to the connection.
"""

import re
from collections import deque
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from falai.clock import Clock
from falai.errors import BODY_LIMIT, ErrorKind, ProviderError, ScriptError
from falai.providers.kinds import Complaint, kind_of_answer, read_complaint, status_in, window_of
from falai.providers.secrets import scrub
from falai.providers.waits import read_wait
from falai.shapes import is_list, is_mapping

_CONNECTION: tuple[tuple[ErrorKind, frozenset[str]], ...] = (
    (
        "timeout",
        frozenset({"APITimeoutError", "ServerTimeoutError", "TimeoutError", "TimeoutException"}),
    ),
    (
        "network",
        frozenset(
            {
                "APIConnectionError",
                "ClientConnectionError",
                "ClientPayloadError",
                "ConnectionError",
                "SSLError",
                "TransportError",
                "gaierror",
            }
        ),
    ),
)
"""What may happen to a connection, by the HTTP clients' class names: none of them is loaded here."""

_BY_CLASS: dict[str, ErrorKind] = {
    "MidStreamFallbackError": "network",
    "Timeout": "timeout",
    "RateLimitError": "rate",
    "ServiceUnavailableError": "overload",
    "BadGatewayError": "overload",
    "AuthenticationError": "auth",
    "PermissionDeniedError": "entitlement",
    "NotFoundError": "model",
    "ContextWindowExceededError": "context",
    "ContentPolicyViolationError": "content",
    "BadRequestError": "invalid",
}
"""The client's own classes, for failures that left no other trace."""

_BY_WORDS: tuple[tuple[ErrorKind, re.Pattern[str]], ...] = (
    ("unknown", re.compile(r"empty or invalid response", re.IGNORECASE)),  # and then quotes it
    ("model", re.compile(r"provider not provided", re.IGNORECASE)),
    ("auth", re.compile(r"missing (?:\w+ )?(?:credentials|api key)", re.IGNORECASE)),
)
"""The client's own words, where it has no class, or a wrong one, for what it means."""

_CLIENT = "litellm"
_PREFIX = re.compile(r"(?:(?:litellm\.)?\w*(?:Error|Exception|Timeout)(?:: | - ))+")
"""What the client puts before the words of others, once for every layer."""

_CLAIM = "anthropic-ratelimit-unified-representative-claim"


class _Answer(Struct, frozen=True):
    """What the server answered, outside or inside of a stream."""

    status: int | None
    headers: Mapping[str, str]
    """By lower-case name."""
    body: str
    complaint: Complaint


def read_failure(
    provider: str,
    raised: BaseException,
    *,
    clock: Clock,
    before: BaseException | None = None,
    secrets: tuple[str, ...] = (),
) -> ProviderError | ScriptError:
    """The error to raise in the place of what a client raised.

    `before` is what was being handled when the call began: it led to nothing. A ScriptError
    anywhere behind the failure is the failure.
    """
    links = _links(raised, before)
    for link in links:
        if isinstance(link, ScriptError):
            return link
    if isinstance(raised, ProviderError):
        return raised
    # The client may put a status of its own in an answer that it hands on.
    theirs = sorted(links, key=_is_clients)
    answer = next(filter(None, map(_answer, theirs)), None)
    if answer is None:
        return _unanswered(provider, links, secrets)
    return _answered(provider, answer, clock, secrets)


def _links(raised: BaseException, before: BaseException | None) -> list[BaseException]:
    """An exception and all that led to it, the nearest first."""
    found: list[BaseException] = []
    todo: deque[object] = deque([raised])
    while todo:
        link = todo.popleft()
        seen = any(link is known for known in found)
        if not isinstance(link, BaseException) or link is before or seen:
            continue
        found.append(link)
        todo += (link.__cause__, link.__context__, getattr(link, "original_exception", None))
        group: object = getattr(link, "exceptions", None)
        todo += group if is_list(group) else ()
    return found


# --- the server answered ----------------------------------------------------------------------


def _answered(
    provider: str, answer: _Answer, clock: Clock, secrets: tuple[str, ...]
) -> ProviderError:
    complaint, status = answer.complaint, answer.status
    kind = kind_of_answer(status, complaint)
    window = window_of(complaint, answer.headers.get(_CLAIM, "")) if kind in _LIMITED else None
    wait = read_wait(answer.headers, complaint.error, clock.now())
    return ProviderError(
        provider,
        "quota" if window is not None else kind,
        status=status,
        code=scrub(complaint.codes[0], secrets) if complaint.codes else None,
        body=scrub(answer.body, secrets) or None,
        window=window,
        retry_after_ms=wait.retry_after_ms,
        reset_at_ms=wait.reset_at_ms if kind in _LIMITED else None,
        should_retry=wait.should_retry,
    )


_LIMITED: frozenset[ErrorKind] = frozenset({"rate", "quota"})
"""Kinds that a reset ends: elsewhere its headers count something else."""


def _answer(link: BaseException) -> _Answer | None:
    """The HTTP answer that an exception carries, or the error event of a stream."""
    response: Any = getattr(link, "response", None)
    headers = _headers(response)
    body = _text(response)
    if headers or body:
        status = getattr(response, "status_code", None)
        # A good status before a bad body is no answer.
        return _made(status, headers, body) if isinstance(status, int) and status >= 400 else None
    event: object = getattr(link, "body", None)
    if not is_mapping(event):
        return None
    return _made(None, {}, msgspec.json.encode(event, enc_hook=str).decode())


def _made(status: int | None, headers: Mapping[str, str], body: str) -> _Answer:
    try:
        parsed: object = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        parsed = None
    complaint = read_complaint(parsed)
    return _Answer(status or status_in(complaint), headers, body, complaint)


def _headers(response: Any) -> dict[str, str]:
    headers: Any = getattr(response, "headers", None)
    try:
        return {str(name).lower(): str(value) for name, value in headers.items()}
    except AttributeError:
        return {}


def _text(response: Any) -> str:
    """The body, where it was read: a client may raise for asking."""
    try:
        return str(response.text)
    except Exception:  # noqa: BLE001 - a body that is out of reach is none
        return ""


# --- no answer came ---------------------------------------------------------------------------


def _unanswered(
    provider: str, links: list[BaseException], secrets: tuple[str, ...]
) -> ProviderError:
    kind, link = _telling(links)
    # Behind the first line a client may put a whole traceback.
    words = _PREFIX.sub("", (str(link).strip() or type(link).__name__).splitlines()[0])
    return ProviderError(provider, kind, f"{provider}: {scrub(words, secrets)[:BODY_LIMIT]}")


def _telling(links: list[BaseException]) -> tuple[ErrorKind, BaseException]:
    """What a failure without an answer is, and the exception that says it best."""
    others = [link for link in links if not _is_clients(link)]
    for kind, names in _CONNECTION:
        said = [link for link in others if not names.isdisjoint(_classes(link))]
        if said:
            return kind, said[-1]  # the nearest to the socket
    nearest = links[0]
    if any("JSONDecodeError" in _classes(link) for link in others):
        return "unknown", nearest  # a good status, and a body that is none
    for kind, words in _BY_WORDS:
        if words.search(str(nearest)):
            return kind, nearest
    for name in _classes(nearest):
        if name in _BY_CLASS:
            return _BY_CLASS[name], nearest
    return "unknown", nearest


def _is_clients(link: BaseException) -> bool:
    return type(link).__module__.partition(".")[0] == _CLIENT


def _classes(link: BaseException) -> list[str]:
    return [cls.__name__ for cls in type(link).__mro__]
