"""The same short program in every version of Python, then calls from a pool of forked processes."""

import json
import multiprocessing
import os

from bakery_commerce import ApiError, BakeryCommerce, WebhookVerificationError, webhooks

settings = json.loads(os.environ["SETTINGS"])
client = BakeryCommerce(settings["key"], base_url=settings["url"])


def categories(_: int = 0) -> int:
    return len(client.reference.list_expense_categories()["expense_categories"])


def prove() -> list:
    rent = {"amount": 1200, "date": "2026-03-01", "category": "Rent"}
    ids = {client.expenses.create(rent, idempotency_key="rent-2026-03")["id"] for _ in range(2)}
    seen = [categories(), len(ids) == 1]
    try:
        client.expenses.create({**rent, "amount": 0})
    except ApiError as error:
        seen.append(f"{error.status} {error.code} {error.field}")
    headers = {"x-webhook-signature": settings["signature"]}
    seen.append(webhooks.verify(settings["body"].encode(), headers, settings["secret"])["type"])
    try:
        webhooks.verify(settings["body"].encode() + b" ", headers, settings["secret"])
    except WebhookVerificationError as error:
        seen.append(error.reason)
    with multiprocessing.get_context("fork").Pool(3) as pool:
        return [*seen, pool.map(categories, range(9)), categories()]


if __name__ == "__main__":
    print(json.dumps(prove()))
