"""Takes secrets out of what goes onto a tape, and finds those that are left on one."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast
from urllib.parse import parse_qsl, quote, quote_plus, urlencode, urlsplit, urlunsplit

from msgspec.structs import replace

from falai.shapes import is_list, is_mapping
from simulator.cassette.bodies import Body, read_body, write_body
from simulator.cassette.tape import TapedCall, TapedRequest, TapedResponse

SCRUBBED = "SCRUBBED"
"""What stands in the place of a secret."""

_NO_SECRET = re.compile(r".{0,5}|[a-z]{0,11}", re.DOTALL)
"""Too short, or a word: taking it out would tear texts apart."""
_NAME = re.compile(r"(?:KEY|TOKEN|SECRET)$", re.IGNORECASE)

_KEPT_OF_REQUEST = frozenset({"content-type"})
_KEPT_OF_RESPONSE = re.compile(
    r"content-type|location|retry-after(?:-ms)?|x-should-retry|(?:\w+-)*ratelimit(?:-[a-z]+)*"
)
"""What a client makes decisions by. All else, such as cookies and request ids, is left out."""

_CREDENTIALS = re.compile(
    r"(?:api[-_]?)?key|(?:access[-_]?|id[-_]?)?token|secret|sig|signature|credentials?"
    r"|subscription-key|x-(?:amz|goog)-.*",
    re.IGNORECASE,
)
"""Names in a query string that stand before a credential."""
_PROJECT = re.compile(r"(?<=/projects/)[^/:]+|(?<=/organizations/)[^/:]+")
_IDS = frozenset(
    {"request_id", "requestId", "organization", "organization_id", "org_id", "project_id"}
)
"""Keys of an answer that hold the id of an account or of a request."""
_TELLING = frozenset(
    {"content", "arguments", "text", "partial_json", "reasoning", "reasoning_content", "thinking"}
)
"""Keys of an event that hold a piece of a longer text."""

_SHAPES = {
    "an API key": r"sk-(?!SCRUBBED\b)[\w*-]{8,}|[sprk]k_(?:live|test)_\w{8,}"
    r"|(?:gsk|hf|r8|fw)_[A-Za-z0-9]{16,}|(?:xai|nvapi|pplx|csk)-[\w-]{16,}",
    "a Google key": r"AIza[\w-]{16,}|ya29\.[\w.-]{16,}",
    "an AWS key": r"(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "a GitHub token": r"gh[pousr]_\w{20,}|github_pat_\w{20,}",
    "a Slack token": r"xox[a-z]-[\w-]{10,}",
    "a bearer token": r"(?i:bearer)(?:\s|\\[nrt])+(?!SCRUBBED\b)[\w.~+/=-]{16,}",
    "a signed token": r"eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?",
    "an organisation id": r"org-(?=[a-z]*[A-Z0-9])[A-Za-z0-9]{8,}",
    "a project id": r"proj_[A-Za-z0-9]{8,}",
    "a request id": r"req_[A-Za-z0-9]{8,}",
}
"""What secrets look like, whoever made them. Each begins where a word does."""
_BEGIN = r"(?:\b|(?<=\\[bfnrt])|(?<=\\u[\da-fA-F]{4}))"
"""Where a word begins, also behind the escape of a sign: many a text has JSON in it."""
_BLOCKS = {
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[^-]*-----END [A-Z ]*PRIVATE KEY-----)?",
}
"""Secrets that begin anywhere."""


class Secret(NamedTuple):
    """A secret that was found in a text."""

    start: int
    end: int
    what: str


class Scrubber:
    """Knows the secrets of one environment, and what secrets look like anywhere."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Take the values of variables whose name ends in KEY, TOKEN or SECRET for secrets."""
        self._kinds: list[str] = []
        patterns: list[str] = []
        for name, value in _secrets_of(environment):
            self._kinds.append(f"the value of {name}")
            patterns.append("|".join(map(re.escape, _spellings(value))))
        self._kinds += [*_SHAPES, *_BLOCKS]
        # Where no word begins, all shapes are passed over at once: four times as fast.
        shapes = f"{_BEGIN}(?:{_any_of(_SHAPES.values())})"
        self._pattern = re.compile(
            "|".join(filter(None, (_any_of(patterns), shapes, _any_of(_BLOCKS.values()))))
        )

    def found(self, text: str) -> Iterator[Secret]:
        """Every secret in a text, in order."""
        for hit in self._pattern.finditer(text):
            yield Secret(hit.start(), hit.end(), self._kinds[cast("int", hit.lastindex) - 1])

    def text(self, text: str) -> str:
        """A text without its secrets."""
        while (clean := self._pattern.sub(SCRUBBED, text)) != text:
            text = clean  # what was taken out may have stood between two halves of another one
        return clean

    def value(self, value: Any) -> Any:
        """A JSON value without the secrets in its texts and keys."""
        if isinstance(value, str):
            return self.text(value)
        if is_mapping(value):
            return {self.text(key): self.value(item) for key, item in value.items()}
        return [self.value(item) for item in value] if is_list(value) else value

    def body(self, body: Body) -> Body:
        """A body without its secrets."""
        if body.form == "base64":
            # No text, but a secret may stand in it all the same, as ASCII.
            text = self.text(write_body(body).decode("latin-1"))
            return read_body(text.encode("latin-1"))
        value = self.value(body.value)
        return Body(body.form, self._over_pieces(value) if body.form == "events" else value)

    def response_body(self, body: Body) -> Body:
        """The body of a response without its secrets, and without ids of accounts."""
        body = self.body(body)
        return Body(body.form, _without_ids(body.value))

    def request(self, request: TapedRequest) -> TapedRequest:
        """A request without its secrets."""
        return replace(
            request,
            url=self.url(request.url),
            headers=self.request_headers(request.headers),
            body=self.body(request.body),
        )

    def response(self, response: TapedResponse) -> TapedResponse:
        """A response without its secrets."""
        return replace(
            response,
            headers=self.response_headers(response.headers),
            body=self.response_body(response.body),
        )

    def call(self, call: TapedCall) -> TapedCall:
        """A call of which somebody may have edited the file."""
        return replace(
            call, request=self.request(call.request), response=self.response(call.response)
        )

    def url(self, url: str) -> str:
        """A URL without user, credentials and projects."""
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        query = [
            (name, SCRUBBED if _CREDENTIALS.fullmatch(name) else value)
            for name, value in parse_qsl(parts.query, keep_blank_values=True)
        ]
        path = _PROJECT.sub(SCRUBBED, parts.path)
        return self.text(urlunsplit((parts.scheme, host, path, urlencode(query), "")))

    def request_headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """The few headers of a request that say what its body is."""
        named = _by_lower_name(headers)
        return {name: self.text(named[name]) for name in sorted(named) if name in _KEPT_OF_REQUEST}

    def response_headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """The few headers of a response that a client makes decisions by."""
        named = _by_lower_name(headers)
        kept = (name for name in sorted(named) if _KEPT_OF_RESPONSE.fullmatch(name))
        return {name: (self.url if name == "location" else self.text)(named[name]) for name in kept}

    def _over_pieces(self, events: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Events without the secrets that are cut over several of them; they are changed."""
        pieces: dict[tuple[Any, ...], list[tuple[Any, Any]]] = {}
        for event in events:
            for way, holder, key in _texts_in(event.get("data"), ()):
                pieces.setdefault(way, []).append((holder, key))
        for found in pieces.values():
            whole = "".join(holder[key] for holder, key in found)
            clean = self.text(whole)
            if clean != whole:
                (first, first_key), *rest = found
                first[first_key] = clean
                for holder, key in rest:
                    holder[key] = ""
        return events


def _any_of(patterns: Iterable[str]) -> str:
    """A pattern for all of them, with a group for each."""
    return "|".join(f"({pattern})" for pattern in patterns)


def without_credentials(query: str) -> list[tuple[str, str]]:
    """What a query string asks for, in an order of its own."""
    pairs = parse_qsl(query, keep_blank_values=True)
    return sorted(pair for pair in pairs if not _CREDENTIALS.fullmatch(pair[0]))


def _secrets_of(environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Secrets by the names of their variables, the longest first: one may be part of another."""
    named = [(name, value.strip()) for name, value in environment.items() if _NAME.search(name)]
    secrets = [
        (name, value)
        for name, value in named
        if not _NO_SECRET.fullmatch(value) and value not in SCRUBBED
    ]
    return sorted(secrets, key=lambda secret: (-len(secret[1]), secret))


def _spellings(value: str) -> list[str]:
    """A value as it may stand in a text, a URL, in JSON, and in JSON within JSON."""
    found = {value, quote(value, safe=""), quote(value), quote_plus(value)}
    for ascii_only in (True, False):
        once = json.dumps(value, ensure_ascii=ascii_only)[1:-1]
        found |= {once, json.dumps(once, ensure_ascii=ascii_only)[1:-1]}
    return sorted(found, key=lambda spelling: (-len(spelling), spelling))


def _by_lower_name(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _without_ids(value: Any) -> Any:
    if is_mapping(value):
        return {
            key: SCRUBBED if key in _IDS and isinstance(item, str) else _without_ids(item)
            for key, item in value.items()
        }
    return [_without_ids(item) for item in value] if is_list(value) else value


def _texts_in(value: Any, way: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
    """Every text of an event that goes on in the next one: the way to it, its holder, its key."""
    items = value.items() if is_mapping(value) else enumerate(value) if is_list(value) else ()
    for key, item in items:
        if key in _TELLING and isinstance(item, str):
            yield (*way, key), value, key
        else:
            yield from _texts_in(item, (*way, key))
