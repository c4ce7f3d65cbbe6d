"""The public errors, all of them.

Exception
├── FlowConfigurationError      the author's flow or agent: raised while building
├── SessionConflictError        the store holds another version than the one that was loaded
├── InvalidSessionError         a stored row is not a session
├── ProviderError               a model call failed, after the provider's own retries
├── EmptyReplyError             an understand call came back blank
└── ScriptError                 a scripted or recorded model has no answer: never a provider failure

Messages follow `[Class] what: why. how to fix.`, except ProviderError's, which keep the
provider's own words.
"""

from typing import Literal

ErrorKind = Literal[
    "aborted",
    "timeout",
    "network",
    "overload",
    "rate",
    "quota",
    "entitlement",
    "auth",
    "model",
    "context",
    "content",
    "invalid",
    "unknown",
]
"""What a provider failure is, named by what fixes it."""

TRANSIENT: frozenset[ErrorKind] = frozenset({"timeout", "network", "overload", "rate"})
"""Kinds that a short wait may fix."""

BACKUP_ELIGIBLE: frozenset[ErrorKind] = frozenset(
    {*TRANSIENT, "quota", "entitlement", "auth", "model", "unknown"}
)
"""Kinds that another model or another key may not share."""

BODY_LIMIT = 2_000
"""Characters of a provider's response body that an error keeps."""


class FlowConfigurationError(Exception):
    """An agent, a flow or a duration cannot work as written; raised while building it."""

    def __init__(self, problem: str) -> None:
        """Take the text behind the bracket: `where: what. fix.`"""
        super().__init__(f"[FlowConfigurationError] {problem}")

    @classmethod
    def at(cls, where: str, what: str, fix: str) -> "FlowConfigurationError":
        """State the place (`flow "id", step "sid"`), what is wrong there, and the mend."""
        return cls(f"{where}: {what}. {fix}")


class SessionConflictError(Exception):
    """A save met another version in the store: load again and replay the same input."""

    def __init__(self, session_id: str, expected_version: int, actual_version: int | None) -> None:
        self.session_id = session_id
        self.expected_version = expected_version
        self.actual_version = actual_version
        """The version that the store found; None when the row is gone."""
        super().__init__(f"[SessionConflictError] {self._what()}")

    def _what(self) -> str:
        if self.actual_version is None and self.expected_version > 0:
            return (
                f'Session "{self.session_id}" is gone from the store: it was at version '
                f"{self.expected_version} when loaded. Load it again; a load that finds nothing "
                "starts a new conversation."
            )
        found = "none" if self.actual_version is None else str(self.actual_version)
        return (
            f'Session "{self.session_id}" was modified concurrently: expected version '
            f"{self.expected_version}, found {found}. Reload the session and retry the operation."
        )


class InvalidSessionError(Exception):
    """A stored row is not a session; it is never taken for a new conversation."""

    def __init__(self, session_id: str, reason: str) -> None:
        self.session_id = session_id
        super().__init__(
            f'[InvalidSessionError] stored session "{session_id}" is unreadable: {reason}. '
            "Repair or delete the row; it is never replaced by a fresh conversation."
        )


class ProviderError(Exception):
    """A model call failed after the provider's own retries and fallbacks.

    Read `kind`, not the message: the message is the provider's own text.
    """

    def __init__(  # noqa: PLR0913 - a record of what the provider said, every part of it optional
        self,
        provider: str,
        kind: ErrorKind,
        message: str | None = None,
        *,
        status: int | None = None,
        code: str | None = None,
        retry_after_ms: int | None = None,
        reset_at_ms: int | None = None,
        window: Literal["5h", "weekly", "monthly"] | None = None,
        should_retry: bool | None = None,
        body: str | None = None,
    ) -> None:
        self.provider = provider
        self.kind: ErrorKind = kind
        self.status = status
        """HTTP status, when there was one."""
        self.code = code
        self.retry_after_ms = retry_after_ms
        """How long the provider asked to wait, in ms."""
        self.reset_at_ms = reset_at_ms
        """When the limit that was hit resets, in epoch ms; can be days away."""
        self.window = window
        self.should_retry = should_retry
        """The provider's own word on retrying; believed over the kind."""
        self.body = body[:BODY_LIMIT] if body else body
        super().__init__(message or self._default_message())

    def _default_message(self) -> str:
        parts = [self.provider, *([str(self.status)] if self.status is not None else [])]
        return f"{' '.join(parts)}: {self.body or self.kind}"

    @property
    def is_transient(self) -> bool:
        """Whether the same call may succeed after a short wait."""
        return self.kind in TRANSIENT

    @property
    def is_backup_eligible(self) -> bool:
        """Whether another provider or model is worth trying at once."""
        return self.kind in BACKUP_ELIGIBLE

    @classmethod
    def wrap(cls, provider: str, exc: BaseException) -> "ProviderError":
        """Classify anything thrown by a provider; a ProviderError passes through."""
        if isinstance(exc, ProviderError):
            return exc
        error = cls(provider, _kind_of(exc), str(exc) or type(exc).__name__)
        error.__cause__ = exc
        return error


def _kind_of(exc: BaseException) -> ErrorKind:
    import asyncio  # slow to load, and nothing else here needs it

    if isinstance(exc, asyncio.CancelledError):
        return "aborted"
    if isinstance(exc, TimeoutError):
        return "timeout"
    if isinstance(exc, ConnectionError):
        return "network"
    return "unknown"


class EmptyReplyError(Exception):
    """An understand call came back blank; nothing ran, and the same input may be played again."""

    def __init__(self, provider: str) -> None:
        super().__init__(f"No response from {provider}")


class ScriptError(Exception):
    """A stand-in for the model has no answer for a call; no phase may swallow it."""
