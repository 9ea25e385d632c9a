"""The operations by resource. Made from docs/openapi.json; `npm run client` writes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from .._core import Request
from . import models

if TYPE_CHECKING:
    from .._client import BakeryCommerce


class Checkout:
    """Carts that shoppers pay on a hosted page."""

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

        Prices a cart from the catalog and returns the URL of a hosted page. The shopper can pay
        there for 24 hours. The payment creates the order, and events for both follow; an unpaid
        session sends no events. Amounts are whole numbers if the currency has no smaller unit.
        A blocked date, a slot that is not offered or over, a product with variants without a
        `variant_id`, and a product in another currency than the account fail with
        `invalid_value`.

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
    """Customers of the bakery. Secret keys only."""

    def __init__(self, client: BakeryCommerce) -> None:
        self._client = client

    def list(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        updated_after: str | None = None,
        email: str | None = None,
        external_id: str | None = None,
        search: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.CustomerPage:
        """List customers.

        Newest first. With `updated_after`: last saved first.

        Takes secret keys only, with the scope `customers:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `updated_after`: Records saved at this time or later, latest save first. The last record
        of the previous sync is returned again. A date means its midnight in UTC. With another
        filter, pages may be shorter than `limit`.

        `email`: Exact match, in any case. Not together with `external_id`.

        `external_id`: Exact match. Not together with `email`.

        `search`: Part of the name, in any case. With it, pages may be shorter than `limit`.
        """
        request = Request[models.CustomerPage](
            "GET",
            "/customers",
            "freely",
            query={"limit": limit, "cursor": cursor, "updated_after": updated_after, "email": email, "external_id": external_id, "search": search},
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
        external_id: str | None = None,
        search: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Iterator[models.Customer]:
        """List customers, page after page.

        Newest first. With `updated_after`: last saved first.

        Takes secret keys only, with the scope `customers:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `updated_after`: Records saved at this time or later, latest save first. The last record
        of the previous sync is returned again. A date means its midnight in UTC. With another
        filter, pages may be shorter than `limit`.

        `email`: Exact match, in any case. Not together with `external_id`.

        `external_id`: Exact match. Not together with `email`.

        `search`: Part of the name, in any case. With it, pages may be shorter than `limit`.
        """
        request = Request[models.CustomerPage](
            "GET",
            "/customers",
            "freely",
            query={"limit": limit, "cursor": cursor, "updated_after": updated_after, "email": email, "external_id": external_id, "search": search},
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

        Returns one customer with the totals of their orders.

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
    """Expenses of the bakery. Secret keys only."""

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

        Returns fewer fields than by id. Gateway fees are included, deleted expenses are not.
        Query a range of dates (ordered by date), `updated_after` or `order_by=updated_at`. Each
        can be combined with one of `category`, `status` and `supplier_id`; a second one fails
        with `invalid_value`.

        Takes secret keys only, with the scope `expenses:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `order_by`: Always descending. `updated_at` cannot be combined with a range of dates.
        With a filter, its pages may be shorter than `limit`.

        `date_from`: First time, inclusive. ISO 8601 or epoch seconds. A date without a time,
        `20260305` too, is midnight UTC.

        `date_to`: Last time, inclusive. ISO 8601 or epoch seconds. A date without a time,
        `20260305` too, includes its whole UTC day.

        `updated_after`: Records saved at this time or later, latest save first. The last record
        of the previous sync is returned again. A date means its midnight in UTC. With another
        filter, pages may be shorter than `limit`.

        `category`: Exact match. Id of the category. Use at most one of category, status and
        supplier_id.

        `status`: Exact match. For example `submitted`.

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

        Returns fewer fields than by id. Gateway fees are included, deleted expenses are not.
        Query a range of dates (ordered by date), `updated_after` or `order_by=updated_at`. Each
        can be combined with one of `category`, `status` and `supplier_id`; a second one fails
        with `invalid_value`.

        Takes secret keys only, with the scope `expenses:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `order_by`: Always descending. `updated_at` cannot be combined with a range of dates.
        With a filter, its pages may be shorter than `limit`.

        `date_from`: First time, inclusive. ISO 8601 or epoch seconds. A date without a time,
        `20260305` too, is midnight UTC.

        `date_to`: Last time, inclusive. ISO 8601 or epoch seconds. A date without a time,
        `20260305` too, includes its whole UTC day.

        `updated_after`: Records saved at this time or later, latest save first. The last record
        of the previous sync is returned again. A date means its midnight in UTC. With another
        filter, pages may be shorter than `limit`.

        `category`: Exact match. Id of the category. Use at most one of category, status and
        supplier_id.

        `status`: Exact match. For example `submitted`.

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

        The service sets the id, status `submitted` and source `api`, whatever is sent. Emits
        `expense.created`. If neither the request nor the account has a currency, the response
        is 500.

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

        Returns all fields. A gateway-fee expense also has `line_items` and `metadata`.

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
    """Orders of the bakery. Secret keys only."""

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
        external_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> models.OrderPage:
        """List orders.

        Newest first, or sorted by last save or delivery date. Leaves out deleted orders. The
        orders have no `payments`: retrieve an order to get them.

        Takes secret keys only, with the scope `orders:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `sort`: Always descending. Orders without a delivery date come last. With a filter and
        another sort than `createdAt`, pages may be shorter than `limit`.

        `created_after`: Inclusive. ISO 8601 or epoch seconds. A date is midnight UTC. Only with
        the default sort.

        `created_before`: Inclusive. ISO 8601 or epoch seconds. A date without a time includes
        its whole UTC day. Only with the default sort.

        `status`: One or more statuses.

        `payment_status`: Exact match.

        `customer_id`: Exact match.

        `external_id`: Exact match.
        """
        request = Request[models.OrderPage](
            "GET",
            "/orders",
            "freely",
            query={"limit": limit, "cursor": cursor, "sort": sort, "created_after": created_after, "created_before": created_before, "status": status, "payment_status": payment_status, "customer_id": customer_id, "external_id": external_id},
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
        external_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Iterator[models.Order]:
        """List orders, page after page.

        Newest first, or sorted by last save or delivery date. Leaves out deleted orders. The
        orders have no `payments`: retrieve an order to get them.

        Takes secret keys only, with the scope `orders:read`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `sort`: Always descending. Orders without a delivery date come last. With a filter and
        another sort than `createdAt`, pages may be shorter than `limit`.

        `created_after`: Inclusive. ISO 8601 or epoch seconds. A date is midnight UTC. Only with
        the default sort.

        `created_before`: Inclusive. ISO 8601 or epoch seconds. A date without a time includes
        its whole UTC day. Only with the default sort.

        `status`: One or more statuses.

        `payment_status`: Exact match.

        `customer_id`: Exact match.

        `external_id`: Exact match.
        """
        request = Request[models.OrderPage](
            "GET",
            "/orders",
            "freely",
            query={"limit": limit, "cursor": cursor, "sort": sort, "created_after": created_after, "created_before": created_before, "status": status, "payment_status": payment_status, "customer_id": customer_id, "external_id": external_id},
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

        The service calculates prices, subtotal and total: total = subtotal + tax + delivery fee
        − discount. Order, customer and payments are created together or not at all. Emits
        `order.created`, and `customer.created` if the customer is new. Payments emit events
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

        Returns one order with its payments and refunds.

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

        Newest first. With `updated_after`: last saved first. A publishable key gets only
        products on the storefront.

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

        `search`: Part of the name, in any case. With it, pages may be shorter than `limit`.
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

        Newest first. With `updated_after`: last saved first. A publishable key gets only
        products on the storefront.

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

        `search`: Part of the name, in any case. With it, pages may be shorter than `limit`.
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

        A deleted product gives 404. With a publishable key, so does a product that the
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

        Returns a key with which a browser searches the storefront at the search engine, for 15
        minutes. No body is needed; if there is one, it must be a JSON object.

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

        Takes secret and publishable keys with the scope `reference:read`. Responses have
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

        The account's enabled methods. Orders may have other methods.

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

        Occasions for orders. Defaults if the account has configured none.

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

        All configured slots, for any date. Use `GET /availability` for the slots of one date.

        Takes secret and publishable keys with the scope `reference:read`.

        `type`: Slots of this type. Both types when absent.
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

        Single dates and weekly rules, as configured. Only secret keys get reasons and holidays.

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

        Active definitions. Only secret keys get internal definitions and the field `internal`.

        Takes secret and publishable keys with the scope `reference:read`.

        `scope`: Definitions for these records. All when absent.
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

        Send either `date`, or `from` and `to`. Returns each date with the slots it offers. A
        date is blocked by a single date first, then by a weekly rule. Nothing else is
        considered.

        Takes secret and publishable keys with the scope `reference:read`.

        `date`: One date that exists. Required without `from` and `to`, and not allowed with
        them.

        `from_`: First date of a range of at most 90 days; requires `to`.

        `to`: Last date of the range, inclusive and not before `from`; requires `from`.

        `type`: Slots of this type. It does not change `bookable`.
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
    """Endpoints that receive events, and their delivery logs. Secret keys only."""

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

        At most 10 per account; another one fails with `invalid_value`. Private, internal,
        loopback, link-local and cloud-metadata addresses are rejected, here and at each
        delivery. Only this response has the signing secret.

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

        Returns one endpoint without its secret, with the reason if the service disabled it.

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

        Changes only the fields that are sent. Events from while the endpoint was disabled are
        not sent later.

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

        Deletes the endpoint for good. Waiting deliveries fail with `endpoint_disabled` when
        they are due.

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

        The new secret signs from the next attempt on. For 24 hours the old one signs too, in a
        second header. A secret from an earlier rotation ends at once. No body is needed; if
        there is one, it must be a JSON object.

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

        Sends one `webhook.test` now and returns the result. There are no retries, no delivery
        record and no statistics. It waits 25 seconds for a response. At most 10 per account in
        60 seconds. No body is needed; if there is one, it must be a JSON object.

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

        Returns the delivery log, newest first: one record per event for the endpoint, kept for
        30 days.

        Takes secret keys only, with the scope `webhooks:manage`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `status`: Deliveries in this status. With `pending` and `delivered`, pages may be
        shorter than `limit`.
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

        Returns the delivery log, newest first: one record per event for the endpoint, kept for
        30 days.

        Takes secret keys only, with the scope `webhooks:manage`.

        `limit`: Records per page. A fraction is cut off (1.9 becomes 1). 0 and negative numbers
        become 1, numbers above 100 become 100. Any other value (`0x10`, an empty value) becomes
        50.

        `cursor`: `next_cursor` of the page before, unchanged, with all other parameters
        unchanged.

        `status`: Deliveries in this status. With `pending` and `delivered`, pages may be
        shorter than `limit`.
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
