"""Real metric stores for tests: started on free loopback ports in a scratch folder, filled, stopped at the end.

    with stores.prometheus(folder, [stores.Series("up", {"job": "web"}, points)]) as address: …

Points are (unix seconds, value). They may lie in the future, so that what a test watches go by is known beforehand.
"""
import contextlib
import ctypes
import dataclasses
import json
import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

import harness
import store_programs

READY_TIMEOUT_S = 60
STARTS = 3  # a port found free may be taken before its program gets there
PR_SET_PDEATHSIG = 1


@dataclasses.dataclass
class Series:
    name: str
    labels: dict = dataclasses.field(default_factory=dict)
    points: list = dataclasses.field(default_factory=list)


def every(step, begin, end, value):
    """Points from begin to end, both included; `value` is a number or a function of the time."""
    begin, end = int(begin), int(end)
    return [(at, value(at) if callable(value) else value) for at in range(begin, end + 1, step)]


def programs():
    try:
        return store_programs.folder()
    except store_programs.Unavailable as why:
        raise harness.Skip(str(why)) from why


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def get(url, timeout=10):
    with urllib.request.urlopen(url, timeout=timeout) as answer:
        return answer.read().decode()


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Daemon:
    """One program in the foreground, its output in a file; gone when the test is, however that ends."""

    def __init__(self, command, log, env=None):
        self.log = pathlib.Path(log)
        with open(log, "ab") as output:
            self.process = subprocess.Popen([str(word) for word in command], stdout=output, stderr=output,
                                            stdin=subprocess.DEVNULL, cwd=self.log.parent,
                                            env={**os.environ, **(env or {})}, preexec_fn=die_with_parent)

    def until(self, answers):
        """Waits until answers() neither fails nor is false. False when the program ended instead."""
        deadline = time.monotonic() + READY_TIMEOUT_S
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                return False
            with contextlib.suppress(OSError, ValueError, KeyError, IndexError):
                if answers():
                    return True
            time.sleep(0.05)
        raise RuntimeError(f"{self.process.args[0]} is not ready: {self.said()}")

    def said(self):
        return self.log.read_text(errors="replace")[-2000:]

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def started(start, answers):
    """start(port) gives a Daemon; answers(address) says whether it is ready. Yields (address, daemon)."""
    for _ in range(STARTS):
        port = free_port()
        daemon, address = start(port), f"http://127.0.0.1:{port}"
        try:
            if daemon.until(lambda: answers(address)):
                yield address, daemon
                return
        finally:
            daemon.stop()
    raise RuntimeError(f"{daemon.process.args[0]} ended at once: {daemon.said()}")


def open_metrics(series):
    """Text of the OpenMetrics format, each family once, samples in order of time within a series."""
    families = {}
    for one in series:
        families.setdefault(one.name, []).append(one)
    lines = []
    for name, members in families.items():
        lines.append(f"# TYPE {name} unknown")
        for one in members:
            labels = ",".join(f"{key}={json.dumps(str(value))}" for key, value in one.labels.items())
            lines += [f"{name}{{{labels}}} {value!r} {at}" for at, value in one.points]
    return "\n".join(lines + ["# EOF", ""])


@contextlib.contextmanager
def prometheus(folder, series=(), scrape=()):
    """Its address. `scrape`: host:port of exporters, asked every second."""
    bin_folder, folder = programs() / "usr/bin", pathlib.Path(folder) / "prometheus"
    folder.mkdir()
    if series:
        (folder / "known.om").write_text(open_metrics(series))
        subprocess.run([bin_folder / "promtool", "tsdb", "create-blocks-from", "openmetrics", folder / "known.om",
                        folder / "data"], check=True, capture_output=True, timeout=60)
    jobs = [{"job_name": "scraped", "scrape_interval": "1s", "static_configs": [{"targets": list(scrape)}]}] if scrape else []
    (folder / "prometheus.yml").write_text(json.dumps({"scrape_configs": jobs}))

    def start(port):
        return Daemon([bin_folder / "prometheus", f"--config.file={folder}/prometheus.yml",
                       f"--storage.tsdb.path={folder}/data", f"--web.listen-address=127.0.0.1:{port}",
                       "--storage.tsdb.retention.time=100y", "--log.level=warn"], folder / "log")

    with started(start, lambda address: get(address + "/-/ready")) as (address, _):
        yield address


@contextlib.contextmanager
def victoria_metrics(folder, series=()):
    """Its address; it speaks Prometheus' protocol."""
    program, folder = programs() / "usr/bin/victoria-metrics", pathlib.Path(folder) / "victoria-metrics"
    folder.mkdir()

    def start(port):
        return Daemon([program, f"-storageDataPath={folder}/data", f"-httpListenAddr=127.0.0.1:{port}",
                       "-retentionPeriod=100y", "-search.latencyOffset=0s", "-loggerLevel=WARN"], folder / "log")

    with started(start, lambda address: get(address + "/health") == "OK") as (address, _):
        lines = [json.dumps({"metric": {"__name__": one.name, **one.labels},
                             "values": [value for _, value in one.points],
                             "timestamps": [int(at * 1000) for at, _ in one.points]}) for one in series]
        if lines:
            urllib.request.urlopen(address + "/api/v1/import", "\n".join(lines).encode(), timeout=10).close()
        get(address + "/internal/force_flush")  # else points show only after a second or two
        yield address


GRAPHITE_SETTINGS = """
SECRET_KEY = "of a test"
STORAGE_DIR = CONF_DIR = LOG_DIR = {folder!r}
INDEX_FILE = STORAGE_DIR + "/index"
WHISPER_DIR = STORAGE_DIR + "/whisper"
STANDARD_DIRS = [WHISPER_DIR]
DATABASES = {{"default": {{"NAME": STORAGE_DIR + "/graphite.db", "ENGINE": "django.db.backends.sqlite3"}}}}
CARBONLINK_HOSTS = ["127.0.0.1:{query_port}:a"]
ALLOWED_HOSTS = ["*"]
LOG_ROTATION = False
DEBUG = False
FUNCTION_PLUGINS = []
"""
CARBON_CONFIG = """
[cache]
STORAGE_DIR = {folder}
LOCAL_DATA_DIR = {folder}/whisper
CONF_DIR = {folder}
LOG_DIR = {folder}
PID_DIR = {folder}
LINE_RECEIVER_INTERFACE = 127.0.0.1
LINE_RECEIVER_PORT = {line_port}
PICKLE_RECEIVER_INTERFACE = 127.0.0.1
PICKLE_RECEIVER_PORT = 0
CACHE_QUERY_INTERFACE = 127.0.0.1
CACHE_QUERY_PORT = {query_port}
MAX_CREATES_PER_MINUTE = inf
MAX_UPDATES_PER_SECOND = inf
ENABLE_LOGROTATION = False
CARBON_METRIC_INTERVAL = 0
"""


@contextlib.contextmanager
def graphite(folder, series=(), step=10):
    """graphite-web's address, with carbon-cache behind. Names are Graphite's paths (web.errors); labels are not used.

    Points are kept for a day, one every `step` seconds: times must be multiples of it, and not in the future."""
    root, folder = programs(), pathlib.Path(folder) / "graphite"
    (folder / "whisper").mkdir(parents=True)
    line_port, query_port = free_port(), free_port()
    (folder / "carbon.conf").write_text(CARBON_CONFIG.format(folder=folder, line_port=line_port, query_port=query_port))
    (folder / "storage-schemas.conf").write_text(f"[all]\npattern = .*\nretentions = {step}s:1d\n")
    (folder / "test_settings.py").write_text(GRAPHITE_SETTINGS.format(folder=str(folder), query_port=query_port))
    env = {"PYTHONPATH": f"{folder}:{root}/usr/lib/python3/dist-packages", "GRAPHITE_ROOT": str(folder),
           "GRAPHITE_SETTINGS_MODULE": "test_settings", "DJANGO_SETTINGS_MODULE": "graphite.settings",
           "PYTHONWARNINGS": "ignore", "PYTHONDONTWRITEBYTECODE": ""}
    carbon = Daemon([store_programs.PYTHON, "-S", root / "usr/bin/carbon-cache", f"--config={folder}/carbon.conf",
                     f"--pidfile={folder}/carbon.pid", "--nodaemon", "start"], folder / "carbon.log", env)
    try:
        def start(port):
            return Daemon([store_programs.PYTHON, "-S", "-c", GRAPHITE_WEB, str(port)], folder / "web.log", env)

        with started(start, lambda address: get(address + "/version/")) as (address, _):
            send_lines(carbon, line_port, series)
            for one in series:
                carbon.until(lambda: shown(address, one) == one.points)
            yield address
    finally:
        carbon.stop()


# Its own WSGI application, without the set-up of users and dashboards that a browser would want.
GRAPHITE_WEB = """
import sys, wsgiref.simple_server
from graphite.wsgi import application
class Quiet(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *words): pass
    def address_string(self): return self.client_address[0]
wsgiref.simple_server.make_server("127.0.0.1", int(sys.argv[1]), application, handler_class=Quiet).serve_forever()
"""


def send_lines(carbon, port, series):
    def connected():
        with socket.create_connection(("127.0.0.1", port), timeout=10) as lines:
            lines.sendall("".join(f"{one.name} {value!r} {at}\n" for one in series for at, value in one.points).encode())
        return True

    if not carbon.until(connected):
        raise RuntimeError(f"carbon-cache ended: {carbon.said()}")


def shown(address, one):
    """The series' points as graphite-web has them."""
    begin, end = one.points[0][0] - 1, one.points[-1][0]
    query = urllib.parse.urlencode({"target": one.name, "from": begin, "until": end, "format": "json"})
    points = json.loads(get(f"{address}/render?{query}"))[0]["datapoints"]
    return [(at, value) for value, at in points if value is not None]
