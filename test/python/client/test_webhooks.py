"""What is verified and what is not: the vectors that the client for TypeScript is held to as well."""

from __future__ import annotations

import base64
import json
from typing import Any, ClassVar

import pytest
from bakery_commerce import WebhookVerificationError, webhooks
from conftest import vectors

TABLE = vectors("signatures")
GOOD = TABLE["cases"][0]


def verify(case: dict[str, Any], **changed: Any) -> Any:
    given = {"raw": case["raw"], "headers": case["headers"], "secret": case["secret"], **changed}
    tolerance = {"tolerance": case["tolerance"]} if "tolerance" in case else {}
    return webhooks.verify(**given, **tolerance, now=lambda: TABLE["now"])


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case['outcome']}: a signature {case['says']}") for case in TABLE["cases"]])
def test_table(case: dict[str, Any]) -> None:
    if case["outcome"] == "verified":
        assert verify(case) == json.loads(case["raw"])
        return
    with pytest.raises(WebhookVerificationError) as caught:
        verify(case)
    assert caught.value.reason == case["outcome"]
    if "message" in case:
        assert str(caught.value) == case["message"]


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_the_body_may_come_as_any_bytes(kind: Any) -> None:
    assert verify(GOOD, raw=kind(GOOD["raw"].encode()))["id"] == "evt_1"


HEADER = GOOD["headers"]["X-Webhook-Signature"]


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param([(b"x-webhook-signature", HEADER.encode())], id="pairs of bytes, as ASGI has them"),
        pytest.param({"X-Webhook-Signature": HEADER, "X-Other": None}, id="with a value that is None"),
    ],
)
def test_headers_may_come_as(headers: Any) -> None:
    assert verify(GOOD, headers=headers)["id"] == "evt_1"


@pytest.mark.parametrize(("raw", "kind"), [({"type": "order.created"}, "a dict"), (None, "nothing"), ([1, 2], "a list")])
def test_a_body_that_was_parsed_before_is_told_with_what_to_do(raw: Any, kind: str) -> None:
    with pytest.raises(TypeError) as caught:
        verify(GOOD, raw=raw)
    assert str(caught.value) == (
        f"raw is {kind}, perhaps a body that was parsed already: pass its bytes as they came, before any JSON parser "
        "(Flask: request.get_data(), Django: request.body, FastAPI: await request.body())."
    )


@pytest.mark.parametrize("secret", ["", [], [""], ["s", ""], None])
def test_secrets_that_verify_nothing_are_a_mistake_of_the_program(secret: Any) -> None:
    with pytest.raises(ValueError, match="secret is the signing secret"):
        verify(GOOD, secret=secret)


def test_signatures_are_compared_in_constant_time_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    genuine = webhooks.hmac.compare_digest

    def counting(one: str, other: str) -> bool:
        compared.append(other)
        return genuine(one, other)

    monkeypatch.setattr(webhooks.hmac, "compare_digest", counting)
    both = next(case for case in TABLE["cases"] if case["says"] == "by either of both")
    verify(both)
    assert len(compared) == 4


class Whole:
    """A request that has its headers, as Flask, Django and FastAPI make it."""

    headers: ClassVar = {"X-Webhook-Signature": HEADER}


LAMBDA = {"headers": {"x-webhook-signature": HEADER}, "isBase64Encoded": True}


@pytest.mark.parametrize(
    "changed",
    [
        {"headers": Whole()},
        {"headers": {"HTTP_X_WEBHOOK_SIGNATURE": HEADER, "wsgi.version": (1, 0)}},
        {"headers": {"type": "http", "headers": [(b"host", b"x"), (b"x-webhook-signature", HEADER.encode())]}},
        {"headers": [("Host", "x"), ("X-WEBHOOK-SIGNATURE", HEADER)]},
        {"headers": ["Host", "x", "X-Webhook-Signature", HEADER]},
        {"headers": LAMBDA, "raw": base64.b64encode(GOOD["raw"].encode()).decode()},
        {"secret": " whsec_new\n"},
        {"raw": GOOD["raw"].encode().decode("ascii", "surrogateescape")},
    ],
    ids=["request", "WSGI", "ASGI", "pairs", "list", "Lambda", "white space", "escaped bytes"],
)
def test_what_frameworks_hand_over_is_taken(changed: dict[str, Any]) -> None:
    assert verify(GOOD, **changed)["id"] == "evt_1"


async def _headers() -> dict[str, str]:
    return {}


@pytest.mark.parametrize(
    ("changed", "error", "words"),
    [
        ({"headers": _headers()}, TypeError, "await it"),
        ({"headers": None}, TypeError, "headers is a NoneType"),
        ({"headers": {"Records": [{"cf": {"request": Whole.headers}}]}}, TypeError, "headers has no header that can be read"),
        ({"headers": {"json": {"headers": Whole.headers}}}, TypeError, "headers has no header that can be read"),
        ({"headers": [Whole.headers]}, TypeError, "headers has no header that can be read"),
        ({"raw": Whole()}, TypeError, "raw is a whole request"),
        ({"tolerance": float("nan")}, ValueError, "tolerance must be a number"),
        ({"tolerance": float("inf")}, ValueError, "tolerance must be a number"),
        ({"tolerance": -1}, ValueError, "tolerance must be a number"),
        ({"tolerance": None}, ValueError, "tolerance must be a number"),
        ({"secret": " "}, ValueError, "secret is"),
    ],
)
def test_a_mistake_is_named(changed: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        verify(GOOD, **changed)


def test_a_clock_that_is_no_number_accepts_nothing() -> None:
    with pytest.raises(ValueError, match="now"):
        webhooks.verify(GOOD["raw"], GOOD["headers"], GOOD["secret"], now=lambda: float("nan"))
