"""Verification of the service's webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import inspect
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from ._checks import require_number

if TYPE_CHECKING:
    from ._generated.models import Event

Headers = Mapping[str, Any] | Iterable[tuple[str | bytes, str | bytes] | str | bytes] | object
"""Headers of a framework's request: a mapping, pairs, or a list of names and values in turn or in objects; WSGI's environ, ASGI's scope,
Lambda's event with `headers` or `multiValueHeaders`, or a request that has `headers`. Names ignore case, and may begin with `Http-`."""

NAMES = ("x-webhook-signature", "x-webhook-signature-previous")
SIGNATURE = re.compile(r"[ \t]*t=(\d{1,12})[ \t]*,[ \t]*v1=([0-9a-f]{64})[ \t]*", re.ASCII)


class WebhookVerificationError(Exception):
    """The request is not authentic; respond with 400."""

    reason: Literal["missing", "mismatch", "stale", "malformed"]
    """`missing`: no signature that can be read; `mismatch`: by none of the secrets; `stale`: signed too long ago, or ahead; `malformed`: no
    event inside."""

    def __init__(self, reason: Literal["missing", "mismatch", "stale", "malformed"], message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[1])


def _text(value: object) -> str | None:
    """The text of a name or a value; None for anything else."""
    if isinstance(value, (list, tuple)):
        return _text(value[0]) if value else None
    if isinstance(value, Mapping):
        return _text(value.get("value"))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode("latin-1")
    return value if isinstance(value, str) else None


def _listed(one: Any) -> tuple[Any, Any]:
    """Name and value of a pair, or of an object: HAR's and many tools' (`name`), Lambda@Edge's (`key`), .NET's (`Key`)."""
    if isinstance(one, Mapping):
        fields = {str(name).lower(): value for name, value in one.items()}
        return fields.get("name", fields.get("key")), fields.get("value")
    return (one[0], one[1]) if isinstance(one, Sequence) and len(one) >= 2 else (None, None)


def _pairs(headers: Any) -> Iterable[tuple[Any, Any]]:
    """Names and values, whatever form the headers have."""
    if inspect.isawaitable(headers):
        if inspect.iscoroutine(headers):
            headers.close()
        raise TypeError("headers is a coroutine: await it first.")
    if isinstance(headers, Mapping):
        inner = [one for one in (headers.get("headers"), headers.get("multiValueHeaders")) if not isinstance(one, (str, type(None)))]
        return [pair for one in inner for pair in _pairs(one)] if inner else headers.items()
    if hasattr(headers, "items"):
        return cast("Iterable[tuple[Any, Any]]", headers.items())
    if hasattr(headers, "headers"):
        return _pairs(headers.headers)
    if not isinstance(headers, Iterable) or isinstance(headers, (str, bytes)):
        raise TypeError(f"headers is a {type(headers).__name__}: pass the headers of the request.")
    listed = list(headers)
    if listed and all(isinstance(one, (str, bytes)) for one in listed):
        return zip(listed[::2], listed[1::2], strict=False)
    return [_listed(one) for one in listed]


def _name(name: object) -> str:
    """`HTTP_X_WEBHOOK_SIGNATURE` is WSGI's form of `X-Webhook-Signature`."""
    return (_text(name) or "").lower().replace("_", "-").removeprefix("http-")


def _signature_headers(headers: Headers) -> list[str]:
    pairs = list(_pairs(headers))
    found: dict[str, str] = {}
    for name, value in pairs:
        text = _text(value)
        if text is not None:
            found.setdefault(_name(name), text)
    if pairs and not found:  # the delivery may be genuine
        raise TypeError("headers has no header that can be read: pass the headers of the request.")
    return [found[name] for name in NAMES if name in found]


def _decoded(raw: object) -> bytes | None:
    """The bytes of a text in Base64, as Lambda passes a body; None for any other."""
    try:
        return base64.b64decode(raw, validate=True) if isinstance(raw, str) and raw else None
    except (ValueError, binascii.Error):
        return None


def _bytes(raw: object) -> bytes:
    if isinstance(raw, str):
        # Servers that read bytes as text keep invalid ones as surrogates.
        try:
            return raw.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return raw.encode("utf-8", "surrogatepass")
    if isinstance(raw, (bytes, bytearray, memoryview)):
        return bytes(raw)
    kind = "nothing" if raw is None else "a whole request" if hasattr(raw, "headers") else f"a {type(raw).__name__}"
    raise TypeError(
        f"raw is {kind}, perhaps a body that was parsed already: pass its bytes as they "
        "came, before any JSON parser (Flask: request.get_data(), Django: request.body, FastAPI: await request.body())."
    )


def _secrets(secret: str | Sequence[str]) -> list[bytes]:
    secrets = [secret] if isinstance(secret, str) else secret
    if not isinstance(secrets, Sequence) or not secrets or not all(isinstance(one, str) and one.strip() for one in secrets):
        raise ValueError("secret is the signing secret of the endpoint (whsec_…), or a list of several.")
    return [one.strip().encode() for one in secrets]


def _span(seconds: float) -> str:
    for unit, size, least in (("days", 86_400, 2), ("hours", 3_600, 2), ("minutes", 60, 10)):
        if seconds >= least * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _stale(offset: float, tolerance: float) -> WebhookVerificationError:
    far = f"{_span(abs(offset))} {'ahead of' if offset > 0 else 'behind'} this machine's clock, which is more than {tolerance:g} s"
    what = "set the clock by NTP" if offset > 0 else "refuse it as a replay, or set the clock by NTP if it is new"
    return WebhookVerificationError("stale", f"The signature is {far}: {what}.")


def _event(body: bytes) -> Event:
    try:
        event = json.loads(body)
    except ValueError:
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise WebhookVerificationError(
            "malformed", "The signature is right, but the body is no event: keep this secret for the service alone."
        )
    return cast("Event", event)


def _offsets(body: bytes, signatures: Sequence[re.Match[str]], secrets: Sequence[bytes], at: float) -> list[float]:
    """Seconds from `at` to each signature that one of the secrets made over the body."""
    found = []
    for signature in signatures:
        for key in secrets:
            expected = hmac.new(key, signature[1].encode() + b"." + body, hashlib.sha256).hexdigest()
            if hmac.compare_digest(expected, signature[2]):
                found.append(int(signature[1]) - at)
    return found


def verify(
    raw: bytes | bytearray | memoryview | str,
    headers: Headers,
    secret: str | Sequence[str],
    tolerance: float = 300,
    *,
    now: Callable[[], float] = time.time,
) -> Event:
    """The event inside, once one of the secrets signed it within `tolerance` seconds from now; else `WebhookVerificationError`.

    `raw` is the body's bytes as they came, before any parser; a text is taken as UTF-8, or as Base64 if only its decoded bytes are signed
    (Lambda). `secret` is the endpoint's, whole (`whsec_…`), or
    a list with the new and the old one. Either signature will do, that of `X-Webhook-Signature` and, for a day after a rotation, that
    of `X-Webhook-Signature-Previous`. Compares in constant time. A `TypeError` or `ValueError` is a mistake of the receiver.
    Deliveries repeat: remember `event["id"]`.
    """
    require_number("tolerance", tolerance)
    body = _bytes(raw)
    secrets = _secrets(secret)
    written = _signature_headers(headers)
    if not written:
        raise WebhookVerificationError(
            "missing",
            "No X-Webhook-Signature came with this request: it is not the service's, or a proxy before this receiver strips the header "
            "and has to let it and X-Webhook-Signature-Previous pass.",
        )
    signatures = [match for match in map(SIGNATURE.fullmatch, written) if match]
    if not signatures:
        raise WebhookVerificationError(
            "missing",
            "X-Webhook-Signature is not of the form t=…,v1=…: it is not the service's, or a proxy before this receiver rewrites it and "
            "has to let it pass as it is.",
        )

    at = now()
    require_number("The result of now()", at)
    offsets = _offsets(body, signatures, secrets, at)
    inner = None if offsets else _decoded(raw)
    if inner is not None:
        body, offsets = inner, _offsets(inner, signatures, secrets, at)
    if not offsets:
        raise WebhookVerificationError(
            "mismatch",
            "None of the secrets signed this body: take the secret of this very endpoint, and the bytes as they came, not JSON that was "
            "parsed and serialized again.",
        )
    nearest = min(offsets, key=abs)
    if abs(nearest) > tolerance:
        raise _stale(nearest, tolerance)
    return _event(body)
