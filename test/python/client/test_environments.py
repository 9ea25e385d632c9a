"""Environments of the client: proxies that they name, event loops that end, processes that fork."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from bakery_commerce import AsyncBakeryCommerce, BakeryCommerce
from conftest import KEY

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


class Handler(BaseHTTPRequestHandler):
    """Responds with the path that it got, and keeps the connection."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        content = f'{{"data": ["{self.path}"], "port": {self.client_address[1]}}}'.encode()
        self.send_response(200)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def origin() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def connected_by(client: Any) -> int:
    """The client's port, which tells connections apart."""
    return int(client.reference.list_blocked_dates()["port"])


@pytest.mark.parametrize(
    "no_proxy_entry",
    [
        "127.0.0.1",
        "10.0.0.0/8,127.0.0.0/8",
        "fd00::/8,127.0.0.1",
        "::1,[::1],127.0.0.1",
        "*",
        " .example.com , 127.0.0.1 ",
        "127.0.0.1:{port}",
        "http://127.0.0.1",
        "all://127.0.0.1:{port}",
    ],
)
@pytest.mark.parametrize("proxy", ["http://127.0.0.1:1", "127.0.0.1:1", "socks5://127.0.0.1:1", "socks://127.0.0.1:1"])
def test_a_host_in_no_proxy_is_called_without_the_proxy(
    monkeypatch: pytest.MonkeyPatch, origin: str, proxy: str, no_proxy_entry: str
) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    monkeypatch.setenv("NO_PROXY", no_proxy_entry.format(port=origin.rpartition(":")[2]))
    with BakeryCommerce(KEY, base_url=f"{origin}/api/v2") as client:
        assert connected_by(client) > 0


@pytest.mark.parametrize("entry", ["us.bakery.test:443", "https://us.bakery.test:443"])
def test_no_proxy_may_name_the_port_that_the_scheme_implies(monkeypatch: pytest.MonkeyPatch, entry: str) -> None:
    monkeypatch.setenv("ALL_PROXY", "socks://127.0.0.1:1")  # cannot be used
    monkeypatch.setenv("NO_PROXY", entry)
    BakeryCommerce(KEY, domain="bakery.test").close()


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_a_call_goes_through_the_proxy_of_its_scheme(monkeypatch: pytest.MonkeyPatch, origin: str, name: str) -> None:
    monkeypatch.setenv(name, f" {origin}\n")
    monkeypatch.setenv("HTTPS_PROXY", "socks://127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", "fd00::/8,example.com,us.bakery.test:81,https://us.bakery.test,http://us.bakery.test:81")
    with BakeryCommerce(KEY, base_url="http://us.bakery.test/api/v2") as client:
        assert client.reference.list_blocked_dates()["data"] == ["http://us.bakery.test/api/v2/reference/blocked-dates"]


@pytest.mark.parametrize(
    "proxy",
    ["socks5://127.0.0.1:1", "socks://127.0.0.1:1", "http://127.0.0.1:port", "http://127.0.0.1:99999", "http://", "ftp://127.0.0.1:1"],
)
@pytest.mark.parametrize("kind", [BakeryCommerce, AsyncBakeryCommerce])
def test_a_proxy_that_cannot_be_used_is_named_when_the_client_is_made(monkeypatch: pytest.MonkeyPatch, kind: Any, proxy: str) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(ValueError, match=r"^The proxy that the environment names cannot be used: .*name us\.bakery\.test in NO_PROXY"):
        kind(KEY, domain="bakery.test")


@pytest.mark.parametrize("kind", [BakeryCommerce, AsyncBakeryCommerce])
def test_certificates_that_cannot_be_used_are_named_when_the_client_is_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: Any
) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with pytest.raises(ValueError, match=r"^The certificates that the environment names cannot be used: .*Correct SSL_CERT_FILE"):
        kind(KEY, domain="bakery.test")


def test_an_asynchronous_client_works_in_a_second_event_loop(origin: str) -> None:
    client = AsyncBakeryCommerce(KEY, base_url=f"{origin}/api/v2")

    async def twice() -> list[int]:
        return [int((await client.reference.list_blocked_dates())["port"]) for _ in range(2)]

    first, second = asyncio.run(twice()), asyncio.run(twice())
    assert first[0] == first[1]
    assert second[0] == second[1]
    assert first[0] != second[0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
def test_a_process_that_forks_after_the_first_call_shares_no_connection(origin: str) -> None:
    client = BakeryCommerce(KEY, base_url=f"{origin}/api/v2")
    before = connected_by(client)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, str(connected_by(client)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert int(os.read(reading, 16)) != before
    assert connected_by(client) == before
    client.close()


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ({"domain": "https://api.example.com"}, r"^domain is a host name without scheme and path"),
        ({"domain": "api.example.com/api"}, r"^domain is a host name without scheme and path"),
        ({"domain": "api.exa\nmple.com"}, r"^domain is a host name without scheme and path"),
        ({"base_url": "http://us.localhost:99999/api/v2"}, r"^base_url has no valid port"),
        ({"base_url": "http://us.localhost:x/api/v2"}, r"^base_url has no valid port"),
        ({"base_url": "http://us.localhost:/api/v2"}, r"^base_url has no valid port"),
        ({"domain": "api.example.com:99999"}, r"^domain has no valid port"),
        ({"domain": "api..example.com"}, r"^domain is no address"),
        ({"domain": 5}, r"^domain must be a text"),
        ({"base_url": b"http://us.localhost/api/v2"}, r"^base_url must be a text"),
        *(
            ({"base_url": f"http://{host}/api/v2{end}"}, r"^base_url is no address")
            for host, end in [
                ("us.local host:1", ""),
                ("us..localhost", ""),
                ("a" * 64, ""),
                ("xn--zz.localhost", ""),
                ("999.1.1.1", ""),
                ("[::1", ""),
                ("user:password@us.localhost", ""),
                ("us.localhost", "?x=1"),
                ("us.localhost", "#x"),
            ]
        ),
    ],
)
@pytest.mark.parametrize("kind", [BakeryCommerce, AsyncBakeryCommerce])
def test_an_address_that_cannot_be_called_fails_when_the_client_is_made(kind: Any, place: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        kind(KEY, **place)


@pytest.mark.parametrize(
    ("kind", "http_client", "sentence"),
    [
        (BakeryCommerce, httpx.AsyncClient(), r"^http_client must be an httpx\.Client, and not httpx\.AsyncClient\.$"),
        (AsyncBakeryCommerce, httpx.Client(), r"^http_client must be an httpx\.AsyncClient, and not httpx\.Client\.$"),
        (BakeryCommerce, httpx.Client, r"^http_client must be an httpx\.Client, and not builtins\.type\.$"),
        (AsyncBakeryCommerce, False, r"^http_client must be an httpx\.AsyncClient, and not builtins\.bool\.$"),
    ],
)
def test_an_http_client_of_another_type_fails_when_the_client_is_made(kind: Any, http_client: object, sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        kind(KEY, domain="bakery.test", http_client=http_client)


def test_white_space_around_an_address_does_no_harm(origin: str) -> None:
    with BakeryCommerce(KEY, base_url=f" {origin}/api/v2\n") as client:
        assert connected_by(client) > 0
