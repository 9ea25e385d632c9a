"""Creates an order with the client that openapi-python-client made, and finds it in the list."""

import os

from bakery_commerce_api_client import AuthenticatedClient
from bakery_commerce_api_client.api.orders import create_order, list_orders
from bakery_commerce_api_client.models import OrderInput

with AuthenticatedClient(base_url=os.environ["BAKERY_URL"], token=os.environ["BAKERY_API_KEY"]) as client:
    body = OrderInput.from_dict({"items": [{"name": "Rye loaf", "quantity": 2, "unit_price": 6.5}], "metadata": {"table": "7"}})
    order = create_order.sync(client=client, body=body)
    page = list_orders.sync(client=client, limit=10)
    print(order.total, order.metadata.to_dict(), [one.id for one in page.data] == [order.id])
