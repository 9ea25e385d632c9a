"""When a call is repeated: the table that the client for TypeScript is held to as well, in both worlds."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator
from email.utils import formatdate
from typing import Any

import anyio
import httpx
import pytest
from bakery_commerce import ApiConnectionError, ApiError, ApiTimeoutError, AsyncBakeryCommerce, BakeryCommerce
from conftest import KEY, answer, vectors

TABLE = vectors("retries")
RENT = {"amount": 1, "date": "2026-03-01", "category": "rent"}
CALLS: dict[str, Any] = {
    "read": lambda client, **options: client.orders.retrieve("ord_1", **options),
    "creation": lambda client, **options: client.expenses.create(RENT, **options),
    "search token": lambda client, **options: client.products.create_search_token(**options),
    "update": lambda client, **options: client.webhooks.update("whe_1", {"enabled": True}, **options),
    "delete": lambda client, **options: client.webhooks.delete("whe_1", **options),
    "rotate_secret": lambda client, **options: client.webhooks.rotate_secret("whe_1", **options),
    "test": lambda client, **options: client.webhooks.test("whe_1", **options),
}
CASES = [pytest.param(call, case, id=f"a {call} {case['says']}") for case in TABLE["cases"] for call in case["calls"]]


def meet(name: str) -> Any:
    def way() -> httpx.Response:
        if name == "unreachable":
            raise httpx.ConnectError("Connection refused")
        met = TABLE["answers"][name]
        return answer(met["status"], met["body"], met.get("headers"))

    return way


class Body(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body whose headers came before it: these bytes, and then the connection breaks if so told."""

    def __init__(self, content: bytes, breaks: bool) -> None:
        self.content = content
        self.breaks = breaks

    def __iter__(self) -> Iterator[bytes]:
        yield self.content
        if self.breaks:
            raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self:
            yield part


def body(status: int, content: bytes, *, breaks: bool = False, encoding: str = "identity") -> Callable[[], httpx.Response]:
    return lambda: httpx.Response(status, headers={"content-encoding": encoding}, stream=Body(content, breaks))


def ok() -> httpx.Response:
    return answer(200, {})


@pytest.mark.parametrize(("call", "case"), CASES)
def test_table(scripted: Any, call: str, case: dict[str, Any]) -> None:
    options = {"max_retry_after": case["max_retry_after"]} if "max_retry_after" in case else {}
    world = scripted([meet(name) for name in case["met"]], random=lambda: case.get("random", 0.5), **options)
    of_the_call = {"max_retries": case["max_retries"]} if "max_retries" in case else {}

    def run() -> Any:
        return world.run(lambda client: CALLS[call](client, **of_the_call))

    if case["ends"] == "ok":
        run()
    elif case["ends"] == "unreachable":
        with pytest.raises(ApiConnectionError, match=r"^No whole answer came from https://us\.bakery\.test/api/v2: "):
            run()
    else:
        with pytest.raises(ApiError) as caught:
            run()
        met = TABLE["answers"][case["ends"]]
        assert (caught.value.status, caught.value.body) == (met["status"], met["body"])
    assert (len(world.sent), world.waits) == (len(case["met"]), case["waits"])


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_2xx_whose_body_cannot_be_decoded_is_an_api_error_and_is_not_sent_again(scripted: Any, call: str, encoding: str) -> None:
    world = scripted([body(200, b"\xff no compressed text", encoding=encoding)])
    with pytest.raises(ApiError, match=r"^200 unknown: .*may have succeeded\. Its body cannot be decoded: .*Error -3") as caught:
        world.run(CALLS[call])
    assert (caught.value.status, caught.value.body, len(world.sent)) == (200, "", 1)


def test_a_503_whose_body_cannot_be_decoded_is_retried_by_its_status_with_its_retry_after(scripted: Any) -> None:
    def unavailable() -> httpx.Response:
        return httpx.Response(503, headers={"content-encoding": "gzip", "retry-after": "7"}, stream=Body(b"no gzip", breaks=False))

    world = scripted([unavailable, ok])
    world.run(CALLS["creation"])
    assert world.waits == [7]


@pytest.mark.parametrize("call", CALLS)
def test_a_2xx_that_is_no_json_is_an_api_error_and_is_not_sent_again(scripted: Any, call: str) -> None:
    world = scripted([body(200, b'{"data": [')])
    with pytest.raises(ApiError, match=r"^200 unknown: The response is not the service's JSON\. The request may have succeeded\.$"):
        world.run(CALLS[call])
    assert len(world.sent) == 1


@pytest.mark.parametrize("call", CALLS)
def test_a_body_that_breaks_after_its_headers_is_retried_by_the_idempotency_rules(scripted: Any, call: str) -> None:
    """A read runs again, and a creation under its key. Others may have been done, so their failure is raised."""
    world = scripted([body(200, b'{"data": [', breaks=True), ok])
    if call in ("read", "creation", "search token"):
        world.run(CALLS[call])
        assert len({request.headers.get("idempotency-key") for request in world.sent}) == 1
    else:
        with pytest.raises(ApiConnectionError):
            world.run(CALLS[call])
    assert len(world.sent) == (2 if call in ("read", "creation", "search token") else 1)


def test_retry_after_may_be_a_date(scripted: Any) -> None:
    until = formatdate(time.time() + 10, usegmt=True)
    world = scripted([lambda: answer(503, {}, {"Retry-After": until}), ok])
    world.run(CALLS["read"])
    assert 5 < world.waits[0] <= 11


def test_a_key_is_made_once_and_kept_over_retries_and_the_next_call_has_another(scripted: Any) -> None:
    world = scripted([meet("unreachable"), meet("request_in_flight"), meet("internal_error"), ok])
    world.run(CALLS["creation"])
    if world.kind == "sync":
        world.run(CALLS["creation"])
    keys = [request.headers["idempotency-key"] for request in world.sent]
    assert len(keys[0]) == 32
    assert len(set(keys[:4])) == 1
    assert len({request.content for request in world.sent}) == 1
    assert world.kind == "async" or keys[4] != keys[0]


def test_a_key_of_the_callers_is_the_one_that_is_sent(scripted: Any) -> None:
    world = scripted([ok])
    world.run(lambda client: client.orders.create({"items": []}, idempotency_key="cart:7"))
    assert world.sent[0].headers["idempotency-key"] == "cart:7"


@pytest.mark.parametrize("key", ["line\nbreak", " cart:7", "cart:7 ", "\u00e9"])
def test_a_key_that_no_header_can_carry_is_told_at_once(scripted: Any, key: str) -> None:
    world = scripted([ok])
    with pytest.raises(ValueError, match="idempotency_key has a character that no header can carry"):
        world.run(lambda client: client.orders.create({"items": []}, idempotency_key=key))
    assert (world.sent, world.waits) == ([], [])


def test_a_request_that_httpx_rejects_is_not_retried_as_a_network_failure(scripted: Any) -> None:
    def reject() -> httpx.Response:
        raise httpx.LocalProtocolError("Illegal header value")

    world = scripted([reject])
    with pytest.raises(ValueError, match=r"^This request cannot be sent: Illegal header value$"):
        world.run(CALLS["read"])
    assert len(world.sent) == 1


def silent(address: str) -> tuple[str, dict[str, Any]]:
    return KEY, {"base_url": address, "timeout": 0.05, "max_retries": 0}


def test_an_attempt_longer_than_its_timeout_is_ended(dripping: str) -> None:
    """Each read of the answer is quick; the answer as a whole never ends."""
    key, options = silent(dripping)
    with BakeryCommerce(key, **options) as client, pytest.raises(ApiTimeoutError, match=r"No whole answer came within 0\.05 s\."):
        client.orders.list()


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_the_same_where_it_is_awaited(dripping: str, backend: str) -> None:
    async def run() -> None:
        key, options = silent(dripping)
        async with AsyncBakeryCommerce(key, **options) as client:
            with pytest.raises(ApiTimeoutError):
                await client.orders.list()

    anyio.run(run, backend=backend)


def test_a_cancelled_task_ends_in_the_middle_of_a_wait(scripted: Any) -> None:
    sent = []

    def limited(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return meet("limited")()

    async def run() -> None:
        http = httpx.AsyncClient(transport=httpx.MockTransport(limited))
        client = AsyncBakeryCommerce(KEY, base_url="https://us.bakery.test/api/v2", http_client=http)
        with anyio.move_on_after(0.05) as scope:
            await client.orders.list()
        assert scope.cancelled_caught

    anyio.run(run)
    assert len(sent) == 1
