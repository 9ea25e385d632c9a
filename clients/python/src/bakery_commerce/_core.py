"""The logic of a call without I/O: it returns requests and waits, and receives their results."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar
from urllib.parse import SplitResult, quote, urlencode, urlsplit

import httpx

from ._checks import require_number, require_timeout
from ._errors import ApiConnectionError, ApiError, BakeryCommerceError
from ._retries import Repeatable, retry_delay
from ._version import __version__

T = TypeVar("T")


@dataclass(frozen=True)
class ResponseInfo:
    """One response with any status. A retried call has several."""

    method: str
    url: str
    status: int
    headers: Mapping[str, str]
    """Includes `x-ratelimit-limit`, `idempotent-replayed` and `x-request-id`; names are lowercase.

    """
    attempt: int
    """Attempt number, from 1."""


@dataclass(frozen=True)
class Settings:
    """Settings that all calls of a client share."""

    base_url: str
    api_key: str = field(repr=False)
    timeout: float
    max_retries: int
    max_retry_after: float
    on_response: Callable[[ResponseInfo], None] | None
    random: Callable[[], float]


@dataclass(frozen=True)
class Request(Generic[T]):
    """One operation of a resource; `T` is the type of its response."""

    method: str
    path: str
    """The path in the document: `/orders/{id}`."""
    repeatable: Repeatable
    id: str | None = None
    query: Mapping[str, object] = field(default_factory=dict)
    body: object = None
    idempotency_key: str | None = None
    timeout: float | None = None
    max_retries: int | None = None


@dataclass(frozen=True)
class Attempt:
    """Send this request and return its `Answer` or its `ApiConnectionError`."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None
    timeout: float


@dataclass(frozen=True)
class Wait:
    """Wait this long."""

    seconds: float


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes
    undecodable: str = ""
    """Why the content cannot be decoded, for example because it is no gzip. Then `content` is empty."""


LONGEST_ANSWER_BYTES = 16 * 1024 * 1024
"""More than any response of the service has, which are 5 MB at most. A longer one is cut off, so that a server that never ends its
response cannot fill the memory: the rest is no JSON, and the call raises."""

Steps = Generator["Attempt | Wait", "Answer | ApiConnectionError | None", Any]

KEY = re.compile(r"svc_(?:[sp]k_)?(?:live|test)_(au|us|eu)_[A-Za-z0-9_-]+")
ADDRESS = re.compile(r"https?://(?:\[[\da-f:.]+\]|[^\s/?#:@\[\]]+)(?::([^/?#@]*))?(?:/[^\s?#]*)?", re.IGNORECASE)
HOST = re.compile(r"(au|us|eu)\.")
DOMAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?")


def region_of(api_key: object) -> str:
    """Parses a key; its error does not quote an invalid key."""
    if not isinstance(api_key, str) or not api_key:
        raise ValueError("An api_key is needed: the secret key of a server, or the publishable one of a browser.")
    match = KEY.fullmatch(api_key.strip())
    if match is None:
        raise ValueError("This api_key has not the form of a key (svc_sk_live_us_…): is it whole, and without quotes or spaces?")
    return match[1]


def _address(name: str, address: str) -> SplitResult:
    """Raises `ValueError` for an address that no request can be sent to."""
    text = address.strip().rstrip("/")
    match = ADDRESS.fullmatch(text)
    port = match[1] if match else None
    if port is not None and not (re.fullmatch("[0-9]{1,5}", port) and int(port) <= 65_535):
        raise ValueError(f"{name} has no valid port, which is a number from 0 to 65535: {address}")
    try:
        url = httpx.URL(text)
        _ = url.host, url.raw_host.decode("ascii").encode("idna")  # as sending does
        if match:
            return urlsplit(text)
    except (ValueError, httpx.InvalidURL):
        pass
    raise ValueError(f"{name} is no address that begins with http:// or https://: {address}")


def base_url_of(api_key: str, base_url: str | None, domain: str | None) -> str:
    """Returns the address of the key's region. Raises `ValueError` if the given address is another
    region's, is missing or cannot be called.
    """
    region = region_of(api_key)
    for name, value in (("base_url", base_url), ("domain", domain)):
        if value is not None and not isinstance(value, str):
            raise ValueError(f"{name} must be a text.")
    if base_url is None:
        if not domain:
            raise ValueError('Give the address of the service: domain="api.example.com", or base_url with /api/v2 at its end.')
        if not DOMAIN.fullmatch(domain.strip()):
            raise ValueError(f"domain is a host name without scheme and path, for example api.example.com, and not {domain!r}.")
        return _address("domain", f"https://{region}.{domain.strip()}/api/v2").geturl()
    place = _address("base_url", base_url)
    named = HOST.match(place.hostname or "")
    if named is not None and named[1] != region:
        right = place._replace(netloc=re.sub(r"(?i)\b(?:au|us|eu)\.", f"{region}.", place.netloc, count=1)).geturl()
        raise ValueError(f"The key is of the region {region}, but base_url is the host of {named[1]}: use {right}, or a key of {named[1]}.")
    return place.geturl()


def _segment(value: str | None) -> str:
    if not isinstance(value, str):
        raise TypeError("An id is a text.")
    if value in ("", ".", ".."):  # would name another resource
        raise ValueError("An id is needed.")
    return quote(value, safe="")


def _parameter(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return ",".join(str(member) for member in value)
    return str(value)


def _url(settings: Settings, request: Request[Any]) -> str:
    path = request.path.replace("{id}", _segment(request.id)) if "{id}" in request.path else request.path
    query = urlencode({name: _parameter(value) for name, value in request.query.items() if value is not None})
    return f"{settings.base_url}{path}{f'?{query}' if query else ''}"


def _key(given: str | None) -> str:
    if given is None:
        return secrets.token_hex(16)
    if not isinstance(given, str):
        raise TypeError("idempotency_key must be a text.")
    if not re.fullmatch(r"(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?", given):
        raise ValueError("idempotency_key has a character that no header can carry, or a space at an end.")
    return given


def _attempt(settings: Settings, request: Request[Any]) -> Attempt:
    headers = {
        "authorization": f"Bearer {settings.api_key}",
        "accept": "application/json",
        "user-agent": f"bakery-commerce-python/{__version__}",
    }
    if request.repeatable == "keyed":
        headers["idempotency-key"] = _key(request.idempotency_key)
    content = None
    if request.body is not None:
        headers["content-type"] = "application/json"
        content = json.dumps(request.body, ensure_ascii=False, allow_nan=False).encode()
    timeout = settings.timeout if request.timeout is None else request.timeout
    return Attempt(request.method, _url(settings, request), headers, content, timeout)


def _hint(settings: Settings, answer: Answer) -> str:
    if answer.undecodable:
        return f"Its body cannot be decoded: {answer.undecodable}"
    if answer.status != 401:
        return ""
    region = region_of(settings.api_key)
    return f"The key names the region {region}: is {settings.base_url} that region's address, and the key neither revoked nor expired?"


def _read(settings: Settings, answer: Answer) -> Any:
    body: Any
    try:
        body = json.loads(answer.content)
    except (ValueError, RecursionError):
        body = answer.content.decode("utf-8", "replace")
    if not 200 <= answer.status < 300 or not isinstance(body, dict):
        raise ApiError(answer.status, answer.headers, body, _hint(settings, answer))
    return body


def call(settings: Settings, request: Request[Any]) -> Steps:
    """One call: one attempt, or several if its failure may be retried. Raises `ApiError` or
    `ApiConnectionError`.
    """
    attempt = _attempt(settings, request)
    max_retries = settings.max_retries if request.max_retries is None else request.max_retries
    require_timeout(attempt.timeout)
    require_number("max_retries", max_retries, finite=False)
    retry = 0
    while True:
        outcome = yield attempt
        failure: BakeryCommerceError
        if isinstance(outcome, Answer):
            if settings.on_response:
                settings.on_response(ResponseInfo(attempt.method, attempt.url, outcome.status, outcome.headers, retry + 1))
            try:
                return _read(settings, outcome)
            except ApiError as error:
                failure = error
        else:
            assert outcome is not None
            failure = outcome
        delay = retry_delay(
            failure,
            request.repeatable,
            retry,
            max_retries=max_retries,
            max_retry_after=settings.max_retry_after,
            random=settings.random,
        )
        if delay is None:
            raise failure
        yield Wait(delay)
        retry += 1


class Walk:
    """The pages of a list."""

    def __init__(self, request: Request[Any]) -> None:
        self._request = request
        self._seen: set[object] = {request.query.get("cursor")}

    def following(self, page: Mapping[str, Any]) -> Request[Any] | None:
        """Returns the request for the next page, with the same parameters, or None after the last
        page. An empty page is not the end. Raises `ValueError` if a cursor comes twice.
        """
        if not page["pagination"]["has_more"]:
            return None
        cursor = page["pagination"]["next_cursor"]
        if not cursor:
            raise ValueError("A page with has_more came without next_cursor.")
        if cursor in self._seen:
            raise ValueError("next_cursor came twice: the list would never end.")
        self._seen.add(cursor)
        return replace(self._request, query={**self._request.query, "cursor": cursor})
