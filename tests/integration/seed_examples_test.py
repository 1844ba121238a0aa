#!/usr/bin/env python3
"""The examples that PipeCD's dynamic analysis and Flagger's metric templates were introduced with, word for word
(seed_examples/), against a real Prometheus: good data pass, bad data fail.

Only addresses are put in, and the times are shortened: PipeCD's examples look every ten minutes for half an hour. The
whole of their time is divided by the same number, the ranges of their queries too, so that each sees as much data as it
would have. With SLIPWAY_AS_WRITTEN (./test soak) nothing is divided, and they run as they stand: more than an hour.
"""
import contextlib
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import time
import urllib.parse

import harness
import stores
from evidence import DONE, FAILED, answer, answering, environment, slipway

EXAMPLES = pathlib.Path(__file__).resolve().parent / "seed_examples"
AS_WRITTEN = "SLIPWAY_AS_WRITTEN" in os.environ
DIVISOR = 1 if AS_WRITTEN else 300          # half an hour is six seconds
SAMPLE_S = 15 if AS_WRITTEN else 0.5        # between samples of a series
BEFORE_S = 900 if AS_WRITTEN else 60        # that data begin before: a rate over half its range is half a rate
LENGTH_S = 5400 if AS_WRITTEN else 600      # that data go on for
PODS = 6
CPU, ERRORS = 0.05, 0.02                    # what good Pods use, and how many of their requests fail


def scaled(text):
    """The text with its times divided."""
    def divided(match):
        return f"{int(match[1]) * 60 // DIVISOR}s"
    return text if AS_WRITTEN else re.sub(r"\b(10|30)m\b", divided, text)


def counter(chance, begin, rate):
    """A counter that goes up by about `rate` a second, not evenly. Each second step makes up for the one before, so that good data
    are as good at one time as at another: points that share their range go up and down together, and what previous.yaml says of
    that is a warning, and more good versions failed than by chance."""
    total, points, part = 1000 * chance.random(), [], 0
    for step in range(int(LENGTH_S / SAMPLE_S)):
        points.append((round(begin + step * SAMPLE_S, 1), round(total, 6)))
        part = 1 - part if step % 2 else chance.random()
        total += rate * SAMPLE_S * (0.8 + 0.4 * part)
    return points


def web_series(begin, canary, primary=1.0):
    """Pods of three variants; `canary` and `primary`: how much worse they are than a baseline."""
    chance, series = random.Random(harness.seed), []
    variants = {"primary": ("0", "foo", primary), "baseline": ("1", "baz", 1.0), "canary": ("2", "quz", canary)}
    for (variant, (number, word, factor)), pod in itertools.product(variants.items(), range(PODS)):
        own = {"pod": f"{variant}-{pod}"}
        series.append(stores.Series("cpu_usage_total", {"app": "foo", "variant": variant, "bar": number, **own},
                                    counter(chance, begin, CPU * factor * (0.9 + 0.2 * chance.random()))))
        for status, rate in (("200", 100 * (1 - ERRORS * factor)), ("503", 100 * ERRORS * factor)):
            series.append(stores.Series("http_requests_total", {"job": "foo", "bar": word, "status": status, **own},
                                        counter(chance, begin, rate)))
    return series


def latency_series(begin, slow):
    """A histogram whose 99th percentile is about 95 ms, or 950 ms when slow."""
    labels = {"namespace": "dev", "deployment": "podinfo", "direction": "inbound"}
    rates = {"10": 10, "100": 100, "1000": 100, "+Inf": 100} if not slow else {"10": 5, "100": 50, "1000": 100, "+Inf": 100}
    # One source of chance for all: buckets hold what smaller ones hold.
    points = {le: counter(random.Random(harness.seed), begin, rate) for le, rate in rates.items()}
    return [stores.Series("response_latency_ms_bucket", {**labels, "le": le}, values) for le, values in points.items()]


def piped(folder, name, address):
    file = folder / f"{name}.piped.yaml"
    file.write_text(f"apiVersion: pipecd.dev/v1beta1\nkind: Piped\nspec:\n  analysisProviders:\n    - name: my-prometheus\n"
                    f"      type: PROMETHEUS\n      config:\n        address: {address}\n")
    return file


class Analyses:
    """Several `slipway analyze`, side by side: each takes the whole time of its stage."""

    def __init__(self, folder):
        self.folder, self.running = folder, {}

    def start(self, name, providers, *files, history=None):
        words = [harness.slipway, "analyze", "--providers", str(providers), "-o", "json"]
        for file in files:
            copy = self.folder / file
            copy.write_text(scaled((EXAMPLES / file).read_text()))
            words += ["-f", str(copy)]
        words += ["--history", str(self.folder / history)] if history else []
        words += [] if "templated.yaml" in files else ["--arg", "App.Name=foo"]
        self.running[name] = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                              env=environment())

    def ended(self, phase, code):
        """name -> answer; each must have ended so."""
        answers = {}
        for name, process in self.running.items():
            out, said = process.communicate(timeout=LENGTH_S)
            assert process.returncode == code, f"{name}: exit {process.returncode}, not {code}: {out[-3000:]}{said[-2000:]}"
            answers[name] = json.loads(out)
            assert answers[name]["phase"] == phase, (name, answers[name])
        self.running = {}
        return answers


WITHOUT_HISTORY = {"threshold": ["threshold.yaml"], "canary-baseline": ["canary-baseline.yaml"],
                   "custom-args": ["custom-args.yaml"], "template": ["templated.yaml", "template.yaml"]}


def looks_of(analysis):
    return [len(metric["measurements"]) for metric in analysis["metrics"]]


@contextlib.contextmanager
def providers_of(folder, name, series):
    """A piped configuration whose Prometheus has these series."""
    with stores.prometheus(make(folder, name), series) as address:
        yield piped(folder, name, address)


def all_failed(answers):
    for name, failed in answers.items():
        assert any(metric["phase"] == "Failed" and metric["message"] for metric in failed["metrics"]), (name, failed)


def pipecd_examples_pass_on_good_data_and_fail_on_bad():
    with harness.scratch() as folder, contextlib.ExitStack() as stack:
        now = time.time()
        good = stack.enter_context(providers_of(folder, "good", web_series(now - BEFORE_S, canary=0.9)))
        bad = stack.enter_context(providers_of(folder, "bad", web_series(now - 4, 4, primary=4)))
        passing, failing = Analyses(folder), Analyses(folder)
        for name, files in WITHOUT_HISTORY.items():
            passing.start(name, good, *files)
        passing.start("first", good, "previous.yaml", history="history.json")
        time.sleep(600 / DIVISOR)  # until a rate over the whole range is bad
        for name, files in WITHOUT_HISTORY.items():
            failing.start(name, bad, *files)
        answers = passing.ended("Successful", DONE)
        for name in WITHOUT_HISTORY:
            assert looks_of(answers[name]) == [2], answers[name]  # ticks strictly before the end
        previous_is_compared_with(folder, good)
        answers = failing.ended("Failed", FAILED)
        all_failed(answers)
        assert looks_of(answers["threshold"]) == [1], answers["threshold"]  # fails at once, without waiting for the end


def previous_is_compared_with(folder, good):
    """What history.json holds, by one as good and by one that is worse."""
    shutil.copy(folder / "history.json", folder / "of-the-worse.json")
    passing, failing = Analyses(folder), Analyses(folder)
    passing.start("second", good, "previous.yaml", history="history.json")
    # This Prometheus knows nothing of the time before, so PREVIOUS rests on what was recorded then: its first points,
    # four seconds old, are younger than anything the last run looked at.
    time.sleep(5)
    with providers_of(folder, "worse", web_series(time.time() - 4, 4, primary=4)) as worse:
        time.sleep(600 / DIVISOR)
        failing.start("previous", worse, "previous.yaml", history="of-the-worse.json")
        second = passing.ended("Successful", DONE)["second"]
        assert compared_points(second) > 0, f"compared with nothing: {second}"
        all_failed(failing.ended("Failed", FAILED))


def compared_points(analysis):
    return sum(len((look.get("samples") or {}).get("control", [])) for metric in analysis["metrics"]
               for look in metric["measurements"])


def make(folder, name):
    (folder / name).mkdir()
    return folder / name


def queries_render_with_the_arguments_of_each_variant():
    for files, variant, text in (
            (["canary-baseline.yaml"], "canary", 'rate(cpu_usage_total{app="foo", variant="canary"}[10m])'),
            (["canary-baseline.yaml"], "baseline", 'rate(cpu_usage_total{app="foo", variant="baseline"}[10m])'),
            (["custom-args.yaml"], "baseline", 'rate(cpu_usage_total{app="foo", bar="1"}[10m])'),
            (["custom-args.yaml"], "canary", 'rate(cpu_usage_total{app="foo", bar="2"}[10m])'),
            (["templated.yaml", "template.yaml"], "canary", 'status=~"5.*", job="foo", bar="quz"}[10m]')):
        words = [word for file in files for word in ("-f", EXAMPLES / file)]
        out, _ = slipway("render", *words, "--variant", variant, code=DONE)
        assert text in out, (files, variant, out)


LATENCY_CANARY = """
---
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: podinfo, namespace: dev}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: podinfo}
  canaryAnalysis:
    metrics:
      - {name: latency, templateRef: {name: latency}, threshold: 500, interval: 1m}
"""


def flaggers_prometheus_template_is_rendered_answered_and_judged():
    with harness.scratch() as folder:
        for slow, phase, code in ((False, "Successful", DONE), (True, "Failed", FAILED)):
            with stores.prometheus(make(folder, phase), latency_series(time.time() - 180, slow)) as address:
                file = folder / f"{phase}.yaml"
                file.write_text((EXAMPLES / "latency.yaml").read_text().replace(
                    "http://linkerd-prometheus.linkerd:9090", address) + LATENCY_CANARY)
                out, _ = slipway("render", "-f", file, code=DONE)
                assert 'namespace="dev"' in out and 'deployment=~"podinfo"' in out and "[1m]" in out, out
                run = answer("analyze", "-f", file, code=code)
                assert run["phase"] == phase, run
                value = float(json.loads(run["metrics"][0]["measurements"][0]["value"]))
                assert (900 < value < 1000) if slow else (90 < value <= 100), value


CSV = ("#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,long\r\n#group,false,false,true,true,false\r\n"
       "#default,_result,,,,\r\n,result,table,_start,_stop,_value\r\n"
       ",,0,2026-01-02T15:04:05Z,2026-01-02T15:05:05Z,{value}\r\n\r\n")
SECRET = """
---
apiVersion: v1
kind: Secret
metadata: {name: influx-auth, namespace: flagger}
stringData: {org: shop, token: open-sesame}
"""
FLUX = """from(bucket: "connections")
  |> filter(fn: (r) => r._client =~ /podinfo-dev-.*/)
  |> range(start: -1m)
  |> count()"""


def influxdb(value):
    """Its v2 query API: signs in by token, asks for an organisation, answers annotated CSV."""
    def respond(handler, request):
        url = urllib.parse.urlsplit(request.path)
        if (request.method, url.path) != ("POST", "/api/v2/query"):
            handler.reply(json.dumps({"code": "not found", "message": "path not found"}), 404)
        elif request.headers["Authorization"] != "Token open-sesame":
            handler.reply(json.dumps({"code": "unauthorized", "message": "unauthorized access"}), 401)
        elif urllib.parse.parse_qs(url.query).get("org") != ["shop"]:
            handler.reply(json.dumps({"code": "not found", "message": "organization name not found"}), 404)
        else:
            handler.reply(CSV.format(value=value), content_type="text/csv; charset=utf-8")
    return answering(respond)


def flaggers_influxdb_template_and_canary_are_rendered_answered_and_judged():
    with harness.scratch() as folder:
        # Equal to the threshold passes.
        for value, phase, code in ((100, "Successful", DONE), (101, "Failed", FAILED)):
            with influxdb(value) as stub:
                file = folder / "canary.yaml"
                file.write_text((EXAMPLES / "max-db-con.yaml").read_text().replace("http://influx.db:8086", stub.address)
                                + SECRET)
                run = answer("analyze", "-f", file, code=code)
                assert run["phase"] == phase, run
                asked = stub.seen[0]
                text = json.loads(asked.body)["query"] if "json" in asked.headers["Content-Type"] else asked.body
                assert text.strip() == FLUX, text
                assert "open-sesame" not in json.dumps(run), run


harness.run([queries_render_with_the_arguments_of_each_variant, pipecd_examples_pass_on_good_data_and_fail_on_bad,
             flaggers_prometheus_template_is_rendered_answered_and_judged,
             flaggers_influxdb_template_and_canary_are_rendered_answered_and_judged])
