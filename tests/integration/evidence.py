"""What the tests of queries and analyses share: the commands, and an HTTP server that answers as told and remembers."""
import contextlib
import http.server
import json
import os
import subprocess
import threading
import time

import harness

DONE, FAILED, INCONCLUSIVE, CANNOT_ASK, USAGE = 0, 1, 2, 3, 64
COMMAND_TIMEOUT_S = 120


def environment():
    return {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}


def slipway(*words, code, timeout=COMMAND_TIMEOUT_S):
    """(stdout, stderr) of a command that must end with this code."""
    done = subprocess.run([harness.slipway, *map(str, words)], capture_output=True, text=True, env=environment(),
                          timeout=timeout)
    assert done.returncode == code, f"{words}: exit {done.returncode}, not {code}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout, done.stderr


def answer(*words, code, timeout=COMMAND_TIMEOUT_S):
    """The one JSON document that a command prints with -o json."""
    text, _ = slipway(*words, "-o", "json", code=code, timeout=timeout)
    return json.loads(text)


PHASE_CODES = {"Successful": DONE, "Failed": FAILED, "Inconclusive": INCONCLUSIVE, "Error": FAILED}


class Request:
    def __init__(self, handler, body):
        self.method, self.path, self.headers, self.body = handler.command, handler.path, handler.headers, body
        self.at = time.monotonic()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def serve(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode(errors="replace")
        request = Request(self, body)
        self.server.seen.append(request)
        with contextlib.suppress(OSError):
            self.server.respond(self, request)

    do_GET = do_POST = serve

    def reply(self, body, status=200, content_type="application/json", headers=()):
        data = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in [("Content-Type", content_type), ("Content-Length", str(len(data))), *headers]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *words):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, address):
        pass  # a client that went away


@contextlib.contextmanager
def answering(respond):
    """A server on a free loopback port whose requests are answered by respond(handler, request). Has `address` and
    `seen`, the requests so far."""
    server = Server(("127.0.0.1", 0), Handler)
    server.respond, server.seen = respond, []
    server.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def vector(*values):
    """What Prometheus answers to an instant query: one series a value."""
    result = [{"metric": {"n": str(n)}, "value": [time.time(), str(value)]} for n, value in enumerate(values)]
    return json.dumps({"status": "success", "data": {"resultType": "vector", "result": result}})


def matrix(form, value):
    """What Prometheus answers to a range query: value(time) at each step. `form` is the request's, decoded."""
    at, end, step = float(form["start"][0]), float(form["end"][0]), float(form["step"][0])
    points = []
    while at <= end:
        points.append([at, str(value(at))])
        at += step
    return json.dumps({"status": "success",
                       "data": {"resultType": "matrix", "result": [{"metric": {}, "values": points}]}})
