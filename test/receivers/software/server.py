"""Answers POST /STATUS/HABIT with Python's own server: server.py HTTP_PORT HTTPS_PORT CHAIN KEY"""

import gzip
import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

POLICY = "default-src 'self';\r\n    img-src https: data:;\r\n\tframe-ancestors 'none'"


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 1  # seconds that an idle connection is kept

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        _, status, habit = urlsplit(self.path).path.split("/")
        if habit == "old":
            self.protocol_version = "HTTP/1.0"
            self.close_connection = True
        self.send_response(int(status))
        if "folded" in habit:
            self.send_header("Content-Security-Policy", POLICY)
        if habit == "long":
            for number in range(8):
                self.send_header(f"X-Long-{number}", "long " * 600)
        body = b"" if status == "204" else b"ok\n" * 1_000
        if habit == "gzip":
            body = gzip.compress(body)
            self.send_header("Content-Encoding", "gzip")
        self.send(habit, status, body)

    def send(self, habit, status, body):
        if habit == "old" or status == "204":
            self.end_headers()  # without a length: the body ends with the connection
            self.wfile.write(body)
        elif habit == "chunked":
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for chunk in (body[:1], body[1:], b""):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        else:
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)


http, https, chain, key = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(chain, key)
secure = ThreadingHTTPServer(("127.0.0.1", int(https)), Receiver)
secure.socket = context.wrap_socket(secure.socket, server_side=True)
threading.Thread(target=secure.serve_forever, daemon=True).start()
ThreadingHTTPServer(("127.0.0.1", int(http)), Receiver).serve_forever()
