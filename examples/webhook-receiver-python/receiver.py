"""A receiver of webhooks with nothing but Python's standard library (3.9 or newer)."""

import hashlib
import hmac
import json
import os
import re
import signal
import sys
import threading
import time
import traceback
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
LONGEST_BODY = 1024 * 1024
SIGNATURE = re.compile(r"t=(\d{1,12})[ \t]*,[ \t]*v1=([0-9a-f]{64})")


def verify(body, headers, secret, now=time.time):
    """The event inside `body` (bytes as they came); ValueError says why it is not to be trusted."""
    known = fresh = False
    # During a rotation the second header is signed with the old secret.
    for name in ("X-Webhook-Signature", "X-Webhook-Signature-Previous"):
        match = SIGNATURE.fullmatch(headers.get(name) or "")
        if not match:
            continue
        t, signature = match.groups()
        expected = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
        if hmac.compare_digest(expected, signature):  # in constant time
            known = True
            fresh = fresh or abs(now() - int(t)) <= TOLERANCE_SECONDS
    if not known:
        raise ValueError("no signature by this secret")
    if not fresh:
        raise ValueError("signed too long ago, or ahead of time")
    return json.loads(body)


def handle(event):
    """What the event means to you. It is answered only afterwards: what raises is delivered again."""
    if event["type"] == "order.created":
        order = event["data"]["object"]
        print(f"{order['friendly_order_number']}: {order['total']} {order['currency']}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    secret = ""
    # Ids of events that were taken. A real receiver keeps them where its data is, and writes both in one transaction.
    seen = set()
    lock = threading.Lock()

    def body(self):
        """The bytes of the body, or None if it is longer than an event may be. A tunnel may send chunks."""
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            length = int(self.headers.get("Content-Length", ""))
            return self.rfile.read(length) if 0 <= length <= LONGEST_BODY else None
        body = b""
        while size := int(self.rfile.readline(20).split(b";")[0], 16):
            if not 0 < size <= LONGEST_BODY - len(body):
                return None
            body += self.rfile.read(size)
            self.rfile.readline(3)
        self.rfile.readline(3)
        return body

    def do_POST(self):
        try:
            body = self.body()
        except ValueError:
            body = None
        except OSError:
            self.close_connection = True
            return None
        if body is None:
            self.close_connection = True
            return self.answer(413)
        try:
            event = verify(body, self.headers, self.secret)
        except ValueError as error:
            print(f"refused: {error}", flush=True)
            return self.answer(400)
        try:
            self.take(event)
        except Exception:
            traceback.print_exc()
            return self.answer(500)
        self.answer(204)

    def take(self, event):
        with self.lock:
            if event["id"] in self.seen:
                return print(f"{event['id']} again: nothing to do", flush=True)
            handle(event)
            self.seen.add(event["id"])
        print(f"{event['id']} {event['type']} taken", flush=True)

    def answer(self, status):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Nothing but events."""


def call(method, url, key="", body=None):
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, method=method, data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.loads(response.read(LONGEST_BODY))


def find_bakery():
    """BAKERY_URL with BAKERY_API_KEY; else the demo bakery that `npm start` made, on port BAKERY_PORT (4000)."""
    if os.environ.get("BAKERY_URL"):
        if not os.environ.get("BAKERY_API_KEY"):
            sys.exit("Set BAKERY_API_KEY beside BAKERY_URL.")
        return os.environ["BAKERY_URL"], os.environ["BAKERY_API_KEY"]
    port = os.environ.get("BAKERY_PORT", "4000")
    try:
        places = call("GET", f"http://127.0.0.1:{port}/_local/places")["places"]
        place = next(one for one in places if one["demo"])
    except (OSError, StopIteration):
        sys.exit(f"No demo bakery on port {port}: run npm start, or set BAKERY_URL and BAKERY_API_KEY.")
    return place["url"], place["demo"]["secretKey"]


def explained(error):
    """The sentence of a rejected registration."""
    text = error.read(LONGEST_BODY).decode("utf-8", "replace")
    try:
        said = json.loads(text)["error"]
        code, field, message = said["code"], said.get("field"), said["message"]
    except (ValueError, KeyError, TypeError):
        return f"{error.code}: {text}"
    if (error.code, field) == (400, "url"):
        return "The service does not deliver to this machine. Stop it and run: npm start -- --allow-loopback-webhooks"
    return f"{error.code} {code}: {message}"


def main():
    port = int(os.environ.get("PORT", "8080"))
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    except OSError as error:
        sys.exit(f"Port {port} cannot be used: {error}")
    url = f"http://127.0.0.1:{server.server_port}/webhooks"
    Receiver.secret = os.environ.get("BAKERY_WEBHOOK_SECRET", "")
    unregister = None
    if not Receiver.secret:
        # For as long as it runs; a deployed receiver is registered once, in the dashboard.
        base, key = find_bakery()
        events = ["order.created", "order.status_changed", "expense.created"]
        try:
            endpoint = call("POST", f"{base}/webhooks", key, {"url": url, "events": events})
        except urllib.error.HTTPError as error:
            sys.exit(explained(error))
        except OSError as error:
            sys.exit(f"No response from {base}: {error}")
        Receiver.secret = endpoint["secret"]
        unregister = (f"{base}/webhooks/{endpoint['id']}", key)
    stopped = threading.Event()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: stopped.set())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"Listening on {url}", flush=True)
    parent = os.getppid() if os.environ.get("npm_lifecycle_event") else None
    while not stopped.wait(1):  # in steps, so that Windows sees ^C
        if parent is not None and os.getppid() != parent:  # the npm that started it has ended
            break
    if unregister:
        call("DELETE", *unregister)
    server.shutdown()


if __name__ == "__main__":
    main()
