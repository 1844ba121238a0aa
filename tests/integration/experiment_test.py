#!/usr/bin/env python3
"""Experiments of a real server, measured over real HTTP, with a stand-in for the node that makes Pods available: each way
one may end, what `slipway experiment` says of it, and a server that is killed again and again meanwhile."""
import contextlib
import random
import subprocess
import threading
import time

import harness
import number_source

EXPERIMENTS = "/apis/argoproj.io/v1alpha1/namespaces/default/experiments"
RUNS = "/apis/argoproj.io/v1alpha1/namespaces/default/analysisruns"
TEMPLATES = "/apis/argoproj.io/v1alpha1/namespaces/default/analysistemplates"
SETS = "/apis/apps/v1/namespaces/default/replicasets"
END_TIMEOUT_S = 60 * harness.patience


def variant(name, **more):
    labels = {"app": "demo", "color": name}
    container = {"name": "demo", "image": f"demo:{name}", "ports": [{"containerPort": 8080}]}
    return {"name": name, "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [container]}}, **more}


def experiment(**spec):
    analyses = [{"name": name, "templateName": "latency", "args": [{"name": "host", "value": name}]}
                for name in ("purple", "orange")]
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Experiment", "metadata": {"name": "colours"},
            "spec": {"templates": [variant("purple"), variant("orange")], "analyses": analyses,
                     "progressDeadlineSeconds": 60, "scaleDownDelaySeconds": 1, **spec}}


class World:
    """A server, a source of numbers by host, and Pods that become available unless told otherwise."""

    def __init__(self, server):
        self.server = server
        self.numbers = number_source.Numbers(otherwise=20)
        self.never = set()
        self.stopping = False
        self.pods = threading.Thread(target=self.run_pods)
        self.pods.start()

    def run_pods(self):
        client = None
        while not self.stopping:
            try:
                client = client or self.server.client(timeout=5)
                for one in client.send("GET", SETS)[1]["items"]:
                    name, wanted = one["metadata"]["name"], one["spec"]["replicas"]
                    ready = 0 if name in self.never else wanted
                    status = {"replicas": wanted, "readyReplicas": ready, "availableReplicas": ready,
                              "observedGeneration": one["metadata"]["generation"]}
                    if {key: one.get("status", {}).get(key, 0) for key in status} != status:
                        client.send("PATCH", f"{SETS}/{name}/status", {"status": status}, "application/merge-patch+json")
            except (OSError, ValueError, KeyError, TypeError):
                client = None  # the server is being killed
            time.sleep(0.05)

    def stop(self):
        self.stopping = True
        self.numbers.close()
        self.pods.join()

    def create(self, path, body):
        status, answer = self.server.client().send("POST", path, body)
        assert status == 201, answer

    def begin(self, **spec):
        self.create(TEMPLATES, self.numbers.template("latency", "host", name="latency", successCondition="result < 200"))
        self.create(EXPERIMENTS, experiment(**spec))

    def items(self, path):
        return self.server.client().send("GET", path)[1]["items"]

    def cli(self, *words):
        done = subprocess.run([harness.slipway, "--kubeconfig", str(self.server.folder / "kubeconfig"), "experiment", *words],
                              capture_output=True, text=True, timeout=END_TIMEOUT_S)
        return done.returncode, done.stdout

    def until(self, rule, what):
        deadline = time.monotonic() + END_TIMEOUT_S
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError, KeyError, TypeError, RuntimeError):
                if rule():
                    return
            time.sleep(0.1)
        raise AssertionError(f"waited in vain until {what}: {self.items(EXPERIMENTS)}")

    def until_scaled_down(self):
        self.until(lambda: all(one["spec"]["replicas"] == one["status"].get("replicas", 0) == 0 for one in self.items(SETS)),
                   "all is scaled down")

    def until_running(self):
        self.until(lambda: len(self.items(RUNS)) == 2, "both are measured")


@contextlib.contextmanager
def world():
    listed = subprocess.run([harness.slipway, "serve", "--help"], capture_output=True, text=True).stdout
    with harness.running(*(["--no-workloads"] if "--no-workloads" in listed else [])) as server:
        it = World(server)
        try:
            yield it
        finally:
            it.stop()


def succeeds_when_its_time_is_over():
    with world() as it:
        it.begin(duration="3s")
        code, text = it.cli("status", "colours")
        assert (code, text.strip()) == (0, "Successful"), (code, text)
        it.until_scaled_down()
        code, text = it.cli("get", "colours")
        assert code == 0 and "✔ Successful" in text, text
        assert text.count("ReplicaSet   • ScaledDown") == 2 and text.count("AnalysisRun") == 2, text
        assert "colours   Successful   3s" in it.cli("list")[1]


def fails_with_its_analysis():
    with world() as it:
        it.numbers.of["orange"] = 900
        it.begin()
        code, text = it.cli("status", "colours")
        assert code == 1 and text.startswith('Failed: Metric "latency" assessed Failed'), text
        it.until_scaled_down()
        purple = next(run for run in it.items(RUNS) if run["metadata"]["name"] == "colours-purple")
        assert purple["spec"]["terminate"] is True
        it.numbers.of.clear()
        assert it.cli("retry", "colours")[0] == 0
        it.until(lambda: len(it.items(RUNS)) == 4, "the retry has runs of its own")
        assert it.cli("terminate", "colours")[0] == 0
        assert it.cli("status", "colours")[0] == 0


def fails_with_a_template_that_never_becomes_ready():
    with world() as it:
        it.never = {"colours-orange"}
        it.begin(progressDeadlineSeconds=2)
        code, text = it.cli("status", "colours")
        assert (code, text.strip()) == (1, "Failed: Template 'orange' exceeded its progressDeadlineSeconds (2)"), text
        assert it.items(RUNS) == []


def runs_on_until_somebody_ends_it():
    with world() as it:
        it.begin()
        it.until_running()
        code, text = it.cli("status", "colours", "--timeout", "2s")
        assert (code, text.strip()) == (1, "Running"), text
        assert it.cli("terminate", "colours")[0] == 0
        assert it.cli("status", "colours")[0] == 0
        it.until_scaled_down()


def ends_the_same_when_the_server_is_killed_meanwhile():
    draw = random.Random(harness.seed)
    with world() as it:
        it.begin(duration="8s")
        for _ in range(harness.rounds):
            time.sleep(draw.uniform(0, 0.7))
            it.server.kill()
            it.server.start()
        it.until(lambda: it.items(EXPERIMENTS)[0]["status"]["phase"] == "Successful", "it succeeds")
        it.until_scaled_down()
        names = sorted(one["metadata"]["name"] for one in it.items(SETS))
        assert names == ["colours-orange", "colours-purple"], names
        names = sorted(one["metadata"]["name"] for one in it.items(RUNS))
        assert names == ["colours-orange", "colours-purple"], names


harness.run([succeeds_when_its_time_is_over, fails_with_its_analysis, fails_with_a_template_that_never_becomes_ready,
             runs_on_until_somebody_ends_it, ends_the_same_when_the_server_is_killed_meanwhile])
