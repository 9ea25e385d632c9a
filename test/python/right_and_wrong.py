"""mypy accepts the right calls and rejects the wrong ones. It fails if an ignored error is not an error."""

import asyncio

from bakery_commerce import ApiError, AsyncBakeryCommerce, BakeryCommerce, models, webhooks

client = BakeryCommerce("svc_sk_live_us_k", domain="bakery.test")
body: models.OrderInput = {"items": [{"name": "Cake", "quantity": 1, "unit_price": 3}]}
order: models.Order = client.orders.create(body, idempotency_key="k", timeout=1)
for expense in client.expenses.list_all(category="rent"):
    amount: float = expense["amount"]
event = webhooks.verify(b"", {}, ["a", "b"])
if event["type"] == "inventory.low":
    print(event["data"]["object"]["reorder_point"])
try:
    client.webhooks.rotate_secret(order["id"])
except ApiError as error:
    print(error.status, error.retry_after_seconds)


async def main() -> None:
    async with AsyncBakeryCommerce("svc_sk_live_us_k", domain="bakery.test") as asynchronous:
        page: models.CustomerPage = await asynchronous.customers.list(limit=5)
        print(page["data"])
        async for endpoint in asynchronous.webhooks.list_all():
            print(endpoint["url"])


asyncio.run(main())

client.orders.list(status=["lost"])  # type: ignore[list-item]
client.orders.create({"items": [{"name": "Cake"}]})  # type: ignore[typeddict-item]
client.webhooks.test("whe_1", idempotency_key="k")  # type: ignore[call-arg]
client.orders.retrieve()  # type: ignore[call-arg]
order["nothing"]  # type: ignore[typeddict-item]
BakeryCommerce()  # type: ignore[call-arg]
