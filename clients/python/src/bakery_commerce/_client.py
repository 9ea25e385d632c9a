"""The blocking and the asynchronous client, over the two clients of httpx."""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from types import TracebackType
from typing import Any, TypeVar, cast

import anyio
import httpx

from ._checks import require_number, require_timeout
from ._connections import AsyncConnections, Connections
from ._core import LONGEST_ANSWER_BYTES, Answer, Attempt, Request, ResponseInfo, Settings, Wait, Walk, base_url_of, call
from ._errors import ApiConnectionError, ApiTimeoutError
from ._generated.async_resources import AsyncResources
from ._generated.resources import Resources

T = TypeVar("T")
Http = TypeVar("Http", httpx.Client, httpx.AsyncClient)
Self = TypeVar("Self", bound="BakeryCommerce")
AsyncSelf = TypeVar("AsyncSelf", bound="AsyncBakeryCommerce")


def _settings(
    api_key: str,
    base_url: str | None,
    domain: str | None,
    timeout: float,
    max_retries: int,
    max_retry_after: float,
    on_response: Callable[[ResponseInfo], None] | None,
    random: Callable[[], float],
) -> Settings:
    place = base_url_of(api_key, base_url, domain)
    require_timeout(timeout)
    require_number("max_retries", max_retries, finite=False)
    require_number("max_retry_after", max_retry_after, finite=False)
    if on_response is not None and not callable(on_response):
        raise TypeError("on_response must be callable.")
    return Settings(place, api_key.strip(), timeout, max_retries, max_retry_after, on_response, random)


def _checked(http_client: object, kind: type[Http]) -> Http | None:
    """Raises `TypeError` for a client of another library or of the other world, which would fail only when it is called."""
    if http_client is None or isinstance(http_client, kind):
        return http_client
    raise TypeError(
        f"http_client must be an httpx.{kind.__name__}, and not {type(http_client).__module__}.{type(http_client).__qualname__}."
    )


def _failure(error: httpx.RequestError, attempt: Attempt, base_url: str) -> ApiConnectionError:
    """Converts httpx's error to the client's own and keeps the original as its cause. Raises `ValueError` if httpx sent nothing, because
    the request is invalid.
    """
    if isinstance(error, (httpx.LocalProtocolError, httpx.UnsupportedProtocol)):
        raise ValueError(f"This request cannot be sent: {error}") from error
    failure = (
        ApiTimeoutError(f"No whole answer came within {attempt.timeout:g} s.")
        if isinstance(error, httpx.TimeoutException)
        else ApiConnectionError(f"No whole answer came from {base_url}: is that the service's address, and can it be reached from here?")
    )
    failure.__cause__ = error
    return failure


class BakeryCommerce(Resources):
    """A client of one API key that blocks; threads may share it. Makes no request by itself.

    `api_key`: secret on a server, publishable in what a shopper holds. `domain` is the service's, the key names the region;
    `base_url` is the whole address instead, with `/api/v2`. `timeout`: seconds that one attempt may take; connecting, sending and each
    read are held to it, and so is reading the answer as a whole. `max_retries`: after the first attempt. `max_retry_after`: seconds; a
    longer `Retry-After` is raised instead of waited for. `on_response` hears of every answer. `http_client`: your own `httpx.Client`,
    for proxies and certificates; it stays yours to close. `sleep` and `random` are seams for tests.
    """

    def __init__(
        self,
        api_key: str,
        *,
        base_url: str | None = None,
        domain: str | None = None,
        timeout: float = 35.0,
        max_retries: int = 4,
        max_retry_after: float = 60.0,
        on_response: Callable[[ResponseInfo], None] | None = None,
        http_client: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = random.random,
    ) -> None:
        super().__init__(self)
        self._settings = _settings(api_key, base_url, domain, timeout, max_retries, max_retry_after, on_response, random)
        self._http = _checked(http_client, httpx.Client)
        self._own = Connections(self._settings.base_url) if http_client is None else None
        self._sleep = sleep

    def close(self) -> None:
        """Closes the connections, unless `http_client` was given."""
        if self._own:
            self._own.close()

    def _client(self) -> httpx.Client:
        return self._own.get() if self._own else cast(httpx.Client, self._http)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _attempt(self, attempt: Attempt) -> Answer | ApiConnectionError:
        end = time.monotonic() + attempt.timeout
        try:
            with self._client().stream(
                attempt.method,
                attempt.url,
                headers=attempt.headers,
                content=attempt.content,
                timeout=attempt.timeout,
                follow_redirects=False,  # the API has none, and a key belongs to one host
            ) as response:
                content = bytearray()
                try:
                    for chunk in response.iter_bytes():
                        content += chunk
                        if time.monotonic() > end:
                            raise httpx.ReadTimeout("The answer did not end.")
                        if len(content) > LONGEST_ANSWER_BYTES:
                            break
                except httpx.DecodingError as error:
                    return Answer(response.status_code, dict(response.headers), b"", str(error))
                return Answer(response.status_code, dict(response.headers), bytes(content))
        except httpx.RequestError as error:
            return _failure(error, attempt, self._settings.base_url)

    def _send(self, request: Request[T]) -> T:
        steps = call(self._settings, request)
        outcome: Answer | ApiConnectionError | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                return cast(T, end.value)
            if isinstance(step, Wait):
                outcome = None
                self._sleep(step.seconds)
            else:
                outcome = self._attempt(step)

    def _each(self, request: Request[Any]) -> Iterator[Any]:
        walk = Walk(request)
        following: Request[Any] | None = request
        while following is not None:
            page = self._send(following)
            yield from page["data"]
            following = walk.following(page)


class AsyncBakeryCommerce(AsyncResources):
    """The client for asyncio and trio. `http_client` is an `httpx.AsyncClient`; `timeout` limits a
    whole attempt.
    """

    def __init__(
        self,
        api_key: str,
        *,
        base_url: str | None = None,
        domain: str | None = None,
        timeout: float = 35.0,
        max_retries: int = 4,
        max_retry_after: float = 60.0,
        on_response: Callable[[ResponseInfo], None] | None = None,
        http_client: httpx.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        random: Callable[[], float] = random.random,
    ) -> None:
        super().__init__(self)
        self._settings = _settings(api_key, base_url, domain, timeout, max_retries, max_retry_after, on_response, random)
        self._http = _checked(http_client, httpx.AsyncClient)
        self._own = AsyncConnections(self._settings.base_url) if http_client is None else None
        self._sleep = sleep

    async def aclose(self) -> None:
        """Closes the connections of this event loop, unless `http_client` was given."""
        if self._own:
            await self._own.aclose()

    def _client(self) -> httpx.AsyncClient:
        return self._own.get() if self._own else cast(httpx.AsyncClient, self._http)

    async def __aenter__(self: AsyncSelf) -> AsyncSelf:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()

    async def _attempt(self, attempt: Attempt) -> Answer | ApiConnectionError:
        try:
            with anyio.fail_after(attempt.timeout):
                async with self._client().stream(
                    attempt.method,
                    attempt.url,
                    headers=attempt.headers,
                    content=attempt.content,
                    timeout=attempt.timeout,
                    follow_redirects=False,
                ) as response:
                    content = bytearray()
                    try:
                        async for chunk in response.aiter_bytes():
                            content += chunk
                            if len(content) > LONGEST_ANSWER_BYTES:
                                break
                    except httpx.DecodingError as error:
                        return Answer(response.status_code, dict(response.headers), b"", str(error))
                    return Answer(response.status_code, dict(response.headers), bytes(content))
        except httpx.RequestError as error:
            return _failure(error, attempt, self._settings.base_url)
        except TimeoutError:
            return _failure(httpx.ReadTimeout("The answer did not end."), attempt, self._settings.base_url)

    async def _send(self, request: Request[T]) -> T:
        steps = call(self._settings, request)
        outcome: Answer | ApiConnectionError | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                return cast(T, end.value)
            if isinstance(step, Wait):
                outcome = None
                await self._sleep(step.seconds)
            else:
                outcome = await self._attempt(step)

    async def _each(self, request: Request[Any]) -> AsyncIterator[Any]:
        walk = Walk(request)
        following: Request[Any] | None = request
        while following is not None:
            page = await self._send(following)
            for item in page["data"]:
                yield item
            following = walk.following(page)
