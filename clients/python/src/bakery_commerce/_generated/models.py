"""The shapes of bodies, answers and events. Made from docs/openapi.json; `npm run client` writes them."""

from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired


class AccountInactiveError(TypedDict):
    """The account is suspended or closed. Flat; do not retry."""

    error: Literal["account_inactive"]
    status: AccountInactiveErrorStatus
    """Status of the account."""


class Allergen(TypedDict):
    """An allergen in a product."""

    name: str
    """Name of the allergen, for example `milk`."""
    level: AllergenLevel
    """How the allergen gets into the product."""


class AvailabilityList(TypedDict):
    """Availability by date."""

    availability: list[DateAvailability]
    """Every requested date, in ascending order."""


class BlockedDate(TypedDict):
    """A date without pickup or delivery."""

    id: str | None
    """Null on legacy entries."""
    date: str
    """The date, `YYYY-MM-DD`."""
    reason: str | None
    """Reason as entered. Always `unavailable` for a publishable key."""
    is_holiday: bool
    """Whether the date is flagged as a holiday."""
    holiday_name: str | None
    """Name as entered. Always null for a publishable key."""


class BlockedDateList(TypedDict):
    """Dates without pickup or delivery."""

    dates: list[BlockedDate]
    """Blocked single dates."""
    recurring_rules: list[RecurringRule]
    """Rules that block weekdays."""


class CheckoutInput(TypedDict):
    """A cart to pay on the hosted page."""

    items: list[CheckoutItemInput]
    """Items to buy, at catalog prices in the account's currency."""
    customer: NotRequired[CustomerDetails | None]
    """The buyer. The hosted page asks for missing details."""
    delivery_type: NotRequired[DeliveryType | None]
    """How the order reaches the customer. `dispatch` is by carrier."""
    delivery_date: str
    """A date that is not blocked."""
    delivery_time: NotRequired[str | None]
    """`id` or `start` of a slot that is offered on that date. The `id` tells slots with the same
    start apart. A slot without a start needs its `id` or no time. If the account has no slots
    of that type, any time or none.
    """
    delivery_address: NotRequired[AddressInput | None]
    """One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for
    space around it. The hosted page asks for it if it is missing.
    """
    notes: NotRequired[str | None]
    """Notes about the order. The hosted page shows them to the shopper, with their markup as text.
    Null without notes.
    """
    custom_fields: NotRequired[CustomFieldsInput | None]
    """Values by key of the custom field. Keys that the account has not defined are rejected. Empty
    when absent. A field named `__proto__`, `prototype` or `constructor` is `invalid_value`.
    """
    metadata: NotRequired[MetadataInput | None]
    """Texts by name for the order. The service adds `checkout_session`, the session's id; you
    cannot set that name. Empty when absent.
    """
    external_id: NotRequired[str | None]
    """Id of the order in your own system."""
    success_url: str
    """HTTPS URL that the shopper returns to after paying. The service replaces
    `{CHECKOUT_SESSION_ID}` in its path, query or fragment with the session's id.
    """
    cancel_url: str
    """HTTPS URL that the shopper returns to without paying. The service replaces
    `{CHECKOUT_SESSION_ID}` in its path, query or fragment with the session's id.
    """


class CheckoutItemInput(TypedDict):
    """A product of the cart and how many pieces of it."""

    product_id: str
    """Id of a product on the storefront."""
    variant_id: NotRequired[str | None]
    """Id of one of its variants. Required if it has variants."""
    quantity: int
    """Number of pieces."""


class CheckoutSession(TypedDict):
    """A cart to be paid on the hosted page."""

    id: str
    """Id of the session."""
    url: str
    """Hosted page. Redirect the shopper to it."""
    status: CheckoutSessionStatus
    """Always `open` in this response."""
    currency: str
    """ISO 4217 code of every amount."""
    subtotal: float
    """Sum of the items at catalog prices."""
    delivery_fee: float
    """The account's fee times the slot's multiplier. 0 for pickup and dispatch."""
    total: float
    """Subtotal plus delivery fee."""
    expires_at: str
    """The session can be paid until this time: 24 hours after it was created."""
    created_at: str
    """Time at which the session was created."""


class CustomField(TypedDict):
    """A custom field of the account."""

    id: str
    """Id of the definition."""
    key: str
    """Key of its values in `custom_fields`. The id if no key is set."""
    name: str
    """Display name. May be empty."""
    type: str
    """Kind of input in a form."""
    required: bool
    """Whether forms should ask for it."""
    options: list[str]
    """Choices. Empty for types without choices."""
    scopes: list[CustomFieldScope]
    """Records that may have it. Empty if it is only for the dashboard."""
    internal: NotRequired[bool]
    """Whether it is hidden from shoppers. Only secret keys get this field."""


class CustomFieldList(TypedDict):
    """The custom fields of the account."""

    fields: list[CustomField]
    """Active definitions. A publishable key gets no internal ones."""


class Customer(TypedDict):
    """A customer of the bakery."""

    id: str
    """Id of the customer."""
    first_name: str | None
    """First name of the customer. Null if not known."""
    last_name: str | None
    """Last name of the customer. Null if not known."""
    email: str | None
    """Email address. No other customer of the account has it, in any case. Null if not known."""
    phone: str | None
    """Phone number as the caller wrote it. Null if not known."""
    company: str | None
    """Company that the customer orders for. Null without one."""
    tags: list[str]
    """Labels that the bakery chose. Empty without labels."""
    is_blacklisted: bool
    """Whether the bakery no longer serves the customer."""
    total_orders: int
    """Orders that are neither cancelled nor deleted."""
    total_spent: float
    """Sum of the orders' totals. An order counts if it is in the account's currency at the time of
    counting.
    """
    last_order_date: str | None
    """`created_at` of the newest order that counted when it was created. Null before the first
    one.
    """
    marketing_email: bool | None
    """Whether the customer agreed to marketing by email. Null if not recorded."""
    marketing_sms: bool | None
    """Whether the customer agreed to marketing by text message. Null if not recorded."""
    external_id: str | None
    """Id of the customer in your own system. Null if none was sent."""
    created_at: str
    """Time at which the customer was created."""
    updated_at: str
    """Time of the last save. A change of only the totals does not change it."""
    notes: str | None
    """Notes of the bakery about the customer, with markup. Null without notes."""
    address: Address | None
    """One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for
    space around it.
    """
    custom_fields: CustomFields
    """Values by key of the custom field."""
    metadata: Metadata
    """The caller's texts by name."""


class CustomerCreatedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: CustomerEventObject


class CustomerCreatedEvent(TypedDict):
    """A customer was added."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["customer.created"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: CustomerCreatedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class CustomerDetails(TypedDict):
    """The customer of an order or checkout by details. An existing customer with the email is
    used.
    """

    first_name: NotRequired[str | None]
    """First name of the customer. Null if not known."""
    last_name: NotRequired[str | None]
    """Last name of the customer. Null if not known."""
    email: NotRequired[str | None]
    """Compared without case. Required if there is neither a phone nor a last name."""
    phone: NotRequired[str | None]
    """Phone number as the caller wrote it. Null if not known."""
    company: NotRequired[str | None]
    """Company that the customer orders for. Null without one."""


class CustomerEventObject(TypedDict):
    """A customer in `customer.*` events."""

    id: str
    """Id of the customer."""
    first_name: str | None
    """First name of the customer. Null if not known."""
    last_name: str | None
    """Last name of the customer. Null if not known."""
    email: str | None
    """Email address. No other customer of the account has it, in any case. Null if not known."""
    phone: str | None
    """Phone number as the caller wrote it. Null if not known."""
    company: str | None
    """Company that the customer orders for. Null without one."""
    tags: list[str]
    """Labels that the bakery chose. Empty without labels."""
    is_blacklisted: bool
    """Whether the bakery no longer serves the customer."""
    total_orders: int
    """Orders that are neither cancelled nor deleted."""
    total_spent: float
    """Sum of the orders' totals. An order counts if it is in the account's currency at the time of
    counting.
    """
    last_order_date: str | None
    """`created_at` of the newest order that counted when it was created. Null before the first
    one.
    """
    marketing_email: bool | None
    """Whether the customer agreed to marketing by email. Null if not recorded."""
    marketing_sms: bool | None
    """Whether the customer agreed to marketing by text message. Null if not recorded."""
    external_id: str | None
    """Id of the customer in your own system. Null if none was sent."""
    created_at: str
    """Time at which the customer was created."""
    updated_at: str
    """Time of the last save. A change of only the totals does not change it."""


class CustomerInput(TypedDict):
    """A customer to create."""

    first_name: NotRequired[str | None]
    """First name of the customer. Null if not known."""
    last_name: NotRequired[str | None]
    """Last name of the customer. Null if not known."""
    email: NotRequired[str | None]
    """Unique within the account, in any case. Required if there is neither a phone nor a last
    name.
    """
    phone: NotRequired[str | None]
    """Phone number as the caller wrote it. Null if not known."""
    company: NotRequired[str | None]
    """Company that the customer orders for. Null without one."""
    tags: NotRequired[list[str] | None]
    """Free-form tags, without HTML."""
    is_blacklisted: NotRequired[bool | None]
    """Whether the bakery no longer serves the customer."""
    marketing_email: NotRequired[bool | None]
    """Whether the customer agreed to marketing by email. Null if not recorded."""
    marketing_sms: NotRequired[bool | None]
    """Whether the customer agreed to marketing by text message. Null if not recorded."""
    external_id: NotRequired[str | None]
    """Id of the customer in your own system. Null if none was sent."""
    notes: NotRequired[str | None]
    """Notes of the bakery about the customer, with markup. Null without notes."""
    address: NotRequired[AddressInput | None]
    """One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for
    space around it.
    """
    custom_fields: NotRequired[CustomFieldsInput | None]
    """Values by key of the custom field. Keys that the account has not defined are rejected. Empty
    when absent. A field named `__proto__`, `prototype` or `constructor` is `invalid_value`.
    """
    metadata: NotRequired[MetadataInput | None]
    """Texts of your own, by name. Empty when absent. A field named `__proto__`, `prototype` or
    `constructor` is `invalid_value`.
    """


class CustomerPage(TypedDict):
    """One page of a list, and how to get the next."""

    data: list[Customer]
    """Records. May be shorter than `limit`, or empty, although more records follow."""
    pagination: Pagination


class CustomerReference(TypedDict):
    """The customer of an order by id."""

    id: str
    """Id of a customer of the account."""


class CustomerUpdatedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: CustomerEventObject


class CustomerUpdatedEvent(TypedDict):
    """A customer was saved."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["customer.updated"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: CustomerUpdatedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class DateAvailability(TypedDict):
    """Availability of one date."""

    date: str
    """The date, `YYYY-MM-DD`."""
    bookable: bool
    """Whether no block applies. Lead time, capacity and stock are not considered."""
    blocked_reason: str | None
    """Null if the date is bookable. For a publishable key the reason is always `unavailable`."""
    time_slots: list[OfferedTimeSlot]
    """Slots of that weekday. Empty if the date is blocked."""


class DeletedWebhookEndpoint(TypedDict):
    """A deleted endpoint."""

    deleted: Literal[True]
    """Always true: the endpoint is deleted."""
    id: str
    """Id of the deleted endpoint."""


class Delivery(TypedDict):
    """The delivery of one event to one endpoint."""

    id: str
    """Id of the event."""
    type: str
    """Type of the event."""
    status: DeliveryStatus
    """`delivered` and `failed` are final."""
    attempts: int
    """Failed attempts so far."""
    last_status_code: int | None
    """Status of the last response. Null if there was none."""
    last_error: str | None
    """Failure of the last attempt, or null."""
    next_retry_at: str | None
    """The next attempt is at this time or later. Null without one."""
    last_attempt_at: str | None
    """Time of the last attempt. Null before the first."""
    delivered_at: str | None
    """Time of the 2xx response. Null until then."""
    failed_at: str | None
    """Time of the last failed attempt. Null unless `status` is `failed`."""
    created_at: str
    """Time of the change that caused the event."""


class DeliveryPage(TypedDict):
    """One page of a list, and how to get the next."""

    data: list[Delivery]
    """Records. May be shorter than `limit`, or empty, although more records follow."""
    pagination: Pagination


class DeliveryStats(TypedDict):
    """Delivery statistics of an endpoint."""

    success_count: int
    """Attempts that got a 2xx response."""
    failure_count: int
    """Attempts that got no 2xx response."""
    consecutive_failures: int
    """Failures since the last success. At 10 the endpoint is disabled, which a burst reaches
    within a second of an outage.
    """
    last_delivery_at: str | None
    """Time of the last attempt. Null before the first."""
    last_success_at: str | None
    """Time of the last 2xx response. Null before the first."""
    last_failure_at: str | None
    """Time of the last failed attempt. Null before the first."""


class Error(TypedDict):
    """The standard envelope."""

    error: ErrorDetail


class ErrorDetail(TypedDict):
    """Branch on `code`; the wording of `message` may change."""

    type: ErrorDetailType
    """Category of the error. Branch on `code` instead."""
    code: str
    """Stable code for programs. New codes may be added."""
    message: str
    """Says what is wrong and what to do. Its wording may change."""
    field: NotRequired[str]
    """Path of the wrong field or parameter, for example `items.0.quantity`."""
    requiredScope: NotRequired[str]
    """The missing scope; with `insufficient_scope` only."""


class EventCategory(TypedDict):
    """An occasion for orders."""

    name: str
    """Name for shoppers, as the account wrote it."""


class EventCategoryList(TypedDict):
    """The event categories of the account."""

    event_categories: list[EventCategory]
    """Event categories. Defaults if none are configured."""


class Expense(TypedDict):
    """An expense with all fields."""

    id: str
    """Id of the expense. Gateway-fee expenses have `gateway_fees_` and the date."""
    amount: float
    """Above 0, with at most 2 decimals."""
    currency: str
    """ISO 4217 code of every amount, uppercase."""
    category: str
    """Id of an expense category."""
    subcategory: str | None
    """Free text, without HTML. Null if it was not sent."""
    description: str | None
    """What was bought, with markup. Null if it was not sent."""
    notes: str | None
    """Notes of the bakery about the expense, with markup. Null without notes."""
    tags: list[str]
    """Labels that the bakery chose. Empty without labels."""
    date: str
    """Day or moment of the expense, on a whole second."""
    status: str
    """`submitted` if created by the API, `draft` until approved, `recorded` for gateway fees."""
    source: str
    """Channel that the expense came through. The service sets it."""
    editable: bool
    """Whether the dashboard may change it. False for gateway fees."""
    supplier: Supplier | None
    payment: ExpensePayment
    tax: ExpenseTax | None
    line_items: NotRequired[list[GatewayFeeLine]]
    """Only on gateway-fee expenses: one line per transaction."""
    metadata: NotRequired[GatewayFeeSummary]
    created_at: str
    """Time at which the expense was created."""
    updated_at: str
    """Time of the last save."""


class ExpenseCategory(TypedDict):
    """A category of expenses."""

    id: str
    """Id that expenses store."""
    label: str
    """Name for people. `POST /expenses` accepts it too."""
    description: str
    """Expenses that belong to the category."""


class ExpenseCategoryList(TypedDict):
    """The 19 expense categories."""

    expense_categories: list[ExpenseCategory]
    """The same for every account."""


class ExpenseCreatedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: ExpenseEventObject


class ExpenseCreatedEvent(TypedDict):
    """An expense was created."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["expense.created"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: ExpenseCreatedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class ExpenseEventObject(TypedDict):
    """An expense in `expense.*` events."""

    id: str
    """Id of the expense. Gateway-fee expenses have `gateway_fees_` and the date."""
    amount: float
    """Above 0, with at most 2 decimals."""
    currency: str
    """ISO 4217 code of every amount, uppercase."""
    category: str
    """Id of an expense category."""
    description: str | None
    """What was bought, with markup. Null if it was not sent."""
    date: str
    """Day or moment of the expense, on a whole second."""
    status: str
    """`submitted` if created by the API, `draft` until approved, `recorded` for gateway fees."""
    supplier_id: str | None
    """Id of the supplier in the caller's system. Null if not stated."""
    supplier_name: str | None
    """Name of the supplier. Null if not stated."""
    payment_status: str | None
    """Free text, without HTML. Null if it was not sent."""
    payment_method: str | None
    """Free text, without HTML. Null if it was not sent."""
    payment_reference: str | None
    """Free text, without HTML. Null if it was not sent."""
    external_id: str | None
    """Id of the expense in another system. Null without one."""
    created_at: str
    """Time at which the expense was created."""
    updated_at: str
    """Time of the last save."""


class ExpenseInput(TypedDict):
    """An expense to create."""

    amount: float
    """Above 0 after it is rounded to 2 decimals, half away from zero."""
    date: str
    """ISO 8601, or epoch seconds as a string. After the Unix epoch. A date without a time,
    `20260305` too, is midnight UTC.
    """
    category: str
    """Id or label of an expense category, in any case. Stored as its id."""
    currency: NotRequired[str | None]
    """Three letters in any case. The account's currency when absent."""
    subcategory: NotRequired[str | None]
    """Free text, without HTML. Null if it was not sent."""
    description: NotRequired[str | None]
    """What was bought, with markup. Null if it was not sent."""
    notes: NotRequired[str | None]
    """Notes of the bakery about the expense, with markup. Null without notes."""
    tags: NotRequired[list[str] | None]
    """Free-form tags, without HTML. Any value that is not an array counts as empty."""
    supplier: NotRequired[SupplierInput | None]
    """Who was paid. Other fields are dropped."""
    payment: NotRequired[ExpensePaymentInput | None]
    """How the expense is paid. Other fields are dropped."""
    tax: NotRequired[ExpenseTaxInput | None]
    """Tax that the amount includes. Other fields are dropped."""


class ExpensePayment(TypedDict):
    """Payment of an expense. Fields that were not set are null."""

    method: str | None
    """Free text, without HTML. Null if it was not sent."""
    status: str | None
    """Free text; `deducted_at_source` for gateway fees."""
    due_date: str | None
    """Free text, without HTML. Null if it was not sent."""
    reference: str | None
    """Free text, without HTML. Null if it was not sent."""


class ExpensePaymentInput(TypedDict):
    """How an expense is paid. Every field is optional."""

    method: NotRequired[str | None]
    """Free text, without HTML. Null if it was not sent."""
    status: NotRequired[str | None]
    """Free text, without HTML."""
    due_date: NotRequired[str | None]
    """Free text, without HTML. Null if it was not sent."""
    reference: NotRequired[str | None]
    """Free text, without HTML. Null if it was not sent."""


class ExpenseSummary(TypedDict):
    """An expense in a list."""

    id: str
    """Id of the expense. Gateway-fee expenses have `gateway_fees_` and the date."""
    amount: float
    """Above 0, with at most 2 decimals."""
    currency: str
    """ISO 4217 code of every amount, uppercase."""
    category: str
    """Id of an expense category."""
    date: str
    """Day or moment of the expense, on a whole second."""
    status: str
    """`submitted` if created by the API, `draft` until approved, `recorded` for gateway fees."""
    source: str
    """Channel that the expense came through. The service sets it."""
    editable: bool
    """Whether the dashboard may change it. False for gateway fees."""
    supplier_name: str | None
    """Name of the supplier. Null if not stated."""
    description: str | None
    """What was bought, with markup. Null if it was not sent."""
    updated_at: str
    """Time of the last save."""


class ExpenseSummaryPage(TypedDict):
    """One page of a list, and how to get the next."""

    data: list[ExpenseSummary]
    """Records. May be shorter than `limit`, or empty, although more records follow."""
    pagination: Pagination


class ExpenseTax(TypedDict):
    """Tax included in an expense."""

    amount: float | None
    """Amount of the tax in the expense's currency, with at most 2 decimals. Null if not stated."""
    rate: float | None
    """Rate of the tax as the caller sent it, for example 10 for 10 %. Null if not stated."""


class ExpenseTaxInput(TypedDict):
    """Tax that the amount of an expense includes."""

    amount: NotRequired[float | None]
    """Amount of the tax in the expense's currency, with at most 2 decimals. Null if not stated."""
    rate: NotRequired[float | None]
    """Rate of the tax as the caller sent it, for example 10 for 10 %. Null if not stated."""


class ExpenseUpdatedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: ExpenseEventObject


class ExpenseUpdatedEvent(TypedDict):
    """An expense was saved."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["expense.updated"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: ExpenseUpdatedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class GatewayError(TypedDict):
    """A response of the gateway itself."""

    message: str
    """Says what is wrong and what to do. Its wording may change."""


class GatewayFeeLine(TypedDict):
    """The fee of one transaction."""

    order_id: str
    """Id of the order that was paid."""
    order_label: str
    """Number of the order as people see it, for example `#1001`."""
    gateway: str
    """Name of the payment gateway, for example `stripe`."""
    amount: float
    """Fee that the gateway kept, in the currency of the expense."""


class GatewayFeeSummary(TypedDict):
    """Summary of a day's gateway fees."""

    transaction_count: int
    """Number of transactions with a fee."""
    gateways: list[str]
    """Names of the gateways, each once."""


class InventoryItem(TypedDict):
    """A stock item that is running low."""

    id: str
    """Id of the item."""
    type: str
    """Kind of item, for example `ingredient`. The bakery chooses it."""
    name: str
    """Name of the item."""
    category: str | None
    """Group of items, for example `Dry goods`. Null without one."""
    current_stock: float
    """Quantity in stock, in `unit`."""
    reorder_point: float
    """Quantity in `unit` at which the stock counts as low."""
    unit: str
    """Unit of the quantities, for example `kg`."""
    supplier_id: str | None
    """Id of the supplier in the caller's system. Null if not stated."""
    supplier_name: str | None
    """Name of the supplier. Null if not stated."""


class InventoryLowEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: InventoryItem


class InventoryLowEvent(TypedDict):
    """Stock is running low."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["inventory.low"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: InventoryLowEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class LimitReachedDetail(TypedDict):
    """The limit that was reached."""

    type: Literal["rate_limit_error"]
    code: Literal["limit_reached"]
    message: str
    """Says what is wrong and what to do. Its wording may change."""
    limit: Literal["orders_per_month"]
    current: int
    """Orders of this UTC month."""
    max: int
    """Orders a month that the plan allows."""


class LimitReachedError(TypedDict):
    """The standard envelope at the order limit."""

    error: LimitReachedDetail


class OfferedTimeSlot(TypedDict):
    """A time slot of one date."""

    id: str
    """Opaque. Slots of old configurations have ids by position."""
    label: str
    """Display name. If none is configured: start and end, or empty."""
    type: TimeSlotType
    """Pickup or delivery. Dispatch has no slots."""
    start: str | None
    """Start time. Null if not configured."""
    end: str | None
    """End time. Equal to `start` for a single time; null if not configured."""
    multiplier: float
    """Factor on the delivery fee."""


class Order(TypedDict):
    """An order without its payments."""

    id: str
    """Id of the order."""
    order_number: int
    """Increases within the account. Gaps are possible."""
    friendly_order_number: str
    """Display number: `#` and the order number."""
    external_id: str | None
    """Id of the order in your own system. Null if none was sent."""
    status: str
    """Status of the order. New values may be added."""
    payment_status: str
    """Whether the order is paid. The service changes it with payments, refunds and disputes.
    Imported orders may have other values.
    """
    subtotal: float
    """Sum of the items."""
    tax: float
    """Tax on top of the items."""
    delivery_fee: float
    """Fee on top of the items."""
    discount: float
    """Subtracted from the total."""
    total: float
    """Subtotal plus tax plus delivery fee minus discount."""
    currency: str
    """ISO 4217 code of every amount. `AUD` if neither the order nor the account has a currency."""
    customer_id: str | None
    """Id of the customer. Null for a walk-in."""
    customer_name: str | None
    """Name of the customer when the order was created."""
    customer_email: str | None
    """Email of the customer when the order was created."""
    customer_phone: str | None
    """Phone of the customer when the order was created."""
    delivery_type: str
    """How the order reaches the customer. `dispatch` is by carrier."""
    delivery_date: str | None
    """Day of the pickup or delivery that the customer asked for. Null if none was asked for."""
    delivery_time: str | None
    """Time of the pickup or delivery that the customer asked for. Null for `dispatch`."""
    items_count: int
    """Number of lines, not of pieces."""
    order_type: str | None
    """Kind of order, as free text. Null if it was not sent."""
    source: str
    """Channel that created the order, for example `api` or `checkout`."""
    created_at: str
    """Time at which the order was created."""
    updated_at: str
    """Time of the last save."""
    items: list[OrderItem]
    """Lines, in the order sent."""
    payment_method: str | None
    """Free text, returned as sent. The service itself writes values such as `stripe`, `card`,
    `cash` or `other`.
    """
    event_category: str | None
    """Occasion, as free text. Null if it was not sent."""
    delivery_address: Address | None
    """One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for
    space around it.
    """
    notes: str | None
    """Notes about the order, with markup. Null without notes."""
    custom_fields: CustomFields
    """Values by key of the custom field."""
    metadata: Metadata
    """The caller's texts by name."""


class OrderCreatedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: OrderEventObject


class OrderCreatedEvent(TypedDict):
    """An order was created."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["order.created"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: OrderCreatedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class OrderDeletedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: OrderEventObject


class OrderDeletedEvent(TypedDict):
    """An order was deleted."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["order.deleted"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: OrderDeletedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class OrderEventObject(TypedDict):
    """An order in `order.*` events."""

    id: str
    """Id of the order."""
    order_number: int
    """Increases within the account. Gaps are possible."""
    friendly_order_number: str
    """Display number: `#` and the order number."""
    external_id: str | None
    """Id of the order in your own system. Null if none was sent."""
    status: str
    """Status of the order. New values may be added."""
    payment_status: str
    """Whether the order is paid. The service changes it with payments, refunds and disputes.
    Imported orders may have other values.
    """
    subtotal: float
    """Sum of the items."""
    tax: float
    """Tax on top of the items."""
    delivery_fee: float
    """Fee on top of the items."""
    discount: float
    """Subtracted from the total."""
    total: float
    """Subtotal plus tax plus delivery fee minus discount."""
    currency: str
    """ISO 4217 code of every amount. `AUD` if neither the order nor the account has a currency."""
    customer_id: str | None
    """Id of the customer. Null for a walk-in."""
    customer_name: str | None
    """Name of the customer when the order was created."""
    customer_email: str | None
    """Email of the customer when the order was created."""
    customer_phone: str | None
    """Phone of the customer when the order was created."""
    delivery_type: str
    """How the order reaches the customer. `dispatch` is by carrier."""
    delivery_date: str | None
    """Day of the pickup or delivery that the customer asked for. Null if none was asked for."""
    delivery_time: str | None
    """Time of the pickup or delivery that the customer asked for. Null for `dispatch`."""
    items_count: int
    """Number of lines, not of pieces."""
    order_type: str | None
    """Kind of order, as free text. Null if it was not sent."""
    source: str
    """Channel that created the order, for example `api` or `checkout`."""
    created_at: str
    """Time at which the order was created."""
    updated_at: str
    """Time of the last save."""


class OrderInput(TypedDict):
    """An order to create, with its customer and payments."""

    items: list[OrderItemInput]
    """What is ordered, one line per product or variant."""
    status: NotRequired[OrderStatus | None]
    """Any status. Transitions are not checked here."""
    payment_status: NotRequired[OrderPaymentStatus | None]
    """Any status. It is not derived from `payments`."""
    external_id: NotRequired[str | None]
    """Id of the order in your own system. Null if none was sent."""
    tax: NotRequired[float | None]
    """Added to the total. Rounded to 2 decimals."""
    delivery_fee: NotRequired[float | None]
    """Added to the total. Rounded to 2 decimals."""
    discount: NotRequired[float | None]
    """Subtracted from the total. Rounded to 2 decimals."""
    delivery_type: NotRequired[DeliveryType | None]
    """How the order reaches the customer. `dispatch` is by carrier."""
    delivery_date: NotRequired[str | None]
    """Day of the pickup or delivery that the customer asked for. Null if none was asked for."""
    delivery_time: NotRequired[str | None]
    """Requested time, `HH:MM`. Dropped for `dispatch`."""
    order_type: NotRequired[str | None]
    """Kind of order, as free text. Null if it was not sent."""
    payment_method: NotRequired[str | None]
    """Free text, returned unchanged."""
    event_category: NotRequired[str | None]
    """Free text. It is not compared with the event categories."""
    delivery_address: NotRequired[AddressInput | None]
    """One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for
    space around it.
    """
    notes: NotRequired[str | None]
    """Notes about the order, with markup. Null without notes."""
    custom_fields: NotRequired[CustomFieldsInput | None]
    """Values by key of the custom field. Keys that the account has not defined are rejected. Empty
    when absent. A field named `__proto__`, `prototype` or `constructor` is `invalid_value`.
    """
    metadata: NotRequired[MetadataInput | None]
    """Texts of your own, by name. Empty when absent. A field named `__proto__`, `prototype` or
    `constructor` is `invalid_value`.
    """
    customer: NotRequired[OrderCustomerInput | None]
    """A customer by id or by details. Details match an existing customer by email or create a new
    one; beside an id they are ignored. Absent for a walk-in.
    """
    payments: NotRequired[list[PaymentInput] | None]
    """Payments to record with the order."""
    emit_webhooks: NotRequired[bool | None]
    """Whether the payments emit events. The order always does."""
    currency: NotRequired[str | None]
    """Three letters in any case. The account's currency when absent, or `AUD` if it has none."""


class OrderItem(TypedDict):
    """One line of an order."""

    id: str
    """Id of the line. It never changes."""
    product_id: str | None
    """Id of the product. Null for a line without a product."""
    variant_id: str | None
    """Id of the variant of the product. Null without a variant."""
    name: str
    """Name at the time of the order."""
    quantity: int
    """Number of pieces."""
    unit_price: float
    """Price of one piece in the order's currency."""
    total: float
    """Quantity times unit price, in the order's currency."""
    notes: str | None
    """Wishes for this line, with markup. Null without notes."""


class OrderItemInput(TypedDict):
    """A line of an order: a product of the catalog, or a name and a price."""

    product_id: NotRequired[str | None]
    """A product on the storefront. It supplies name and price if they are absent. A price in
    another currency than the order's is rejected.
    """
    variant_id: NotRequired[str | None]
    """A variant of the product. It supplies name and price if they are absent."""
    name: NotRequired[str | None]
    """Name of the line. Required without `product_id`; otherwise the name of the product."""
    quantity: int
    """Number of pieces."""
    unit_price: NotRequired[float | None]
    """Price of one piece, rounded to 2 decimals. Required without `product_id`; otherwise the
    price of the product.
    """
    notes: NotRequired[str | None]
    """Wishes for this line, with markup. Null without notes."""


class OrderPage(TypedDict):
    """One page of a list, and how to get the next."""

    data: list[Order]
    """Records. May be shorter than `limit`, or empty, although more records follow."""
    pagination: Pagination


class OrderStatusChangedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: OrderStatusChangedEventObject


class OrderStatusChangedEvent(TypedDict):
    """An order moved to another status."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["order.status_changed"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: OrderStatusChangedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class OrderStatusChangedEventObject(TypedDict):
    """An order with its previous status."""

    id: str
    """Id of the order."""
    order_number: int
    """Increases within the account. Gaps are possible."""
    friendly_order_number: str
    """Display number: `#` and the order number."""
    external_id: str | None
    """Id of the order in your own system. Null if none was sent."""
    status: str
    """Status of the order. New values may be added."""
    payment_status: str
    """Whether the order is paid. The service changes it with payments, refunds and disputes.
    Imported orders may have other values.
    """
    subtotal: float
    """Sum of the items."""
    tax: float
    """Tax on top of the items."""
    delivery_fee: float
    """Fee on top of the items."""
    discount: float
    """Subtracted from the total."""
    total: float
    """Subtotal plus tax plus delivery fee minus discount."""
    currency: str
    """ISO 4217 code of every amount. `AUD` if neither the order nor the account has a currency."""
    customer_id: str | None
    """Id of the customer. Null for a walk-in."""
    customer_name: str | None
    """Name of the customer when the order was created."""
    customer_email: str | None
    """Email of the customer when the order was created."""
    customer_phone: str | None
    """Phone of the customer when the order was created."""
    delivery_type: str
    """How the order reaches the customer. `dispatch` is by carrier."""
    delivery_date: str | None
    """Day of the pickup or delivery that the customer asked for. Null if none was asked for."""
    delivery_time: str | None
    """Time of the pickup or delivery that the customer asked for. Null for `dispatch`."""
    items_count: int
    """Number of lines, not of pieces."""
    order_type: str | None
    """Kind of order, as free text. Null if it was not sent."""
    source: str
    """Channel that created the order, for example `api` or `checkout`."""
    created_at: str
    """Time at which the order was created."""
    updated_at: str
    """Time of the last save."""
    previous_status: NotRequired[str]
    """Status before the change. Absent if not recorded."""


class OrderUpdatedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: OrderEventObject


class OrderUpdatedEvent(TypedDict):
    """An order was saved."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["order.updated"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: OrderUpdatedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class OrderWithPayments(TypedDict):
    """An order with its payments."""

    id: str
    """Id of the order."""
    order_number: int
    """Increases within the account. Gaps are possible."""
    friendly_order_number: str
    """Display number: `#` and the order number."""
    external_id: str | None
    """Id of the order in your own system. Null if none was sent."""
    status: str
    """Status of the order. New values may be added."""
    payment_status: str
    """Whether the order is paid. The service changes it with payments, refunds and disputes.
    Imported orders may have other values.
    """
    subtotal: float
    """Sum of the items."""
    tax: float
    """Tax on top of the items."""
    delivery_fee: float
    """Fee on top of the items."""
    discount: float
    """Subtracted from the total."""
    total: float
    """Subtotal plus tax plus delivery fee minus discount."""
    currency: str
    """ISO 4217 code of every amount. `AUD` if neither the order nor the account has a currency."""
    customer_id: str | None
    """Id of the customer. Null for a walk-in."""
    customer_name: str | None
    """Name of the customer when the order was created."""
    customer_email: str | None
    """Email of the customer when the order was created."""
    customer_phone: str | None
    """Phone of the customer when the order was created."""
    delivery_type: str
    """How the order reaches the customer. `dispatch` is by carrier."""
    delivery_date: str | None
    """Day of the pickup or delivery that the customer asked for. Null if none was asked for."""
    delivery_time: str | None
    """Time of the pickup or delivery that the customer asked for. Null for `dispatch`."""
    items_count: int
    """Number of lines, not of pieces."""
    order_type: str | None
    """Kind of order, as free text. Null if it was not sent."""
    source: str
    """Channel that created the order, for example `api` or `checkout`."""
    created_at: str
    """Time at which the order was created."""
    updated_at: str
    """Time of the last save."""
    items: list[OrderItem]
    """Lines, in the order sent."""
    payment_method: str | None
    """Free text, returned as sent. The service itself writes values such as `stripe`, `card`,
    `cash` or `other`.
    """
    event_category: str | None
    """Occasion, as free text. Null if it was not sent."""
    delivery_address: Address | None
    """One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for
    space around it.
    """
    notes: str | None
    """Notes about the order, with markup. Null without notes."""
    custom_fields: CustomFields
    """Values by key of the custom field."""
    metadata: Metadata
    """The caller's texts by name."""
    payments: list[Payment]
    """Payments and refunds, oldest first."""


class Pagination(TypedDict):
    """Position of the page. Continue with `next_cursor` while `has_more` is true."""

    limit: int
    """Maximum number of records on the page: what was asked for, between 1 and 100."""
    has_more: bool
    """Whether more records follow."""
    next_cursor: str | None
    """Cursor of the next page. Null on the last page."""
    prev_cursor: None
    """Always null: lists go forward only."""


class Payment(TypedDict):
    """A payment or a refund, as in orders and `payment.*` events."""

    id: str
    """Id of the payment."""
    order_id: str | None
    """Id of the order. Null without an order."""
    customer_id: str | None
    """Id of the customer who paid. Null if not known."""
    schedule_id: str | None
    """Id of the payment plan in the dashboard. Null without a plan."""
    amount: float
    """Amount without the tip, in the order's currency."""
    tip_amount: float
    """Tip, added to the amount."""
    total_amount: float
    """`amount` plus `tip_amount`."""
    fee_amount: float
    """Fee that the gateway kept. 0 if not known."""
    net_amount: float
    """`total_amount` minus `fee_amount`."""
    type: PaymentType
    """A refund is a separate record that refers to the original payment."""
    source: str
    """Channel that recorded it, for example `api`, `dashboard` or `checkout`."""
    method: str
    """How the customer paid. `other` if the method is not in the list."""
    status: str
    """Status. `approved` counts as completed."""
    previous_status: str | None
    """Status before the last write. Equal to `status` if the write did not change it; null on
    creation.
    """
    method_details: PaymentMethodDetails | None
    gateway: PaymentGatewayReference | None
    original_payment_id: str | None
    """Only on a refund: id of the refunded payment."""
    refunded_amount: float
    """Amount that was refunded so far. 0 on a refund."""
    description: str | None
    """What the payment is for, with markup. Null if not stated."""
    created_at: str
    """Time at which the payment was recorded."""
    completed_at: str | None
    """Time of the last completion or approval. Null before the first."""


class PaymentCompletedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: Payment


class PaymentCompletedEvent(TypedDict):
    """A payment was completed."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["payment.completed"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: PaymentCompletedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class PaymentCreatedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: Payment


class PaymentCreatedEvent(TypedDict):
    """A payment was recorded."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["payment.created"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: PaymentCreatedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class PaymentFailedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: Payment


class PaymentFailedEvent(TypedDict):
    """A payment failed."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["payment.failed"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: PaymentFailedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class PaymentGatewayReference(TypedDict):
    """The gateway that took the payment, and its transaction."""

    provider: str | None
    """Name of the gateway, for example `stripe`. Null if not stated."""
    transaction_id: str | None
    """The gateway's id of the transaction. Null if not stated."""


class PaymentGatewayReferenceInput(TypedDict):
    """The gateway that took a payment, and its transaction."""

    provider: NotRequired[str | None]
    """Name of the gateway, for example `stripe`. Null if not stated."""
    transaction_id: NotRequired[str | None]
    """The gateway's id of the transaction. Null if not stated."""


class PaymentInput(TypedDict):
    """A payment to record with an order. The service takes no money for it."""

    amount: float
    """Above 0 after it is rounded to 2 decimals."""
    tip_amount: NotRequired[float | None]
    """Tip, added to the amount."""
    fee_amount: NotRequired[float | None]
    """Fee that the gateway kept. 0 if not known."""
    status: NotRequired[PaymentStatus | None]
    """`approved` counts as completed."""
    method_details: NotRequired[PaymentMethodDetailsInput | None]
    """Card or wallet that paid. Null if not known."""
    gateway: NotRequired[PaymentGatewayReferenceInput | None]
    """The gateway that took the payment, and its transaction. Null without a gateway."""
    description: NotRequired[str | None]
    """What the payment is for, with markup. Null if not stated."""
    method: NotRequired[str]
    """One of card, credit_card, bank_transfer, wire_transfer, cash, check, cheque, paypal,
    apple_pay, google_pay, afterpay, klarna, store_credit, imported, other, in any case. Other
    values are recorded as `other`.
    """


class PaymentMethod(TypedDict):
    """A payment method that the account offers."""

    id: str
    """The account's own id."""
    name: str
    """Name for shoppers, as the account wrote it."""


class PaymentMethodDetails(TypedDict):
    """Card or wallet that paid."""

    brand: str | None
    """Brand of the card, for example `visa`. Null if not known."""
    last4: str | None
    """Last four digits of the card. Null if not known."""
    wallet_type: str | None
    """Wallet that holds the card, for example `apple_pay`. Null without a wallet."""


class PaymentMethodDetailsInput(TypedDict):
    """Card or wallet that paid."""

    brand: NotRequired[str | None]
    """Brand of the card, for example `visa`. Null if not known."""
    last4: NotRequired[str | None]
    """Last four digits of the card. Null if not known."""
    wallet_type: NotRequired[str | None]
    """Wallet that holds the card, for example `apple_pay`. Null without a wallet."""


class PaymentMethodList(TypedDict):
    """The payment methods of the account."""

    payment_methods: list[PaymentMethod]
    """Enabled payment methods. Empty if none are configured."""


class PaymentRefundedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: Payment


class PaymentRefundedEvent(TypedDict):
    """A refund was recorded."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["payment.refunded"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: PaymentRefundedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class PaymentUpdatedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: Payment


class PaymentUpdatedEvent(TypedDict):
    """A payment was written."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["payment.updated"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: PaymentUpdatedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class PlanRequiredError(TypedDict):
    """The account's plan does not include the API. Flat; do not retry."""

    error: Literal["plan_required"]
    feature: Literal["rest-api"]
    label: str
    """Name of the feature."""
    required: Literal["business"]
    current: PlanRequiredErrorCurrent
    """Plan of the account."""


class Product(TypedDict):
    """A product of the bakery."""

    id: str
    """Id of the product."""
    name: str
    """Name of the product."""
    description: str | None
    """Description for shoppers, with markup. Null without a description."""
    status: ProductStatus
    """Status. Only events show deleted products."""
    storefront_visible: bool
    """Whether the storefront shows it: true if it is active, not hidden and not deleted."""
    price: float
    """Price of the product. A product with variants is sold at their prices."""
    currency: str
    """ISO 4217 code of every price."""
    category: str | None
    """Category in the catalog, which the bakery chose. Null without one."""
    tags: list[str]
    """Labels that the bakery chose. Empty without labels."""
    images: list[str]
    """HTTPS URLs of pictures, in the order sent. Empty without pictures."""
    variants: list[ProductVariant]
    """Variants. Empty if there is only one form."""
    allergens: list[Allergen]
    """Allergens. Empty if none are stated."""
    custom_fields: CustomFields
    """Values by key of the custom field. A publishable key gets only values of active definitions
    that are not internal.
    """
    created_at: str
    """Time at which the product was created."""
    updated_at: str
    """Time of the last save."""


class ProductCreatedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: ProductEventObject


class ProductCreatedEvent(TypedDict):
    """A product was added."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["product.created"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: ProductCreatedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class ProductDeletedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: ProductEventObject


class ProductDeletedEvent(TypedDict):
    """A product was deleted."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["product.deleted"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: ProductDeletedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class ProductEventObject(TypedDict):
    """A product in `product.*` events."""

    id: str
    """Id of the product."""
    name: str
    """Name of the product."""
    status: ProductStatus
    """Status. Only events show deleted products."""
    storefront_visible: bool
    """Whether the storefront shows it: true if it is active, not hidden and not deleted."""
    updated_at: str
    """Time of the last save."""


class ProductPage(TypedDict):
    """One page of a list, and how to get the next."""

    data: list[Product]
    """Records. May be shorter than `limit`, or empty, although more records follow."""
    pagination: Pagination


class ProductUpdatedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: ProductEventObject


class ProductUpdatedEvent(TypedDict):
    """A product was saved."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["product.updated"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: ProductUpdatedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class ProductVariant(TypedDict):
    """A variant of a product."""

    id: str
    """Id of the variant within its product."""
    name: str
    """Name of the variant."""
    price: float
    """Price of the variant in the currency of the product."""


class QuickSale(TypedDict):
    """A sale without an order, over the counter or at a market."""

    id: str
    """Id of the sale."""
    date: str
    """Day of the sale in the account's time zone."""
    description: str | None
    """What was sold, with markup. Null if not stated."""
    sale_type: str | None
    """Kind of sale, for example `market`. Null if not stated."""
    location: str | None
    """Place of the sale. Null if not stated."""
    event_name: str | None
    """Event or market of the sale. Null without one."""
    gross_sales: float
    """Money taken, in the account's currency."""
    gross_cost: float
    """Cost of the goods, in the account's currency. 0 if not stated."""
    net_amount: float
    """`gross_sales` minus `gross_cost`."""
    payment_method: str | None
    """How the customers paid, as free text. Null if not stated."""
    items_count: int
    """Number of lines, not of pieces."""
    created_at: str
    """Time at which the sale was recorded."""
    updated_at: str
    """Time of the last save."""


class QuickSaleCreatedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: QuickSale


class QuickSaleCreatedEvent(TypedDict):
    """A quick sale was recorded."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["quick_sale.created"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: QuickSaleCreatedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class QuickSaleDeletedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: QuickSale


class QuickSaleDeletedEvent(TypedDict):
    """A quick sale was deleted."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["quick_sale.deleted"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: QuickSaleDeletedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class QuickSaleUpdatedEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: QuickSale


class QuickSaleUpdatedEvent(TypedDict):
    """A quick sale was saved."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["quick_sale.updated"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: QuickSaleUpdatedEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class RateLimitError(TypedDict):
    """Too many requests. Flat."""

    error: Literal["rate_limit_exceeded"]
    message: str
    """Says what is wrong and what to do. Its wording may change."""
    retryAfter: int
    """Seconds to wait, as in Retry-After."""


class RecurringRule(TypedDict):
    """Weekdays without pickup or delivery."""

    id: str
    """Id of the rule."""
    type: str
    """Rules of any other type never match."""
    days_of_week: list[int]
    """From 0 = Sunday to 6 = Saturday. Empty matches no day."""
    enabled: bool
    """A disabled rule never blocks."""
    start_date: str | None
    """First date of the rule. Null means no limit."""
    end_date: str | None
    """Last date of the rule. Null means no limit."""


class RotatedSecret(TypedDict):
    """The new signing secret of an endpoint."""

    id: str
    """Id of the endpoint."""
    secret: str
    """Signing secret, including the prefix. Only this response has it."""
    previous_secret_expires_at: str
    """Deliveries are signed with both secrets until this time."""


class SearchToken(TypedDict):
    """A key that lets a browser search the storefront for 15 minutes."""

    token: str
    """Scoped search-only key for Typesense's client library."""
    expires_at: str
    """The token is valid until this time."""
    provider: SearchTokenProvider
    """Search engine that accepts the token."""
    host: str
    """Host name of the search engine, for HTTPS. If the settings have an origin, that origin with
    scheme and port.
    """
    collection: str
    """Name of the collection to search."""


class Supplier(TypedDict):
    """Who was paid."""

    id: str | None
    """Id of the supplier in the caller's system. Null if not stated."""
    name: str | None
    """Name of the supplier. Null if not stated."""


class SupplierInput(TypedDict):
    """Who was paid for an expense."""

    id: NotRequired[str | None]
    """Id of the supplier in the caller's system. Null if not stated."""
    name: NotRequired[str | None]
    """Name of the supplier. Null if not stated."""


class TimeSlot(TypedDict):
    """A time for pickup or delivery."""

    id: str
    """Opaque. Slots of old configurations have ids by position."""
    label: str
    """Display name. If none is configured: start and end, or empty."""
    type: TimeSlotType
    """Pickup or delivery. Dispatch has no slots."""
    start: str | None
    """Start time. Null if not configured."""
    end: str | None
    """End time. Equal to `start` for a single time; null if not configured."""
    multiplier: float
    """Factor on the delivery fee."""
    available_days: list[int]
    """Weekdays from 0 = Sunday to 6 = Saturday; empty means every day."""


class TimeSlotList(TypedDict):
    """The time slots of the account."""

    time_slots: list[TimeSlot]
    """Pickup slots first, then delivery slots, in the configured order."""


class WebhookEndpoint(TypedDict):
    """A URL that receives events."""

    id: str
    """Opaque id. Its prefix may change."""
    url: str
    """URL that receives the events."""
    description: str
    """Text that the caller gave the endpoint. Empty if none was sent."""
    events: list[str]
    """Event types that the endpoint receives."""
    enabled: bool
    """Whether the endpoint receives events. The service sets it to false after 10 failures in a
    row.
    """
    status: WebhookEndpointStatus
    """`active` if `enabled` is true."""
    delivery_stats: DeliveryStats
    created_at: str
    """Time at which the endpoint was registered."""
    updated_at: str
    """Time of the last change by the API."""
    disabled_reason: str | None
    """Reason if the service disabled it, otherwise null. Fix the receiver, set `enabled`, and
    fetch what changed since with `updated_after`.
    """


class WebhookEndpointChanges(TypedDict):
    """The fields of an endpoint to change. Absent fields stay."""

    url: NotRequired[str]
    """Public HTTPS URL without credentials. Unique within the account."""
    events: NotRequired[list[EventType]]
    """Replaces the subscribed types. Duplicates are removed."""
    description: NotRequired[str | None]
    """Your own text for the endpoint. Null empties it."""
    enabled: NotRequired[bool]
    """True also clears `disabled_reason` and the count of consecutive failures. Events from while
    it was disabled are not sent later.
    """


class WebhookEndpointInput(TypedDict):
    """An endpoint to register."""

    url: str
    """Public HTTPS URL without credentials. Unique within the account."""
    events: list[EventType]
    """Event types to receive. Duplicates are removed."""
    description: NotRequired[str | None]
    """Your own text for the endpoint. Empty if absent."""


class WebhookEndpointSummary(TypedDict):
    """An endpoint in a list."""

    id: str
    """Opaque id. Its prefix may change."""
    url: str
    """URL that receives the events."""
    description: str
    """Text that the caller gave the endpoint. Empty if none was sent."""
    events: list[str]
    """Event types that the endpoint receives."""
    enabled: bool
    """Whether the endpoint receives events. The service sets it to false after 10 failures in a
    row.
    """
    status: WebhookEndpointStatus
    """`active` if `enabled` is true."""
    delivery_stats: DeliveryStats
    created_at: str
    """Time at which the endpoint was registered."""
    updated_at: str
    """Time of the last change by the API."""


class WebhookEndpointSummaryPage(TypedDict):
    """One page of a list, and how to get the next."""

    data: list[WebhookEndpointSummary]
    """Records. May be shorter than `limit`, or empty, although more records follow."""
    pagination: Pagination


class WebhookEndpointWithSecret(TypedDict):
    """A new endpoint with its signing secret."""

    id: str
    """Opaque id. Its prefix may change."""
    url: str
    """URL that receives the events."""
    description: str
    """Text that the caller gave the endpoint. Empty if none was sent."""
    events: list[str]
    """Event types that the endpoint receives."""
    enabled: bool
    """Whether the endpoint receives events. The service sets it to false after 10 failures in a
    row.
    """
    status: WebhookEndpointStatus
    """`active` if `enabled` is true."""
    delivery_stats: DeliveryStats
    created_at: str
    """Time at which the endpoint was registered."""
    updated_at: str
    """Time of the last change by the API."""
    disabled_reason: str | None
    """Reason if the service disabled it, otherwise null. Fix the receiver, set `enabled`, and
    fetch what changed since with `updated_after`.
    """
    secret: str
    """Signing secret, including the prefix. Only this response has it."""


class WebhookTestEventData(TypedDict):
    """Holds the record after the change, or the message of a test event."""

    object: WebhookTestMessage


class WebhookTestEvent(TypedDict):
    """A test event."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["webhook.test"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: WebhookTestEventData
    """Holds the record after the change, or the message of a test event."""
    tenant_id: str
    """Id of the account."""


class WebhookTestMessage(TypedDict):
    """Content of `webhook.test`."""

    message: str
    """The same sentence in every test event."""
    timestamp: str
    """Time at which the test was sent."""


class WebhookTestResult(TypedDict):
    """Result of a test event."""

    success: bool
    """Whether the receiver responded with 2xx."""
    status_code: int | None
    """Status of the response. Null if there was none."""
    response_time_ms: float | None
    """Milliseconds until the response. Null if there was none."""
    error: str | None
    """Cause of the failure. `no_response` includes timeouts, DNS, refused connections and TLS."""


AccountInactiveErrorStatus = Literal["suspended", "closed"]


Address = Union[
    str,
    "AddressFields",
]


AddressFields = dict[str, str | None]


AddressFieldsInput = dict[str, str | None]


AddressInput = Union[
    str,
    "AddressFieldsInput",
]


AllergenLevel = Literal["contains", "may_contain", "processed_in"]


CheckoutSessionStatus = Literal["open", "processing", "pending", "paid"]


CustomFieldScope = Literal["order", "product", "customer"]


CustomFieldValue = Union[
    str,
    float,
    bool,
    None,
    list[str],
]


CustomFieldValueInput = Union[
    None,
    bool,
    float,
    str,
    list[str],
]


CustomFields = dict[str, "CustomFieldValue"]


CustomFieldsInput = dict[str, "CustomFieldValueInput"]


DeliveryStatus = Literal["pending", "delivered", "failed"]


DeliveryType = Literal["pickup", "delivery", "dispatch"]


ErrorDetailType = Literal["authentication_error", "permission_error", "invalid_request_error", "validation_error", "not_found", "conflict", "idempotency_error", "deprecated", "api_error", "service_unavailable"]


Event = Union[
    "OrderCreatedEvent",
    "OrderUpdatedEvent",
    "OrderStatusChangedEvent",
    "OrderDeletedEvent",
    "CustomerCreatedEvent",
    "CustomerUpdatedEvent",
    "ExpenseCreatedEvent",
    "ExpenseUpdatedEvent",
    "ProductCreatedEvent",
    "ProductUpdatedEvent",
    "ProductDeletedEvent",
    "PaymentCreatedEvent",
    "PaymentUpdatedEvent",
    "PaymentCompletedEvent",
    "PaymentFailedEvent",
    "PaymentRefundedEvent",
    "QuickSaleCreatedEvent",
    "QuickSaleUpdatedEvent",
    "QuickSaleDeletedEvent",
    "InventoryLowEvent",
    "WebhookTestEvent",
]


EventType = Literal["order.created", "order.updated", "order.status_changed", "order.deleted", "customer.created", "customer.updated", "expense.created", "expense.updated", "product.created", "product.updated", "product.deleted", "payment.created", "payment.updated", "payment.completed", "payment.failed", "payment.refunded", "quick_sale.created", "quick_sale.updated", "quick_sale.deleted", "inventory.low"]


ExpenseOrder = Literal["date", "updated_at"]


ForbiddenError = Union[
    "Error",
    "PlanRequiredError",
    "AccountInactiveError",
]


Metadata = dict[str, str]


MetadataInput = dict[str, str]


OrderCustomerInput = Union[
    "CustomerReference",
    "CustomerDetails",
]


OrderForbiddenError = Union[
    "Error",
    "PlanRequiredError",
    "AccountInactiveError",
    "LimitReachedError",
]


OrderPaymentStatus = Literal["pending", "pending_payment", "partial_payment", "paid", "failed", "refunded", "overdue", "partial_refund", "disputed", "chargebacked"]


OrderSort = Literal["createdAt", "updatedAt", "deliveryDate"]


OrderStatus = Literal["draft", "inquiry", "quote", "pending", "payment_pending_verification", "confirmed", "in_production", "ready", "dispatched", "delivered", "completed", "cancelled"]


PaymentStatus = Literal["pending", "submitted", "completed", "approved", "failed", "voided", "refunded"]


PaymentType = Literal["payment", "refund"]


PlanRequiredErrorCurrent = Literal["free", "starter"]


ProductStatus = Literal["draft", "active", "archived", "deleted"]


RateLimitRule = Literal["api-read", "api-write", "api-public-ip"]


SearchTokenProvider = Literal["typesense"]


SearchUnavailableError = Union[
    "Error",
    "GatewayError",
]


TimeSlotType = Literal["pickup", "delivery"]


TooLargeError = Union[
    "GatewayError",
    "Error",
]


WebhookEndpointStatus = Literal["active", "disabled"]
