"""What a call may raise beside the mistakes of a program (`TypeError`, `ValueError`)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any


class BakeryCommerceError(Exception):
    """Whatever went wrong with a call."""


class ApiConnectionError(BakeryCommerceError):
    """No whole answer came: the network failed, or the connection ended early. Whether the service did its work is unknown."""


class ApiTimeoutError(ApiConnectionError):
    """No whole answer came within `timeout`."""


def _members(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value != "" else None


def _seconds(value: object) -> float | None:
    """Of a number, or of a text that is one; None for all else."""
    try:
        seconds = float(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _retry_after(value: str | None) -> float | None:
    """Of `Retry-After`: seconds, or the date until when, as proxies write it."""
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
    """The service answered, and refused: the standard envelope, a flat body or the gateway's own, all in one shape."""

    status: int
    type: str | None
    """Broad category; None for flat bodies."""
    code: str
    """What to branch on: `rate_limit_exceeded`, `plan_required`, `account_inactive` of flat bodies; `unknown` where the body names none."""
    field: str | None
    """Name of the offending member, parameter or header, where there is one."""
    required_scope: str | None
    """The scope that the key lacks, on `insufficient_scope`."""
    request_id: str | None
    """Name it when you ask for help; None where something on the way took the header out."""
    retry_after_seconds: float | None
    """Seconds to wait, where the answer says so: on every 429."""
    body: Any
    """Parsed, or the text where it is no JSON: `limit` and `max` of `limit_reached`, `feature` of `plan_required` are read here."""

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
        said = _text(detail.get("message")) or _text(outer.get("message")) or "The request was refused."
        super().__init__(f"{status} {self.code}: {said}{f' {hint}' if hint else ''}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Passes through queues and between processes whole."""
        return (ApiError, self._made_of)
