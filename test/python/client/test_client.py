"""What the client sends, takes and refuses, beside its retries."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import httpx
import pytest
from bakery_commerce import ApiError, AsyncBakeryCommerce, BakeryCommerce, BakeryCommerceError
from conftest import KEY, answer

DOCUMENT = json.loads((Path(__file__).parents[3] / "docs" / "openapi.json").read_text("utf-8"))
DOCUMENTED = {
    f"{verb.upper()} {path}": any(parameter.get("$ref", "").endswith("/IdempotencyKey") for parameter in operation.get("parameters", []))
    for path, item in DOCUMENT["paths"].items()
    for verb, operation in item.items()
    if verb != "parameters"
}
BODIES = {"create", "update"}
WITH_ID = {"retrieve", "update", "delete", "rotate_secret", "test", "list_events"}


def empty() -> httpx.Response:
    return answer(200, {"data": [], "pagination": {"has_more": False, "next_cursor": None}})


def all_calls(scripted: Any) -> list[httpx.Request]:
    """Every method of the client, called once."""
    sent = []
    for resource_name, resource in vars(scripted([empty]).client).items():
        if resource_name.startswith("_"):
            continue
        for name in dir(resource):
            if name.startswith(("_", "list_all")):
                continue
            arguments: list[Any] = ["an id"] if name in WITH_ID and resource_name != "availability" else []
            arguments += [{}] if name in BODIES else []
            world = scripted([empty])
            world.run(lambda client, at=resource_name, name=name, arguments=arguments: getattr(getattr(client, at), name)(*arguments))
            sent += world.sent
    return sent


def test_one_method_for_every_operation_of_the_document_and_no_other_and_keys_where_they_are_taken(scripted: Any) -> None:
    made = {
        f"{request.method} {request.url.path.removeprefix('/api/v2').replace('an id', '{id}')}": "idempotency-key" in request.headers
        for request in all_calls(scripted)
    }
    assert len(DOCUMENTED) == 28
    assert made == DOCUMENTED


def test_a_query_goes_without_what_is_none_a_list_by_commas_an_id_as_one_segment(scripted: Any) -> None:
    world = scripted([empty])
    world.run(lambda client: client.orders.list(status=["pending", "ready"], limit=5, sort=None))
    assert str(world.sent[0].url) == "https://us.bakery.test/api/v2/orders?limit=5&status=pending%2Cready"
    world = scripted([empty])
    world.run(lambda client: client.orders.retrieve("a/b?c"))
    assert world.sent[0].url.raw_path == b"/api/v2/orders/a%2Fb%3Fc"
    world = scripted([empty])
    world.run(lambda client: client.availability.retrieve(from_="2026-03-01", to="2026-03-08"))
    assert world.sent[0].url.query == b"from=2026-03-01&to=2026-03-08"


@pytest.mark.parametrize("id", ["", ".", ".."])
def test_an_id_that_would_name_another_resource_is_refused_without_a_request(scripted: Any, id: str) -> None:
    world = scripted([empty])
    with pytest.raises(ValueError, match="An id is needed"):
        world.run(lambda client: client.webhooks.delete(id))
    assert world.sent == []


NO_KEY = "This api_key has not the form of a key (svc_sk_live_us_…): is it whole, and without quotes or spaces?"


@pytest.mark.parametrize(
    ("key", "place", "sentence"),
    [
        ("", {}, "An api_key is needed: the secret key of a server, or the publishable one of a browser."),
        ("no key", {"domain": "bakery.test"}, NO_KEY),
        ("sk_live_0123", {"base_url": "http://x"}, NO_KEY),
        ("svc_sk_live_us_a\nb", {"domain": "bakery.test"}, NO_KEY),
        (KEY, {}, 'Give the address of the service: domain="api.example.com", or base_url with /api/v2 at its end.'),
        (KEY, {"base_url": "us.localhost:4000"}, "base_url is no address that begins with http:// or https://: us.localhost:4000"),
        (
            "svc_sk_live_eu_x",
            {"base_url": "https://us.api.example.com/api/v2/"},
            "The key is of the region eu, but base_url is the host of us: use https://eu.api.example.com/api/v2, or a key of us.",
        ),
        (
            "svc_pk_live_au_x",
            {"base_url": "http://us.localhost:4000/api/v2"},
            "The key is of the region au, but base_url is the host of us: use http://au.localhost:4000/api/v2, or a key of us.",
        ),
    ],
)
@pytest.mark.parametrize("client", [BakeryCommerce, AsyncBakeryCommerce])
def test_options_that_cannot_work_are_refused_in_one_sentence(client: Any, key: str, place: dict[str, str], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        client(key, **place)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("key", "place", "base"),
    [
        ("svc_sk_live_au_x", {"domain": "bakery.test"}, "https://au.bakery.test/api/v2"),
        ("svc_test_eu_x\n", {"domain": "bakery.test"}, "https://eu.bakery.test/api/v2"),
        (KEY, {"base_url": "http://127.0.0.1:4001/api/v2/"}, "http://127.0.0.1:4001/api/v2"),
    ],
)
def test_the_key_names_the_place(key: str, place: dict[str, str], base: str) -> None:
    sent = []

    def meet(request: httpx.Request) -> httpx.Response:
        sent.append((str(request.url), request.headers["authorization"]))
        return answer(200, {})

    client = BakeryCommerce(key, http_client=httpx.Client(transport=httpx.MockTransport(meet)), **place)
    client.reference.list_blocked_dates()
    assert sent == [(f"{base}/reference/blocked-dates", f"Bearer {key.strip()}")]


def test_a_walk_goes_on_through_empty_pages(scripted: Any) -> None:
    def page(data: list[Any], cursor: str | None) -> Any:
        return lambda: answer(200, {"data": data, "pagination": {"has_more": cursor is not None, "next_cursor": cursor}})

    world = scripted([page([{"id": "ord_1"}], "a"), page([], "b"), page([{"id": "ord_2"}], None)])
    found = world.items(lambda client: client.orders.list_all(status=["pending"], limit=1))
    assert [order["id"] for order in found] == ["ord_1", "ord_2"]
    assert [request.url.query.decode() for request in world.sent] == [
        "limit=1&status=pending",
        "limit=1&cursor=a&status=pending",
        "limit=1&cursor=b&status=pending",
    ]


@pytest.mark.parametrize("cursor", [None, ""])
def test_a_page_with_more_but_no_cursor_ends_a_walk_with_an_error(scripted: Any, cursor: str | None) -> None:
    world = scripted([lambda: answer(200, {"data": [], "pagination": {"has_more": True, "next_cursor": cursor}})])
    with pytest.raises(ValueError, match="next_cursor"):
        world.items(lambda client: client.orders.list_all())
    assert len(world.sent) == 1


@pytest.mark.parametrize("cursors", [["a"], ["a", "b", "a"]])
def test_a_cursor_that_comes_twice_ends_a_walk_with_an_error(scripted: Any, cursors: list[str]) -> None:
    def page(cursor: str) -> Any:
        return lambda: answer(200, {"data": [], "pagination": {"has_more": True, "next_cursor": cursor}})

    world = scripted([page(cursor) for cursor in cursors])
    with pytest.raises(ValueError, match="next_cursor came twice"):
        world.items(lambda client: client.orders.list_all())
    assert len(world.sent) == len(cursors) + (len(cursors) == 1)


class Endless(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that never ends. It counts what was read."""

    read = 0

    def __iter__(self) -> Any:
        while True:
            self.read += 1
            yield b"a" * 1024 * 1024

    async def __aiter__(self) -> Any:
        for chunk in self:
            yield chunk


@pytest.mark.parametrize("headers", [{}, {"content-encoding": "identity"}])
def test_an_answer_that_never_ends_is_cut_off_and_is_no_answer_of_the_service(scripted: Any, headers: dict[str, str]) -> None:
    body = Endless()
    world = scripted([lambda: httpx.Response(200, stream=body, headers=headers)])
    with pytest.raises(ApiError) as caught:
        world.run(lambda client: client.orders.list())
    assert (caught.value.status, caught.value.code, body.read) == (200, "unknown", 17)


def test_an_answer_that_is_nested_too_deeply_is_no_answer_of_the_service(scripted: Any) -> None:
    world = scripted([lambda: answer(200, "[" * 100_000)])
    with pytest.raises(ApiError) as caught:
        world.run(lambda client: client.orders.list())
    assert caught.value.code == "unknown"


def test_a_redirect_is_not_followed_with_the_key(scripted: Any) -> None:
    world = scripted([lambda: answer(307, "", {"Location": "https://elsewhere.test/"})])
    with pytest.raises(ApiError) as caught:
        world.run(lambda client: client.orders.list())
    assert (caught.value.status, len(world.sent)) == (307, 1)


def test_a_401_tells_the_region_that_the_key_names_and_what_to_look_at(scripted: Any) -> None:
    refused = {"error": {"type": "authentication_error", "code": "invalid_api_key", "message": "Invalid API key"}}
    world = scripted([lambda: answer(401, refused)])
    with pytest.raises(ApiError) as caught:
        world.run(lambda client: client.orders.list())
    assert str(caught.value) == (
        "401 invalid_api_key: Invalid API key The key names the region us: is https://us.bakery.test/api/v2 that region's address, "
        "and the key neither revoked nor expired?"
    )


def test_headers_that_a_proxy_took_out_of_an_answer_are_not_missed(scripted: Any) -> None:
    world = scripted([lambda: answer(429, {"error": "rate_limit_exceeded", "message": "x", "retryAfter": 60})], max_retries=0)
    with pytest.raises(ApiError) as caught:
        world.run(lambda client: client.orders.list())
    error = caught.value
    assert (error.code, error.request_id, error.retry_after_seconds) == ("rate_limit_exceeded", None, 60)


def test_an_error_passes_between_processes_whole() -> None:
    error = ApiError(400, {"X-Request-Id": "r"}, {"error": {"type": "validation_error", "code": "invalid_value", "field": "amount"}})
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (str(again), again.field, again.request_id) == (str(error), "amount", "r")
    assert isinstance(again, BakeryCommerceError)


def test_what_is_no_json_is_told_before_anything_is_sent(scripted: Any) -> None:
    world = scripted([empty])
    with pytest.raises(ValueError):
        world.run(lambda client: client.expenses.create({"amount": float("nan"), "date": "2026-03-01", "category": "rent"}))
    assert world.sent == []


def test_the_key_is_in_no_repr_of_what_the_client_holds() -> None:
    client = BakeryCommerce(KEY, domain="bakery.test")
    assert KEY not in repr(vars(client))
    client.close()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"timeout": float("nan")}, r"^timeout must be a number"),
        ({"timeout": float("inf")}, r"^timeout must be a number"),
        ({"timeout": "35"}, r"^timeout must be a number"),
        ({"timeout": 0}, r"^timeout must be above 0"),
        ({"max_retries": "2"}, r"^max_retries must be a number"),
    ],
)
def test_an_option_that_cannot_work_fails_before_a_request_is_sent(scripted: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        scripted([], **options)
    world = scripted([lambda: answer(200, {})])
    with pytest.raises(ValueError, match=sentence):
        world.run(lambda client: client.reference.list_blocked_dates(**options))
    assert world.sent == []


def test_a_callback_that_cannot_be_called_fails_when_the_client_is_made(scripted: Any) -> None:
    with pytest.raises(TypeError, match=r"^on_response must be callable"):
        scripted([], on_response=5)
