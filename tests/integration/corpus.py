"""Manifests of the corpus, each run in a namespace of its own, many at the same time on one server.

A manifest is a text: the file as it is, but for replacements that are written beside it. Its times are shortened where they
only mean waiting.
"""
import base64
import concurrent.futures
import contextlib
import datetime
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

import harness
import number_source

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "../shared/corpus/argo-rollouts"
PATIENCE_S = 60 * harness.patience
AT_ONCE = 14
POLL_S = 0.2
HASH = "rollouts-pod-template-hash"
FUNCTIONAL, FAILURES = "test__e2e__functional__", "test__e2e__expectedfailures__"
# Listens wherever the manifests' containers say they do, and answers with the tag of its image unless told otherwise.
PROGRAM = """
import os, select, socket
listeners = []
for port in (80, 8080, 8081, 8082):
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        one.bind(("0.0.0.0", port))
    except PermissionError:
        continue
    one.listen()
    listeners.append(one)
body = (os.environ.get("ANSWER") or os.environ["SLIPWAY_IMAGE_TAG"]).encode()
while True:
    for one in select.select(listeners, [], [])[0]:
        client, _ = one.accept()
        try:
            client.settimeout(1)
            client.recv(4096)
            client.sendall(b"HTTP/1.1 200 OK\\r\\nConnection: close\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(body), body))
        except OSError:
            pass
        client.close()
"""
RUN = [sys.executable, "-S", "-E", "-c", PROGRAM]
# Jobs bring their commands along; of these images only what a Pod without a command runs is needed.
IMAGES = {"nginx:*": RUN, "argoproj/rollouts-demo:*": RUN, "hashicorp/http-echo:*": RUN,
          "version:*": {"command": RUN, "env": {"ANSWER": '{"major": "1"}'}}}
GROUPS = {"rollouts": "apis/argoproj.io/v1alpha1", "experiments": "apis/argoproj.io/v1alpha1",
          "analysisruns": "apis/argoproj.io/v1alpha1", "analysistemplates": "apis/argoproj.io/v1alpha1",
          "replicasets": "apis/apps/v1", "jobs": "apis/batch/v1", "httproutes": "apis/gateway.networking.k8s.io/v1"}


read_so_far = set()


def manifest(name, *changes):
    read_so_far.add(name)
    text = (FOLDER / f"{name}.yaml").read_text()
    for old, new in changes:
        assert old in text, f"{name} has no {old!r} to change"
        text = text.replace(old, new)
    return text


def seconds(number):
    """For times that must be long enough to look at something meanwhile."""
    return f"{number * harness.patience}s"


def seconds_between(earlier, later):
    read = datetime.datetime.fromisoformat
    return (read(later.replace("Z", "+00:00")) - read(earlier.replace("Z", "+00:00"))).total_seconds()


def template(name, *metrics):
    return json.dumps({"apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisTemplate", "metadata": {"name": name},
                       "spec": {"metrics": list(metrics)}})


def job(name, script, **metric):
    """A metric that is Successful when the script is."""
    spec = metric.pop("spec", {})
    container = {"name": "main", "image": "alpine:3.8", **({"command": ["sh", "-c", script]} if script else {})}
    return {"name": name, **metric, "provider": {"job": {"spec": {
        "backoffLimit": 0, "template": {"spec": {"restartPolicy": "Never", "containers": [container]}}, **spec}}}}


class Answers(number_source.JsonSource):
    """Stands in for the addresses of the internet that manifests measure: the answer to each path."""

    def __init__(self, of):
        super().__init__(of.__getitem__)

    def secret(self, path):
        return base64.b64encode(self.url(path).encode()).decode()


class Place:
    """A namespace, and what a person does and sees there."""

    def __init__(self, server, answers, namespace):
        self.server, self.answers, self.namespace = server, answers, namespace
        self.client = server.client()
        self.apply(json.dumps({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}))

    def leave(self):
        self.client.send("DELETE", f"/api/v1/namespaces/{self.namespace}")
        self.client.close()

    def ask(self, *words, text=None):
        environment = {**os.environ, "KUBECONFIG": str(self.server.folder / "kubeconfig")}
        return subprocess.run([harness.slipway, *words], input=text, text=True, capture_output=True,
                              timeout=2 * PATIENCE_S, env=environment)

    def apply(self, text):
        done = self.ask("apply", "-f", "-", *self.within(), text=text)
        assert done.returncode == 0, done.stderr

    def within(self):
        return ("-n", self.namespace)

    def rollout(self, *words):
        done = self.ask("rollout", *words, *self.within())
        assert done.returncode == 0, f"{words}: {done.stdout} {done.stderr}"

    def create(self, kind, text):
        """Its name, of one that is named by the server."""
        status, made = self.client.send("POST", self.path(kind), text, "application/yaml")
        assert status == 201, made
        return made["metadata"]["name"]

    def path(self, kind, name=""):
        return f"/{GROUPS.get(kind, 'api/v1')}/namespaces/{self.namespace}/{kind}{name and '/' + name}"

    def all(self, kind):
        status, found = self.client.send("GET", self.path(kind))
        assert status == 200, found
        return found["items"]

    def one(self, kind, name):
        status, found = self.client.send("GET", self.path(kind, name))
        assert status == 200, found
        return found

    def until(self, rule, what, poll=POLL_S):
        """What the rule finds, once it finds something."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            with contextlib.suppress(KeyError, IndexError, StopIteration):
                if found := rule():
                    return found
            assert time.monotonic() < deadline, f"waited in vain until {what}: {self.outline()}"
            time.sleep(poll)

    def stays(self, seconds, rule, what):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            assert rule(), f"it does not stay so that {what}: {self.outline()}"
            time.sleep(POLL_S)

    def outline(self):
        """What is there, for a message."""
        lines = []
        for kind in ("rollouts", "experiments", "analysisruns", "replicasets", "pods", "jobs"):
            for each in self.all(kind):
                status = each.get("status", {})
                told = {key: value for key, value in status.items() if key in (
                    "phase", "message", "replicas", "availableReplicas", "pauseConditions", "currentStepIndex", "metricResults")}
                lines.append(f"{kind} {each['metadata']['name']} {told}")
        return "\n".join(lines + [f"event {each}" for each in self.events()])

    def events(self):
        return [(event["reason"], event["message"]) for event in self.all("events")]

    # Of Rollouts

    def state(self, name):
        """(phase, message), of the spec as it is now."""
        found = self.one("rollouts", name)
        status = found.get("status", {})
        if str(status.get("observedGeneration")) != str(found["metadata"]["generation"]):
            return None, None
        return status.get("phase"), status.get("message", "")

    def until_phase(self, name, phase, message=""):
        """The status."""
        self.until(lambda: (state := self.state(name))[0] == phase and message in state[1], f"{name} is {phase} {message}")
        return self.one("rollouts", name)["status"]

    def update(self, name, image="nginx:next"):
        found = self.one("rollouts", name)
        container = found["spec"]["template"]["spec"]["containers"][0]["name"]
        self.rollout("set", "image", name, f"{container}={image}")

    def promote(self, name):
        self.rollout("promote", name)

    def set_of(self, revision):
        return next(each for each in self.all("replicasets")
                    if each["metadata"]["annotations"].get("rollout.argoproj.io/revision") == str(revision))

    def sizes(self, *revisions):
        """How many Pods the ReplicaSets of these revisions have."""
        return tuple(self.set_of(each)["status"].get("replicas", 0) for each in revisions)

    def stable_is(self, name, revision):
        stable = self.one("rollouts", name)["status"]["stableRS"]
        return self.set_of(revision)["metadata"]["labels"][HASH] == stable

    def pods(self):
        return [pod for pod in self.all("pods") if "deletionTimestamp" not in pod["metadata"]]

    # Of analyses

    def runs(self, **labels):
        return [run for run in self.all("analysisruns")
                if all(run["metadata"]["labels"].get(key.replace("_", "-")) == value for key, value in labels.items())]

    def until_run(self, phase, **labels):
        """The one run with these labels, once it is in the phase."""
        return self.until(lambda: next(run for run in self.runs(**labels) if run["status"]["phase"] == phase),
                          f"a run {labels} is {phase}")

    # Of Experiments

    def until_experiment(self, name, phase):
        """The status."""
        return self.until(lambda: (status := self.one("experiments", name)["status"])["phase"] == phase and status,
                          f"{name} is {phase}")

    # Of traffic

    def answer_of(self, service, **headers):
        """What a request to each port of the Service is answered with."""
        found = self.until(lambda: (it := self.one("services", service))["spec"].get("clusterIP") and it, "it has an address")
        unprivileged = 0 if os.geteuid() == 0 else 20000
        answers = []
        for port in found["spec"]["ports"]:
            number = port["port"] + (unprivileged if port["port"] < 1024 else 0)
            request = urllib.request.Request(f"http://{found['spec']['clusterIP']}:{number}/", headers=headers)
            with urllib.request.urlopen(request, timeout=10) as answer:
                answers.append(answer.read().decode())
        return answers


def deployed(it, name, text):
    it.apply(text)
    it.until_phase(name, "Healthy")
    assert not it.runs(), "a first deployment is not analysed"


class Rows:
    """What is done with each manifest, and how it ends: functions of a Place."""

    def __init__(self):
        self.rows = []

    def of(self, name):
        def keep(function):
            self.rows.append((name, function))
            return function
        return keep

    def side_by_side(self, server, answers):
        """Functions that wait for a row each, while all of them run: `harness.run` says how they ended, in their order."""
        several = concurrent.futures.ThreadPoolExecutor(AT_ONCE)
        wanted = sys.argv[1] if len(sys.argv) > 1 else ""
        waiting = []
        for number, (name, function) in enumerate(self.rows):
            title = f"{name.removeprefix('test__e2e__')}.{function.__name__}"
            if wanted in title:
                waiting.append(waiting_for(several.submit(played, function, server, answers, f"corpus-{number}"), title))
        return waiting


def played(function, server, answers, namespace):
    it = Place(server, answers, namespace)
    try:
        function(it)
    finally:
        it.leave()


def waiting_for(future, title):
    def wait():
        future.result()
    wait.__name__ = title
    return wait


rows = Rows()
