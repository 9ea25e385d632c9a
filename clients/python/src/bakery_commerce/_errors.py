"""The errors of a call, except programming errors (`TypeError`, `ValueError`)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any


class BakeryCommerceError(Exception):
    """Base class of all errors of a call."""


class ApiConnectionError(BakeryCommerceError):
    """The network failed or the connection closed before a complete response. The request may have
    succeeded.
    """


class ApiTimeoutError(ApiConnectionError):
    """No complete response arrived within `timeout`."""


def _members(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value != "" else None


def _seconds(value: object) -> float | None:
    """Parses a number or numeric text; returns None for other values."""
    try:
        seconds = float(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _retry_after(value: str | None) -> float | None:
    """Parses `Retry-After`: seconds, or a date, which proxies send."""
    if value is None or _seconds(value) is not None:
        return _seconds(value)
    try:
        until = parsedate_to_datetime(value)
    except (ValueError, TypeError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=timezone.utc)
    return float(max(0, math.ceil((until - datetime.now(timezone.utc)).total_seconds())))


class ApiError(BakeryCommerceError):
    """An error response of the service. The standard envelope, flat bodies and the gateway's
    bodies have one format here.
    """

    status: int
    type: str | None
    """Broad category; None for flat bodies."""
    code: str
    """The code to branch on. Flat bodies have `rate_limit_exceeded`, `plan_required` or
    `account_inactive`. `unknown` if the body has none.
    """
    field: str | None
    """Name of the invalid field, parameter or header, if any."""
    required_scope: str | None
    """The scope that the key lacks, for `insufficient_scope`."""
    request_id: str | None
    """Include it in support requests. None if a proxy removed the header."""
    retry_after_seconds: float | None
    """Seconds to wait, if the response says so. Every 429 does."""
    body: Any
    """The parsed body, or its text if it is not JSON. It has `limit` and `max` of `limit_reached`,
    and `feature` of `plan_required`.
    """

    def __init__(self, status: int, headers: Mapping[str, str], body: Any, hint: str = "") -> None:
        outer = _members(body)
        detail = _members(outer.get("error"))
        self.status = status
        self.type = _text(detail.get("type"))
        self.code = _text(detail.get("code")) or _text(outer.get("error")) or "unknown"
        self.field = _text(detail.get("field"))
        self.required_scope = _text(detail.get("requiredScope"))
        lowered = {name.lower(): value for name, value in headers.items()}
        self.request_id = lowered.get("x-request-id")
        asked = _retry_after(lowered.get("retry-after"))
        self.retry_after_seconds = _seconds(outer.get("retryAfter")) if asked is None else asked
        self.body = body
        self._made_of = (status, dict(headers), body, hint)
        default = (
            "The response is not the service's JSON. The request may have succeeded." if 200 <= status < 300 else "The request was refused."
        )
        said = _text(detail.get("message")) or _text(outer.get("message")) or default
        super().__init__(f"{status} {self.code}: {said}{f' {hint}' if hint else ''}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Keeps every attribute when pickled."""
        return (ApiError, self._made_of)
