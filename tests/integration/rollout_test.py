#!/usr/bin/env python3
"""`slipway rollout` on Rollouts whose Pods are real processes: each command, on a canary and on a blue-green, with good
versions and bad ones; and what it says to wrong names and wrong flags."""
import collections
import contextlib
import fcntl
import http.server
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402

PATIENCE_S = 60 * harness.patience
# Serves its version on port 8000.
PROGRAM = """
import http.server, os
class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = os.environ["VERSION"].encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass
http.server.ThreadingHTTPServer(("", 8000), Answers).serve_forever()
"""
IMAGES = {"web:crashes": ["/bin/sh", "-c", "exit 3"], "web:sleeps": ["/bin/sleep", "1000"],
          "web:*": {"command": [sys.executable, "-u", "-c", PROGRAM], "env": {"VERSION": "$(SLIPWAY_IMAGE_TAG)"}}}


def rollout(name, strategy, replicas=2, **spec):
    probe = {"tcpSocket": {"port": 8000}, "periodSeconds": 1}
    container = {"name": "web", "image": "web:v1", "ports": [{"containerPort": 8000}], "readinessProbe": probe}
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": {"name": name},
            "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": name}}, "strategy": strategy,
                     "template": {"metadata": {"labels": {"app": name}},
                                  "spec": {"terminationGracePeriodSeconds": 1, "containers": [container]}}, **spec}}


def canary(*steps, **more):
    return {"canary": {"steps": list(steps), **more}}


def service(name, app):
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name},
            "spec": {"selector": {"app": app}, "ports": [{"name": "http", "port": 8080, "targetPort": 8000}]}}


class World:
    """A server, and a person with a terminal."""

    def __init__(self, server):
        self.server = server
        self.environment = {**os.environ, "KUBECONFIG": str(server.folder / "kubeconfig")}

    def ask(self, *words, body=None):
        return subprocess.run([harness.slipway, *words], input=json.dumps(body) if body else None, text=True,
                              capture_output=True, timeout=2 * PATIENCE_S, env=self.environment)

    def apply(self, *objects):
        for each in objects:
            done = self.ask("apply", "-f", "-", body=each)
            assert done.returncode == 0, done.stderr

    def rollout(self, *words):
        """Of one that must work: what it prints."""
        done = self.ask("rollout", *words)
        assert done.returncode == 0, f"{words}: {done.returncode} {done.stdout} {done.stderr}"
        return done.stdout

    def until_shown(self, name, *wanted):
        """The text of `get`, once it has all that is wanted."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            text = self.rollout("get", name)
            if all(re.search(each, text, re.M) for each in wanted):
                return text
            assert time.monotonic() < deadline, f"{wanted} is never shown:\n{text}"
            time.sleep(0.2)

    def healthy(self, name):
        text = self.rollout("status", name, "--timeout", f"{PATIENCE_S}s")
        assert text == "Healthy\n", text

    def image(self, name):
        client = self.server.client()
        _, found = client.send("GET", f"/apis/argoproj.io/v1alpha1/namespaces/default/rollouts/{name}")
        client.close()
        return found["spec"]["template"]["spec"]["containers"][0]["image"]

    def leftovers(self):
        """Shims, containers and proxies of this server."""
        ours = harness.processes(self.server.folder)
        return [pid for pid, words in ours.items() if words[1:2] != ["serve"]]


@contextlib.contextmanager
def world():
    with harness.scratch() as folder:
        images = folder / "images.yaml"
        images.write_text(json.dumps(IMAGES))
        server = harness.Server(folder / "data", "--images", str(images))
        server.folder.mkdir(mode=0o700)
        server.start()
        made = World(server)
        try:
            yield made
        finally:
            server.kill()
            for pid in made.leftovers():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def a_canary_goes_through_its_steps():
    with world() as it:
        it.apply(rollout("web", canary({"setWeight": 50}, {"pause": {}}, {"setWeight": 100}), analysis={}))
        it.healthy("web")
        text = it.rollout("get", "web")
        for line in ("Name:            web", "Namespace:       default", "Status:          ✔ Healthy", "Strategy:        Canary",
                     "  Step:          3/3", "  SetWeight:     100", "  ActualWeight:  100", "Images:          web:v1 (stable)",
                     "  Desired:       2", "  Available:     2"):
            assert line + "\n" in text, (line, text)
        assert re.search(r"^⟳ web +Rollout +✔ Healthy +\d+s$", text, re.M), text
        assert re.search(r"^└──# revision:1$", text, re.M), text
        assert re.search(r"^   └──⧉ web-\w+ +ReplicaSet +✔ Healthy +\d+s +stable$", text, re.M), text
        assert len(re.findall(r"^      [├└]──□ web-\w+-\w+ +Pod +✔ Running +\d+s +ready:1/1$", text, re.M)) == 2, text

        assert it.rollout("set", "image", "web", "web=web:v2") == "rollout.argoproj.io/web image updated\n"
        text = it.until_shown("web", "^Status: +॥ Paused$")
        for line in ("Message:         CanaryPauseStep", "  Step:          1/3 (pause)", "  SetWeight:     50", "  ActualWeight:  50",
                     "Images:          web:v1 (stable)", "                 web:v2 (canary)", "  Updated:       1"):
            assert line + "\n" in text, (line, text)
        assert re.search(r"^├──# revision:2\n│  └──⧉ web-\w+ +ReplicaSet +✔ Healthy +\S+ +canary$", text, re.M), text
        assert "web    Canary     Paused   1/3    50           2/2     2         1            2" in it.rollout("list")
        waited = it.ask("rollout", "status", "web", "--timeout", "1s")
        assert (waited.returncode, waited.stdout) == (1, "Paused - CanaryPauseStep\n"), waited
        assert "neither Healthy nor Degraded after 1s" in waited.stderr, waited.stderr
        assert it.rollout("status", "web", "--no-wait") == "Paused - CanaryPauseStep\n"

        assert it.rollout("promote", "web") == "rollout.argoproj.io/web promoted\n"
        it.healthy("web")
        assert "Images:          web:v2 (stable)\n" in it.until_shown("web", "ScaledDown")
        assert it.rollout("promote", "web") == "rollout.argoproj.io/web is promoted already\n"


def an_update_is_aborted_retried_and_undone():
    with world() as it:
        it.apply(rollout("web", canary({"setWeight": 50}, {"pause": {}})))
        it.healthy("web")
        it.rollout("set", "image", "web", "web=web:v2")
        it.until_shown("web", "^Status: +॥ Paused$")
        assert it.rollout("abort", "web") == "rollout.argoproj.io/web aborted\n"
        waited = it.ask("rollout", "status", "web")
        assert waited.returncode == 1, waited
        assert waited.stdout == "Degraded - RolloutAborted: Rollout aborted update to revision 2\n", waited.stdout
        text = it.until_shown("web", r"• ScaledDown", r"^  Ready: +2$")
        assert "  SetWeight:     0\n  ActualWeight:  0\n" in text and "Images:          web:v1 (stable)\nRepl" in text, text
        refused = it.ask("rollout", "promote", "web")
        assert refused.returncode == 1 and "slipway rollout retry web" in refused.stderr, refused

        assert it.rollout("retry", "web") == "rollout.argoproj.io/web retried\n"
        it.until_shown("web", "^Status: +॥ Paused$", r"^  Step: +1/2 \(pause\)$")
        it.rollout("abort", "web")
        assert it.rollout("undo", "web") == "rollout.argoproj.io/web rolled back to revision 1 (web:v1)\n"
        assert it.image("web") == "web:v1"
        it.healthy("web")
        assert "# revision:3" in it.rollout("get", "web")
        assert "has the template of revision 3 already" in it.rollout("undo", "web", "--to-revision", "3")

        it.rollout("undo", "web", "--to-revision", "2")
        it.until_shown("web", "^Status: +॥ Paused$")
        assert it.rollout("promote", "web", "--full") == "rollout.argoproj.io/web fully promoted\n"
        it.healthy("web")
        assert it.image("web") == "web:v2"
        for words, wanted in ((("abort", "web"), "has no update to abort"), (("retry", "web"), "is not aborted"),
                              (("undo", "web", "--to-revision", "9"), "revision 9 is not in the history")):
            refused = it.ask("rollout", *words)
            assert refused.returncode == 1 and wanted in refused.stderr and refused.stderr.count("\n") == 1, refused


def an_update_is_held_and_pods_are_replaced():
    with world() as it:
        it.apply(rollout("web", canary({"setWeight": 50})))
        it.healthy("web")
        assert it.rollout("pause", "web") == "rollout.argoproj.io/web paused\n"
        assert it.rollout("pause", "web") == "rollout.argoproj.io/web is paused already\n"
        it.until_shown("web", "^Status: +॥ Paused$", "^Message: +manually paused$")
        it.rollout("set", "image", "web", "*=web:v2")
        time.sleep(1)
        assert "web:v2" not in it.rollout("get", "web"), "a paused one begins nothing"
        it.rollout("promote", "web")
        it.healthy("web")
        assert "web:v2 (stable)" in it.rollout("get", "web")

        before = set(re.findall(r"□ (\S+)", it.until_shown("web", "ScaledDown")))
        assert re.match(r"rollout.argoproj.io/web restarts at \d{4}-", it.rollout("restart", "web"))
        it.healthy("web")
        after = set(re.findall(r"□ (\S+) +Pod +✔", it.until_shown("web", r"^  Available: +2$")))
        assert len(after) == 2 and not before & after, (before, after)
        later = json.loads(it.rollout("restart", "web", "--in", "1h", "-o", "json"))
        assert later["spec"]["restartAt"] > later["metadata"]["creationTimestamp"], later["spec"]


def a_blue_green_is_promoted_and_taken_back():
    with world() as it:
        it.apply(service("active", "shop"), service("preview", "shop"))
        it.apply(rollout("shop", {"blueGreen": {"activeService": "active", "previewService": "preview",
                                                "autoPromotionEnabled": False, "scaleDownDelaySeconds": 600}}))
        it.healthy("shop")
        assert "Images:          web:v1 (stable, active)\n" in it.rollout("get", "shop")
        it.rollout("set", "image", "shop", "web=web:v2")
        text = it.until_shown("shop", "^Status: +॥ Paused$", "^Message: +BlueGreenPause$")
        assert "Strategy:        BlueGreen\nImages:          web:v1 (stable, active)\n                 web:v2 (preview)\n" in text, text
        assert re.search(r"⧉ shop-\w+ +ReplicaSet +✔ Healthy +\S+ +preview$", text, re.M), text
        assert "shop   BlueGreen   Paused   -      -            2/4     2         2" in it.rollout("list"), it.rollout("list")
        it.rollout("promote", "shop")
        it.healthy("shop")
        it.until_shown("shop", r"web:v2 \(stable, active\)", r"✔ Healthy +\S+ +delay:(9m\d*s?|10m)$")

        it.rollout("undo", "shop")
        it.healthy("shop")
        it.until_shown("shop", r"web:v1 \(stable, active\)")
        it.rollout("set", "image", "shop", "web=web:v3")
        it.until_shown("shop", "^Message: +BlueGreenPause$", r"web:v3 \(preview\)")
        it.rollout("abort", "shop")
        it.until_shown("shop", "^Status: +✖ Degraded$", r"web:v1 \(stable, active")


@contextlib.contextmanager
def held_up(it, meanwhile):
    """The address of one that passes everything on to the server, but does something else before the first patch."""
    left = [meanwhile]

    class PassesOn(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            if self.command == "PATCH" and left:
                left.pop()()
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            client = it.server.client()
            client.connection.request(self.command, self.path, body, dict(self.headers))
            answer = client.connection.getresponse()
            text = answer.read()
            client.close()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.getheader("Content-Type"))
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_PATCH = do_GET

        def log_message(self, *_):
            pass

    between = http.server.ThreadingHTTPServer(("127.0.0.1", 0), PassesOn)
    threading.Thread(target=between.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{between.server_address[1]}"
    finally:
        between.shutdown()
        between.server_close()
        assert not left, "nothing was patched"


def a_promotion_is_of_what_was_seen():
    steps = [{"setWeight": 10}, {"pause": {}}, {"setWeight": 20}, {"pause": {}}, {"setWeight": 30}, {"pause": {}}]
    with world() as it:
        it.apply(rollout("web", canary(*steps), replicas=1))
        it.healthy("web")
        it.rollout("set", "image", "web", "web=web:v2")
        it.until_shown("web", "^Status: +॥ Paused$", "Step: +1/6")

        def somebody_promotes():
            it.rollout("promote", "web")
            it.until_shown("web", "^Status: +॥ Paused$", "Step: +3/6")

        # Whoever asked for the end of the pause at step 1 gets no other.
        with held_up(it, somebody_promotes) as address:
            text = (it.server.folder / "kubeconfig").read_text()
            slow = it.server.folder / "slow"
            slow.write_text(re.sub("server: .*", f"server: {address}", re.sub(r"\n +certificate-authority.*", "", text)))
            assert it.rollout("promote", "web", "--kubeconfig", str(slow)) == "rollout.argoproj.io/web promoted\n"
        time.sleep(1)
        text = it.rollout("get", "web")
        assert re.search("Step: +3/6", text), text


def answers(it, name, count):
    """Of so many requests to a Service, how many each version answered."""
    client = it.server.client()
    _, found = client.send("GET", f"/api/v1/namespaces/default/services/{name}")
    client.close()
    seen = collections.Counter()
    for _ in range(count):
        with urllib.request.urlopen(f"http://{found['spec']['clusterIP']}:8080/", timeout=5) as answer:
            seen[answer.read().decode()] += 1
    return seen


def routers_that_nobody_serves_here_are_translated():
    with world() as it:
        routings = {"ng": {"nginx": {"stableIngress": "door"}}, "mesh": {"istio": {"virtualService": {"name": "web"}}},
                    "split": {"smi": {}}}
        for name, routing in routings.items():
            it.apply(service(f"{name}-stable", name), service(f"{name}-canary", name),
                     rollout(name, canary({"setWeight": 30}, {"pause": {}}, stableService=f"{name}-stable",
                                          canaryService=f"{name}-canary", trafficRouting=routing), replicas=1))
        for name in routings:
            it.healthy(name)
            it.rollout("set", "image", name, "web=web:v2")
        for name in routings:
            it.until_shown(name, "^Status: +॥ Paused$", "ActualWeight: +30")
            harness.until(lambda: 5 <= answers(it, f"{name}-stable", 50)["v2"] <= 28, "three of ten", PATIENCE_S)
            it.rollout("abort", name)
            harness.until(lambda: answers(it, f"{name}-stable", 50)["v1"] == 50, "all of them", PATIENCE_S)


def what_never_gets_ready_says_why():
    with world() as it:
        it.apply(rollout("web", canary({"setWeight": 50}, {"pause": {}}), progressDeadlineSeconds=6))
        text = it.until_shown("web", "^Status: +◌ Progressing$", "□")
        assert re.search(r"^Message: +(more replicas need to be updated|updated replicas are still becoming available|"
                         r"waiting for rollout spec)", text, re.M), text
        it.healthy("web")
        it.rollout("set", "image", "web", "web=web:crashes")
        it.until_shown("web", r"□ web-\S+ +Pod +⚠ CrashLoopBackOff +\S+ +ready:0/1,restarts:\d+ .*back-off")
        waited = it.ask("rollout", "status", "web", "--timeout", f"{PATIENCE_S}s")
        assert waited.returncode == 1, waited
        assert re.match(r'Degraded - ProgressDeadlineExceeded: ReplicaSet "web-\w+" has timed out progressing.\n', waited.stdout), waited.stdout

        it.rollout("set", "image", "web", "web=other:v1")
        it.until_shown("web", r'□ web-\S+ +Pod +⚠ \S+ +\S+ +ready:0/1 .*no command for image "other:v1"')
        told = it.ask("rollout", "status", "rollout/web", "--timeout", "1s")
        assert told.returncode == 1 and re.search(r'^Problem: Pod web-\S+: .*no command for image "other:v1"', told.stdout,
                                                  re.M), told
        it.rollout("set", "image", "web", "web=web:sleeps")
        it.until_shown("web", r"□ web-\S+ +Pod +◌ Running +\S+ +ready:0/1 Readiness probe failed")
        it.until_shown("web", r"^Problem: +Pod web-\S+: Readiness probe failed")
        it.rollout("undo", "web", "--to-revision", "1")
        it.healthy("web")


def a_pod_is_explained_among_the_warnings_of_many():
    with world() as it:
        client = it.server.client()
        for number in range(501):  # all before those of our Pod by name, which is how lists are ordered
            event = {"apiVersion": "v1", "kind": "Event", "metadata": {"name": f"a-{number:03}"}, "type": "Warning",
                     "reason": "Other", "message": "of another Pod",
                     "involvedObject": {"kind": "Pod", "namespace": "default", "name": "a", "uid": "another"}}
            assert client.send("POST", "/api/v1/namespaces/default/events", event)[0] == 201
        client.close()
        it.apply(rollout("web", canary({"setWeight": 50}, {"pause": {}})))
        it.healthy("web")
        it.rollout("set", "image", "web", "web=web:sleeps")
        it.until_shown("web", r"^Problem: +Pod web-\S+: Readiness probe failed")


@contextlib.contextmanager
def numbers():
    """A source of one number; its address."""
    class Answers(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "10")
            self.end_headers()
            self.wfile.write(b'{"n": 123}')

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def analyses_and_experiments_are_in_the_tree():
    with world() as it, numbers() as url:
        metric = {"name": "n", "interval": "1s", "count": 1000, "successCondition": "result > 0",
                  "provider": {"web": {"url": url, "jsonPath": "{$.n}"}}}
        it.apply({"apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisTemplate", "metadata": {"name": "answers"},
                  "spec": {"metrics": [metric]}})
        experiment = {"templates": [{"name": "canary", "specRef": "canary"}, {"name": "baseline", "specRef": "stable"}],
                      "analyses": [{"name": "looks", "templateName": "answers", "requiredForCompletion": True}]}
        it.apply(rollout("web", canary({"experiment": experiment}, {"analysis": {"templates": [{"templateName": "answers"}]}}),
                         replicas=1))
        it.healthy("web")
        it.rollout("set", "image", "web", "web=web:v2")
        text = it.until_shown("web", r"Σ web-\w+-2-0 +Experiment +◌ Running", r"⧉ web-\w+-2-0-baseline +ReplicaSet +✔ Healthy",
                              r"α web-\w+-2-0-looks +AnalysisRun +◌ Running +\S+ +✔ \d+ n=123$", r"^  Step: +0/2 \(experiment\)$")
        assert "web:v1 (stable, Σ:baseline)" in text and "web:v2 (canary, Σ:canary)" in text or "web:v2 (Σ:canary)" in text, text
        run = re.search(r"α (\S+)", text)[1]
        assert it.rollout("terminate", "analysisrun", run) == f"analysisrun.argoproj.io/{run} terminated\n"
        text = it.until_shown("web", r"^  Step: +1/2 \(analysis\)$", r"α web-\w+-2-1 +AnalysisRun +◌ Running +\S+ +✔ \d+ n=123$")
        run = re.search(r"α (\S+-2-1) ", text)[1]
        it.rollout("terminate", f"ar/{run}")
        it.healthy("web")


def a_template_may_be_a_deployments():
    with world() as it:
        made = rollout("web", canary({"setWeight": 50}))
        template = made["spec"].pop("template")
        it.apply({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "base"},
                  "spec": {"replicas": 0, "selector": {"matchLabels": {"app": "web"}}, "template": template}})
        made["spec"]["workloadRef"] = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "base"}
        it.apply(made)
        it.healthy("web")
        assert it.rollout("set", "image", "web", "web=web:v2") == "rollout.argoproj.io/web image updated\n"
        it.until_shown("web", r"web:v2 \(stable\)")
        it.rollout("undo", "web")
        it.until_shown("web", r"Images: +web:v1 \(stable\)\nReplicas")


def wrong_words_get_one_clear_answer():
    with world() as it:
        it.apply(rollout("web", canary()))
        for words, code, wanted in (
                (("get", "wen"), 1, 'slipway: rollouts.argoproj.io "wen" not found'),
                (("status", "wen"), 1, '"wen" not found'), (("promote", "wen"), 1, '"wen" not found'),
                (("get", "web", "-n", "nowhere"), 1, '"web" not found'), (("-n", "nowhere", "get", "web"), 1, '"web" not found'),
                (("undo", "web"), 1, "there is no revision before this one"),
                (("terminate", "analysisrun", "x"), 1, 'analysisruns.argoproj.io "x" not found'),
                (("terminate", "rollout", "web"), 64, "slipway rollout abort NAME"), (("terminate", "x"), 64, "say what to end"),
                (("set", "image", "web", "wen=x"), 1, 'there is no container "wen"; write web'),
                (("set", "image", "web", "x"), 64, '"x" is no container=image'), (("set", "image", "web"), 64, "slipway rollout set image NAME"),
                (("set", "replicas", "web", "3"), 64, "slipway rollout set image NAME"),
                (("get",), 64, "say which one: slipway rollout get NAME"), ((), 64, "say what to do: get, list, status,"),
                (("promot", "web"), 64, 'unknown command "promot" of `rollout`; did you mean "promote"?'),
                (("get", "web", "--full"), 64, "--full"), (("get", "web", "more"), 64, "more"), (("list", "web"), 64, "web"),
                (("status", "web", "--timeout", "10"), 64, '--timeout: "10" is not a duration'),
                (("restart", "web", "--in", "-5m"), 64, '--in: "-5m" is not a duration'),
                (("undo", "web", "--to-revision", "x"), 64, "--to-revision"), (("undo", "web", "--to-revision", "-1"), 64, "--to-revision"),
                (("get", "web", "-o", "xml"), 64, '"xml" is not known here; write json or yaml')):
            done = it.ask("rollout", *words)
            assert done.returncode == code and wanted in done.stderr and done.stdout == "", (words, done)
            assert done.stderr.count("\n") <= (2 if code == 64 else 1), (words, done.stderr)
        assert json.loads(it.rollout("get", "web", "-o", "json"))["kind"] == "Rollout"
        assert json.loads(it.rollout("list", "-A", "-o", "json"))["items"][0]["metadata"]["name"] == "web"
        assert it.rollout("pause", "web", "-o", "name") == "rollout.argoproj.io/web\n"
        assert it.ask("rollout", "list", "-n", "nowhere").stderr == "No resources found in nowhere namespace.\n"
        for verb in "get list status promote pause abort retry restart undo set terminate".split():
            text = it.rollout(verb, "--help")
            assert "Examples:\n  slipway rollout " + verb in text, text
            assert text == it.ask("help", "rollout", verb).stdout
        script = it.ask("completion", "bash").stdout
        offered = subprocess.run(["bash", "-c", script + "COMP_WORDS=(slipway rollout promote --f) COMP_CWORD=3; _slipway; echo ${COMPREPLY[@]}"],
                                 capture_output=True, text=True)
        assert offered.stdout == "--full\n", offered


def read_terminal(terminal, seconds):
    text, deadline = b"", time.monotonic() + seconds
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                text += os.read(terminal, 1 << 16)
            except OSError:
                break
    return text.decode()


def end_of(process):
    """How it ended, by force when it does not by itself."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return status
        if time.monotonic() > deadline:
            os.kill(process, signal.SIGKILL)
        time.sleep(0.05)


def the_live_tree_is_drawn_in_its_place():
    with world() as it:
        it.apply(rollout("web", canary({"setWeight": 50}, {"pause": {}})))
        it.healthy("web")
        for columns in (80, 160):
            process, terminal = pty.fork()
            if process == 0:
                signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored where tests run in the background
                os.environ.update(it.environment)
                os.environ.pop("NO_COLOR", None)
                os.execv(harness.slipway, [harness.slipway, "rollout", "get", "web", "-w"])
            try:
                fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
                text = read_terminal(terminal, 3 * harness.patience)
                assert "\x1b[32m✔ Healthy\x1b[0m" in text, text
                frames = re.split(r"\x1b\[\d+A|\x1b\[H\x1b\[2J", text)
                assert len(frames) > 1, f"drawn once: {text!r}"
                for line in frames[-1].split("\r\n"):
                    bare = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line)
                    assert len(bare) < columns, (columns, bare)
                    assert not line.startswith("\x1b[2K"), "a line is blank before it is drawn"
                os.write(terminal, b"\x03")
                read_terminal(terminal, 0.5)
            finally:
                status = end_of(process)
                os.close(terminal)
            assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGINT or os.WEXITSTATUS(status) == 130, status
        plain = subprocess.Popen([harness.slipway, "rollout", "get", "web", "-w"], stdout=subprocess.PIPE, text=True, env=it.environment)
        time.sleep(2)
        it.rollout("set", "image", "web", "web=web:v2")
        it.until_shown("web", "^Status: +॥ Paused$")
        time.sleep(2)
        plain.terminate()
        text = plain.communicate()[0]
        assert "\x1b" not in text and text.count("Name:  ") >= 2 and "॥ Paused" in text, text


if __name__ == "__main__":
    harness.run([a_canary_goes_through_its_steps, an_update_is_aborted_retried_and_undone, an_update_is_held_and_pods_are_replaced,
                 a_blue_green_is_promoted_and_taken_back, a_promotion_is_of_what_was_seen,
                 routers_that_nobody_serves_here_are_translated, what_never_gets_ready_says_why, a_pod_is_explained_among_the_warnings_of_many,
                 analyses_and_experiments_are_in_the_tree,
                 a_template_may_be_a_deployments, wrong_words_get_one_clear_answer, the_live_tree_is_drawn_in_its_place])
