"""Checks of options, which would otherwise fail only after a request was sent."""

from __future__ import annotations

import math


def require_number(name: str, value: object, *, finite: bool = True) -> None:
    """Rejects a value that is not a number of at least 0, because a comparison with NaN would accept any value."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
    if not is_number or (finite and value == math.inf):
        raise ValueError(f"{name} must be a number of at least 0, and is {value!r}. Perhaps a variable is not set.")


def require_timeout(value: object) -> None:
    """Rejects a timeout that is not a number of seconds above 0."""
    require_number("timeout", value)
    if value == 0:
        raise ValueError("timeout must be above 0.")
