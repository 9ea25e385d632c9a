"""What the tests of the client share: a network that answers as it is told, and a service that is there (BAKERY_URL, BAKERY_API_KEY)."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from bakery_commerce import AsyncBakeryCommerce, BakeryCommerce

VECTORS = Path(__file__).parents[2] / "clients" / "vectors"
KEY = "svc_sk_live_us_key"

Met = "tuple[int, Any, dict[str, str]] | Exception"


def vectors(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_text("utf-8"))


def answer(status: int, body: Any, headers: dict[str, str] | None = None) -> httpx.Response:
    content = body if isinstance(body, str) else json.dumps(body)
    return httpx.Response(status, content=content.encode(), headers=headers)


class Scripted:
    """A client whose network answers as it is told, the last way for ever, and whose waits take no time."""

    def __init__(self, kind: str, script: list[Callable[[], httpx.Response]], **options: Any) -> None:
        self.sent: list[httpx.Request] = []
        self.waits: list[float] = []
        self.script = script
        common = {"base_url": "https://us.bakery.test/api/v2", "random": lambda: 0.5, **options}
        self.kind = kind
        self.client: Any
        if kind == "sync":
            http = httpx.Client(transport=httpx.MockTransport(self.meet))
            self.client = BakeryCommerce(KEY, http_client=http, sleep=self.waits.append, **common)
        else:
            asynchronous = httpx.AsyncClient(transport=httpx.MockTransport(self.meet))
            self.client = AsyncBakeryCommerce(KEY, http_client=asynchronous, sleep=self.wait, **common)

    async def wait(self, seconds: float) -> None:
        self.waits.append(seconds)

    def meet(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        return self.script[min(len(self.sent), len(self.script)) - 1]()

    def run(self, call: Callable[[Any], Any]) -> Any:
        if self.kind == "sync":
            return call(self.client)

        async def awaited() -> Any:
            result: Awaitable[Any] = call(self.client)
            return await result

        return anyio.run(awaited)

    def items(self, walk: Callable[[Any], Any]) -> list[Any]:
        if self.kind == "sync":
            return list(walk(self.client))

        async def awaited() -> list[Any]:
            return [item async for item in walk(self.client)]

        return anyio.run(awaited)


@pytest.fixture(params=["sync", "async"])
def scripted(request: pytest.FixtureRequest) -> Callable[..., Scripted]:
    return lambda script, **options: Scripted(request.param, script, **options)


@pytest.fixture
def service() -> Iterator[BakeryCommerce]:
    with BakeryCommerce(os.environ["BAKERY_API_KEY"], base_url=os.environ["BAKERY_URL"]) as client:
        yield client


@pytest.fixture
def dripping() -> Iterator[str]:
    """A server whose answer comes byte by byte and never ends."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        over = threading.Event()

        def serve() -> None:
            while not over.is_set():
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
                    while not over.wait(0.01):
                        try:
                            connection.sendall(b" ")
                        except OSError:
                            break

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        over.set()
        server.shutdown(socket.SHUT_RDWR)
    thread.join()
