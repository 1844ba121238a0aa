#!/usr/bin/env python3
"""Everything under examples/ runs: all of it applied at once on one machine, as the help says, with the images of
demo/images.conf; the experiments to their ends; mann-whitney.yaml by real data of a real Prometheus, good and bad."""
import contextlib
import http.client
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402
import stores  # noqa: E402
from harness import until  # noqa: E402

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
PATIENCE_S = 120 * harness.patience
FAILED_CODE = 1
# Of the counters that mann-whitney.yaml asks for, its minutes being seconds.
SAMPLE_S, BEFORE_S, AFTER_S = 0.2, 60, 300


class World:
    """A server and a person whose slipway is the one on the path."""

    def __init__(self, server, environment):
        self.server, self.environment = server, environment

    def ask(self, *words, stdin=None):
        return subprocess.run([harness.slipway, *words], input=stdin, text=True, capture_output=True,
                              timeout=PATIENCE_S + 30, env=self.environment)

    def say(self, *words, stdin=None):
        done = self.ask(*words, stdin=stdin)
        assert done.returncode == 0, f"{words}: {done.returncode} {done.stdout} {done.stderr}"
        return done.stdout

    def one(self, kind, name):
        return json.loads(self.say("get", kind, name, "-o", "json"))

    def healthy(self, name, namespace="default"):
        said = self.say("rollout", "status", name, "-n", namespace, "--timeout", f"{PATIENCE_S}s")
        assert said == "Healthy\n", said

    def ends(self, name, code, phase, namespace="default"):
        done = self.ask("experiment", "status", name, "-n", namespace, "--timeout", f"{PATIENCE_S}s")
        assert done.returncode == code and done.stdout.startswith(phase), (name, done.stdout, done.stderr, self.runs())

    def runs(self):
        return [run["status"] for run in json.loads(self.say("get", "analysisruns", "-o", "json"))["items"]]


@contextlib.contextmanager
def world():
    with harness.scratch() as folder, contextlib.ExitStack() as stack:
        (folder / "bin").mkdir()
        (folder / "bin/slipway").symlink_to(pathlib.Path(harness.slipway).resolve())
        kept = os.environ["PATH"]
        stack.callback(os.environ.__setitem__, "PATH", kept)
        os.environ["PATH"] = f"{folder}/bin:{kept}"  # images.conf says slipway
        server = stack.enter_context(harness.running("--images", str(EXAMPLES / "demo/images.conf")))
        yield World(server, {**os.environ, "KUBECONFIG": str(server.folder / "kubeconfig")})


def nothing_is_wrong_with_any():
    done = subprocess.run([harness.slipway, "lint", str(EXAMPLES)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    files = list(EXAMPLES.glob("*/*.yaml"))
    assert len(files) > 10 and "error" not in done.stdout.lower(), done.stdout


def all_are_applied_at_once_and_run():
    with world() as it:
        first = it.say("apply", "-f", str(EXAMPLES)).splitlines()
        objects = sum(len(re.findall(r"^kind:", file.read_text(), re.M)) for file in EXAMPLES.glob("*/*.yaml"))
        assert len(first) == objects and all(line.endswith(" created") for line in first), (objects, first)
        for name, namespace in (("web", "shop"), ("till", "default"), ("web", "default"), ("guestbook", "default")):
            it.healthy(name, namespace)
        the_store_answers(it)
        again = it.say("apply", "-f", str(EXAMPLES)).splitlines()
        assert len(again) == objects and all(line.endswith(" unchanged") for line in again), again
        blue_is_replaced_by_green(it)


def the_store_answers(it):
    it.say("wait", "--for=condition=Available", "deployment/store", f"--timeout={PATIENCE_S}s")
    it.say("wait", "--for=condition=Complete", "job/store-answers", f"--timeout={PATIENCE_S}s")
    host = it.one("gateway", "front")["status"]["addresses"][0]["value"]
    front = http.client.HTTPConnection(host, 8088, timeout=PATIENCE_S)
    statuses = []
    for path in ("/store", "/elsewhere"):
        front.request("GET", path)
        answer = front.getresponse()
        answer.read()
        statuses.append(answer.status)
    front.close()
    assert statuses == [200, 404], statuses


def blue_is_replaced_by_green(it):
    blue = it.one("service", "till")["spec"]["selector"]
    it.say("rollout", "set", "image", "till", "till=demo/web:v2")
    until(lambda: "BlueGreenPause" in it.ask("rollout", "status", "till", "--no-wait").stdout, "nobody is waited for")
    green = it.one("service", "till-preview")["spec"]["selector"]
    assert green != blue == it.one("service", "till")["spec"]["selector"], (green, blue)
    it.say("rollout", "promote", "till")
    it.healthy("till")
    assert it.one("service", "till")["spec"]["selector"] == green
    status = it.one("rollout", "till")["status"]
    assert status["stableRS"] == status["currentPodHash"] == green["rollouts-pod-template-hash"], status


def the_colours_are_under_load_and_succeed():
    written = (EXAMPLES / "experiment/colours.yaml").read_text()
    text = written.replace("duration: 1m", "duration: 10s")
    assert text != written
    with world() as it:
        it.say("apply", "-f", str(EXAMPLES / "experiment/http-benchmark.yaml"))
        it.say("apply", "-f", "-", stdin=text)
        until(lambda: it.ask("get", "service", "purple").returncode == 0, "a colour has no Service")
        it.ends("example-experiment", 0, "Successful")
        assert [run["phase"] for run in it.runs()] == ["Successful"] * 2, it.runs()


def counter(chance, begin, rate):
    """A counter that goes up by about `rate` a second, not evenly."""
    total, points = 0.0, []
    for step in range(int((BEFORE_S + AFTER_S) / SAMPLE_S)):
        points.append((round(begin + step * SAMPLE_S, 1), round(total, 6)))
        total += rate * SAMPLE_S * (0.8 + 0.4 * chance.random())
    return points


def series_of(**factors):
    """What Pods of each hash count: `factors` times 20 ms a request, and one in fifty failed."""
    chance, begin, made = random.Random(harness.seed), time.time() - BEFORE_S, []
    for pods, factor in factors.items():
        for name, labels, rate in (("http_request_duration_seconds_sum", {}, 100 * 0.02 * factor),
                                   ("http_request_duration_seconds_count", {}, 100),
                                   ("http_requests_total", {"code": "500"}, 2 * factor),
                                   ("http_requests_total", {"code": "200"}, 100 - 2 * factor)):
            made.append(stores.Series(name, {"rollouts_pod_template_hash": pods, **labels}, counter(chance, begin, rate)))
    return made


def compared(name, prometheus):
    """An Experiment of two versions that the template compares; its data are those of `name`."""
    def variant(side):
        labels = {"app": name, "side": side}
        return {"name": side, "selector": {"matchLabels": labels},
                "template": {"metadata": {"labels": labels},
                             "spec": {"containers": [{"name": "guestbook", "image": "example/guestbook:1.0.0"}]}}}

    values = {"baseline-hash": "baseline", "canary-hash": name, "prometheus": prometheus}
    analysis = {"name": "mann-whitney", "templateName": "mann-whitney", "requiredForCompletion": True,
                "args": [{"name": key, "value": value} for key, value in values.items()]}
    return json.dumps({"apiVersion": "argoproj.io/v1alpha1", "kind": "Experiment", "metadata": {"name": name},
                       "spec": {"templates": [variant("baseline"), variant("canary")], "analyses": [analysis]}})


def ranks_pass_a_good_canary_and_fail_a_bad_one():
    text, minutes = re.subn(r"\b(10|1)m\b", r"\1s", (EXAMPLES / "experiment/mann-whitney.yaml").read_text())
    assert minutes == 12, minutes
    with world() as it, harness.scratch() as folder:
        with stores.prometheus(folder, series_of(baseline=1, good=0.97, bad=2)) as address:
            it.say("apply", "-f", "-", stdin=text)
            for name in ("good", "bad"):
                it.say("apply", "-f", "-", stdin=compared(name, address))
            it.ends("bad", FAILED_CODE, "Failed")
            it.ends("good", 0, "Successful")
            passed = it.one("analysisrun", "good-mann-whitney")["status"]
            assert [metric["successful"] for metric in passed["metricResults"]] == [5, 5], passed


def shop_series(**bad):
    """What the shop's analysis and metric ask for: `bad` of each service's requests fail, and as many find nothing."""
    chance, begin, made = random.Random(harness.seed), time.time() - BEFORE_S, []
    for service, share in bad.items():
        for code, rate in (("200", 100 - 200 * share), ("500", 100 * share), ("404", 100 * share)):
            made.append(stores.Series("http_requests_total", {"namespace": "shop", "service": service, "code": code},
                                      counter(chance, begin, rate)))
        for most, rate in (("0.1", 90), ("0.2", 99.5), ("+Inf", 100)):
            made.append(stores.Series("http_request_duration_seconds_bucket", {"service": service, "le": most},
                                      counter(chance, begin, rate)))
    return made


def in_seconds(file, address):
    text = (EXAMPLES / "shop" / file).read_text().replace("http://127.0.0.1:9090", address)
    return re.sub(r"duration: 5m", "duration: 5s", re.sub(r"interval: 30s", "interval: 1s", text.replace("[1m]", "[10s]")))


def the_shop_compares_its_candidate():
    with world() as it:
        for share, code, phase in ((0.001, 0, "Successful"), (0.1, FAILED_CODE, "Failed")):
            with harness.scratch() as folder, stores.prometheus(folder, shop_series(candidate=share)) as address:
                it.say("apply", "-f", str(EXAMPLES / "shop/namespace.yaml"))
                for file in ("analysis.yaml", "experiment.yaml"):
                    it.say("apply", "-f", "-", stdin=in_seconds(file, address))
                it.ends("web-1-5", code, phase, "shop")
                it.say("delete", "experiment", "web-1-5", "-n", "shop")


def the_shop_counts_what_is_not_found():
    canary = """apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: web, namespace: shop}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: candidate}
  analysis:
    interval: 10s
    threshold: 2
    metrics: [{name: not-found, templateRef: {name: not-found}, thresholdRange: {max: 5}, interval: 10s}]
"""
    for share, code in ((0.01, 0), (0.2, FAILED_CODE)):
        with harness.scratch() as folder, stores.prometheus(folder, shop_series(candidate=share)) as address:
            (folder / "all.yaml").write_text(canary + "---\n" + in_seconds("metric-template.yaml", address))
            done = subprocess.run([harness.slipway, "analyze", "-f", folder / "all.yaml"], capture_output=True, text=True, timeout=120)
            assert done.returncode == code, (share, done.stdout, done.stderr)


if __name__ == "__main__":
    harness.run([nothing_is_wrong_with_any, all_are_applied_at_once_and_run, the_colours_are_under_load_and_succeed,
                 ranks_pass_a_good_canary_and_fail_a_bad_one, the_shop_compares_its_candidate, the_shop_counts_what_is_not_found])
