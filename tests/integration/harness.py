"""Starts slipway for a test and talks to it; prints outcomes as tests/runner.py reads them."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import traceback

slipway = os.environ.get("SLIPWAY", "build/slipway")
rounds = int(os.environ.get("SLIPWAY_ROUNDS", "10"))
seed = int(os.environ.get("SLIPWAY_SEED", "0")) or int.from_bytes(os.urandom(4), "big")

READY_TIMEOUT_S = 20
READY = re.compile(rb"ready https://[^\s:]+:(\d+)")
# Memory cannot be judged under a sanitizer: freed blocks are kept for a while.
memory_counts = "SLIPWAY_SANITIZED" not in os.environ
# What a limit on time is multiplied by: a sanitized program is slower, and slower still on a machine that is busy with others.
patience = 1 if memory_counts else 5


def said(log, began):
    with open(log, "rb") as file:
        file.seek(began)
        return file.read()


class Server:
    """One data folder, and a server on it that may be killed and started again on the same port."""

    def __init__(self, folder, *arguments, prefix=()):
        self.folder = pathlib.Path(folder)
        self.arguments = list(arguments)
        self.prefix = list(prefix)
        self.port = 0
        self.process = None

    def launch(self):
        """The log, and where in it this start begins."""
        command = [*self.prefix, slipway, "serve", "--data", str(self.folder), "--port", str(self.port), *self.arguments]
        log = self.folder.parent / (self.folder.name + ".log")
        with open(log, "ab") as stderr:
            began = stderr.tell()
            self.process = subprocess.Popen(command, stderr=stderr, stdout=subprocess.DEVNULL)
        return log, began

    def start(self):
        log, began = self.launch()
        deadline, text = time.monotonic() + READY_TIMEOUT_S, b""
        while time.monotonic() < deadline:
            text = said(log, began)
            if ready := READY.search(text):
                self.port = int(ready[1])
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.005)
        self.kill()
        raise RuntimeError(f"the server did not get ready: {text.decode(errors='replace')}")

    def start_in_vain(self, seconds):
        """Kills it so long after it was started. Whether that was before it got ready."""
        log, began = self.launch()
        time.sleep(seconds)
        self.kill()
        return not READY.search(said(log, began))

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=30)

    def token(self, name="token"):
        return (self.folder / name).read_text().strip()

    def tls(self):
        context = ssl.create_default_context(cafile=str(self.folder / "ca.crt"))
        return context

    def client(self, token=None, timeout=30):
        return Client(self, self.token() if token is None else token, timeout)

    def resident_kb(self):
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        return 0


class Client:
    """One keep-alive connection."""

    def __init__(self, server, token, timeout):
        self.token = token
        self.connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=server.tls(), timeout=timeout)

    def send(self, method, path, body=None, content_type="application/json", headers=None):
        """(status, decoded body)"""
        data = None if body is None else body if isinstance(body, (bytes, str)) else json.dumps(body)
        all_headers = {"Content-Type": content_type, "Accept": "application/json"}
        if self.token:
            all_headers["Authorization"] = f"Bearer {self.token}"
        self.connection.request(method, path, data, {**all_headers, **(headers or {})})
        response = self.connection.getresponse()
        text = response.read()
        try:
            return response.status, json.loads(text)
        except ValueError:
            return response.status, text.decode(errors="replace")

    def stream(self, path):
        """The response object of a watch; read it line by line."""
        self.connection.request("GET", path, headers={"Authorization": f"Bearer {self.token}"})
        return self.connection.getresponse()

    def close(self):
        self.connection.close()


@contextlib.contextmanager
def scratch():
    folder = tempfile.mkdtemp(prefix="slipway-test-")
    try:
        yield pathlib.Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def running(*arguments):
    with scratch() as folder:
        server = Server(folder / "data", *arguments)
        server.folder.mkdir(mode=0o700)
        server.start()
        try:
            yield server
        finally:
            server.kill()
            end_processes(server.folder)  # its Pods and its proxy would go on


def processes(mark):
    """The words of each process whose command line or environment holds this, by number."""
    found = {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (process / "cmdline").read_bytes()
            alive = (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
            if alive and str(mark).encode() in words + (process / "environ").read_bytes():
                found[int(process.name)] = words.decode(errors="replace").rstrip("\0").split("\0")
    return found


def end_processes(mark):
    for pid in processes(mark):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def until(holds, otherwise, patience_s=60 * patience):
    """What `holds` gives, once there is something. `otherwise` says what is missed, or gives what is there instead."""
    deadline = time.monotonic() + patience_s
    while not (answer := holds()):
        assert time.monotonic() < deadline, \
            f"{patience_s} s went by: {otherwise() if callable(otherwise) else otherwise}"
        time.sleep(0.05)
    return answer


class Skip(Exception):
    pass


def run(tests):
    """Runs functions; their names are the rules they check."""
    failed = False
    test_filter = sys.argv[1] if len(sys.argv) > 1 else ""
    for test in tests:
        name = test.__name__
        if test_filter not in name:
            continue
        try:
            test()
            print(f"ok {name}", flush=True)
        except Skip as why:
            print(f"skip {name}: {why}", flush=True)
        except Exception as problem:  # a test that breaks is a test that fails
            failed = True
            traceback.print_exc()
            print(f"FAIL {name}: {type(problem).__name__}: {problem} (SLIPWAY_SEED={seed})", flush=True)
    sys.exit(1 if failed else 0)
