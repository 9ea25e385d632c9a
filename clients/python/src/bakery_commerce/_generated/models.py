"""The shapes of bodies, answers and events. Made from docs/openapi.json; `npm run client` writes them anew."""

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
    """Something that people may be allergic to."""

    name: str
    """Name."""
    level: AllergenLevel
    """How it gets into the product."""


class AvailabilityList(TypedDict):
    """Availability by date."""

    availability: list[DateAvailability]
    """Every date asked for, ascending."""


class BlockedDate(TypedDict):
    """A date on which nothing is handed over."""

    id: str | None
    """Null on legacy entries."""
    date: str
    """The date."""
    reason: str | None
    """As authored; always `unavailable` for a publishable key."""
    is_holiday: bool
    """True only where it is flagged as one."""
    holiday_name: str | None
    """As authored; always null for a publishable key."""


class BlockedDateList(TypedDict):
    """Dates on which nothing is handed over."""

    dates: list[BlockedDate]
    """Single dates."""
    recurring_rules: list[RecurringRule]
    """Weekly rules."""


class CheckoutInput(TypedDict):
    items: list[CheckoutItemInput]
    """What is bought, at catalog prices in the account's currency."""
    customer: NotRequired[CustomerDetails | None]
    """Who buys; the hosted page asks for what is missing."""
    delivery_type: NotRequired[DeliveryType | None]
    """How it reaches the customer; `dispatch` is by carrier."""
    delivery_date: str
    """A date that is not blocked."""
    delivery_time: NotRequired[str | None]
    """Start of a slot that is offered on that date. Any or none if the account has no slots of
    that type.
    """
    delivery_address: NotRequired[AddressInput | None]
    """One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for
    space around it. The hosted page asks for it where it is missing.
    """
    notes: NotRequired[str | None]
    """Free text that keeps its markup."""
    custom_fields: NotRequired[CustomFieldsInput | None]
    """Values by key of the custom field. Keys that the account has not defined are rejected. Empty
    when absent. A field named `__proto__`, `prototype` or `constructor` is `invalid_value`.
    """
    metadata: NotRequired[MetadataInput | None]
    """Texts by name for the order, whose `checkout_session` is the session's id; that name is not
    yours to set. None when absent.
    """
    external_id: NotRequired[str | None]
    """Id in another system, for the order."""
    success_url: str
    """HTTPS address the shopper is sent to after paying. The service replaces
    `{CHECKOUT_SESSION_ID}` in its path, query or fragment by the session's id.
    """
    cancel_url: str
    """HTTPS address the shopper is sent to when turning back. The service replaces
    `{CHECKOUT_SESSION_ID}` in its path, query or fragment by the session's id.
    """


class CheckoutItemInput(TypedDict):
    product_id: str
    """A product that stands on the storefront."""
    variant_id: NotRequired[str | None]
    """One of its variants."""
    quantity: int
    """How many."""


class CheckoutSession(TypedDict):
    """A cart that waits to be paid on a page of ours."""

    id: str
    """Id of the session."""
    url: str
    """The hosted page: send the shopper there."""
    status: CheckoutSessionStatus
    """`open` when it is made."""
    currency: str
    """ISO 4217 code of every amount."""
    subtotal: float
    """Sum of the items at catalog prices."""
    delivery_fee: float
    """The account's fee times the slot's multiplier; 0 unless it is delivered."""
    total: float
    """Subtotal and delivery fee."""
    expires_at: str
    """Moment from which it can no longer be paid: 24 hours after it was made."""
    created_at: str
    """Moment it was made."""


class CustomField(TypedDict):
    """A field that the account has added to its records."""

    id: str
    """Id of the definition."""
    key: str
    """Key of its values in `custom_fields`; the id where none is set."""
    name: str
    """Name for people; may be empty."""
    type: str
    """How it is entered."""
    required: bool
    """Whether forms should ask for it."""
    options: list[str]
    """Choices; empty for types without any."""
    scopes: list[CustomFieldScope]
    """Records that may carry it; empty where it is for the dashboard alone."""
    internal: NotRequired[bool]
    """Not for shoppers. Sent to secret keys only."""


class CustomFieldList(TypedDict):
    """The custom fields of the account."""

    fields: list[CustomField]
    """Active definitions; a publishable key sees none that are internal."""


class Customer(TypedDict):
    """Somebody who orders."""

    id: str
    """Id of the customer."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    email: str | None
    """Unique within the account, in any case."""
    phone: str | None
    """Free text."""
    company: str | None
    """Company."""
    tags: list[str]
    """Free-form tags."""
    is_blacklisted: bool
    """Whether the bakery no longer serves them."""
    total_orders: int
    """Orders that are neither cancelled nor deleted."""
    total_spent: float
    """Their totals, of those in the currency the account had when they were counted."""
    last_order_date: str | None
    """Moment of the latest order."""
    marketing_email: bool | None
    """Whether they agreed to email; null where nothing is recorded."""
    marketing_sms: bool | None
    """Whether they agreed to text messages; null where nothing is recorded."""
    external_id: str | None
    """Id in another system."""
    created_at: str
    """Moment they were added."""
    updated_at: str
    """Moment of the last save; changes of the totals alone leave it."""
    notes: str | None
    """Free text that keeps its markup."""
    address: Address | None
    """One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for
    space around it.
    """
    metadata: Metadata
    """The caller's own texts by name."""


class CustomerCreatedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class CustomerDetails(TypedDict):
    first_name: NotRequired[str | None]
    """First name."""
    last_name: NotRequired[str | None]
    """Last name."""
    email: NotRequired[str | None]
    """Compared without case. Required where there is neither a phone nor a last name."""
    phone: NotRequired[str | None]
    """Free text."""
    company: NotRequired[str | None]
    """Company."""


class CustomerEventObject(TypedDict):
    """What `customer.*` events tell of a customer."""

    id: str
    """Id of the customer."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    email: str | None
    """Unique within the account, in any case."""
    phone: str | None
    """Free text."""
    company: str | None
    """Company."""
    tags: list[str]
    """Free-form tags."""
    is_blacklisted: bool
    """Whether the bakery no longer serves them."""
    total_orders: int
    """Orders that are neither cancelled nor deleted."""
    total_spent: float
    """Their totals, of those in the currency the account had when they were counted."""
    last_order_date: str | None
    """Moment of the latest order."""
    marketing_email: bool | None
    """Whether they agreed to email; null where nothing is recorded."""
    marketing_sms: bool | None
    """Whether they agreed to text messages; null where nothing is recorded."""
    external_id: str | None
    """Id in another system."""
    created_at: str
    """Moment they were added."""
    updated_at: str
    """Moment of the last save; changes of the totals alone leave it."""


class CustomerInput(TypedDict):
    first_name: NotRequired[str | None]
    """First name."""
    last_name: NotRequired[str | None]
    """Last name."""
    email: NotRequired[str | None]
    """Unique within the account, in any case. Required where there is neither a phone nor a last
    name.
    """
    phone: NotRequired[str | None]
    """Free text."""
    company: NotRequired[str | None]
    """Company."""
    tags: NotRequired[list[str]]
    """Free-form tags without HTML; anything but an array counts as none."""
    is_blacklisted: NotRequired[bool | None]
    """Whether the bakery no longer serves them."""
    marketing_email: NotRequired[bool | None]
    """Whether they agreed to email; null where nothing is recorded."""
    marketing_sms: NotRequired[bool | None]
    """Whether they agreed to text messages; null where nothing is recorded."""
    external_id: NotRequired[str | None]
    """Id in another system."""
    notes: NotRequired[str | None]
    """Free text that keeps its markup."""
    address: NotRequired[AddressInput | None]
    """One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for
    space around it.
    """
    metadata: NotRequired[MetadataInput | None]
    """Texts of your own, by name. Empty when absent. A field named `__proto__`, `prototype` or
    `constructor` is `invalid_value`.
    """


class CustomerPage(TypedDict):
    """One page of a list."""

    data: list[Customer]
    """May be shorter than `limit`, or empty, although more follows."""
    pagination: Pagination


class CustomerReference(TypedDict):
    id: str
    """Id of a customer of the account."""


class CustomerUpdatedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class DateAvailability(TypedDict):
    """Whether one date is blocked, and what it offers."""

    date: str
    """The date."""
    bookable: bool
    """True means no more than that no block applies: lead time, capacity and stock are not
    considered.
    """
    blocked_reason: str | None
    """Null where it is bookable; always `unavailable` otherwise for a publishable key."""
    time_slots: list[OfferedTimeSlot]
    """Slots of that weekday; empty where the date is blocked."""


class DeletedWebhookEndpoint(TypedDict):
    """The endpoint is gone."""

    deleted: Literal[True]
    """Always true."""
    id: str
    """Id it had."""


class Delivery(TypedDict):
    """One event for one endpoint."""

    id: str
    """Id of the event."""
    type: EventType
    """Type of the event."""
    status: DeliveryStatus
    """`delivered` and `failed` are final."""
    attempts: int
    """Failures so far."""
    last_status_code: int | None
    """Status of the last answer; null where there was none."""
    last_error: DeliveryLastError | None
    """How the last attempt failed; null where there is nothing to report."""
    next_retry_at: str | None
    """Not before then it is tried again."""
    last_attempt_at: str | None
    """Moment of the last attempt."""
    delivered_at: str | None
    """Moment it was delivered."""
    failed_at: str | None
    """Moment it was given up."""
    created_at: str
    """Moment of the change it tells of."""


class DeliveryPage(TypedDict):
    """One page of a list."""

    data: list[Delivery]
    """May be shorter than `limit`, or empty, although more follows."""
    pagination: Pagination


class DeliveryStats(TypedDict):
    """How deliveries to an endpoint went."""

    success_count: int
    """Attempts that were answered with 2xx."""
    failure_count: int
    """Attempts that failed."""
    consecutive_failures: int
    """Failures since the last success; at 10 the endpoint is disabled."""
    last_delivery_at: str | None
    """Moment of the last attempt."""
    last_success_at: str | None
    """Moment of the last success."""
    last_failure_at: str | None
    """Moment of the last failure."""


class Error(TypedDict):
    """The standard envelope."""

    error: ErrorDetail


class ErrorDetail(TypedDict):
    """Branch on `code`; the wording of `message` may change."""

    type: ErrorDetailType
    """Broad category."""
    code: ErrorDetailCode
    """Stable code for programs."""
    message: str
    """For people."""
    field: NotRequired[str]
    """Path of the wrong field or parameter, for example `items.0.quantity`."""
    requiredScope: NotRequired[str]
    """The missing scope; with `insufficient_scope` only."""


class EventCategory(TypedDict):
    """An occasion that orders are made for."""

    name: str
    """Name for people."""


class EventCategoryList(TypedDict):
    """The event categories of the account."""

    event_categories: list[EventCategory]
    """Defaults where none are configured."""


class Expense(TypedDict):
    """An expense with everything the API shows of it."""

    id: str
    """`gateway_fees_` and the date for a gateway-fee expense."""
    amount: float
    """Above 0, with at most 2 decimals."""
    currency: str
    """ISO 4217 code, uppercase."""
    category: str
    """Id of an expense category."""
    description: str | None
    """Free text that keeps its markup."""
    date: str
    """Day or moment of the expense, on a whole second."""
    status: str
    """`submitted` when made through the API, `draft` while it awaits approval, `recorded` for
    gateway fees.
    """
    source: str
    """Where the expense was made."""
    editable: bool
    """Whether the dashboard may change it; false for gateway fees."""
    updated_at: str
    """Moment of the last save."""
    subcategory: str | None
    """Free text, without HTML."""
    notes: str | None
    """Free text that keeps its markup."""
    tags: list[str]
    """Free-form tags."""
    supplier: Supplier | None
    payment: ExpensePayment
    tax: ExpenseTax | None
    line_items: NotRequired[list[GatewayFeeLine]]
    """On gateway-fee expenses only: a line for every transaction."""
    metadata: NotRequired[GatewayFeeSummary]
    created_at: str
    """Moment it was made."""


class ExpenseCategory(TypedDict):
    """What an expense is for."""

    id: str
    """Canonical id."""
    label: str
    """Name for people."""
    description: str
    """What belongs to it."""


class ExpenseCategoryList(TypedDict):
    """The 19 expense categories."""

    expense_categories: list[ExpenseCategory]
    """The same for every account."""


class ExpenseCreatedEventData(TypedDict):
    object: ExpenseEventObject


class ExpenseCreatedEvent(TypedDict):
    """An expense was made."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["expense.created"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: ExpenseCreatedEventData
    tenant_id: str
    """Id of the account."""


class ExpenseEventObject(TypedDict):
    """What `expense.*` events tell of an expense."""

    id: str
    """`gateway_fees_` and the date for a gateway-fee expense."""
    amount: float
    """Above 0, with at most 2 decimals."""
    currency: str
    """ISO 4217 code, uppercase."""
    category: str
    """Id of an expense category."""
    description: str | None
    """Free text that keeps its markup."""
    date: str
    """Day or moment of the expense, on a whole second."""
    status: str
    """`submitted` when made through the API, `draft` while it awaits approval, `recorded` for
    gateway fees.
    """
    supplier_id: str | None
    """The caller's id of the supplier."""
    supplier_name: str | None
    """Name of the supplier."""
    payment_status: str | None
    """Free text, without HTML."""
    payment_method: str | None
    """Free text, without HTML."""
    payment_reference: str | None
    """Free text, without HTML."""
    external_id: str | None
    """Id in another system."""
    created_at: str
    """Moment it was made."""
    updated_at: str
    """Moment of the last save."""


class ExpenseInput(TypedDict):
    amount: float
    """Above 0 after it is rounded to 2 decimals, half away from zero."""
    date: str
    """ISO 8601, or epoch seconds as a string; after the Unix epoch. A date without a time,
    `20260305` too, is midnight UTC.
    """
    category: str
    """Id or label of an expense category, in any case; stored as its id."""
    currency: NotRequired[str | None]
    """Three letters in any case; the account's currency when absent."""
    subcategory: NotRequired[str | None]
    """Free text, without HTML."""
    description: NotRequired[str | None]
    """Free text that keeps its markup."""
    notes: NotRequired[str | None]
    """Free text that keeps its markup."""
    tags: NotRequired[list[str]]
    """Free-form tags without HTML; anything but an array counts as none."""
    supplier: NotRequired[SupplierInput | None]
    """Other fields are dropped."""
    payment: NotRequired[ExpensePaymentInput | None]
    """Other fields are dropped."""
    tax: NotRequired[ExpenseTaxInput | None]
    """Other fields are dropped."""


class ExpensePayment(TypedDict):
    """How an expense is paid; members that were not set are null."""

    method: str | None
    """Free text, without HTML."""
    status: str | None
    """Free text; `deducted_at_source` for gateway fees."""
    due_date: str | None
    """Free text, without HTML."""
    reference: str | None
    """Free text, without HTML."""


class ExpensePaymentInput(TypedDict):
    method: NotRequired[str | None]
    """Free text, without HTML."""
    status: NotRequired[str | None]
    """Free text, without HTML."""
    due_date: NotRequired[str | None]
    """Free text, without HTML."""
    reference: NotRequired[str | None]
    """Free text, without HTML."""


class ExpenseSummary(TypedDict):
    """An expense as lists show it."""

    id: str
    """`gateway_fees_` and the date for a gateway-fee expense."""
    amount: float
    """Above 0, with at most 2 decimals."""
    currency: str
    """ISO 4217 code, uppercase."""
    category: str
    """Id of an expense category."""
    description: str | None
    """Free text that keeps its markup."""
    date: str
    """Day or moment of the expense, on a whole second."""
    status: str
    """`submitted` when made through the API, `draft` while it awaits approval, `recorded` for
    gateway fees.
    """
    source: str
    """Where the expense was made."""
    editable: bool
    """Whether the dashboard may change it; false for gateway fees."""
    updated_at: str
    """Moment of the last save."""
    supplier_name: str | None
    """Name of the supplier."""


class ExpenseSummaryPage(TypedDict):
    """One page of a list."""

    data: list[ExpenseSummary]
    """May be shorter than `limit`, or empty, although more follows."""
    pagination: Pagination


class ExpenseTax(TypedDict):
    """Tax included in an expense."""

    amount: float | None
    """Rounded to 2 decimals."""
    rate: float | None
    """As it was sent."""


class ExpenseTaxInput(TypedDict):
    amount: NotRequired[float | None]
    """Rounded to 2 decimals."""
    rate: NotRequired[float | None]
    """As it was sent."""


class ExpenseUpdatedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class GatewayError(TypedDict):
    """A response of the gateway itself."""

    message: str
    """For people."""


class GatewayFeeLine(TypedDict):
    """The fee of one transaction."""

    order_id: str
    """The order that was paid."""
    order_label: str
    """The order as people call it."""
    gateway: str
    """Name of the payment gateway."""
    amount: float
    """The fee."""


class GatewayFeeSummary(TypedDict):
    """What a day's gateway fees come from."""

    transaction_count: int
    """Number of transactions that bore a fee."""
    gateways: list[str]
    """Names of the gateways, each once."""


class InventoryItem(TypedDict):
    """Something in stock that is running low."""

    id: str
    """Id of the item."""
    type: str
    """Free text."""
    name: str
    """Name."""
    category: str | None
    """Free text."""
    current_stock: float
    """What is left, in its unit."""
    reorder_point: float
    """Stock at or below which it is low."""
    unit: str
    """Free text."""
    supplier_id: str | None
    """The caller's id of the supplier."""
    supplier_name: str | None
    """Name of the supplier."""


class InventoryLowEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class LimitReachedDetail(TypedDict):
    """The limit that was reached."""

    type: Literal["rate_limit_error"]
    code: Literal["limit_reached"]
    message: str
    """For people."""
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
    """Opaque; slots of old configurations have ids by their position."""
    label: str
    """Name for people; start and end where none is configured, else empty."""
    type: TimeSlotType
    """Whether customers come or are visited; carriers have no slots."""
    start: str | None
    """Null where it is not configured."""
    end: str | None
    """Equal to `start` for a single time; null where it is not configured."""
    multiplier: float
    """The delivery fee is multiplied by it."""


class Order(TypedDict):
    """An order without its payments."""

    id: str
    """Id of the order."""
    order_number: int
    """Rises within the account; gaps are possible."""
    friendly_order_number: str
    """`#` and the number, for people."""
    external_id: str | None
    """Id in another system."""
    status: str
    """Where the order stands; treat an unknown value as unknown."""
    payment_status: str
    """How far it is paid; imported orders may carry other values."""
    subtotal: float
    """Sum of the items."""
    tax: float
    """Tax on top of the items."""
    delivery_fee: float
    """Fee on top of the items."""
    discount: float
    """Taken off."""
    total: float
    """Subtotal, tax and delivery fee, without the discount."""
    currency: str
    """ISO 4217 code of every amount; `AUD` where neither the order nor the account has one."""
    customer_id: str | None
    """Null for a walk-in."""
    customer_name: str | None
    """Name of the customer when the order was made."""
    customer_email: str | None
    """Email of the customer when the order was made."""
    customer_phone: str | None
    """Phone of the customer when the order was made."""
    delivery_type: str
    """How it reaches the customer; `dispatch` is by carrier."""
    delivery_date: str | None
    """Day it is wanted."""
    delivery_time: str | None
    """Time it is wanted; null for `dispatch`."""
    items_count: int
    """Number of lines."""
    order_type: str | None
    """Free text, without HTML."""
    source: str
    """Where it was made: `api`, `checkout`."""
    created_at: str
    """Moment it was made."""
    updated_at: str
    """Moment of the last save."""
    items: list[OrderItem]
    """Lines in the order they were sent."""
    payment_method: str | None
    """Free text, echoed as it was sent; what the service writes itself: `stripe`, `card`, `cash`,
    `other` and the like.
    """
    event_category: str | None
    """Free text; the occasion."""
    delivery_address: Address | None
    """One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for
    space around it.
    """
    notes: str | None
    """Free text that keeps its markup."""
    custom_fields: CustomFields
    """Values by key of the custom field."""
    metadata: Metadata
    """The caller's own texts by name."""


class OrderCreatedEventData(TypedDict):
    object: OrderEventObject


class OrderCreatedEvent(TypedDict):
    """An order was made."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["order.created"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: OrderCreatedEventData
    tenant_id: str
    """Id of the account."""


class OrderDeletedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class OrderEventObject(TypedDict):
    """What `order.*` events tell of an order."""

    id: str
    """Id of the order."""
    order_number: int
    """Rises within the account; gaps are possible."""
    friendly_order_number: str
    """`#` and the number, for people."""
    external_id: str | None
    """Id in another system."""
    status: str
    """Where the order stands; treat an unknown value as unknown."""
    payment_status: str
    """How far it is paid; imported orders may carry other values."""
    subtotal: float
    """Sum of the items."""
    tax: float
    """Tax on top of the items."""
    delivery_fee: float
    """Fee on top of the items."""
    discount: float
    """Taken off."""
    total: float
    """Subtotal, tax and delivery fee, without the discount."""
    currency: str
    """ISO 4217 code of every amount; `AUD` where neither the order nor the account has one."""
    customer_id: str | None
    """Null for a walk-in."""
    customer_name: str | None
    """Name of the customer when the order was made."""
    customer_email: str | None
    """Email of the customer when the order was made."""
    customer_phone: str | None
    """Phone of the customer when the order was made."""
    delivery_type: str
    """How it reaches the customer; `dispatch` is by carrier."""
    delivery_date: str | None
    """Day it is wanted."""
    delivery_time: str | None
    """Time it is wanted; null for `dispatch`."""
    items_count: int
    """Number of lines."""
    order_type: str | None
    """Free text, without HTML."""
    source: str
    """Where it was made: `api`, `checkout`."""
    created_at: str
    """Moment it was made."""
    updated_at: str
    """Moment of the last save."""


class OrderInput(TypedDict):
    items: list[OrderItemInput]
    """Lines of the order."""
    status: NotRequired[OrderStatus | None]
    """Any of the statuses; transitions are not checked here."""
    payment_status: NotRequired[OrderPaymentStatus | None]
    """Any of the statuses; it is not derived from `payments`."""
    payment_method: NotRequired[str | None]
    """Free text; stored and echoed unchanged."""
    delivery_type: NotRequired[DeliveryType | None]
    """How it reaches the customer; `dispatch` is by carrier."""
    delivery_date: NotRequired[str | None]
    """Day it is wanted."""
    delivery_time: NotRequired[str | None]
    """Time it is wanted, `HH:MM`; dropped for `dispatch`."""
    delivery_address: NotRequired[AddressInput | None]
    """One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for
    space around it.
    """
    delivery_fee: NotRequired[float | None]
    """Added to the total; rounded to 2 decimals."""
    discount: NotRequired[float | None]
    """Taken off the total; rounded to 2 decimals."""
    tax: NotRequired[float | None]
    """Added to the total; rounded to 2 decimals."""
    order_type: NotRequired[str | None]
    """Free text, without HTML."""
    event_category: NotRequired[str | None]
    """Free text; it is not compared with the event categories."""
    external_id: NotRequired[str | None]
    """Id in another system."""
    notes: NotRequired[str | None]
    """Free text that keeps its markup."""
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
    one. Absent for a walk-in.
    """
    payments: NotRequired[list[PaymentInput] | None]
    """Payments to record with the order."""
    emit_webhooks: NotRequired[bool | None]
    """Whether the payments emit events; the order always does."""
    currency: NotRequired[str | None]
    """Three letters in any case; the account's currency when absent, `AUD` if it has none."""


class OrderItem(TypedDict):
    """One line of an order."""

    id: str
    """Id of the line."""
    product_id: str | None
    """Null for a line that no product stands for."""
    name: str
    """Name as it was when ordered."""
    quantity: int
    """How many."""
    unit_price: float
    """Price of one."""
    total: float
    """Quantity times unit price."""
    notes: str | None
    """Free text that keeps its markup."""


class OrderItemInput(TypedDict):
    product_id: NotRequired[str | None]
    """A product on the storefront. It supplies name and price if they are absent. A price in
    another currency than the order's is rejected.
    """
    name: NotRequired[str | None]
    """Required without `product_id`."""
    quantity: int
    """How many."""
    unit_price: NotRequired[float | None]
    """Required without `product_id`; rounded to 2 decimals."""
    notes: NotRequired[str | None]
    """Free text that keeps its markup."""


class OrderPage(TypedDict):
    """One page of a list."""

    data: list[Order]
    """May be shorter than `limit`, or empty, although more follows."""
    pagination: Pagination


class OrderStatusChangedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class OrderStatusChangedEventObject(TypedDict):
    """An order and the status it had before."""

    id: str
    """Id of the order."""
    order_number: int
    """Rises within the account; gaps are possible."""
    friendly_order_number: str
    """`#` and the number, for people."""
    external_id: str | None
    """Id in another system."""
    status: str
    """Where the order stands; treat an unknown value as unknown."""
    payment_status: str
    """How far it is paid; imported orders may carry other values."""
    subtotal: float
    """Sum of the items."""
    tax: float
    """Tax on top of the items."""
    delivery_fee: float
    """Fee on top of the items."""
    discount: float
    """Taken off."""
    total: float
    """Subtotal, tax and delivery fee, without the discount."""
    currency: str
    """ISO 4217 code of every amount; `AUD` where neither the order nor the account has one."""
    customer_id: str | None
    """Null for a walk-in."""
    customer_name: str | None
    """Name of the customer when the order was made."""
    customer_email: str | None
    """Email of the customer when the order was made."""
    customer_phone: str | None
    """Phone of the customer when the order was made."""
    delivery_type: str
    """How it reaches the customer; `dispatch` is by carrier."""
    delivery_date: str | None
    """Day it is wanted."""
    delivery_time: str | None
    """Time it is wanted; null for `dispatch`."""
    items_count: int
    """Number of lines."""
    order_type: str | None
    """Free text, without HTML."""
    source: str
    """Where it was made: `api`, `checkout`."""
    created_at: str
    """Moment it was made."""
    updated_at: str
    """Moment of the last save."""
    previous_status: NotRequired[str]
    """Status before the change; absent where none was recorded."""


class OrderUpdatedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class OrderWithPayments(TypedDict):
    """An order and what was paid for it."""

    id: str
    """Id of the order."""
    order_number: int
    """Rises within the account; gaps are possible."""
    friendly_order_number: str
    """`#` and the number, for people."""
    external_id: str | None
    """Id in another system."""
    status: str
    """Where the order stands; treat an unknown value as unknown."""
    payment_status: str
    """How far it is paid; imported orders may carry other values."""
    subtotal: float
    """Sum of the items."""
    tax: float
    """Tax on top of the items."""
    delivery_fee: float
    """Fee on top of the items."""
    discount: float
    """Taken off."""
    total: float
    """Subtotal, tax and delivery fee, without the discount."""
    currency: str
    """ISO 4217 code of every amount; `AUD` where neither the order nor the account has one."""
    customer_id: str | None
    """Null for a walk-in."""
    customer_name: str | None
    """Name of the customer when the order was made."""
    customer_email: str | None
    """Email of the customer when the order was made."""
    customer_phone: str | None
    """Phone of the customer when the order was made."""
    delivery_type: str
    """How it reaches the customer; `dispatch` is by carrier."""
    delivery_date: str | None
    """Day it is wanted."""
    delivery_time: str | None
    """Time it is wanted; null for `dispatch`."""
    items_count: int
    """Number of lines."""
    order_type: str | None
    """Free text, without HTML."""
    source: str
    """Where it was made: `api`, `checkout`."""
    created_at: str
    """Moment it was made."""
    updated_at: str
    """Moment of the last save."""
    items: list[OrderItem]
    """Lines in the order they were sent."""
    payment_method: str | None
    """Free text, echoed as it was sent; what the service writes itself: `stripe`, `card`, `cash`,
    `other` and the like.
    """
    event_category: str | None
    """Free text; the occasion."""
    delivery_address: Address | None
    """One text, or texts by name of one level (`line1`, `city`, …); echoed as it is sent, but for
    space around it.
    """
    notes: str | None
    """Free text that keeps its markup."""
    custom_fields: CustomFields
    """Values by key of the custom field."""
    metadata: Metadata
    """The caller's own texts by name."""
    payments: list[Payment]
    """Payments and refunds, oldest first."""


class Pagination(TypedDict):
    """Where the page stands: go on with `next_cursor` as long as `has_more`."""

    limit: int
    """Records a page."""
    has_more: bool
    """Whether more follows."""
    next_cursor: str | None
    """Where the next page begins; null on the last one."""
    prev_cursor: None
    """Lists go forward only."""


class Payment(TypedDict):
    """A payment or a refund, as orders hold it and `payment.*` events tell it."""

    id: str
    """Id of the payment."""
    order_id: str | None
    """The order it is for."""
    customer_id: str | None
    """The customer who paid."""
    schedule_id: str | None
    """The payment schedule it belongs to."""
    amount: float
    """Amount without the tip."""
    tip_amount: float
    """Tip on top of it."""
    total_amount: float
    """Amount and tip."""
    fee_amount: float
    """Fee kept by the gateway."""
    net_amount: float
    """Total without the fee."""
    type: PaymentType
    """A refund is a record of its own, made against an original payment."""
    source: str
    """Where it was recorded: `api`, `dashboard`, `checkout`."""
    method: str
    """How it was paid."""
    status: str
    """Its status; `approved` counts as completed."""
    previous_status: str | None
    """Status before the last write; equal to `status` where the write left it, null on create."""
    method_details: PaymentMethodDetails | None
    gateway: PaymentGatewayReference | None
    original_payment_id: str | None
    """On a refund: the payment it gives back."""
    refunded_amount: float
    """How much of it was refunded so far."""
    description: str | None
    """Free text that keeps its markup."""
    created_at: str
    """Moment it was recorded."""
    completed_at: str | None
    """Moment it was last completed or approved."""


class PaymentCompletedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class PaymentCreatedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class PaymentFailedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class PaymentGatewayReference(TypedDict):
    """The payment at its gateway."""

    provider: str | None
    """Name of the gateway."""
    transaction_id: str | None
    """The gateway's id of the transaction."""


class PaymentGatewayReferenceInput(TypedDict):
    provider: NotRequired[str | None]
    """Name of the gateway."""
    transaction_id: NotRequired[str | None]
    """The gateway's id of the transaction."""


class PaymentInput(TypedDict):
    amount: float
    """Above 0 after it is rounded to 2 decimals."""
    method: NotRequired[str]
    """One of card, credit_card, bank_transfer, wire_transfer, cash, check, cheque, paypal,
    apple_pay, google_pay, afterpay, klarna, store_credit, imported, other, in any case;
    everything else is recorded as `other`.
    """
    status: NotRequired[PaymentStatus | None]
    """`approved` counts as completed."""
    tip_amount: NotRequired[float | None]
    """Tip on top of the amount."""
    fee_amount: NotRequired[float | None]
    """Fee kept by the gateway."""
    description: NotRequired[str | None]
    """Free text that keeps its markup."""
    method_details: NotRequired[PaymentMethodDetailsInput | None]
    """What is known of the card or wallet."""
    gateway: NotRequired[PaymentGatewayReferenceInput | None]
    """The payment at its gateway."""


class PaymentMethod(TypedDict):
    """A way to pay that the account offers."""

    id: str
    """The account's own id."""
    name: str
    """Name for people."""


class PaymentMethodDetails(TypedDict):
    """What is known of the card or wallet."""

    brand: str | None
    """Such as `visa`."""
    last4: str | None
    """Last four digits."""
    wallet_type: str | None
    """Such as `apple_pay`."""


class PaymentMethodDetailsInput(TypedDict):
    brand: NotRequired[str | None]
    """Such as `visa`."""
    last4: NotRequired[str | None]
    """Last four digits."""
    wallet_type: NotRequired[str | None]
    """Such as `apple_pay`."""


class PaymentMethodList(TypedDict):
    """The payment methods of the account."""

    payment_methods: list[PaymentMethod]
    """Enabled ones; empty where none are configured."""


class PaymentRefundedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class PaymentUpdatedEventData(TypedDict):
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
    """Something the bakery sells."""

    id: str
    """Id of the product."""
    name: str
    """Name."""
    status: ProductStatus
    """A deleted product is told by its event alone."""
    storefront_visible: bool
    """True only while it is active, not hidden and not deleted."""
    updated_at: str
    """Moment of the last save."""
    description: str | None
    """Free text that may hold markup."""
    price: float
    """Price without a variant."""
    currency: str
    """ISO 4217 code of every price."""
    category: str | None
    """Free text."""
    tags: list[str]
    """Free-form tags."""
    images: list[str]
    """HTTPS URLs."""
    variants: list[ProductVariant]
    """Empty where it is sold in one form."""
    allergens: list[Allergen]
    """Empty where none are stated."""
    custom_fields: CustomFields
    """Values by key of the custom field; a publishable key sees those of active definitions on
    products that are not internal.
    """
    created_at: str
    """Moment it was added."""


class ProductCreatedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class ProductDeletedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class ProductEventObject(TypedDict):
    """What `product.*` events tell of a product."""

    id: str
    """Id of the product."""
    name: str
    """Name."""
    status: ProductStatus
    """A deleted product is told by its event alone."""
    storefront_visible: bool
    """True only while it is active, not hidden and not deleted."""
    updated_at: str
    """Moment of the last save."""


class ProductPage(TypedDict):
    """One page of a list."""

    data: list[Product]
    """May be shorter than `limit`, or empty, although more follows."""
    pagination: Pagination


class ProductUpdatedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class ProductVariant(TypedDict):
    """One of the forms a product is sold in."""

    id: str
    """Id of the variant within its product."""
    name: str
    """Name."""
    price: float
    """Price in the currency of the product."""


class QuickSale(TypedDict):
    """A sale without an order, over the counter or at a market."""

    id: str
    """Id of the sale."""
    date: str
    """Day of the sale."""
    description: str | None
    """Free text that may hold markup."""
    sale_type: str | None
    """Free text."""
    location: str | None
    """Free text."""
    event_name: str | None
    """Free text."""
    gross_sales: float
    """What was taken."""
    gross_cost: float
    """What it cost."""
    net_amount: float
    """Sales without cost."""
    payment_method: str | None
    """Free text."""
    items_count: int
    """Number of lines."""
    created_at: str
    """Moment it was recorded."""
    updated_at: str
    """Moment of the last save."""


class QuickSaleCreatedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class QuickSaleDeletedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class QuickSaleUpdatedEventData(TypedDict):
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
    tenant_id: str
    """Id of the account."""


class RateLimitError(TypedDict):
    """Too many requests. Flat."""

    error: Literal["rate_limit_exceeded"]
    message: str
    """For people."""
    retryAfter: int
    """Seconds to wait, as in Retry-After."""


class RecurringRule(TypedDict):
    """Weekdays on which nothing is handed over."""

    id: str
    """Id of the rule."""
    type: str
    """Rules of any other type never match."""
    days_of_week: list[int]
    """From 0 = Sunday to 6 = Saturday; empty matches nothing."""
    enabled: bool
    """A disabled rule never blocks."""
    start_date: str | None
    """First date it holds for; null is unbounded."""
    end_date: str | None
    """Last date it holds for; null is unbounded."""


class RotatedSecret(TypedDict):
    """The new signing secret of an endpoint."""

    id: str
    """Id of the endpoint."""
    secret: str
    """Signing secret; the prefix belongs to it. Shown only here."""
    previous_secret_expires_at: str
    """Until then deliveries are signed with both secrets."""


class SearchToken(TypedDict):
    """A key with which a browser may search the storefront for 15 minutes."""

    token: str
    """A scoped search-only key that Typesense's client library accepts."""
    expires_at: str
    """Moment from which it is refused."""
    provider: SearchTokenProvider
    """The search engine."""
    host: str
    """Where the engine answers: a host name, over HTTPS; an origin, with scheme and port, where
    the settings name one.
    """
    collection: str
    """Collection to search."""


class Supplier(TypedDict):
    """Who was paid."""

    id: str | None
    """The caller's id of the supplier."""
    name: str | None
    """Name of the supplier."""


class SupplierInput(TypedDict):
    id: NotRequired[str | None]
    """The caller's id of the supplier."""
    name: NotRequired[str | None]
    """Name of the supplier."""


class TimeSlot(TypedDict):
    """A time at which orders are handed over."""

    id: str
    """Opaque; slots of old configurations have ids by their position."""
    label: str
    """Name for people; start and end where none is configured, else empty."""
    type: TimeSlotType
    """Whether customers come or are visited; carriers have no slots."""
    start: str | None
    """Null where it is not configured."""
    end: str | None
    """Equal to `start` for a single time; null where it is not configured."""
    multiplier: float
    """The delivery fee is multiplied by it."""
    available_days: list[int]
    """Weekdays from 0 = Sunday to 6 = Saturday; empty means every day."""


class TimeSlotList(TypedDict):
    """The time slots of the account."""

    time_slots: list[TimeSlot]
    """Pickup first, each in the order they are configured."""


class WebhookEndpoint(TypedDict):
    """A URL that events are sent to."""

    id: str
    """Opaque; it has no promised prefix."""
    url: str
    """Where events are sent."""
    description: str
    """Free text; empty where none was given."""
    events: list[EventType]
    """Subscribed event types."""
    enabled: bool
    """Whether events are sent."""
    status: WebhookEndpointStatus
    """Says what `enabled` says."""
    delivery_stats: DeliveryStats
    created_at: str
    """Moment it was registered."""
    updated_at: str
    """Moment of the last change through the API."""
    disabled_reason: str | None
    """Why the service disabled it; null where it did not."""


class WebhookEndpointChanges(TypedDict):
    url: NotRequired[str]
    """Public HTTPS address without credentials; once per account."""
    events: NotRequired[list[EventType]]
    """Replaces the subscribed types; duplicates are folded."""
    description: NotRequired[str | None]
    """Free text; null empties it."""
    enabled: NotRequired[bool]
    """True also clears `disabled_reason` and the count of consecutive failures; what happened
    meanwhile is not sent later.
    """


class WebhookEndpointInput(TypedDict):
    url: str
    """Public HTTPS address without credentials; once per account."""
    events: list[EventType]
    """Types to be sent; duplicates are folded."""
    description: NotRequired[str | None]
    """Free text."""


class WebhookEndpointSummary(TypedDict):
    """An endpoint as lists show it."""

    id: str
    """Opaque; it has no promised prefix."""
    url: str
    """Where events are sent."""
    description: str
    """Free text; empty where none was given."""
    events: list[EventType]
    """Subscribed event types."""
    enabled: bool
    """Whether events are sent."""
    status: WebhookEndpointStatus
    """Says what `enabled` says."""
    delivery_stats: DeliveryStats
    created_at: str
    """Moment it was registered."""
    updated_at: str
    """Moment of the last change through the API."""


class WebhookEndpointSummaryPage(TypedDict):
    """One page of a list."""

    data: list[WebhookEndpointSummary]
    """May be shorter than `limit`, or empty, although more follows."""
    pagination: Pagination


class WebhookEndpointWithSecret(TypedDict):
    """A new endpoint with its signing secret."""

    id: str
    """Opaque; it has no promised prefix."""
    url: str
    """Where events are sent."""
    description: str
    """Free text; empty where none was given."""
    events: list[EventType]
    """Subscribed event types."""
    enabled: bool
    """Whether events are sent."""
    status: WebhookEndpointStatus
    """Says what `enabled` says."""
    delivery_stats: DeliveryStats
    created_at: str
    """Moment it was registered."""
    updated_at: str
    """Moment of the last change through the API."""
    disabled_reason: str | None
    """Why the service disabled it; null where it did not."""
    secret: str
    """Signing secret; the prefix belongs to it. Shown only here."""


class WebhookTestEventData(TypedDict):
    object: WebhookTestMessage


class WebhookTestEvent(TypedDict):
    """A test."""

    id: str
    """The same in every delivery and to every endpoint: ignore an id that you have seen."""
    type: Literal["webhook.test"]
    """Type of the event."""
    created: int
    """Unix seconds of the change, not of the attempt."""
    api_version: Literal["v1"]
    """Version of this envelope, independent of the API."""
    data: WebhookTestEventData
    tenant_id: str
    """Id of the account."""


class WebhookTestMessage(TypedDict):
    """What `webhook.test` says."""

    message: str
    """A fixed sentence."""
    timestamp: str
    """Moment it was sent."""


class WebhookTestResult(TypedDict):
    """How the test event was received."""

    success: bool
    """Whether the answer was 2xx."""
    status_code: int | None
    """Status of the answer; null where there was none."""
    response_time_ms: float | None
    """Milliseconds until the answer; null where there was none."""
    error: WebhookTestResultError | None
    """Why it failed; `no_response` covers timeouts, DNS, refused connections and TLS."""


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


DeliveryLastError = Literal["invalid_url", "redirect_not_followed", "http_error", "no_response", "endpoint_disabled"]


DeliveryStatus = Literal["pending", "delivered", "failed"]


DeliveryType = Literal["pickup", "delivery", "dispatch"]


ErrorDetailCode = Literal["invalid_api_key", "insufficient_scope", "publishable_key_not_allowed", "invalid_value", "invalid_json", "invalid_cursor", "conflicting_filters", "unsupported_filter_sort_combination", "customer_not_found", "invalid_idempotency_key", "not_found", "conflict", "request_in_flight", "idempotency_key_reused", "api_version_deprecated", "internal_error", "search_not_configured"]


ErrorDetailType = Literal["authentication_error", "permission_error", "invalid_request_error", "validation_error", "not_found", "conflict", "idempotency_error", "deprecated", "api_error", "service_unavailable"]


Event = Union[
    "OrderCreatedEvent",
    "OrderUpdatedEvent",
    "OrderStatusChangedEvent",
    "OrderDeletedEvent",
    "CustomerCreatedEvent",
    "CustomerUpdatedEvent",
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
    "ExpenseCreatedEvent",
    "ExpenseUpdatedEvent",
    "InventoryLowEvent",
    "WebhookTestEvent",
]


EventType = Literal["order.created", "order.updated", "order.status_changed", "order.deleted", "customer.created", "customer.updated", "product.created", "product.updated", "product.deleted", "payment.created", "payment.updated", "payment.completed", "payment.failed", "payment.refunded", "quick_sale.created", "quick_sale.updated", "quick_sale.deleted", "expense.created", "expense.updated", "inventory.low"]


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


WebhookTestResultError = Literal["invalid_url", "redirect_not_followed", "http_error", "no_response"]
