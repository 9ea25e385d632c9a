"""Creates, lists and reads an expense and an order with the client that openapi-generator made."""

import os

from openapi_client import ApiClient, Configuration, ExpenseInput, ExpensesApi, OrderInput, OrderItemInput, OrdersApi
from openapi_client.exceptions import NotFoundException

with ApiClient(Configuration(host=os.environ["BAKERY_URL"], access_token=os.environ["BAKERY_API_KEY"])) as client:
    expenses = ExpensesApi(client)
    made = expenses.create_expense(ExpenseInput(amount=1234567.89, category="ingredients", date="2026-03-05"))
    page = expenses.list_expenses(limit=10, order_by="updated_at")
    is_found = [one.id for one in page.data] == [made.id]
    print(made.amount, expenses.retrieve_expense(made.id).amount, str(is_found).lower())

    orders = OrdersApi(client)
    loaf = OrderItemInput(name="Rye loaf", quantity=2, unit_price=6.5)
    order = orders.create_order(OrderInput(items=[loaf], delivery_address={"line1": "1 Mill Lane"}))
    print(f"{order.total:.2f}", orders.retrieve_order(order.id).delivery_address["line1"])

    try:
        expenses.retrieve_expense("exp_none")
    except NotFoundException as error:
        print(error.status, error.data.error.code)
