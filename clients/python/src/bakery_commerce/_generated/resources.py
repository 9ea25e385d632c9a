"""The operations by resource. Made from docs/openapi.json; `npm run client` writes them anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from .._core import Request
from . import models

if TYPE_CHECKING:
    from .._client import BakeryCommerce


class Checkout:
    """Carts that are paid on a hosted page."""

    def __init__(self, client: BakeryCommerce) -> None:
        self._client = client

    def create(
        self,
        body: models.CheckoutInput,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.CheckoutSession:
        """Create a checkout session.

        Prices a cart from the catalog and answers with the address of a hosted page, where the
        shopper pays within 24 hours. The payment makes the order, and both are announced; a
        session that is not paid announces nothing. Amounts are whole where the currency has no
        smaller unit. A blocked date, a slot that is not offered and a product in another
        currency than the account has are `invalid_value`.

        Takes secret and publishable keys with the scope `checkout:write`.
        """
        request = Request[models.CheckoutSession](
            "POST",
            "/checkout",
            "keyed",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)


class Customers:
    """Who orders. Secret keys only."""

    def __init__(self, client: BakeryCommerce) -> None:
        self._client = client

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_after: str | None = None,
        email: str | None = None,
        search: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.CustomerPage:
        """List customers.

        Newest first; with `updated_after` by last save.

        Takes secret keys only, with the scope `customers:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `updated_after`: Records saved at this time or later, latest save first. The last record
        of the previous sync is returned again. A date means its midnight in UTC. With another
        filter, pages may be shorter than `limit`.

        `email`: Exact match, in any case.

        `search`: Part of the name, in any case; pages may be shorter than `limit`.
        """
        request = Request[models.CustomerPage](
            "GET",
            "/customers",
            "freely",
            query={"limit": limit, "cursor": cursor, "updated_after": updated_after, "email": email, "search": search},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def list_all(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_after: str | None = None,
        email: str | None = None,
        search: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Iterator[models.Customer]:
        """List customers, page after page.

        Newest first; with `updated_after` by last save.

        Takes secret keys only, with the scope `customers:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `updated_after`: Records saved at this time or later, latest save first. The last record
        of the previous sync is returned again. A date means its midnight in UTC. With another
        filter, pages may be shorter than `limit`.

        `email`: Exact match, in any case.

        `search`: Part of the name, in any case; pages may be shorter than `limit`.
        """
        request = Request[models.CustomerPage](
            "GET",
            "/customers",
            "freely",
            query={"limit": limit, "cursor": cursor, "updated_after": updated_after, "email": email, "search": search},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._each(request)

    def create(
        self,
        body: models.CustomerInput,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.Customer:
        """Create a customer.

        An email, a phone or a last name is required. Emits `customer.created`.

        Takes secret keys only, with the scope `customers:write`.
        """
        request = Request[models.Customer](
            "POST",
            "/customers",
            "keyed",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def retrieve(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.Customer:
        """Retrieve a customer.

        One customer with the totals of their orders.

        Takes secret keys only, with the scope `customers:read`.
        """
        request = Request[models.Customer](
            "GET",
            "/customers/{id}",
            "freely",
            id=id,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)


class Expenses:
    """What the bakery spends. Secret keys only."""

    def __init__(self, client: BakeryCommerce) -> None:
        self._client = client

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order_by: models.ExpenseOrder | None = None,
        date_from: str | None = None,
        date_to: str | None = None,
        updated_after: str | None = None,
        category: str | None = None,
        status: str | None = None,
        supplier_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ExpenseSummaryPage:
        """List expenses.

        A lighter shape than by id; gateway fees are included, deleted expenses are not. Query a
        range of dates (ordered by date), `updated_after` or `order_by=updated_at`. Each can be
        combined with one of `category`, `status` and `supplier_id`; a second one fails with
        `invalid_value`.

        Takes secret keys only, with the scope `expenses:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `order_by`: Always descending; `updated_at` cannot be combined with a range of dates.
        With a filter its pages may be shorter than `limit`.

        `date_from`: First moment, inclusive; ISO 8601 or epoch seconds. A date without a time,
        `20260305` too, is midnight UTC.

        `date_to`: Last moment, inclusive; ISO 8601 or epoch seconds. A date without a time,
        `20260305` too, takes in its whole UTC day.

        `updated_after`: Records saved at this time or later, latest save first. The last record
        of the previous sync is returned again. A date means its midnight in UTC. With another
        filter, pages may be shorter than `limit`.

        `category`: Exact match. Id of the category. Use at most one of category, status and
        supplier_id.

        `status`: Exact match. Such as `submitted`.

        `supplier_id`: Exact match.
        """
        request = Request[models.ExpenseSummaryPage](
            "GET",
            "/expenses",
            "freely",
            query={"limit": limit, "cursor": cursor, "order_by": order_by, "date_from": date_from, "date_to": date_to, "updated_after": updated_after, "category": category, "status": status, "supplier_id": supplier_id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def list_all(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        order_by: models.ExpenseOrder | None = None,
        date_from: str | None = None,
        date_to: str | None = None,
        updated_after: str | None = None,
        category: str | None = None,
        status: str | None = None,
        supplier_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Iterator[models.ExpenseSummary]:
        """List expenses, page after page.

        A lighter shape than by id; gateway fees are included, deleted expenses are not. Query a
        range of dates (ordered by date), `updated_after` or `order_by=updated_at`. Each can be
        combined with one of `category`, `status` and `supplier_id`; a second one fails with
        `invalid_value`.

        Takes secret keys only, with the scope `expenses:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `order_by`: Always descending; `updated_at` cannot be combined with a range of dates.
        With a filter its pages may be shorter than `limit`.

        `date_from`: First moment, inclusive; ISO 8601 or epoch seconds. A date without a time,
        `20260305` too, is midnight UTC.

        `date_to`: Last moment, inclusive; ISO 8601 or epoch seconds. A date without a time,
        `20260305` too, takes in its whole UTC day.

        `updated_after`: Records saved at this time or later, latest save first. The last record
        of the previous sync is returned again. A date means its midnight in UTC. With another
        filter, pages may be shorter than `limit`.

        `category`: Exact match. Id of the category. Use at most one of category, status and
        supplier_id.

        `status`: Exact match. Such as `submitted`.

        `supplier_id`: Exact match.
        """
        request = Request[models.ExpenseSummaryPage](
            "GET",
            "/expenses",
            "freely",
            query={"limit": limit, "cursor": cursor, "order_by": order_by, "date_from": date_from, "date_to": date_to, "updated_after": updated_after, "category": category, "status": status, "supplier_id": supplier_id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._each(request)

    def create(
        self,
        body: models.ExpenseInput,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.Expense:
        """Create an expense.

        Status `submitted`, source `api` and the id are set by the service, whatever is sent.
        Emits `expense.created`. If neither the request nor the account has a currency, the
        response is 500.

        Takes secret keys only, with the scope `expenses:write`.
        """
        request = Request[models.Expense](
            "POST",
            "/expenses",
            "keyed",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def retrieve(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.Expense:
        """Retrieve an expense.

        The full shape; a gateway-fee expense also has `line_items` and `metadata`.

        Takes secret keys only, with the scope `expenses:read`.
        """
        request = Request[models.Expense](
            "GET",
            "/expenses/{id}",
            "freely",
            id=id,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)


class Orders:
    """What customers have asked the bakery to make. Secret keys only."""

    def __init__(self, client: BakeryCommerce) -> None:
        self._client = client

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sort: models.OrderSort | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
        status: Sequence[models.OrderStatus] | None = None,
        payment_status: str | None = None,
        customer_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.OrderPage:
        """List orders.

        Newest first, or by last save or delivery date. Deleted orders are left out, payments
        are not included.

        Takes secret keys only, with the scope `orders:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `sort`: Always descending; orders without a delivery date come last. With a filter and
        another sort than `createdAt` pages may be shorter than `limit`.

        `created_after`: Inclusive; ISO 8601 or epoch seconds. A date is its midnight in UTC.
        With the default sort only.

        `created_before`: Inclusive; ISO 8601 or epoch seconds. A date without a time takes in
        its whole UTC day. With the default sort only.

        `status`: Any of these.

        `payment_status`: Exact match.

        `customer_id`: Exact match.
        """
        request = Request[models.OrderPage](
            "GET",
            "/orders",
            "freely",
            query={"limit": limit, "cursor": cursor, "sort": sort, "created_after": created_after, "created_before": created_before, "status": status, "payment_status": payment_status, "customer_id": customer_id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def list_all(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        sort: models.OrderSort | None = None,
        created_after: str | None = None,
        created_before: str | None = None,
        status: Sequence[models.OrderStatus] | None = None,
        payment_status: str | None = None,
        customer_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Iterator[models.Order]:
        """List orders, page after page.

        Newest first, or by last save or delivery date. Deleted orders are left out, payments
        are not included.

        Takes secret keys only, with the scope `orders:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `sort`: Always descending; orders without a delivery date come last. With a filter and
        another sort than `createdAt` pages may be shorter than `limit`.

        `created_after`: Inclusive; ISO 8601 or epoch seconds. A date is its midnight in UTC.
        With the default sort only.

        `created_before`: Inclusive; ISO 8601 or epoch seconds. A date without a time takes in
        its whole UTC day. With the default sort only.

        `status`: Any of these.

        `payment_status`: Exact match.

        `customer_id`: Exact match.
        """
        request = Request[models.OrderPage](
            "GET",
            "/orders",
            "freely",
            query={"limit": limit, "cursor": cursor, "sort": sort, "created_after": created_after, "created_before": created_before, "status": status, "payment_status": payment_status, "customer_id": customer_id},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._each(request)

    def create(
        self,
        body: models.OrderInput,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.Order:
        """Create an order.

        Prices, subtotal and total are computed: total = subtotal + tax + delivery fee −
        discount. Order, customer and payments are created together or not at all. Emits
        `order.created`, and `customer.created` if the customer is new; payments emit events
        only with `emit_webhooks`.

        Takes secret keys only, with the scope `orders:write`.
        """
        request = Request[models.Order](
            "POST",
            "/orders",
            "keyed",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def retrieve(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.OrderWithPayments:
        """Retrieve an order.

        One order with its payments and refunds.

        Takes secret keys only, with the scope `orders:read`.
        """
        request = Request[models.OrderWithPayments](
            "GET",
            "/orders/{id}",
            "freely",
            id=id,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)


class Products:
    """The catalog, for servers and storefronts."""

    def __init__(self, client: BakeryCommerce) -> None:
        self._client = client

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_after: str | None = None,
        category: str | None = None,
        search: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ProductPage:
        """List products.

        Newest first; with `updated_after` by last save. A publishable key sees what the
        storefront shows.

        Takes secret and publishable keys with the scope `products:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `updated_after`: Records saved at this time or later, latest save first. The last record
        of the previous sync is returned again. A date means its midnight in UTC. With another
        filter, pages may be shorter than `limit`.

        `category`: Exact match.

        `search`: Part of the name, in any case; pages may be shorter than `limit`.
        """
        request = Request[models.ProductPage](
            "GET",
            "/products",
            "freely",
            query={"limit": limit, "cursor": cursor, "updated_after": updated_after, "category": category, "search": search},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def list_all(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_after: str | None = None,
        category: str | None = None,
        search: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Iterator[models.Product]:
        """List products, page after page.

        Newest first; with `updated_after` by last save. A publishable key sees what the
        storefront shows.

        Takes secret and publishable keys with the scope `products:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `updated_after`: Records saved at this time or later, latest save first. The last record
        of the previous sync is returned again. A date means its midnight in UTC. With another
        filter, pages may be shorter than `limit`.

        `category`: Exact match.

        `search`: Part of the name, in any case; pages may be shorter than `limit`.
        """
        request = Request[models.ProductPage](
            "GET",
            "/products",
            "freely",
            query={"limit": limit, "cursor": cursor, "updated_after": updated_after, "category": category, "search": search},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._each(request)

    def retrieve(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.Product:
        """Retrieve a product.

        Deleted products are not found; a publishable key also does not find products that the
        storefront hides.

        Takes secret and publishable keys with the scope `products:read`.
        """
        request = Request[models.Product](
            "GET",
            "/products/{id}",
            "freely",
            id=id,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def create_search_token(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.SearchToken:
        """Create a search token.

        A key for the browser to search the account's storefront directly at the search engine,
        for 15 minutes. It takes no body; one that is sent has to be a JSON object.

        Takes secret and publishable keys with the scope `products:search`.
        """
        request = Request[models.SearchToken](
            "POST",
            "/products/search-token",
            "freely",
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)


class Reference:
    """Options for the forms of a storefront."""

    def __init__(self, client: BakeryCommerce) -> None:
        self._client = client

    def list_expense_categories(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.ExpenseCategoryList:
        """List expense categories.

        A fixed list of 19, the same for every account.

        Takes secret and publishable keys with the scope `reference:read`. Answers carry
        `Cache-Control: private, max-age=3600`.
        """
        request = Request[models.ExpenseCategoryList](
            "GET",
            "/reference/expense-categories",
            "freely",
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def list_payment_methods(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.PaymentMethodList:
        """List payment methods.

        The account's own enabled methods; they are not compared with what orders carry.

        Takes secret and publishable keys with the scope `reference:read`.
        """
        request = Request[models.PaymentMethodList](
            "GET",
            "/reference/payment-methods",
            "freely",
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def list_event_categories(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.EventCategoryList:
        """List event categories.

        Occasions that orders are made for; defaults if the account has configured none.

        Takes secret and publishable keys with the scope `reference:read`.
        """
        request = Request[models.EventCategoryList](
            "GET",
            "/reference/event-categories",
            "freely",
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def list_time_slots(
        self,
        *,
        type: models.TimeSlotType | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.TimeSlotList:
        """List time slots.

        All configured slots, whatever the date. What one date offers is told by its
        availability.

        Takes secret and publishable keys with the scope `reference:read`.

        `type`: Both when absent.
        """
        request = Request[models.TimeSlotList](
            "GET",
            "/reference/time-slots",
            "freely",
            query={"type": type},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def list_blocked_dates(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.BlockedDateList:
        """List blocked dates.

        Single dates and weekly rules, as they are configured. Reasons and holidays are shown to
        secret keys only.

        Takes secret and publishable keys with the scope `reference:read`.
        """
        request = Request[models.BlockedDateList](
            "GET",
            "/reference/blocked-dates",
            "freely",
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def list_custom_fields(
        self,
        *,
        scope: models.CustomFieldScope | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.CustomFieldList:
        """List custom fields.

        Active definitions. Internal ones, and the member `internal`, are shown to secret keys
        only.

        Takes secret and publishable keys with the scope `reference:read`.

        `scope`: Definitions of these records; all when absent.
        """
        request = Request[models.CustomFieldList](
            "GET",
            "/reference/custom-fields",
            "freely",
            query={"scope": scope},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)


class Availability:
    """Options for the forms of a storefront."""

    def __init__(self, client: BakeryCommerce) -> None:
        self._client = client

    def retrieve(
        self,
        *,
        date: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        type: models.TimeSlotType | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.AvailabilityList:
        """Get availability.

        Either `date` or both `from` and `to` are required: one date, or every date of a range,
        with the slots it offers. A date is blocked by a single date first, then by a weekly
        rule; nothing else is considered.

        Takes secret and publishable keys with the scope `reference:read`.

        `date`: One date that exists. Required without `from` and `to`, and not allowed with
        them.

        `from_`: First date of a range of at most 90 days; requires `to`.

        `to`: Last date of the range, inclusive and not before `from`; requires `from`.

        `type`: Narrows the slots; it never changes `bookable`.
        """
        request = Request[models.AvailabilityList](
            "GET",
            "/availability",
            "freely",
            query={"date": date, "from": from_, "to": to, "type": type},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)


class Webhooks:
    """Where events are sent, and how that went. Secret keys only."""

    def __init__(self, client: BakeryCommerce) -> None:
        self._client = client

    def create(
        self,
        body: models.WebhookEndpointInput,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.WebhookEndpointWithSecret:
        """Register a webhook endpoint.

        At most 10 an account; one more is `invalid_value`. Addresses that are private,
        internal, loopback, link-local or of cloud metadata are refused, here and whenever
        something is to be sent. The signing secret is in this answer only.

        Takes secret keys only, with the scope `webhooks:manage`.
        """
        request = Request[models.WebhookEndpointWithSecret](
            "POST",
            "/webhooks",
            "keyed",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.WebhookEndpointSummaryPage:
        """List webhook endpoints.

        Newest first, without secrets.

        Takes secret keys only, with the scope `webhooks:manage`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.
        """
        request = Request[models.WebhookEndpointSummaryPage](
            "GET",
            "/webhooks",
            "freely",
            query={"limit": limit, "cursor": cursor},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def list_all(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Iterator[models.WebhookEndpointSummary]:
        """List webhook endpoints, page after page.

        Newest first, without secrets.

        Takes secret keys only, with the scope `webhooks:manage`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.
        """
        request = Request[models.WebhookEndpointSummaryPage](
            "GET",
            "/webhooks",
            "freely",
            query={"limit": limit, "cursor": cursor},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._each(request)

    def retrieve(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.WebhookEndpoint:
        """Retrieve a webhook endpoint.

        One endpoint without its secret, with the reason where the service disabled it.

        Takes secret keys only, with the scope `webhooks:manage`.
        """
        request = Request[models.WebhookEndpoint](
            "GET",
            "/webhooks/{id}",
            "freely",
            id=id,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def update(
        self,
        id: str,
        body: models.WebhookEndpointChanges,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.WebhookEndpoint:
        """Update a webhook endpoint.

        Members that are sent are changed, others stay. Enabling again does not send what
        happened meanwhile.

        Takes secret keys only, with the scope `webhooks:manage`.
        """
        request = Request[models.WebhookEndpoint](
            "PATCH",
            "/webhooks/{id}",
            "never",
            id=id,
            body=body,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.DeletedWebhookEndpoint:
        """Delete a webhook endpoint.

        Gone for good. Deliveries that wait fail as `endpoint_disabled` when they fall due.

        Takes secret keys only, with the scope `webhooks:manage`.
        """
        request = Request[models.DeletedWebhookEndpoint](
            "DELETE",
            "/webhooks/{id}",
            "never",
            id=id,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def rotate_secret(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.RotatedSecret:
        """Rotate the signing secret.

        The new secret signs from the next attempt on; the old one signs beside it for 24 hours,
        in a header of its own. A secret that was replaced before ends at once. It takes no
        body; one that is sent has to be a JSON object.

        Takes secret keys only, with the scope `webhooks:manage`.
        """
        request = Request[models.RotatedSecret](
            "POST",
            "/webhooks/{id}/rotate-secret",
            "never",
            id=id,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def test(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.WebhookTestResult:
        """Send a test event.

        Sends one `webhook.test` now and tells how it was received: no retries, no delivery
        record, no statistics. It waits 25 seconds for an answer. At most 10 in 60 seconds an
        account. It takes no body; one that is sent has to be a JSON object.

        Takes secret keys only, with the scope `webhooks:manage`.
        """
        request = Request[models.WebhookTestResult](
            "POST",
            "/webhooks/{id}/test",
            "never",
            id=id,
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def list_events(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: models.DeliveryStatus | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.DeliveryPage:
        """List deliveries of a webhook endpoint.

        The delivery log, newest first: a record for every event that the endpoint was to get,
        kept for 30 days.

        Takes secret keys only, with the scope `webhooks:manage`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `status`: Deliveries in this status; of `pending` and `delivered` pages may be shorter
        than `limit`.
        """
        request = Request[models.DeliveryPage](
            "GET",
            "/webhooks/{id}/events",
            "freely",
            id=id,
            query={"limit": limit, "cursor": cursor, "status": status},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._send(request)

    def list_all_events(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: models.DeliveryStatus | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Iterator[models.Delivery]:
        """List deliveries of a webhook endpoint, page after page.

        The delivery log, newest first: a record for every event that the endpoint was to get,
        kept for 30 days.

        Takes secret keys only, with the scope `webhooks:manage`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `status`: Deliveries in this status; of `pending` and `delivered` pages may be shorter
        than `limit`.
        """
        request = Request[models.DeliveryPage](
            "GET",
            "/webhooks/{id}/events",
            "freely",
            id=id,
            query={"limit": limit, "cursor": cursor, "status": status},
            timeout=timeout,
            max_retries=max_retries,
        )
        return self._client._each(request)


class Resources:
    """Every resource of one client."""

    def __init__(self, client: BakeryCommerce) -> None:
        self.checkout = Checkout(client)
        self.customers = Customers(client)
        self.expenses = Expenses(client)
        self.orders = Orders(client)
        self.products = Products(client)
        self.reference = Reference(client)
        self.availability = Availability(client)
        self.webhooks = Webhooks(client)
