"""Against the service itself."""

from __future__ import annotations

import os
from typing import Any
from uuid import uuid4

import anyio
import httpx
import pytest
from bakery_commerce import ApiError, AsyncBakeryCommerce, BakeryCommerce, ResponseInfo

CAKE: Any = {"items": [{"name": "Cake", "quantity": 1, "unit_price": 30}]}
PLACE = {"base_url": os.environ["BAKERY_URL"]}
KEY = os.environ["BAKERY_API_KEY"]


def test_an_order_is_created_read_and_listed(service: BakeryCommerce) -> None:
    order = service.orders.create(CAKE)
    assert (order["total"], order["currency"]) == (30, "USD")
    assert service.orders.retrieve(order["id"])["payments"] == []
    assert order["id"] in [one["id"] for one in service.orders.list_all(limit=2)]


def test_the_same_where_it_is_awaited() -> None:
    async def run() -> None:
        async with AsyncBakeryCommerce(KEY, **PLACE) as client:
            order = await client.orders.create(CAKE)
            found = [one["id"] async for one in client.orders.list_all(status=["pending"], limit=2)]
            assert order["id"] in found

    anyio.run(run)


def test_a_creation_whose_answer_is_lost_on_the_way_is_answered_again_not_done_again() -> None:
    answers: list[ResponseInfo] = []
    network = httpx.HTTPTransport()
    lost = []

    def flaky(request: httpx.Request) -> httpx.Response:
        response = network.handle_request(request)
        response.read()
        if not lost:
            lost.append(response)
            raise httpx.ReadError("Connection reset")
        return response

    with httpx.Client(transport=httpx.MockTransport(flaky)) as http:
        client = BakeryCommerce(KEY, http_client=http, sleep=lambda _: None, on_response=answers.append, **PLACE)
        supplier = {"id": uuid4().hex}
        expense = client.expenses.create({"amount": 5, "date": "2026-03-01", "category": "rent", "supplier": supplier})
        assert [info.headers.get("idempotent-replayed") for info in answers] == ["true"]
        assert [one["id"] for one in client.expenses.list_all(supplier_id=supplier["id"])] == [expense["id"]]


def test_two_calls_under_one_key_are_one_creation(service: BakeryCommerce) -> None:
    key = uuid4().hex
    assert service.orders.create(CAKE, idempotency_key=key) == service.orders.create(CAKE, idempotency_key=key)
    with pytest.raises(ApiError) as caught:
        service.orders.create({"items": [{"name": "Bread", "quantity": 1, "unit_price": 4}]}, idempotency_key=key)
    assert (caught.value.status, caught.value.code) == (422, "idempotency_key_reused")


def test_an_error_tells_status_type_code_field_and_request_id(service: BakeryCommerce) -> None:
    with pytest.raises(ApiError) as caught:
        service.expenses.create({"amount": 0, "date": "2026-03-01", "category": "rent"})
    error = caught.value
    assert (error.status, error.type, error.code, error.field) == (400, "validation_error", "invalid_value", "amount")
    assert error.request_id
    assert str(error).startswith("400 invalid_value: ")


def test_a_key_without_the_scope_is_told_which_one_it_lacks() -> None:
    with BakeryCommerce(os.environ["BAKERY_READ_KEY"], **PLACE) as client, pytest.raises(ApiError) as caught:
        client.expenses.create({"amount": 1, "date": "2026-03-01", "category": "rent"})
    assert (caught.value.code, caught.value.required_scope) == ("insufficient_scope", "expenses:write")


def test_a_publishable_key_does_what_a_browser_may() -> None:
    with BakeryCommerce(os.environ["BAKERY_PUBLISHABLE_KEY"], **PLACE) as client:
        assert client.products.list(limit=1)["data"]
        with pytest.raises(ApiError) as caught:
            client.orders.list()
        assert caught.value.code == "publishable_key_not_allowed"


def test_a_walk_asks_for_no_page_that_nobody_reads() -> None:
    answers: list[ResponseInfo] = []
    with BakeryCommerce(KEY, on_response=answers.append, **PLACE) as client:
        assert next(client.products.list_all(limit=1))["id"]
    assert len(answers) == 1


def test_a_key_of_another_region_is_told_so() -> None:
    with BakeryCommerce(KEY.replace("_us_", "_eu_"), **PLACE) as client, pytest.raises(ApiError) as caught:
        client.orders.list()
    assert f"The key names the region eu: is {PLACE['base_url']} that region's address" in str(caught.value)
