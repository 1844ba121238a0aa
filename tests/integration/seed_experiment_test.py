#!/usr/bin/env python3
"""The two manifests Experiments were asked for with, as they were written, on real processes: an Experiment of two colours
that ends in each of the ways it may, and a Rollout whose first step is an Experiment."""
import contextlib
import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402
import number_source  # noqa: E402
from harness import until  # noqa: E402
from pods_test import cluster  # noqa: E402

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples/experiment"
AS_WRITTEN = "SLIPWAY_AS_WRITTEN" in os.environ  # a minute takes a minute; otherwise seconds
END_LIMIT_S = 150
EXPERIMENT_S = 3600 if AS_WRITTEN else 15
SCALE_DOWN_LIMIT_S = 90  # half a minute of it is the delay that the spec leaves unsaid
FAULTY = """
import http.server
class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_error(503)
    def log_message(self, *_):
        pass
http.server.ThreadingHTTPServer(("", 8080), Answers).serve_forever()
"""
GOOD = [sys.executable, "-m", "http.server", "8080"]


def colours(**changes):
    """The Experiment; Services are not its business there."""
    text = (EXAMPLES / "colours.yaml").read_text()
    for colour in ("purple", "orange"):
        text = text.replace(f"    service:\n      name: {colour}\n", "")
    if not AS_WRITTEN:
        text = text.replace("spec:\n  duration:", "spec:\n  scaleDownDelaySeconds: 1\n  duration:", 1)
    hurry = {"minReadySeconds: 10": "minReadySeconds: 1", "duration: 1m": "duration: 3s"}
    for old, new in [*changes.items(), *({} if AS_WRITTEN else hurry).items()]:
        if old in hurry and old not in text:
            continue
        assert old in text, old
        text = text.replace(old, new)
    return text


def service(colour):
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": colour},
            "spec": {"selector": {"color": colour}, "ports": [{"port": 8080}]}}


class World:
    def __init__(self, kube, numbers):
        self.kube, self.numbers = kube, numbers

    def write(self, text):
        path = self.kube.server.folder / "manifest.yaml"
        path.write_text(text)
        self.kube.say("apply", "-f", str(path))

    def slipway(self, *words, **more):
        self.kube.program, kept = harness.slipway, self.kube.program
        try:
            return self.kube.ask(*words, **more)
        finally:
            self.kube.program = kept

    def ends(self, code, text):
        done = self.slipway("experiment", "status", "example-experiment", "--timeout", f"{END_LIMIT_S}s", timeout=END_LIMIT_S + 30)
        assert done.returncode == code and text in done.stdout, (code, text, done.stdout, done.stderr)
        until(lambda: all(one["spec"]["replicas"] == 0 for one in self.of("replicasets")), "its Pods are not taken away",
              SCALE_DOWN_LIMIT_S)

    def of(self, kind):
        return json.loads(self.kube.say("get", kind, "-o", "json"))["items"]

    def one(self, kind, name):
        return json.loads(self.kube.say("get", kind, name, "-o", "json"))


@contextlib.contextmanager
def world(orange=GOOD):
    with harness.scratch() as folder, contextlib.ExitStack() as stack:
        images = {"argoproj/rollouts-demo:orange": orange, "argoproj/rollouts-demo:*": GOOD, "example/guestbook:*": GOOD}
        (folder / "images.yaml").write_text(json.dumps(images))
        kube = stack.enter_context(cluster("--images", str(folder / "images.yaml")))
        numbers = number_source.Numbers()
        try:
            yield World(kube, numbers)
            kube.say("delete", "rollouts,experiments", "--all")  # what would make Pods again
        finally:
            numbers.close()


def succeeds_under_load():
    with world() as it:
        it.kube.apply(service("purple"), service("orange"))
        it.kube.say("apply", "-f", str(EXAMPLES / "http-benchmark.yaml"))
        it.write(colours())
        it.ends(0, "Successful")
        assert [run["status"]["phase"] for run in it.of("analysisruns")] == ["Successful"] * 2, it.of("analysisruns")


def fails_when_one_colour_fails_its_benchmark():
    with world(orange=[sys.executable, "-c", FAULTY]) as it:
        it.kube.apply(service("purple"), service("orange"))
        it.kube.say("apply", "-f", str(EXAMPLES / "http-benchmark.yaml"))
        it.write(colours(**{"duration: 1m": "duration: 1h"}))
        now = it.slipway("experiment", "status", "example-experiment", "--no-wait")
        assert now.returncode == 2 and "Failed" not in now.stdout, (now.returncode, now.stdout, now.stderr)
        it.ends(1, "Failed")
        assert it.one("experiment", "example-experiment")["status"]["phase"] == "Failed"


def fails_with_a_colour_that_never_becomes_ready():
    with world(orange=["/bin/false"]) as it:
        it.kube.apply(it.numbers.template("http-benchmark", "host"))
        it.write(colours(**{} if AS_WRITTEN else {"progressDeadlineSeconds: 30": "progressDeadlineSeconds: 3"}))
        it.ends(1, f"Failed: Template 'orange' exceeded its progressDeadlineSeconds ({30 if AS_WRITTEN else 3})")
        assert it.of("analysisruns") == []


def ends_with_its_duration_while_analyses_go_on():
    with world() as it:
        it.kube.apply(it.numbers.template("http-benchmark", "host"))
        it.write(colours())
        it.ends(0, "Successful")
        runs = it.of("analysisruns")
        assert len(runs) == 2 and all(run["spec"]["terminate"] for run in runs), runs


def ends_when_it_is_terminated():
    with world() as it:
        it.kube.apply(it.numbers.template("http-benchmark", "host"))
        it.write(colours(**{"  duration: 1m\n": ""}))
        until(lambda: len(it.of("analysisruns")) == 2, "no analyses")
        assert it.slipway("experiment", "terminate", "example-experiment").returncode == 0
        it.ends(0, "Successful")


def goes_on_until_a_required_analysis_ends():
    with world() as it:
        it.kube.apply(it.numbers.template("http-benchmark", "host", count=3))
        changes = {"templateName: http-benchmark\n": "templateName: http-benchmark\n    requiredForCompletion: true\n"}
        it.write(colours(**{"  duration: 1m\n": ""}, **changes))
        it.ends(0, "Successful")
        runs = it.of("analysisruns")
        assert [run["status"]["phase"] for run in runs] == ["Successful"] * 2, runs


def guestbook():
    """The Rollout, whose analysis is not required: the experiment takes its time. The pause after it is not its business here."""
    text = (EXAMPLES / "guestbook.yaml").read_text()
    for old, new in (("            requiredForCompletion: true\n", ""), ("duration: 10m", "duration: 1s"),
                     ("duration: 1h", f"duration: {EXPERIMENT_S}s")):
        assert old in text, old
        text = text.replace(old, new)
    return text


def rolled_out(it):
    """The guestbook at its second version, in its experiment."""
    it.kube.apply(it.numbers.template("mann-whitney", "canary-hash", "baseline-hash"))
    text = guestbook()
    it.write(text)
    done = it.slipway("rollout", "status", "guestbook", "--timeout", "120s")
    assert done.returncode == 0, done.stdout
    it.write(text.replace("guestbook:1.0.0", "guestbook:1.1.0"))
    until(lambda: it.of("analysisruns"), "the experiment is not measured")
    run = it.of("analysisruns")[0]
    args = {arg["name"]: arg["value"] for arg in run["spec"]["args"]}
    sets = {one["metadata"]["name"]: one["metadata"]["labels"]["rollouts-pod-template-hash"] for one in it.of("replicasets")}
    of_experiment = {name.rsplit("-", 1)[1]: label for name, label in sets.items() if name.endswith(("-baseline", "-canary"))}
    assert args == {"baseline-hash": of_experiment["baseline"], "canary-hash": of_experiment["canary"]}, (args, sets)
    assert len(set(sets.values())) == len(sets), f"a Pod of the experiment would count as one of the Rollout: {sets}"
    return args["canary-hash"]


def promoted(it, most_s=150):
    done = it.slipway("rollout", "status", "guestbook", "--timeout", f"{most_s}s", timeout=most_s + 30)
    assert done.returncode == 0, done.stdout
    status = it.one("rollout", "guestbook")["status"]
    assert status["phase"] == "Healthy" and status["stableRS"] == status["currentPodHash"], status
    assert it.of("experiments")[0]["status"]["phase"] == "Successful"


def a_step_blocks_its_rollout_until_the_experiment_has_passed():
    with world() as it:
        began = time.monotonic()
        rolled_out(it)
        status = it.one("rollout", "guestbook")["status"]
        assert status["currentStepIndex"] == 0 and status["phase"] in ("Progressing", "Paused"), status
        promoted(it, EXPERIMENT_S + 150)
        assert time.monotonic() - began > EXPERIMENT_S, "it did not take its time"
        assert all(run["spec"]["terminate"] for run in it.of("analysisruns")), it.of("analysisruns")


def a_step_whose_experiment_is_terminated_has_passed():
    with world() as it:
        rolled_out(it)
        experiment = it.of("experiments")[0]["metadata"]["name"]
        assert it.slipway("experiment", "terminate", experiment).returncode == 0
        promoted(it)


def a_step_aborts_its_rollout_when_the_experiment_fails():
    with world() as it:
        canary = rolled_out(it)
        before = it.one("rollout", "guestbook")["status"]["stableRS"]
        it.numbers.of[canary] = 99
        done = it.slipway("rollout", "status", "guestbook", "--timeout", "150s")
        assert done.returncode == 1, done.stdout
        status = it.one("rollout", "guestbook")["status"]
        assert status["abort"] and status["phase"] == "Degraded" and status["stableRS"] == before, status
        assert it.of("experiments")[0]["status"]["phase"] == "Failed"


if __name__ == "__main__":
    harness.run([succeeds_under_load, fails_when_one_colour_fails_its_benchmark, fails_with_a_colour_that_never_becomes_ready,
                 ends_with_its_duration_while_analyses_go_on, ends_when_it_is_terminated,
                 goes_on_until_a_required_analysis_ends, a_step_whose_experiment_is_terminated_has_passed,
                 a_step_blocks_its_rollout_until_the_experiment_has_passed,
                 a_step_aborts_its_rollout_when_the_experiment_fails])
