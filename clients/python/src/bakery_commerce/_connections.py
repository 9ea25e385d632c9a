"""httpx's clients of one service: through the proxy of the environment, one for each process and event loop."""

from __future__ import annotations

import ipaddress
import os
import uuid
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

import anyio.lowlevel
import httpx

Client = TypeVar("Client", httpx.Client, httpx.AsyncClient)

PORTS = {"http": 80, "https": 443}


def _is_named(place: SplitResult, entry: str) -> bool:
    """Whether an entry of `NO_PROXY` is the service's URL, or a network or an address in brackets that holds its host."""
    try:
        if "://" in entry:
            named = urlsplit(entry)
            is_port = named.port in (None, place.port or PORTS[place.scheme])
            return is_port and named.hostname == place.hostname and named.scheme in (place.scheme, "all")
        return ipaddress.ip_address(place.hostname or "") in ipaddress.ip_network(entry.strip("[]"), strict=False)
    except ValueError:
        return False


def proxy_of(base_url: str) -> str | None:
    """The proxy that the environment names for the service. httpx reads every entry of `NO_PROXY` as a URL, and fails on some. Raises
    `ValueError` for a proxy without a host, or with an invalid port.
    """
    place = urlsplit(base_url)
    proxies = getproxies()
    proxy = (proxies.get(place.scheme) or proxies.get("all") or "").strip()
    host = place.netloc if place.port else f"{place.netloc}:{PORTS[place.scheme]}"
    if not proxy or proxy_bypass(host) or any(_is_named(place, entry.strip()) for entry in proxies.get("no", "").split(",")):
        return None
    named = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    if not named.hostname or named.port == 0:
        raise ValueError("It has no host, or port 0.")
    return named.geturl()


def _options(base_url: str) -> dict[str, Any]:
    # Without `trust_env`, httpx reads neither proxies nor the certificates that the environment names.
    return {"proxy": proxy_of(base_url), "trust_env": False, "verify": httpx.create_ssl_context()}


def _open(kind: type[Client], base_url: str) -> Client:
    """A client of httpx. Raises `ValueError` if it cannot use the proxy or the certificates that the environment names."""
    try:
        return kind(**_options(base_url))
    except OSError as error:
        raise ValueError(
            f"The certificates that the environment names cannot be used: {error}. "
            "Correct SSL_CERT_FILE, SSL_CERT_DIR or SSLKEYLOGFILE, or pass an http_client."
        ) from error
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        raise ValueError(
            f"The proxy that the environment names cannot be used: {error} "
            f"Install what it needs, name {urlsplit(base_url).hostname} in NO_PROXY, or pass an http_client."
        ) from error


class Connections:
    """One `httpx.Client` for each process: processes that share sockets would read each other's responses."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._clients = {os.getpid(): _open(httpx.Client, base_url)}

    def get(self) -> httpx.Client:
        pid = os.getpid()
        if pid not in self._clients:  # the clients of the parent stay as they are, because closing them would end its connections
            self._clients[pid] = _open(httpx.Client, self._base_url)
        return self._clients[pid]

    def close(self) -> None:
        self.get().close()


class AsyncConnections:
    """One `httpx.AsyncClient` for each event loop, which is of one process: connections end with their loop."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._unused: httpx.AsyncClient | None = _open(httpx.AsyncClient, base_url)
        self._of_loop: anyio.lowlevel.RunVar[tuple[int, httpx.AsyncClient]] = anyio.lowlevel.RunVar(f"bakery_commerce-{uuid.uuid4()}")

    def get(self) -> httpx.AsyncClient:
        pid = os.getpid()
        known = self._of_loop.get(None)
        if known is not None and known[0] == pid:
            return known[1]
        client, self._unused = self._unused or _open(httpx.AsyncClient, self._base_url), None
        self._of_loop.set((pid, client))
        return client

    async def aclose(self) -> None:
        """Closes the connections of the running event loop."""
        await self.get().aclose()
