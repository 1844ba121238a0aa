#!/usr/bin/env python3
"""query, analyze, render and lint as people and scripts use them, against a server that speaks Prometheus' protocol."""
import contextlib
import json
import math
import os
import pty
import re
import select
import signal
import subprocess
import time
import urllib.parse

import harness
import stores
from evidence import CANNOT_ASK, DONE, FAILED, INCONCLUSIVE, USAGE, answer, answering, environment, matrix, slipway, vector

SECRET = "hunter2-and-more"


def speaks_prometheus(values):
    """Answers queries from a table: text -> number, list of numbers, function of the time, or (status, body)."""
    def respond(handler, request):
        form = urllib.parse.parse_qs(urllib.parse.urlsplit(request.path).query or request.body)
        value = values.get(form["query"][0], [])
        if isinstance(value, tuple):
            handler.reply(value[1], status=value[0])
        elif "start" in form:
            handler.reply(matrix(form, value if callable(value) else lambda at: value))
        else:
            numbers = value if isinstance(value, list) else [value(time.time()) if callable(value) else value]
            handler.reply(vector(*numbers))
    return answering(respond)


def template(address, *metrics, args=()):
    """An AnalysisTemplate; each metric is (name, query, more)."""
    return json.dumps({
        "apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisTemplate", "metadata": {"name": "check"},
        "spec": {"args": list(args), "metrics": [
            {"name": name, "provider": {"prometheus": {"address": address, "query": query}}, **more}
            for name, query, more in metrics]}})


def compared(address, count=3):
    """An AnalysisTemplate that compares two queries, a look a second."""
    side = lambda query: {"prometheus": {"address": address, "query": query}}  # noqa: E731
    return json.dumps({
        "apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisTemplate", "metadata": {"name": "compare"},
        "spec": {"metrics": [{"name": "latency", "interval": "1s", "count": count, "provider": {"compare": {
            "control": side("old"), "experiment": side("new"), "deviation": "HIGH", "window": "10m", "step": "10s",
            "method": "mann-whitney"}}}]}})


@contextlib.contextmanager
def written(**files):
    with harness.scratch() as folder:
        for name, text in files.items():
            (folder / f"{name}.yaml").write_text(text)
        yield folder


def query_answers_as_contracted():
    with speaks_prometheus({"up": 0.5, "wave": lambda at: at % 60, "bad": (400, '{"status":"error","errorType":"bad_data",'
                            '"error":"parse error"}')}) as stub:
        ask = ("query", "--provider", "prometheus", "--address", stub.address)
        instant = answer(*ask, "up", code=DONE)
        assert instant["value"] == 0.5 and instant["series"][0]["labels"] == {"n": "0"}, instant
        at, value = instant["series"][0]["points"][0]
        assert abs(at - time.time()) < 60 and value == 0.5, instant
        over_time = answer(*ask, "--range", "10m", "--step", "2m", "--at", "2026-01-02T15:00:00Z", "wave", code=DONE)
        assert [at for at, _ in over_time["series"][0]["points"]][-1] == 1767366000, over_time
        assert len(over_time["series"][0]["points"]) == 6, over_time
        assert answer(*ask, "nothing", code=INCONCLUSIVE) == {"series": [], "value": None}
        table, _ = slipway(*ask, "--range", "5m", "wave", code=DONE)
        assert re.search(r"SERIES +POINTS +LEAST +GREATEST +LAST +TREND", table), table
        assert "no data" in slipway(*ask, "nothing", code=INCONCLUSIVE)[1]
        assert "parse error" in slipway(*ask, "bad", code=CANNOT_ASK)[1]


def query_without_a_question_asks_whether_the_source_is_there():
    with speaks_prometheus({"vector(1)": 1.0}) as stub:
        ask = ("query", "--provider", "prometheus", "--address", stub.address)
        assert slipway(*ask, code=DONE)[0] == f"prometheus at {stub.address} answers\n"
        assert answer(*ask, code=DONE) == {"online": True}
    with speaks_prometheus({"vector(1)": (401, "who are you?")}) as stub:
        _, said = slipway("query", "--provider", "prometheus", "--address", stub.address, code=CANNOT_ASK)
        assert "--secret" in said, said


def query_that_cannot_be_asked_says_why():
    with answering(lambda handler, request: None) as stub:
        closed = stub.address
    ask = ("query", "--provider", "prometheus")
    for question in (("up",), ()):
        _, said = slipway(*ask, "--address", closed, *question, code=CANNOT_ASK)
        assert "is it running" in said, said
    for words, text in {
        ("query", "up"): "--provider",
        ("query", "--provider", "frob", "up"): "prometheus",
        (*ask, "--address", "http://x", "--range", "soon", "up"): '"soon"',
        (*ask, "--address", "http://x", "--step", "1m", "up"): "without --range",
        (*ask, "--address", "http://x", "--at", "noon", "up"): '"noon" is not a time',
        (*ask, "--address", "http://x", "--header", "frob", "up"): "name=value",
    }.items():
        assert text in slipway(*words, code=USAGE)[1], words
    slipway(*ask, "--address", "http://x", "--secret", "/nonexistent", "up", code=CANNOT_ASK)


def a_source_that_is_part_of_a_cluster_is_asked_there():
    def respond(handler, request):
        known = request.path == "/apis/metrics.keptn.sh/v1beta1/namespaces/shop/keptnmetrics/errors"
        handler.reply(json.dumps({"status": {"value": "0.25"}} if known else {"kind": "Status", "code": 404}),
                      status=200 if known else 404)

    with answering(respond) as stub, written(kubeconfig=json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "c", "users": [{"name": "u", "user": {}}],
            "clusters": [{"name": "k", "cluster": {"server": stub.address}}],
            "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}]})) as folder:
        ask = ("query", "--provider", "keptn", "keptnmetric/shop/errors/1m/")
        assert answer(*ask, "--kubeconfig", folder / "kubeconfig.yaml", code=DONE)["value"] == 0.25
        assert "--kubeconfig" in slipway(*ask, code=CANNOT_ASK)[1]


def a_secret_is_sent_and_never_shown():
    seen = []

    def respond(handler, request):
        seen.append(request.headers)
        handler.reply(f"who is {request.headers.get('Authorization')} {SECRET}?", status=401)

    with answering(respond) as stub, written(secret=f"username: ada\npassword: {SECRET}\n", token=f"{SECRET}\n") as folder:
        ask = ("query", "--provider", "prometheus", "--address", stub.address)
        for words in (("--secret", folder / "secret.yaml"), ("--header", f"Authorization=@{folder / 'token.yaml'}")):
            out, said = slipway(*ask, *words, "up", code=CANNOT_ASK)
            assert SECRET not in out + said, out + said
            assert "--secret" in said, said
        assert seen[0]["Authorization"].startswith("Basic ") and seen[1]["Authorization"] == SECRET, seen


def a_secret_that_a_source_echoes_is_not_shown():
    def respond(handler, request):
        handler.reply(json.dumps({"who": request.headers.get("Authorization"), "key": request.headers.get("X-Own")}))

    with answering(respond) as stub, written(token=f"{SECRET}\n") as folder:
        ask = ("query", "--provider", "web", "--address", stub.address)
        for words in (("--header", f"Authorization=Bearer {SECRET}"), ("--header", f"X-Own=@{folder / 'token.yaml'}")):
            for shown in ((), ("-o", "json")):
                out, said = slipway(*ask, *words, *shown, "{$}", code=DONE)
                assert SECRET not in out + said and "***" in out, out + said


def analyze_ends_with_a_verdict():
    with speaks_prometheus({'errors{app="web"}': 0.01, 'errors{app="bad"}': 0.25}) as stub:
        checks = template(stub.address, ("errors", 'errors{app="{{args.app}}"}', {"successCondition": "result[0] < 0.05"}),
                          args=[{"name": "app"}])
        with written(checks=checks) as folder:
            run = ("analyze", "-f", folder / "checks.yaml")
            good = answer(*run, "--arg", "app=web", code=DONE)
            assert good["phase"] == "Successful", good
            metric = good["metrics"][0]
            assert metric["name"] == "errors" and metric["phase"] == "Successful" and "message" in metric, metric
            assert metric["measurements"][0]["value"] == "[0.01]", metric
            bad, said = slipway(*run, "--arg", "app=bad", code=FAILED)
            assert said == "", f"without a terminal nothing is said on the way: {said}"
            assert bad.splitlines()[-1] == ("Failed: errors: 0.25, must hold: result[0] < 0.05; failed (1) > failureLimit (0)"), bad
            assert re.search(r"errors +0.25 .*Failed", bad), bad
            assert "--arg" in slipway(*run, code=CANNOT_ASK)[1]
            slipway(*run, "--arg", "app", code=USAGE)


def analyze_tells_what_it_cannot_do():
    with written(empty="apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", broken="a: [") as folder:
        assert "nothing to analyse" in slipway("analyze", "-f", folder / "empty.yaml", code=CANNOT_ASK)[1]
        assert "broken.yaml" in slipway("analyze", "-f", folder / "broken.yaml", code=CANNOT_ASK)[1]
        assert "is not there" in slipway("analyze", "-f", folder / "empty.yaml", "--report", folder / "no/x.html",
                                         code=CANNOT_ASK)[1]
        assert "-f" in slipway("analyze", code=USAGE)[1]
        assert "no AnalysisRun" in slipway("analyze", "--replay", folder / "empty.yaml", code=CANNOT_ASK)[1]


def a_misspelt_field_is_no_analysis():
    with speaks_prometheus({"up": 7}) as stub:
        checks = template(stub.address, ("up", "up", {"succesCondition": "result[0] == 1"}), args=[{"name": "app", "value": "a"}])
        with written(typo=checks, good=checks.replace("succesC", "successC").replace("== 1", "== 7")) as folder:
            _, said = slipway("analyze", "-f", folder / "typo.yaml", code=CANNOT_ASK)
            assert 'did you mean "successCondition"?' in said and "typo.yaml:1: spec.metrics[0].succesCondition" in said, said
            assert not stub.seen, "nobody was asked"
            _, said = slipway("analyze", "-f", folder / "good.yaml", "--arg", "ap=b", code=DONE)
            assert "--arg ap: no analysis" in said, said


def a_verdict_outlives_files_that_cannot_be_written():
    with speaks_prometheus({"err": 0.05}) as stub, written(app=PIPECD.replace('err{app="{{ .App.Name }}"}', "err"),
                                                           piped=PIPED.replace("ADDRESS", stub.address)) as folder:
        (folder / "page").mkdir()
        run = ("analyze", "-f", folder / "app.yaml", "--providers", folder / "piped.yaml")
        out, said = slipway(*run, "--report", folder / "page", code=CANNOT_ASK)
        assert "Successful: 1 metric passed" in out and str(folder / "page") in said, (out, said)
        assert "--history: the folder" in slipway(*run, "--history", folder / "no/h.json", code=CANNOT_ASK)[1]


def two_analyses_share_a_history():
    with speaks_prometheus({"err": 0.05}) as stub, harness.scratch() as folder:
        (folder / "piped.yaml").write_text(PIPED.replace("ADDRESS", stub.address))
        running = []
        for name in ("one", "two"):
            app = PIPECD.replace('err{app="{{ .App.Name }}"}', "err").replace("name: web", f"name: {name}")
            (folder / f"{name}.yaml").write_text(app)
            running.append(subprocess.Popen(
                [harness.slipway, "analyze", "-f", folder / f"{name}.yaml", "--providers", folder / "piped.yaml",
                 "--history", folder / "h.json"], env=environment(), stdout=subprocess.DEVNULL))
            time.sleep(0.5)  # the second begins, and reads, before the first has ended
        assert [process.wait(timeout=120) for process in running] == [DONE, DONE]
        kept = {run["application"] for run in json.loads((folder / "h.json").read_text())["runs"]}
        assert kept == {"one", "two"}, kept


def a_comparison_is_reported_and_judged_again():
    noise = lambda at: (at * 7919) % 13 / 100  # noqa: E731
    with speaks_prometheus({"old": lambda at: 1 + noise(at), "new": lambda at: 2 + noise(at + 5)}) as stub:
        with written(compare=compared(stub.address)) as folder:
            report = folder / "verdict.html"
            out = answer("analyze", "-f", folder / "compare.yaml", "--report", report, code=FAILED)
            value = json.loads(out["metrics"][0]["measurements"][-1]["value"])
            assert value["verdict"] == "fail" and value["effect"]["ratio"] > 1.5, value
            page = report.read_text()
            for part in ("Failed", 'class="line control"', 'class="line experiment"', "raw points", "experiment − control"):
                assert part in page, part
            assert not re.search(r'(src|href)="(?!#)', page), "the page needs something else"
            recorded = folder / "run.json"
            recorded.write_text(json.dumps(out))
            again = answer("analyze", "--replay", recorded, code=FAILED)
            assert again["metrics"][0]["phase"] == "Failed" and not again.get("error"), again
            (folder / "one.json").write_text(json.dumps(out["runs"][0]))
            looks = out["metrics"][0]["count"]
            milder = compared(stub.address, count=looks).replace("HIGH", "LOW")
            (folder / "milder.yaml").write_text(milder)
            asked = len(stub.seen)
            other = answer("analyze", "--replay", folder / "one.json", "-f", folder / "milder.yaml", code=DONE)
            assert other["phase"] == "Successful", other
            (folder / "longer.yaml").write_text(compared(stub.address, count=looks + 1).replace("HIGH", "LOW"))
            short = answer("analyze", "--replay", folder / "one.json", "-f", folder / "longer.yaml", code=INCONCLUSIVE)
            assert "the record ends before a verdict" in short["message"], short["message"]
            assert len(stub.seen) == asked, "a replay asks nobody"


def a_replay_takes_the_arguments_of_the_run():
    with speaks_prometheus({"errors-of-web": 0.2}) as stub:
        def checks(limit):
            return template(stub.address, ("errors", "errors-of-{{args.service}}", {"successCondition": "result[0] < {{args.limit}}"}),
                            args=[{"name": "service"}, {"name": "limit", "value": limit}])
        with written(checks=checks("0.1"), milder=checks("0.3")) as folder:
            out = answer("analyze", "-f", folder / "checks.yaml", "--arg", "service=web", code=FAILED)
            (folder / "run.json").write_text(json.dumps(out))
            replay = ("analyze", "--replay", folder / "run.json", "-f", folder / "milder.yaml")
            again = answer(*replay, code=DONE)
            assert again["phase"] == "Successful", "the limit is the file's"
            assert {arg["name"]: arg["value"] for arg in again["runs"][0]["spec"]["args"]} == {"service": "web", "limit": "0.3"}
            assert answer(*replay, "--arg", "service=shop", code=DONE)["runs"][0]["spec"]["args"][0]["value"] == "shop"
            elsewhere = answer("-n", "shop", "analyze", "-f", folder / "milder.yaml", "--arg", "service=web", code=DONE)
            assert elsewhere["runs"][0]["metadata"]["namespace"] == "shop", elsewhere["runs"][0]["metadata"]


def an_interrupt_ends_the_analysis_orderly():
    with speaks_prometheus({"up": 1}) as stub:
        checks = template(stub.address, ("up", "up", {"successCondition": "result[0] == 1", "interval": "1s", "count": 600}))
        with written(checks=checks) as folder:
            process = subprocess.Popen([harness.slipway, "analyze", "-f", folder / "checks.yaml", "-o", "json"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
            deadline = time.monotonic() + 30
            while len(stub.seen) < 2 and time.monotonic() < deadline:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            out, said = process.communicate(timeout=30)
            result = json.loads(out)
            assert process.returncode == INCONCLUSIVE and result["phase"] == "Inconclusive", (process.returncode, out, said)
            assert "interrupted" in result["message"], result
            assert result["runs"][0]["spec"]["terminate"] is True, result["runs"][0]["spec"]


def on_a_terminal(*words, until, seconds=60, env=None):
    """What a command drew on a terminal until `until` was in it; it is ended then."""
    main, side = pty.openpty()
    process = subprocess.Popen([harness.slipway, *map(str, words)], stdin=side, stdout=side, stderr=side,
                               env={**environment(), "TERM": "xterm", **(env or {})})
    os.close(side)
    drawn, deadline = b"", time.monotonic() + seconds
    try:
        while until.encode() not in drawn and time.monotonic() < deadline:
            if select.select([main], [], [], 0.2)[0]:
                try:
                    drawn += os.read(main, 65536)
                except OSError:
                    break
            elif process.poll() is not None:
                break
    finally:
        process.kill()
        process.wait()
        os.close(main)
    text = drawn.decode(errors="replace")
    assert until in text, f"no {until!r} in {text!r}"
    return text


def a_terminal_shows_the_analysis_go_on():
    with speaks_prometheus({"up": 1}) as stub:
        checks = template(stub.address, ("up", "up", {"successCondition": "result[0] == 1", "interval": "1s", "count": 3}))
        with written(checks=checks) as folder:
            drawn = on_a_terminal("analyze", "-f", folder / "checks.yaml", until="1 metric passed")
            assert "Running" in drawn and "next look in" in drawn and "\x1b[2A" in drawn or "\x1b[3A" in drawn, drawn
            plain = on_a_terminal("analyze", "-f", folder / "checks.yaml", until="1 metric passed", env={"NO_COLOR": "1"})
            assert "\x1b[1;3" not in plain, plain


def get_w_draws_runs_of_a_server():
    with speaks_prometheus({"up": 1}) as stub, harness.running("--memory") as server:
        run = json.loads(template(stub.address, ("up", "up", {"successCondition": "result[0] == 1", "interval": "1s",
                                                              "count": 3})))
        run["kind"] = "AnalysisRun"
        status, made = server.client().send("POST", "/apis/argoproj.io/v1alpha1/namespaces/default/analysisruns", run)
        assert status == 201, made
        config = ("--kubeconfig", server.folder / "kubeconfig")
        drawn = on_a_terminal("get", "analysisrun", "check", "-w", *config, until="3/3")
        assert re.search(r"METRIC +LAST +TREND +LOOKS", drawn) and "check" in drawn, drawn
        plain, _ = slipway("get", "analysisrun", *config, code=DONE)
        assert "METRIC" not in plain and "check" in plain, plain


CANARY = """
apiVersion: flagger.app/v1beta1
kind: MetricTemplate
metadata: {name: slow, namespace: shop}
spec:
  provider: {type: prometheus, address: ADDRESS}
  query: 'lat{ns="{{ namespace }}",t="{{ target }}"}[{{ interval }}]'
---
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: web, namespace: shop}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  service: {port: 80}
  analysis:
    interval: 10s
    threshold: 1
    iterations: 1
    metrics:
    - {name: latency, interval: 2m, thresholdRange: {max: 500}, templateRef: {name: slow, namespace: shop}}
"""


def pipecd(duration, metric):
    """An application whose only stage is an analysis of one metric."""
    return f"""
apiVersion: pipecd.dev/v1beta1
kind: KubernetesApp
spec:
  name: web
  pipeline:
    stages:
    - name: ANALYSIS
      with:
        duration: {duration}
        metrics:
        - {metric}
"""


PIPECD = pipecd("10s", "{strategy: THRESHOLD, provider: prom, interval: 2s, expected: {max: 0.1}, query: 'err{app=\"{{ .App.Name }}\"}'}")
PIPED = """
apiVersion: pipecd.dev/v1beta1
kind: Piped
spec:
  analysisProviders: [{name: prom, type: PROMETHEUS, config: {address: ADDRESS}}]
"""
SEASONAL = pipecd("13s", "{strategy: PREVIOUS, provider: prom, interval: 2s, deviation: HIGH, query: load}")


def a_comparison_with_another_hour_knows_the_season():
    """The last deployment was six hours ago, when the load of a day is 60 % of what it is now."""
    now = time.time()
    day, hours = 86400, 3600
    load = lambda at: 100 + 40 * math.sin(2 * math.pi * (at - now) / day) + (int(at) * 7919) % 13 / 6  # noqa: E731
    since = [now - 30 * day]  # what the provider remembers
    worse = [1]
    started = now - 6 * hours
    history = {"version": 1, "runs": [{"application": "web", "stage": "stage-0", "metrics": [{"name": "metrics-0", "query": "load"}],
                                       "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(started))}]}

    def respond(handler, request):
        form = urllib.parse.parse_qs(urllib.parse.urlsplit(request.path).query or request.body)
        form["start"][0] = str(max(float(form["start"][0]), since[0]))
        handler.reply(matrix(form, lambda at: load(at) * (worse[0] if at > now - hours else 1)))

    with answering(respond) as stub, written(app=SEASONAL, piped=PIPED.replace("ADDRESS", stub.address)) as folder:
        run = ("analyze", "-f", folder / "app.yaml", "--providers", folder / "piped.yaml", "--history", folder / "h.json")

        def analyzed(code):
            (folder / "h.json").write_text(json.dumps(history))
            del stub.seen[:]
            return answer(*run, code=code)

        calm = analyzed(DONE)
        value = json.loads(calm["metrics"][0]["measurements"][-1]["value"])
        assert value["seasonRemoved"] and "placeboLimit" in value, value
        asked = [urllib.parse.parse_qs(urllib.parse.urlsplit(seen.path).query or seen.body) for seen in stub.seen]
        weeks = [form for form in asked if float(form["end"][0]) - float(form["start"][0]) > day]
        assert len(weeks) == 4, "the past is asked for once"
        (folder / "run.json").write_text(json.dumps(calm))
        again = answer("analyze", "--replay", folder / "run.json", code=DONE)
        assert json.loads(again["metrics"][0]["measurements"][-1]["value"]) == value, again
        worse[0] = 1.5
        assert "hardly one reached" in analyzed(FAILED)["message"], "a difference that is no season is found"
        worse[0], since[0] = 1, now - 2 * day
        assert "not calibrated: the record spans 48 h" in analyzed(FAILED)["message"], "without weeks as before"


KAYENTA = json.dumps({
    "name": "web", "classifier": {"groupWeights": {"all": 100}, "scoreThresholds": {"pass": 95, "marginal": 75}},
    "metrics": [{"name": "latency", "groups": ["all"], "analysisConfigurations": {"canary": {"direction": "increase"}},
                 "query": {"type": "prometheus", "customInlineTemplate": "PromQL:lat_${scope}"}}]})
SCOPES = ("--arg", "controlScope=old", "--arg", "experimentScope=new")


def a_kayenta_configuration_is_scored():
    noise = lambda at: (at * 7919) % 13 / 100  # noqa: E731
    with speaks_prometheus({"lat_old": lambda at: 1 + noise(at), "lat_new": lambda at: 2 + noise(at + 60)}) as stub:
        with written(config=KAYENTA) as folder:
            run = ("analyze", "-f", folder / "config.yaml", "--arg", f"address={stub.address}", "--arg",
                   "start=2026-01-02T15:00:00Z", "--arg", "end=2026-01-02T16:00:00Z", "--report", folder / "r.html")
            out, _ = slipway(*run, *SCOPES, code=FAILED)
            assert out.splitlines()[-1].startswith("Failed: web: score 0 is under 75: latency is High"), out
            _, said = slipway(*run, *SCOPES, "--arg", "margnal=70", code=FAILED)
            assert "--arg margnal: no query of" in said and "did you mean marginal?" in said, said
            assert "latency control" in (folder / "r.html").read_text()
            out, _ = slipway(*run, "--arg", "controlScope=new", "--arg", "experimentScope=new", code=DONE)
            assert re.search(r"web +100 .*score at least 95 +Successful", out), out


def every_dialect_is_rendered_from_files():
    with written(canary=CANARY, pipecd=PIPECD, kayenta=KAYENTA, argo=template(
            "http://x", ("errors", "err{a='{{args.app}}'}", {}), args=[{"name": "app"}])) as folder:
        render = lambda name, *words: answer("render", "-f", folder / f"{name}.yaml", *words, code=DONE)["queries"]  # noqa: E731
        assert [(q["metric"], q["text"], q["provider"]) for q in render("argo", "--arg", "app=web")] == [
            ("errors", "err{a='web'}", "prometheus")]
        queries = render("canary")
        assert [q["text"] for q in queries] == ['lat{ns="shop",t="web"}[2m]'], queries
        assert queries[0]["file"].endswith("canary.yaml") and queries[0]["metric"] == "latency", queries
        assert [(q["name"], q["text"]) for q in render("kayenta", *SCOPES)] == [
            ("latency control", "lat_old"), ("latency experiment", "lat_new")]
        assert [q["text"] for q in render("pipecd")] == ['err{app="web"}']
        plain, _ = slipway("render", "-f", folder / "pipecd.yaml", code=DONE)
        assert plain.endswith('err{app="web"}\n') and plain.startswith("# "), plain
        assert "app" in slipway("render", "-f", folder / "argo.yaml", code=CANNOT_ASK)[1]


def templates_are_rendered_by_themselves():
    alone = CANARY.split("---\n")
    metric = next(one for one in alone if "kind: MetricTemplate" in one)
    entries = ("apiVersion: pipecd.dev/v1beta1\nkind: AnalysisTemplate\nspec:\n  metrics:\n    errors:\n"
               "      {provider: p, interval: 1m, expected: {max: 1}, query: 'err{a=\"{{ .AppArgs.a }}\"}'}\n")
    with written(metric=metric, pipecd=entries) as folder:
        one = ("render", "-f", folder / "metric.yaml")
        assert "--arg namespace=VALUE" in slipway(*one, code=CANNOT_ASK)[1]
        assert "--arg target=VALUE" in slipway(*one, "--arg", "namespace=n", code=CANNOT_ASK)[1]
        out, said = slipway(*one, "--arg", "namespace=n", "--arg", "target=t", code=DONE)
        assert 'lat{ns="n",t="t"}[1m]' in out and said == "", out + said
        out, said = slipway("render", "-f", folder / "pipecd.yaml", "--arg", "a=b", code=DONE)
        assert 'err{a="b"}' in out and said == "", out + said
        out, said = slipway("render", "-f", folder / "pipecd.yaml", code=DONE)
        assert 'asks with a="<no value>"' in said, said


def a_pipeline_that_saw_nothing_says_so():
    def app(stage):
        return f"""apiVersion: pipecd.dev/v1beta1
kind: KubernetesApp
spec:
  name: web
  pipeline: {{stages: [{{name: ANALYSIS, with: {stage}}}]}}
"""
    nothing = '{"status": "success", "data": {"resultType": "matrix", "result": []}}'
    with answering(lambda handler, request: handler.reply(nothing)) as stub:
        piped = ("apiVersion: pipecd.dev/v1beta1\nkind: Piped\nspec:\n  analysisProviders:\n"
                 f"  - {{name: prom, type: PROMETHEUS, config: {{address: '{stub.address}'}}}}\n")
        misspelt = """{duration: 3s, metrics: [{strategy: CANARY_BASELINE, provider: prom, interval: 1s, canaryArgs: {bar: a},
          baselineArgs: {bar: b}, query: 'cpu{bar="{{ .VariantArgs.brr }}"}'}]}"""
        previous = "{duration: 3s, metrics: [{strategy: PREVIOUS, provider: prom, interval: 1s, query: cpu}]}"
        with written(piped=piped, unseen=app(misspelt), previous=app(previous), metricss=app("{duration: 3s, metricss: []}"),
                     dynamic=app("{duration: 30m, dynamic: {metrics: []}}")) as folder:
            run = lambda name, code, *words: slipway("analyze", "-f", folder / f"{name}.yaml", "--providers",  # noqa: E731
                                                     folder / "piped.yaml", *words, code=code)
            out, said = run("unseen", DONE)
            assert "metrics-0 never saw a point" in out.splitlines()[-1], out
            assert 'experiment asks with bar="<no value>"' in said, said
            assert "unseen.yaml:5: spec.pipeline.stages[0].with.metrics[0]: warning: gives about 3 points" in said, said
            assert "give --history FILE" in run("previous", DONE)[1]
            assert "this one is recorded" in run("previous", DONE, "--history", folder / "history.json")[1]
            assert "did you mean metrics?" in run("metricss", CANNOT_ASK)[1]
            assert "write its metrics under metrics" in run("dynamic", CANNOT_ASK)[1]


def an_input_that_cannot_be_read_is_not_a_verdict():
    for command in ("judge", "eval", "render"):
        assert "cannot open" in slipway(command, "--batch", "/nonexistent", code=CANNOT_ASK)[1]


def a_canary_and_a_pipeline_are_analyzed():
    with speaks_prometheus({'lat{ns="shop",t="web"}[2m]': 700, 'err{app="web"}': 0.5}) as stub:
        with written(canary=CANARY.replace("ADDRESS", stub.address), pipecd=PIPECD,
                     piped=PIPED.replace("ADDRESS", stub.address)) as folder:
            out, _ = slipway("analyze", "-f", folder / "canary.yaml", code=FAILED)
            assert "700, must be at most 500" in out, out
            out, _ = slipway("analyze", "-f", folder / "pipecd.yaml", "--providers", folder / "piped.yaml", code=FAILED)
            assert "0.5, must be at most 0.1" in out, out


def a_real_prometheus_is_asked_and_judged():
    now = int(time.time())
    series = [stores.Series("errors", {"app": app}, stores.every(5, now - 600, now + 300, value))
              for app, value in (("web", 0.01), ("bad", 0.25))]
    with harness.scratch() as folder, stores.prometheus(folder, series) as address:
        result = answer("query", "--provider", "prometheus", "--address", address, "--range", "5m", "--step", "1m",
                        'errors{app="web"}', code=DONE)
        assert result["series"][0]["labels"] == {"__name__": "errors", "app": "web"}, result
        assert [value for _, value in result["series"][0]["points"]] == [0.01] * 6, result
        checks = folder / "checks.yaml"
        checks.write_text(template(address, ("errors", 'errors{app="{{args.app}}"}', {"successCondition": "result[0] < 0.05"}),
                                   args=[{"name": "app"}]))
        slipway("analyze", "-f", checks, "--arg", "app=web", code=DONE)
        slipway("analyze", "-f", checks, "--arg", "app=bad", code=FAILED)
        slipway("analyze", "-f", checks, "--arg", "app=nobody", code=CANNOT_ASK)


def every_dialect_is_linted():
    wrong = {
        "canary": CANARY.replace("max: 500", "max: lots"),
        "pipecd": PIPECD.replace("THRESHOLD", "GUESS"),
        "kayenta": '{"name": "x", "metrics": [{"name": "a", "query": {"type": "prometheus"}, "groups": "g"}]}',
    }
    right = {"canary": CANARY.replace("ADDRESS", "http://x"), "pipecd": PIPECD}
    with written(**wrong) as folder:
        for name in wrong:
            result = answer("lint", folder / f"{name}.yaml", code=FAILED)
            problems = result["files"][0]["problems"]
            assert any(p["severity"] == "error" for p in problems), result
            assert not any("passed over" in p["message"] for p in problems), problems
    with written(**right) as folder:
        for name in right:
            result = answer("lint", folder / f"{name}.yaml", code=DONE)
            assert not any("passed over" in p["message"] for f in result["files"] for p in f["problems"]), result


harness.run([
    query_answers_as_contracted,
    query_without_a_question_asks_whether_the_source_is_there,
    query_that_cannot_be_asked_says_why,
    a_source_that_is_part_of_a_cluster_is_asked_there,
    a_secret_is_sent_and_never_shown,
    a_secret_that_a_source_echoes_is_not_shown,
    analyze_ends_with_a_verdict,
    analyze_tells_what_it_cannot_do,
    a_misspelt_field_is_no_analysis,
    a_verdict_outlives_files_that_cannot_be_written,
    two_analyses_share_a_history,
    a_comparison_is_reported_and_judged_again,
    a_replay_takes_the_arguments_of_the_run,
    an_interrupt_ends_the_analysis_orderly,
    a_terminal_shows_the_analysis_go_on,
    get_w_draws_runs_of_a_server,
    a_comparison_with_another_hour_knows_the_season,
    a_kayenta_configuration_is_scored,
    every_dialect_is_rendered_from_files,
    templates_are_rendered_by_themselves,
    a_pipeline_that_saw_nothing_says_so,
    an_input_that_cannot_be_read_is_not_a_verdict,
    a_canary_and_a_pipeline_are_analyzed,
    a_real_prometheus_is_asked_and_judged,
    every_dialect_is_linted,
])
