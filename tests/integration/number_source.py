"""Sources that tests measure: every path is answered with JSON of a test's choice."""
import http.server
import json
import threading


class JsonSource:
    def __init__(self, answer):
        """answer: what to answer to a path."""
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps(answer(self.path)).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.server.server_address[1]}{path}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Numbers(JsonSource):
    """Numbers by name, which a test may change."""

    def __init__(self, otherwise=0):
        self.of = {}
        super().__init__(lambda path: {"number": self.of.get(path.strip("/"), otherwise)})

    def template(self, name, /, *args, **metric):
        """An AnalysisTemplate that asks for the number called by its first argument."""
        address = self.url(f"/{{{{args.{args[0]}}}}}")
        return {"apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisTemplate", "metadata": {"name": name},
                "spec": {"args": [{"name": arg} for arg in args], "metrics": [
                    {"name": "number", "interval": "1s", "successCondition": "result < 10", **metric,
                     "provider": {"web": {"url": address, "jsonPath": "{$.number}"}}}]}}
