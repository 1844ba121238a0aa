"""A source of numbers that a test may change: every path is answered with its number, as JSON."""
import http.server
import json
import threading


class Numbers:
    def __init__(self, otherwise=0):
        self.of = {}
        numbers = self

        class Answers(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = json.dumps({"number": numbers.of.get(self.path.strip("/"), otherwise)}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def template(self, name, /, *args, **metric):
        """An AnalysisTemplate that asks for the number called by its first argument."""
        address = f"http://127.0.0.1:{self.server.server_address[1]}/{{{{args.{args[0]}}}}}"
        return {"apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisTemplate", "metadata": {"name": name},
                "spec": {"args": [{"name": arg} for arg in args], "metrics": [
                    {"name": "number", "interval": "1s", "successCondition": "result < 10", **metric,
                     "provider": {"web": {"url": address, "jsonPath": "{$.number}"}}}]}}

    def close(self):
        self.server.shutdown()
        self.server.server_close()
