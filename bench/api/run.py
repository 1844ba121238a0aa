#!/usr/bin/env python3
"""The embedded API server beside kube-apiserver with etcd: the same client, JSON, no compression, one after the other.
Lists are taken in turns: one takes milliseconds, and how fast a machine is changes from minute to minute.

SLIPWAY_BENCH_OBJECTS is how many are listed (10000), SLIPWAY_BENCH_TEMPLATES how many memory is measured with (20000),
SLIPWAY_BENCH_SECONDS how long objects are created and listed (10). Exits 1 when a bound is missed; the bounds are those of the full sizes.
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(root / "tests/integration"), str(root / "bench")]
import bounds  # noqa: E402
import harness  # noqa: E402

LOAD = root / "build/bench/api_load"
OBJECTS = int(os.environ.get("SLIPWAY_BENCH_OBJECTS", "10000"))
TEMPLATES = int(os.environ.get("SLIPWAY_BENCH_TEMPLATES", "20000"))
SECONDS = int(os.environ.get("SLIPWAY_BENCH_SECONDS", "10"))
MANY, LIST, FULL = "creates/s, 64 clients", f"list of {OBJECTS:,}, ms", f"with {TEMPLATES:,} objects, MB"
TURNS = 5  # of lists
START, IDLE, STRIPPED = "start to ready, ms", "idle MB", "stripped program, MB"
BOUNDS = {START: bounds.under(100), IDLE: bounds.under(30), FULL: bounds.under(150), STRIPPED: bounds.under(25)}
# How many times better than the peer: more of these a second, or done in a part of its time.
TIMES = {MANY: bounds.at_least(5, " times the peer's"), LIST: bounds.at_least(10, " times as fast")}


def load(target, *words):
    done = subprocess.run([str(LOAD), "127.0.0.1", str(target["port"]), target["token"], *map(str, words)],
                          capture_output=True, text=True, timeout=900)
    if done.returncode:
        sys.exit(f"load {words}: {done.stderr}")
    return json.loads(done.stdout)


def resident_mb(pids):
    total = 0
    for pid in pids:
        for line in open(f"/proc/{pid}/status"):
            if line.startswith("VmRSS:"):
                total += int(line.split()[1])
    return total / 1024


def measure(target):
    """Everything that is the same for both but lists; the target is fresh, and then holds what is to be listed."""
    row = {IDLE: resident_mb(target["pids"])}
    row["creates/s, 1 client"] = load(target, "create", 1, SECONDS, "one")["perSecond"]
    row[MANY] = load(target, "create", 64, SECONDS, "many")["perSecond"]
    delete_all(target)
    load(target, "fill", 16, OBJECTS, "fill")
    row["gets/s, 1 client"] = load(target, "get", 1, 3, "fill-0")["perSecond"]
    row["gets/s, 64 clients"] = load(target, "get", 64, 5, "fill-0")["perSecond"]
    return row


def compare_lists(targets, rows):
    turns = [[load(target, "list", max(1, SECONDS // TURNS)) for target in targets] for _ in range(TURNS)]
    for row, lists in zip(rows, zip(*turns)):
        row[LIST] = statistics.median(listed["p50"] for listed in lists)
        row["list bytes"] = lists[0]["bytes"]


def measure_watches(target, row):
    watch = load(target, "watch", 100, 50)
    row["watch p50, ms"], row["watch p99, ms"] = watch["p50"], watch["p99"]


def delete_all(target):
    """Back to an empty namespace, so that both list the same number of objects."""
    import http.client
    import ssl
    connection = http.client.HTTPSConnection("127.0.0.1", target["port"], context=ssl._create_unverified_context(),
                                             timeout=600)
    connection.request("DELETE", "/api/v1/namespaces/default/configmaps",
                       headers={"Authorization": f"Bearer {target['token']}"})
    assert connection.getresponse().status == 200


@contextlib.contextmanager
def slipway():
    with harness.running() as server:
        starts = []
        for _ in range(10):
            server.stop()
            begin = time.monotonic()
            server.start()
            starts.append((time.monotonic() - begin) * 1000)
        time.sleep(1)
        target = {"port": server.port, "token": server.token(), "pids": [server.process.pid]}
        yield target, measure(target) | {START: statistics.median(starts), STRIPPED: stripped_mb()}


@contextlib.contextmanager
def kubernetes():
    folder = tempfile.mkdtemp(prefix="slipway-bench-")
    begin = time.monotonic()
    cluster = subprocess.Popen([str(root / "tests/kube/cluster"), folder, "--fsync", "--crds", str(root / "deploy/crds"),
                                "--no-controllers"], stdout=subprocess.PIPE, text=True)
    try:
        line = cluster.stdout.readline()
        ready = (time.monotonic() - begin) * 1000
        config = pathlib.Path(re.search(r"KUBECONFIG=(\S+)", line)[1]).read_text()
        port = int(re.search(r"server\W+https://[\w.]+:(\d+)", config)[1])
        token = re.search(r"token\W+([\w.-]+)", config)[1]
        pids = subprocess.run(["pgrep", "-f", f"(kube-apiserver|etcd).*{folder}"], capture_output=True, text=True).stdout.split()
        target = {"port": port, "token": token, "pids": pids}
        time.sleep(3)
        yield target, measure(target) | {START: ready}
    finally:
        cluster.send_signal(signal.SIGTERM)
        cluster.wait(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)


def measure_full(target):
    load(target, "templates", 16, TEMPLATES)
    return resident_mb(target["pids"])


def full_mb():
    """Of a server that never held anything else."""
    with harness.running() as server:
        target = {"port": server.port, "token": server.token(), "pids": [server.process.pid]}
        return measure_full(target)


def both():
    """A row of figures each. The peer is started when ours has been measured: what it does while nobody asks it is not to count."""
    with slipway() as (here, ours), kubernetes() as (there, theirs):
        compare_lists((here, there), (ours, theirs))
        measure_watches(here, ours)
        measure_watches(there, theirs)
        theirs[FULL] = measure_full(there)
    ours[FULL] = full_mb()
    return ours, theirs


def stripped_mb():
    with tempfile.NamedTemporaryFile() as copy:
        subprocess.run(["strip", "-o", copy.name, harness.slipway], check=True)
        return os.path.getsize(copy.name) / 1e6


def main():
    subprocess.run([str(root / "tools/build"), "release", "slipway", "api_load"], check=True)
    subprocess.run([str(root / "tests/kube/install")], check=True, stdout=subprocess.DEVNULL)
    ours, theirs = both()
    times = {MANY: ours[MANY] / theirs[MANY], LIST: theirs[LIST] / ours[LIST]}
    print("| | slipway | kube-apiserver + etcd | ratio | wanted |\n|---|---|---|---|---|")
    for name, value in ours.items():
        peer, ratio = (f"{theirs[name]:,.1f}", f"{value / theirs[name]:.2f}") if theirs.get(name) else ("", "")
        wanted = bounds.shown(BOUNDS, name, value) or bounds.shown(TIMES, name, times.get(name))
        print(f"| {name} | {value:,.1f} | {peer} | {ratio} | {wanted} |")
    return 1 if bounds.missed(BOUNDS, ours) + bounds.missed(TIMES, times) else 0


if __name__ == "__main__":
    sys.exit(main())
