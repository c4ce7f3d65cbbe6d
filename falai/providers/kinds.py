"""Names the kind of a failure from what a provider answered: its status, its codes, its words."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from falai.errors import ErrorKind
from falai.shapes import is_list, is_mapping

Window: TypeAlias = Literal["5h", "weekly", "monthly"]


class Complaint(Struct, frozen=True):
    """What an error body says."""

    error: Mapping[str, Any] = {}
    message: str = ""
    codes: tuple[str, ...] = ()
    """Its code, its type and its status, as far as they are text: the most telling first."""


_CODES: dict[ErrorKind, str] = {
    "quota": (
        "insufficient_quota insufficient_balance billing_hard_limit_reached billing_not_active "
        "billing_error usage_limit_reached payment_required credit_balance_too_low"
    ),
    "context": "context_length_exceeded request_too_large string_above_max_length",
    "content": (
        "content_policy_violation content_filter moderation_blocked invalid_prompt "
        "responsibleaipolicyviolation"
    ),
    "model": "model_not_found model_not_available invalid_model deploymentnotfound",
    "auth": "invalid_api_key api_key_invalid invalid_authentication authentication_error",
    "entitlement": "unsupported_country_region_territory permission_error permission_denied",
    "rate": "rate_limit_exceeded rate_limit_error rate_limited resource_exhausted",
    "overload": "overloaded_error engine_overloaded server_error api_error internal_server_error",
    "timeout": "timeout_error",
}
_BY_CODE: dict[str, ErrorKind] = {
    code: kind for kind, codes in _CODES.items() for code in codes.split()
}

_BY_WORDS: tuple[tuple[ErrorKind, tuple[int | None, ...], re.Pattern[str]], ...] = (
    (
        "quota",
        (None, 400, 403, 429),
        re.compile(
            r"insufficient (?:quota|balance|credits?|funds)|credit balance|out of credits"
            r"|(?:billing|spend(?:ing)?) (?:hard )?limit|usage limit|payment required"
        ),
    ),
    (
        "context",
        (None, 400, 422),
        re.compile(
            r"context (?:length|window|size|limit)|prompt is too long|input is too long"
            r"|too many (?:input |prompt )?tokens|reduce the length"
            r"|token count .{0,40}exceeds|exceeds? the (?:max\w* )?(?:number of )?(?:input )?tokens?"
        ),
    ),
    (
        "content",
        (None, 400, 403),
        re.compile(
            r"content (?:management |usage )?(?:policy|filter)|usage polic|safety|flagged|moderation"
        ),
    ),
    (
        "model",
        (400,),
        re.compile(
            r"model\b.{0,80}\b(?:does not exist|not found|not supported|not available)"
            r"|(?:invalid|unknown|unsupported) model|not a valid model|provider not provided"
        ),
    ),
    ("auth", (400,), re.compile(r"api key (?:is )?(?:not valid|invalid|expired)|invalid api key")),
    (
        "entitlement",
        (403,),
        re.compile(
            r"\b(?:plan|tier|subscription|region|country|territory|permissions?|verif\w+)\b"
            r"|access to|not (?:enabled|included)"
        ),
    ),
)
"""For the statuses that may mean it, or no status at all: the kind that a message tells of."""

_BY_STATUS: dict[int, ErrorKind] = {
    401: "auth",
    402: "quota",
    403: "auth",
    404: "model",
    408: "timeout",
    413: "context",
    429: "rate",
    499: "aborted",
}
_SURE = (402, 408, 413, 499)
"""Statuses that say it all."""

_WINDOWS: tuple[tuple[Window, re.Pattern[str]], ...] = (
    ("5h", re.compile(r"\b(?:5|five)[-_ ]?h(?:ours?)?\b")),
    ("weekly", re.compile(r"\bweekly\b|\b(?:7|seven)[-_ ]days?\b|\bper week\b")),
    ("monthly", re.compile(r"\bmonthly\b|\bper month\b")),
)


def kind_of_answer(status: int | None, complaint: Complaint) -> ErrorKind:
    """The kind of an answer that is an error; `status` is None inside of a stream."""
    if status is not None and status >= 500:
        return "overload"
    if status in _SURE:
        return _BY_STATUS[status]
    coded = _kind_by_code(status, complaint)
    if coded is not None and coded != "rate":
        return coded
    worded = _kind_by_words(status, complaint.message.lower())
    if worded is not None or coded is not None:
        return worded or coded or "unknown"
    return "unknown" if status is None else _BY_STATUS.get(status, "invalid")


def window_of(complaint: Complaint, claim: str = "") -> Window | None:
    """The usage window that an error names, or that a header's claim does."""
    said = " ".join((claim, complaint.message, *complaint.codes)).lower()
    return next((window for window, words in _WINDOWS if words.search(said)), None)


def read_complaint(body: object) -> Complaint:
    """Find the error in a parsed body, in whichever of the field's shapes."""
    error = _error_in(body)
    message = error.get("message") or error.get("detail") or error.get("error") or ""
    return Complaint(
        error=error,
        message=message if isinstance(message, str) else "",
        codes=tuple(code.lower() for code in _codes(error)),
    )


def status_in(complaint: Complaint) -> int | None:
    """The HTTP status that an error inside of a stream carries as its code."""
    code = complaint.error.get("code")
    number = int(code) if isinstance(code, int) or (isinstance(code, str) and code.isdigit()) else 0
    return number if 400 <= number < 600 else None


def _kind_by_code(status: int | None, complaint: Complaint) -> ErrorKind | None:
    for code in complaint.codes:
        kind = _BY_CODE.get(code)
        # A status that blames the request is believed over a type such as `api_error`.
        if kind is not None and (kind != "overload" or status in {None, 429}):
            return kind
    return None


def _kind_by_words(status: int | None, message: str) -> ErrorKind | None:
    for kind, statuses, words in _BY_WORDS:
        if status in statuses and words.search(message):
            return kind
    return None


def _error_in(body: object) -> Mapping[str, Any]:
    if is_list(body):  # Google sends a list of one
        return _error_in(body[0]) if body else {}
    if isinstance(body, str):
        return {"message": body}
    if not is_mapping(body):
        return {}
    inner = body.get("error")
    return inner if is_mapping(inner) else body


def _codes(error: Mapping[str, Any]) -> Iterator[str]:
    for key in ("code", "type", "status"):
        code = error.get(key)
        if isinstance(code, str) and code:
            yield code
