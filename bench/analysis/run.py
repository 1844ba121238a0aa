#!/usr/bin/env python3
"""AnalysisRuns on the embedded server: what a measurement costs, and how punctual it is.

10,000 runs measure every 10 s against a stub that speaks Prometheus' protocol. The server has one core, the stub and
this script the other. Beside them, 10,000 runs that have finished. SLIPWAY_BENCH_RUNS is how many of each,
SLIPWAY_BENCH_SECONDS how long it is measured (60). Exits 1 when a bound is missed.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

root = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(root / "tests/integration"), str(root / "bench")]
import bounds  # noqa: E402
import harness  # noqa: E402

STUB = root / "build/bench/analysis_stub"
RUNS = int(os.environ.get("SLIPWAY_BENCH_RUNS", "10000"))
INTERVAL_S = 10
KEPT = 10                              # measurements a metric keeps: before, objects still grow
MEASURED_S = int(os.environ.get("SLIPWAY_BENCH_SECONDS", "60"))
IDLE_S = 10
CLIENTS = 4
TICKS = os.sysconf("SC_CLK_TCK")
PATH = "/apis/argoproj.io/v1alpha1/namespaces/default/analysisruns"
# What has finished costs nothing; a server with nothing to do still wakes up for its timers.
BOUNDS = {"gap p99, s": bounds.under(11), "CPU a measurement, ms": bounds.at_most(0.25), "memory, MB": bounds.under(300),
          "finished runs: CPU, % of a core": bounds.under(0.5)}


def run_object(number, address, count):
    metric = {"name": "success-rate", "interval": f"{INTERVAL_S}s", "successCondition": "result[0] >= 0.95",
              "provider": {"prometheus": {"address": address, "query": f"bench_{number}"}}}
    if count:
        metric["count"] = count
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisRun",
            "metadata": {"name": f"bench-{number}", "labels": {"app": "bench"}}, "spec": {"metrics": [metric]}}


def create(server, address, first, count, over_s, measurements=None):
    """`count` runs, evenly over a time."""
    begin = time.monotonic()

    def some(client_number):
        client = server.client()
        for number in range(first + client_number, first + count, CLIENTS):
            wait = begin + over_s * (number - first) / count - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            status, answer = client.send("POST", PATH, run_object(number, address, measurements))
            assert status == 201, answer
        client.close()

    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as several:
        list(several.map(some, range(CLIENTS)))


def cpu_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def gaps(address):
    return json.loads(urllib.request.urlopen(address + "/gaps", timeout=30).read())


def reset(address):
    urllib.request.urlopen(address + "/reset", b"", timeout=30).close()


def phases(server):
    """How many runs are in which phase."""
    status, answer = server.client(timeout=120).send("GET", PATH)
    assert status == 200, answer
    seen = {}
    for run in answer["items"]:
        phase = run.get("status", {}).get("phase", "")
        seen[phase] = seen.get(phase, 0) + 1
    return seen


def wait_for(what, seconds, done):
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            sys.exit(f"{what}: not after {seconds} s")
        time.sleep(2)


def say(text):
    print(text, file=sys.stderr, flush=True)


def finished_runs(server, address, rows):
    """Runs of one measurement each; then nothing goes on."""
    pid, before = server.process.pid, server.resident_kb()
    say(f"{RUNS:,} runs of one measurement")
    create(server, address, RUNS, RUNS, 0, measurements=1)
    wait_for("verdicts", 300, lambda: not set(phases(server)) & {"", "Running"})
    assert phases(server) == {"Successful": RUNS}, phases(server)
    time.sleep(2)
    cpu = cpu_seconds(pid)
    time.sleep(IDLE_S)
    rows["finished runs: CPU, % of a core"] = (cpu_seconds(pid) - cpu) / IDLE_S * 100
    rows["finished runs: memory, MB"] = (server.resident_kb() - before) / 1024
    reset(address)


def running_runs(server, address, rows):
    pid, before = server.process.pid, server.resident_kb()
    say(f"{RUNS:,} runs that go on")
    create(server, address, 0, RUNS, INTERVAL_S)
    warm = INTERVAL_S * (KEPT + 1)
    say(f"{warm} s until every run keeps {KEPT} measurements, then {MEASURED_S} s")
    time.sleep(warm)
    reset(address)
    cpu, begin = cpu_seconds(pid), time.monotonic()
    time.sleep(MEASURED_S)
    cpu, took, seen = cpu_seconds(pid) - cpu, time.monotonic() - begin, gaps(address)
    rows["measurements/s"] = seen["queries"] / took
    rows["runs that measured"] = seen["runs"]
    rows["CPU, % of a core"] = cpu / took * 100
    rows["CPU a measurement, ms"] = cpu / max(seen["queries"], 1) * 1000
    rows["gap p50, s"], rows["gap p99, s"], rows["gap longest, s"] = seen["p50"], seen["p99"], seen["max"]
    rows["connections to the provider"] = seen["connections"]
    rows["memory of these runs, MB"] = (server.resident_kb() - before) / 1024
    rows["memory, MB"] = server.resident_kb() / 1024


def main():
    subprocess.run([str(root / "tools/build"), "release", "slipway", "analysis_stub"], check=True)
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[-1]})  # the stub inherits it
    stub = subprocess.Popen([str(STUB)], stdout=subprocess.PIPE, text=True)
    address = f"http://127.0.0.1:{int(stub.stdout.readline())}"
    rows = {}
    with harness.scratch() as folder:
        server = harness.Server(folder / "data", prefix=["taskset", "-c", str(cores[0])])
        server.folder.mkdir(mode=0o700)
        server.start()
        try:
            rows["idle MB"] = server.resident_kb() / 1024
            finished_runs(server, address, rows)
            running_runs(server, address, rows)
            seen = phases(server)
        finally:
            server.kill()
            stub.kill()
            stub.wait()
    assert seen == {"Successful": RUNS, "Running": RUNS}, f"phases: {seen}"
    print(f"| {RUNS:,} AnalysisRuns every {INTERVAL_S} s, {RUNS:,} finished | measured | wanted |\n|---|---|---|")
    for name, value in rows.items():
        print(f"| {name} | {value:,.2f} | {bounds.shown(BOUNDS, name, value)} |")
    return 1 if bounds.missed(BOUNDS, rows) else 0


if __name__ == "__main__":
    sys.exit(main())
