#!/usr/bin/env python3
"""20,000 Rollouts on one server: what they take at rest, how soon one among them is attended to, and what a scrape of
/metrics costs those who ask for something else.

Pods are not run: a stand-in says of each ReplicaSet that its Pods are available. What the server uses for the first
thousand Rollouts, from their creation until they are healthy, is compared with what it uses for the last thousand.
SLIPWAY_BENCH_ROLLOUTS is how many (20000). Exits 1 when a bound is missed.

Rollouts at rest are what is bounded, so the Events of how they came to be are deleted first, as a server itself does an hour
later; what the process holds before is a row of its own.
"""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import random
import subprocess
import sys
import threading
import time

root = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(root / "tests/integration"), str(root / "bench")]
import bounds  # noqa: E402
import harness  # noqa: E402

ROLLOUTS = int(os.environ.get("SLIPWAY_BENCH_ROLLOUTS", "20000"))
BATCH = 1000
CLIENTS = 4
IDLE_S = 30
STEPS = 50
SETTLE_S = 600
TICKS = os.sysconf("SC_CLK_TCK")
PATH = "/apis/argoproj.io/v1alpha1/namespaces/default/rollouts"
SETS = "/apis/apps/v1/namespaces/default/replicasets"
AT_REST = "memory once all Events are deleted, MB"
BOUNDS = {AT_REST: bounds.under(300), "idle, % of a core": bounds.under(1),
          "new template to ReplicaSet, p99, ms": bounds.at_most(50), "Pods available to next step, p99, ms": bounds.at_most(50),
          "pause ended to next step, p99, ms": bounds.at_most(50),
          "another request during a scrape, at most, ms": bounds.at_most(50), "last thousand / first": bounds.at_most(1.5)}


def rollout(number):
    labels = {"app": f"bench-{number}"}
    container = {"name": "web", "image": "web:v1", "ports": [{"containerPort": 8080}]}
    steps = [{"setWeight": 20}, {"pause": {}}, {"setWeight": 60}, {"pause": {"duration": "10m"}}]
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": {"name": f"bench-{number}"},
            "spec": {"replicas": 1, "selector": {"matchLabels": labels}, "strategy": {"canary": {"steps": steps}},
                     "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}}}}


class Pods(threading.Thread):
    """Makes every ReplicaSet available as soon as it is scaled; remembers when each was seen first."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.writer = server.client(timeout=60)
        self.stream = server.client(timeout=SETTLE_S).stream(f"{SETS}?watch=true&timeoutSeconds=3000")
        self.seen = {}
        self.told = {}  # by owner: when it was last said that Pods are available

    def run(self):
        for line in self.stream:  # until the server is gone
            now = time.monotonic()
            event = json.loads(line)
            one = event["object"]
            name = one["metadata"]["name"]
            if event["type"] == "ADDED":
                self.seen[one["metadata"]["ownerReferences"][0]["name"], name] = now
            wanted = one["spec"]["replicas"]
            if event["type"] == "DELETED" or one.get("status", {}).get("availableReplicas", 0) == wanted:
                continue
            status = {"replicas": wanted, "fullyLabeledReplicas": wanted, "readyReplicas": wanted, "availableReplicas": wanted,
                      "observedGeneration": one["metadata"]["generation"]}
            with contextlib.suppress(OSError):
                self.writer.send("PATCH", f"{SETS}/{name}/status", {"status": status}, "application/merge-patch+json")
                self.told[one["metadata"]["ownerReferences"][0]["name"]] = time.monotonic()


class StepsSeen(threading.Thread):
    """When each Rollout was seen at each step for the first time."""

    def __init__(self, server):
        super().__init__(daemon=True)
        client = server.client(timeout=SETTLE_S)
        version = client.send("GET", f"{PATH}?limit=1")[1]["metadata"]["resourceVersion"]
        self.stream = client.stream(f"{PATH}?watch=true&resourceVersion={version}&timeoutSeconds=3000")
        self.at = {}

    def run(self):
        for line in self.stream:  # until the server is gone
            now = time.monotonic()
            one = json.loads(line)["object"]
            name, status = one["metadata"]["name"], one.get("status", {})
            self.at.setdefault((name, status.get("currentStepIndex")), now)
            if "pauseConditions" in status:
                self.at.setdefault((name, "paused"), now)

    def wait(self, name, step):
        deadline = time.monotonic() + 30
        while (name, step) not in self.at:
            assert time.monotonic() < deadline, f"{name} does not get to step {step}"
            time.sleep(0.0005)
        return self.at[name, step]


def cpu_seconds(pid):
    fields = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def create(server, first, count):
    def some(offset):
        client = server.client()
        for number in range(first + offset, first + count, CLIENTS):
            status, answer = client.send("POST", PATH, rollout(number))
            assert status == 201, answer
        client.close()

    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as several:
        list(several.map(some, range(CLIENTS)))


def settle(server, first, count):
    """Until the batch is healthy: looked at one by one, so that looking costs the same whatever else is there."""
    client = server.client()
    deadline = time.monotonic() + SETTLE_S
    for number in range(first, first + count):
        while client.send("GET", f"{PATH}/bench-{number}")[1].get("status", {}).get("phase") != "Healthy":
            assert time.monotonic() < deadline, f"bench-{number} does not get healthy"
            time.sleep(0.05)
    client.close()


def attended(server, pods):
    """Milliseconds, one Rollout after the other: from the answer to a new template until its ReplicaSet is there, from the
    word that its Pods are available, and from the end of a pause, until the status is at the next step."""
    steps = StepsSeen(server)
    steps.start()
    client, waits, first_steps, second_steps = server.client(), [], [], []
    for number in random.Random(harness.seed).sample(range(ROLLOUTS), STEPS):
        name, before = f"bench-{number}", len(pods.seen)
        image = [{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "web:v2"}]
        status, answer = client.send("PATCH", f"{PATH}/{name}", image, "application/json-patch+json")
        answered = time.monotonic()
        assert status == 200, answer
        while len(pods.seen) == before:
            assert time.monotonic() < answered + 30, f"{name} is not attended to"
            time.sleep(0.0005)
        (owner, _), at = list(pods.seen.items())[-1]
        assert owner == name, (owner, name)
        waits.append(max(0.0, at - answered) * 1000)
        stepped = steps.wait(name, 1)
        while pods.told[name] < answered:  # its own answer may come later than the step
            time.sleep(0.0005)
        first_steps.append(max(0.0, stepped - pods.told[name]) * 1000)
        steps.wait(name, "paused")
        status, answer = client.send("PATCH", f"{PATH}/{name}/status", {"status": {"pauseConditions": None}},
                                     "application/merge-patch+json")
        ended = time.monotonic()
        assert status == 200, answer
        second_steps.append(max(0.0, steps.wait(name, 2) - ended) * 1000)
    client.close()
    return {"new template to ReplicaSet": waits, "Pods available to next step": first_steps,
            "pause ended to next step": second_steps}


def scraped(server):
    """Of one scrape: its bytes and seconds; and the longest that another request took meanwhile, in milliseconds."""
    asking, longest, over = server.client(), [0.0], threading.Event()

    def ask():
        while not over.is_set():
            began = time.monotonic()
            assert asking.send("GET", f"{PATH}/bench-0")[0] == 200
            longest[0] = max(longest[0], (time.monotonic() - began) * 1000)

    other = threading.Thread(target=ask)
    other.start()
    time.sleep(0.5)
    longest[0] = 0.0
    began, size = time.monotonic(), 0
    stream = server.client(timeout=SETTLE_S).stream("/metrics")
    while piece := stream.read(1 << 20):
        size += len(piece)
    took = time.monotonic() - began
    over.set()
    other.join()
    return size, took, longest[0]


def measure(server):
    pid, figures, per_rollout = server.process.pid, {}, []
    pods = Pods(server)
    pods.start()
    empty_mb = server.resident_kb() / 1024
    for first in range(0, ROLLOUTS, BATCH):
        before = cpu_seconds(pid)
        create(server, first, BATCH)
        settle(server, first, BATCH)
        per_rollout.append((cpu_seconds(pid) - before) * 1000 / BATCH)
        print(f"{first + BATCH} rollouts: {per_rollout[-1]:.2f} ms of CPU each, {server.resident_kb() // 1024} MB", flush=True)
    figures["memory with the Events of it all, MB"] = server.resident_kb() / 1024
    status, answer = server.client(timeout=SETTLE_S).send("DELETE", "/api/v1/namespaces/default/events")
    assert status == 200, answer
    time.sleep(10)
    before = cpu_seconds(pid)
    time.sleep(IDLE_S)
    figures["idle, % of a core"] = (cpu_seconds(pid) - before) / IDLE_S * 100
    figures[AT_REST] = server.resident_kb() / 1024
    for name, waits in attended(server, pods).items():
        figures[f"{name}, p50, ms"] = sorted(waits)[len(waits) // 2]
        figures[f"{name}, p99, ms"] = max(waits)
    scrapes = [scraped(server), scraped(server)]  # the first reads every Rollout, the second what has changed
    figures["a scrape, MB"] = scrapes[-1][0] / 1e6
    figures["the first scrape, s"] = scrapes[0][1]
    figures["the next scrape, s"] = scrapes[1][1]
    figures["another request during a scrape, at most, ms"] = max(longest for _, _, longest in scrapes)
    figures["memory after scrapes, MB"] = server.resident_kb() / 1024
    figures["first thousand, ms of CPU each"] = per_rollout[0]
    figures["last thousand, ms of CPU each"] = per_rollout[-1]
    figures["last thousand / first"] = per_rollout[-1] / per_rollout[0]
    figures["empty, MB"] = empty_mb
    return figures


def main():
    subprocess.run([str(root / "tools/build"), "release", "slipway"], check=True)
    with harness.running("--no-workloads") as server:
        figures = measure(server)
    print(f"\n| {ROLLOUTS} rollouts | measured | wanted |\n|---|---|---|")
    for name, value in figures.items():
        print(f"| {name} | {value:.2f} | {bounds.shown(BOUNDS, name, value)} |")
    return 1 if bounds.missed(BOUNDS, figures) else 0


if __name__ == "__main__":
    sys.exit(main())
