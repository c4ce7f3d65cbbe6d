"""The Redis store: a hash for each session, one script for the check and the write, a TTL."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, cast

import msgspec
from msgspec.structs import replace

from falai.duration import parse_duration
from falai.errors import FlowConfigurationError, InvalidSessionError
from falai.stores.loops import PerLoop
from falai.stores.naming import check_removal, missing_package, prefix_of
from falai.stores.rows import read_row, refusal
from falai.words.generic import D
from falai.words.session import Session

if TYPE_CHECKING:
    from redis.asyncio import Redis

_SAVE = """
local found = redis.call('HGET', KEYS[1], 'version')
if ARGV[1] == '0' then
    if redis.call('EXISTS', KEYS[1]) == 1 then return {0, 1, found} end
elseif found ~= ARGV[1] then
    return {0, redis.call('EXISTS', KEYS[1]), found}
end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'data', ARGV[3])
if ARGV[4] == '0' then redis.call('PERSIST', KEYS[1])
else redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return {1}
"""
"""Takes the version expected, the version and data to write, and how many ms they live (0: for
ever). Gives whether it wrote; if not, whether there is a row, and the version there."""

_GLOB = str.maketrans({char: f"\\{char}" for char in "\\*?[]^-"})
_BATCH = 500


class RedisStore(Generic[D]):
    """Keeps sessions in Redis: `RedisStore("redis://127.0.0.1:6379/0")`.

    A session that is not saved for `ttl` is forgotten by Redis, and its customer starts over;
    "0" keeps sessions for ever. A client of your own, `redis.asyncio.Redis`, may stand in place
    of the URL: you close it, and it serves one event loop. Turn its retries off, for a save that is
    sent twice meets itself.

    Raises FlowConfigurationError for a URL or a ttl that cannot be read.
    """

    def __init__(
        self,
        url: "str | Redis",
        *,
        prefix: str = "falai:",
        ttl: str = "7d",
        namespace: str = "",
    ) -> None:
        """Connect at the first load or save; keys begin with `prefix`, then the namespace."""
        self._prefix = prefix + prefix_of(namespace)
        self._namespace = namespace
        self._ttl_ms = 0 if ttl == "0" else parse_duration(ttl)
        self._clients: PerLoop[Redis] | None = None
        if isinstance(url, str):
            _check_url(url)
            self._clients = PerLoop(lambda: _client(url), _close)
        else:
            self._client = url

    async def load(self, session_id: str) -> Session[D] | None:
        """Read a session; see Store."""
        fields = await self._command(session_id, "HGETALL", self._key(session_id))
        if not fields:
            return None
        version, data = _number(fields.get(b"version")), fields.get(b"data")
        return cast("Session[D]", read_row(session_id, version, data))

    async def save(self, session: Session[Any], expected_version: int) -> Session[D]:
        """Write a session one version on; see Store."""
        stored = replace(session, version=expected_version + 1)
        data = msgspec.json.encode(stored)
        arguments = (expected_version, stored.version, data, self._ttl_ms)
        wrote, *found = await self._command(
            session.id, "EVAL", _SAVE, 1, self._key(session.id), *arguments
        )
        if not wrote:
            [exists, version] = [*found, None][:2]
            raise refusal(session.id, expected_version, (_number(version),) if exists else None)
        return stored

    async def remove_all(self) -> None:
        """Remove the sessions of the namespace."""
        check_removal(self._namespace)
        client = await self._connected()
        async for keys in _batches(client, f"{self._prefix.translate(_GLOB)}*".encode()):
            await _ask(client, "UNLINK", *keys)

    async def check(self) -> None:
        """Make sure that the server answers; raises FlowConfigurationError when it does not."""
        from redis.exceptions import RedisError  # an extra, and slow to load

        try:
            await _ask(await self._connected(), "PING")
        except (RedisError, OSError) as error:
            await self.close()
            why = str(error).rstrip(".")
            fix = "Check the URL, and that the server runs and lets this user in."
            raise FlowConfigurationError.at("RedisStore", why, fix) from None

    async def close(self) -> None:
        """Close the connections that the store opened in the running loop."""
        if self._clients is not None:
            await self._clients.close()

    def _key(self, session_id: str) -> bytes:
        return (self._prefix + session_id).encode()

    async def _connected(self) -> "Redis":
        return self._client if self._clients is None else await self._clients.get()

    async def _command(self, session_id: str, *command: Any) -> Any:
        """Send a command; a key that holds something else than a hash is no session."""
        from redis.exceptions import ResponseError  # loaded by now, with the client

        client = await self._connected()
        try:
            return await _ask(client, *command)
        except ResponseError as error:
            if "WRONGTYPE" not in str(error):
                raise
            kind = await _ask(client, "TYPE", self._key(session_id))
            reason = f"the key is a {kind.decode()}, expected a hash"
            raise InvalidSessionError(session_id, reason) from None


def _number(version: bytes | None) -> object:
    """A version as Redis keeps it, which is as text; what is no number stays what it is."""
    if version is None:
        return None
    return int(version) if version.isdigit() else version.decode(errors="replace")


async def _ask(client: "Redis", *command: Any) -> Any:
    """Send a command and get bytes back, also from a client that decodes what it reads."""
    from redis.client import NEVER_DECODE  # loaded by now, with the client

    options: dict[str, Any] = {NEVER_DECODE: True}
    send = cast("Callable[..., Awaitable[Any]]", client.execute_command)
    return await send(*command, **options)


async def _batches(client: "Redis", pattern: bytes) -> AsyncIterator[list[bytes]]:
    cursor: Any = 0
    while True:
        found: Sequence[Any] = await _ask(client, "SCAN", cursor, "MATCH", pattern, "COUNT", _BATCH)
        cursor = int(found[0])
        if found[1]:
            yield found[1]
        if cursor == 0:
            return


def _check_url(url: str) -> None:
    try:
        _client(url)
    except ModuleNotFoundError as error:
        raise missing_package("RedisStore", error) from None
    except ValueError:  # its words may quote a piece of the password
        raise FlowConfigurationError.at(
            "RedisStore",
            "the URL cannot be read",
            'Write it like "redis://127.0.0.1:6379/0"; percent-encode what is special in a password.',
        ) from None


def _client(url: str) -> "Redis":
    from redis.asyncio import Redis  # an extra, and slow to load
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    # A save whose answer was lost must not be sent again: it would meet what it wrote itself, and
    # a turn that was saved would look like one that was not.
    never = Retry(NoBackoff(), 0)
    return Redis.from_url(url, retry=never)  # pyright: ignore[reportUnknownMemberType]


async def _close(client: "Redis") -> None:
    await client.aclose()
