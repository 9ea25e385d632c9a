"""The Bakery Commerce REST API v2 with types, retries and paging, and the verification of its webhooks."""

from . import webhooks
from ._client import AsyncBakeryCommerce, BakeryCommerce
from ._core import ResponseInfo
from ._errors import ApiConnectionError, ApiError, ApiTimeoutError, BakeryCommerceError
from ._generated import models
from ._version import __version__
from .webhooks import WebhookVerificationError

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "AsyncBakeryCommerce",
    "BakeryCommerce",
    "BakeryCommerceError",
    "ResponseInfo",
    "WebhookVerificationError",
    "__version__",
    "models",
    "webhooks",
]
