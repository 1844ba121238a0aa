"""What scripts steer by files (live/live_stage.h): a metric source that speaks Prometheus' API, and a node for a cluster
that has none."""
import contextlib
import http.server
import json
import pathlib
import threading
import time
import urllib.parse

NODE = "stand-in"


class Metrics(http.server.ThreadingHTTPServer):
    """Answers /NAMESPACE/api/v1/query from FOLDER/metrics/NAMESPACE/prometheus/NAME."""

    daemon_threads = True

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Answer)
        self.folder = pathlib.Path(folder) / "metrics"
        self.address = f"http://127.0.0.1:{self.server_port}"

    def value(self, namespace, query):
        with contextlib.suppress(OSError):
            return (self.folder / namespace / "prometheus" / query.split("{")[0]).read_text().strip()
        return "none"


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(urllib.parse.urlsplit(self.path).query)

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode())

    def answer(self, form):
        namespace = self.path.split("/")[1]
        value = self.server.value(namespace, urllib.parse.parse_qs(form).get("query", [""])[0])
        if value == "error":
            return self.send_error(503)
        result = [] if value == "none" else [{"metric": {}, "value": [time.time(), value]}]
        body = json.dumps({"status": "success", "data": {"resultType": "vector", "result": result}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def metrics(folder):
    server = Metrics(folder)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.address
    finally:
        server.shutdown()
        server.server_close()


class Node:
    """Pods of a cluster without kubelets are bound, become ready unless told otherwise, and go when they are deleted."""

    PERIOD_S = 0.2

    def __init__(self, send, folder):
        self.send = send  # (method, path, body, content type) -> (status, document)
        self.unready = pathlib.Path(folder) / "unready"
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        while not self.stopping.wait(self.PERIOD_S):
            _, page = self.send("GET", "/api/v1/pods")
            for pod in page.get("items", []):
                self.look_at(pod)

    def look_at(self, pod):
        meta = pod["metadata"]
        path = f"/api/v1/namespaces/{meta['namespace']}/pods/{meta['name']}"
        if "deletionTimestamp" in meta:
            self.send("DELETE", path + "?gracePeriodSeconds=0")
            return
        if not pod["spec"].get("nodeName"):
            binding = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": meta["name"]},
                       "target": {"apiVersion": "v1", "kind": "Node", "name": NODE}}
            self.send("POST", path + "/binding", binding)
        image = pod["spec"]["containers"][0]["image"]
        wanted = "False" if (self.unready / meta["namespace"] / image).exists() else "True"
        now = next((c["status"] for c in pod["status"].get("conditions", []) if c["type"] == "Ready"), "")
        if now == wanted:
            return
        condition = {"type": "Ready", "status": wanted,
                     "lastTransitionTime": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        status = {"phase": "Running", "podIP": "10.1.0.1", "podIPs": [{"ip": "10.1.0.1"}], "conditions": [condition]}
        self.send("PATCH", path + "/status", {"status": status}, "application/merge-patch+json")

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()
