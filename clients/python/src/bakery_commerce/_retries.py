"""The retry rules of calls and their waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ._errors import ApiConnectionError, ApiError, BakeryCommerceError

Repeatable = Literal["freely", "keyed", "never"]
"""`freely` where a second run changes nothing more, `keyed` under its Idempotency-Key, `never` where a second run would be a second
deed; that one is repeated only after a 429, which comes before any work."""

FIRST_BACKOFF_SECONDS = 0.5
LONGEST_BACKOFF_SECONDS = 8.0


def _is_worth_repeating(failure: BakeryCommerceError, repeatable: Repeatable) -> bool:
    if isinstance(failure, ApiConnectionError):
        return repeatable != "never"
    if not isinstance(failure, ApiError):
        return False
    if failure.status == 429:
        return True
    if failure.code == "request_in_flight":
        return repeatable == "keyed"
    return failure.status >= 500 and repeatable != "never"


def retry_delay(
    failure: BakeryCommerceError,
    repeatable: Repeatable,
    retry: int,
    *,
    max_retries: int,
    max_retry_after: float,
    random: Callable[[], float],
) -> float | None:
    """Seconds until retry number `retry` (from 0); None: the failure is final.

    0.5 s doubled with each retry up to 8 s, and of that a random part between half and the whole, so that clients spread; or what
    `Retry-After` asks for.
    """
    if retry >= max_retries or not _is_worth_repeating(failure, repeatable):
        return None
    asked = failure.retry_after_seconds if isinstance(failure, ApiError) else None
    if asked is not None:
        return asked if asked <= max_retry_after else None
    backoff = min(LONGEST_BACKOFF_SECONDS, FIRST_BACKOFF_SECONDS * 2.0 ** min(retry, 10))
    return backoff * (0.5 + random() / 2)
