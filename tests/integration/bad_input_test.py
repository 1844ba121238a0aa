#!/usr/bin/env python3
"""What users get wrong, on a real server with real processes. Each mistake is a condition and an event, which say what was
found and what would be right, and are shown by `kubectl describe` and `slipway rollout get`. Nothing is half done
meanwhile: the version before serves on. Putting it right is enough to go on."""
import contextlib
import copy
import json
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402
import rollout_test  # noqa: E402
from harness import until  # noqa: E402
from pods_test import kubectl  # noqa: E402
from rollout_test import PATIENCE_S, PROGRAM, canary, rollout, service  # noqa: E402

ARGO = "/apis/argoproj.io/v1alpha1/namespaces/default"
CORE = "/api/v1/namespaces/default"
GATEWAY = "/apis/gateway.networking.k8s.io/v1/namespaces/default"
# How often a Rollout that cannot be carried out is looked at.
LOOK_AGAIN_S = 20


class Person(rollout_test.World):
    """Somebody with kubectl, where there is one, and with slipway."""

    def send(self, method, path, body=None, content_type="application/json"):
        client = self.server.client()
        status, answer = client.send(method, path, body, content_type)
        client.close()
        assert status in (200, 201), f"{method} {path}: {status} {answer}"
        return answer

    def kube(self, *words, body=None):
        return subprocess.run([kubectl or harness.slipway, *words], input=json.dumps(body) if body else None, text=True,
                              capture_output=True, timeout=2 * PATIENCE_S, env=self.environment)

    def put(self, *objects):
        """Applied as kubectl does it: slipway's own `apply` would not even send most of this."""
        for each in objects:
            if kubectl:
                done = self.kube("apply", "-f", "-", body=each)
                assert done.returncode == 0, done.stderr
                continue
            group = each["apiVersion"] if "/" in each["apiVersion"] else ""
            path = f"/apis/{group}" if group else f"/api/{each['apiVersion']}"
            self.send("PATCH", f"{path}/namespaces/default/{each['kind'].lower()}s/{each['metadata']['name']}"
                      "?fieldManager=test&force=true", each, "application/apply-patch+yaml")

    def describe(self, kind, name):
        done = self.kube("describe", kind, name)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def rollout_object(self, name):
        return self.send("GET", f"{ARGO}/rollouts/{name}")

    def healthy(self, name):
        def holds():
            found = self.rollout_object(name)
            status = found.get("status", {})
            return status.get("phase") == "Healthy" and int(status["observedGeneration"]) >= found["metadata"]["generation"]
        until(holds, lambda: f"{name} does not get healthy:\n{self.rollout('get', name)}", 2 * PATIENCE_S)

    def condition(self, name, kind):
        found = [one for one in self.rollout_object(name).get("status", {}).get("conditions", []) if one["type"] == kind]
        return found[0] if found else None

    def events(self, name, reason):
        """(type, message, count) of each about an object of this name."""
        page = self.send("GET", f"{CORE}/events?fieldSelector=involvedObject.name%3D{name},reason%3D{reason}")
        return [(one["type"], one["message"], one["count"]) for one in page["items"]]

    def pods_of(self, app):
        return self.send("GET", f"{CORE}/pods?labelSelector=app%3D{app}")["items"]

    def answer(self, name, port=8080):
        """What a Service answers through the proxy."""
        address = self.send("GET", f"{CORE}/services/{name}")["spec"]["clusterIP"]
        with urllib.request.urlopen(f"http://{address}:{port}/", timeout=10) as response:
            return response.read().decode()

    def answers(self, name, wanted, port=8080):
        def same():
            with contextlib.suppress(OSError, urllib.error.URLError):
                return self.answer(name, port) == wanted
            return False
        until(same, f"{name} does not answer {wanted}")

    def made(self):
        """All that a Rollout may make or change, by kind and name."""
        found = {}
        for path in ("/apis/apps/v1/namespaces/default/replicasets", f"{CORE}/services", f"{CORE}/pods",
                     f"{ARGO}/experiments", f"{ARGO}/analysisruns"):
            for one in self.send("GET", path)["items"]:
                mine = {key: value for key, value in one["metadata"].get("annotations", {}).items() if "argoproj" in key}
                found[path.split("/")[-1], one["metadata"]["name"]] = (one["metadata"]["uid"], one["spec"], mine)
        return found

    def settled(self):
        """The same, once nothing changes any more."""
        before = self.made()
        def stays():
            nonlocal before
            time.sleep(0.5)
            last, before = before, self.made()
            return last == before
        until(stays, "it does not come to rest")
        return before

    def refused(self, name, sentence, made_before, times=1):
        """Checks that the Rollout says so, once each time, in all places, and that nothing was done for it."""
        sentence = f'The Rollout "{name}" is invalid: {sentence}'
        condition = until(lambda: (now := self.condition(name, "InvalidSpec")) and now["message"] == sentence and now,
                          lambda: f"{sentence}\nis not said, but\n{self.condition(name, 'InvalidSpec')}")
        assert (condition["status"], condition["reason"]) == ("True", "InvalidSpec"), condition
        status = self.rollout_object(name)["status"]
        assert (status["phase"], status["message"]) == ("Degraded", f"InvalidSpec: {sentence}"), status
        # Beyond nine different ones, what is said last is told in one event for all.
        told = {("Warning", sentence, times), ("Warning", f"(combined from similar events): {sentence}", times)}
        until(lambda: told & {*self.events(name, "InvalidSpec")}, lambda: self.events(name, "InvalidSpec"))
        described = self.describe("rollout", name)
        assert described.count(sentence) >= 2, f"not as condition and as event:\n{described}"
        shown = self.rollout("get", name)
        assert f"Status:          ✖ Degraded\nMessage:         InvalidSpec: {sentence}\n" in shown, shown
        made = self.made()
        changed = [key for key in {*made, *made_before} if made.get(key) != made_before.get(key)]
        assert not changed, f"made or changed for it: {[(key, made_before.get(key), made.get(key)) for key in changed]}"


@contextlib.contextmanager
def world():
    with rollout_test.world() as it:
        yield Person(it.server)


@contextlib.contextmanager
def taken_port():
    """A port that a program outside of all Pods listens at, on every address."""
    with socket.create_server(("0.0.0.0", 0)) as listening:
        yield listening.getsockname()[1], listening


def with_image(manifest, image):
    manifest = copy.deepcopy(manifest)
    manifest["spec"]["template"]["spec"]["containers"][0]["image"] = image
    return manifest


def with_strategy(manifest, strategy):
    return {**manifest, "spec": {**manifest["spec"], "strategy": strategy}}


STEPS = "spec.strategy.canary.steps[0]"
ONE_OF = "Step must have one of the following set: experiment, setWeight, setCanaryScale, plugin or pause"
SERVICES = {"stableService": "front", "canaryService": "front-canary"}
# A strategy, and what is said of it.
STRATEGIES = [
    (canary({"setWeight": 120}), f"{STEPS}.setWeight: Invalid value: 120: SetWeight needs to be between 0 and 100"),
    (canary({"setWeight": -1}), f"{STEPS}.setWeight: Invalid value: -1: SetWeight needs to be between 0 and 100"),
    (canary({"pause": {"duration": "-5s"}}), f'{STEPS}.pause.duration: Invalid value: "-5s": Duration needs to be greater than 0'),
    (canary({}), f'{STEPS}: Invalid value: "step.Experiment: true step.Pause: true step.SetWeight: true step.Analysis: true '
                 f'step.SetCanaryScale: true step.SetHeaderRoute: true step.SetMirrorRoute: true step.Plugin: true": {ONE_OF}'),
    (canary({"setWeight": 5, "pause": {}}), f'{STEPS}: Invalid value: "step.Experiment: false step.Pause: true '
                                            f'step.SetWeight: true step.Analysis: false": {ONE_OF}'),
    (canary({"analysis": {"templates": [{"templateName": "nope"}]}}),
     f"{STEPS}.analysis.templates[0].templateName: Invalid value: \"nope\": AnalysisTemplate 'nope' not found"),
    (canary({"analysis": {"templates": [{"templateName": "nope", "clusterScope": True}]}}),
     f"{STEPS}.analysis.templates[0].templateName: Invalid value: \"nope\": ClusterAnalysisTemplate 'nope' not found"),
    (canary({"setWeight": 5}, analysis={"templates": [{"templateName": "nope"}]}),
     "spec.strategy.canary.analysis.templates[0].templateName: Invalid value: \"nope\": AnalysisTemplate 'nope' not found"),
    (canary({"experiment": {"templates": [{"name": "a", "specRef": "both"}]}}),
     f'{STEPS}.experiment.templates[0].specRef: Invalid value: "both": Invalid template step SpecRef: must be canary or stable'),
    (canary({"experiment": {"templates": [{"name": "a", "specRef": "canary", "weight": 120}]}}, stableService="front",
            canaryService="front-canary", trafficRouting={"gatewayAPI": {"httpRoute": "web"}}),
     f"{STEPS}.experiment.templates: Invalid value: 120: Weights of the templates and the SetWeight of 0 before them need to be at "
     "most 100 together"),
    (canary({"setCanaryScale": {"replicas": 1}}), f"{STEPS}.setCanaryScale: Required value: SetCanaryScale requires TrafficRouting to be set"),
    (canary({"setWeight": 5}, maxSurge=0, maxUnavailable=0),
     "spec.strategy.canary.maxSurge: Invalid value: 0: MaxSurge and MaxUnavailable both can not be zero"),
    (canary({"setWeight": 5}, stableService="nowhere"),
     'spec.strategy.canary.stableService: Invalid value: "nowhere": service "nowhere" not found'),
    (canary({"setWeight": 5}, stableService="other"),
     'spec.strategy.canary.stableService: Invalid value: "other": Service "other" has unmatch label "app" in rollout'),
    (canary({"setWeight": 5}, stableService="front", canaryService="front"),
     'spec.strategy.canary.stableService: Invalid value: "front": This rollout uses the same service for the stable and canary '
     "services, but two different services are required."),
    ({"blueGreen": {"activeService": "front", "previewService": "front"}},
     'spec.strategy.blueGreen.activeService: Invalid value: "front": This rollout uses the same service for the active and preview '
     "services, but two different services are required."),
    ({}, "spec.strategy: Required value: Rollout has missing field '.spec.strategy.canary or .spec.strategy.blueGreen'"),
    ({"canary": {}, "blueGreen": {"activeService": "front"}},
     'spec.strategy: Invalid value: "blueGreen: true canary: true": Multiple Strategies can not be listed'),
]


def specs(good):
    """The whole manifest, and what is said of it."""
    for strategy, sentence in STRATEGIES:
        yield with_strategy(good, strategy), sentence
    slow = {**good, "spec": {**good["spec"], "progressDeadlineSeconds": 5, "minReadySeconds": 5}}
    yield slow, "spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds"
    unmatched = copy.deepcopy(good)
    unmatched["spec"]["template"]["metadata"]["labels"] = {"app": "elsewhere"}
    yield unmatched, ('spec.template.metadata.labels: Invalid value: {"app":"elsewhere"}: `selector` does not match template '
                      "`labels`")


def an_invalid_spec_is_said_once_and_changes_nothing():
    with world() as it:
        it.put(service("other", "other"), service("front", "web"), service("front-canary", "web"))
        began = time.monotonic()
        before = it.settled()
        first = [(f"first{i}", sentence) for i, (_, sentence) in enumerate(specs(rollout("web", {})))]
        for (name, _), (bad, _) in zip(first, specs(rollout("web", {}))):
            it.put({**bad, "metadata": {"name": name}})
        for name, sentence in first:
            it.refused(name, sentence, before)
        versions = {name: it.rollout_object(name)["metadata"]["resourceVersion"] for name, _ in first}

        good = rollout("web", canary({"setWeight": 50}, **SERVICES))
        it.put(good)
        it.healthy("web")
        it.answers("front", "v1")
        before = it.settled()
        for bad, sentence in list(specs(with_image(good, "web:v2")))[::2]:
            it.put(bad)
            it.refused("web", sentence, before)
            assert it.answer("front") == "v1"
        it.put(with_image(good, "web:v2"))
        it.healthy("web")
        it.answers("front", "v2")
        assert it.condition("web", "InvalidSpec") is None

        time.sleep(max(0, began + LOOK_AGAIN_S + 2 - time.monotonic()))
        it.server.kill()
        it.server.start()
        time.sleep(2)
        for name, sentence in first:
            assert it.rollout_object(name)["metadata"]["resourceVersion"] == versions[name], f"{name} is written again and again"
            assert it.events(name, "InvalidSpec") == [("Warning", f'The Rollout "{name}" is invalid: {sentence}', 1)], it.events(name, "InvalidSpec")


def what_is_missing_may_come_later():
    route = {"apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute", "metadata": {"name": "web"},
             "spec": {"rules": [{"backendRefs": [{"name": f"routed{part}", "port": 8080} for part in ("", "-canary")]}]}}
    routed = canary({"setWeight": 10}, stableService="routed", canaryService="routed-canary", trafficRouting={
        "plugins": {"argoproj-labs/gatewayAPI": {"httpRoute": "web", "namespace": "default"}}})
    template = {"apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisTemplate", "metadata": {"name": "later"}, "spec": {
        "metrics": [{"name": "m", "provider": {"web": {"url": "http://127.0.0.1:1/", "jsonPath": "{$.n}"}}}]}}
    where = "spec.strategy.canary"
    cases = {  # the Rollout, what is said, what mends it
        "analysed": (canary({"analysis": {"templates": [{"templateName": "later"}]}}),
                     f"{STEPS}.analysis.templates[0].templateName: Invalid value: \"later\": AnalysisTemplate 'later' not found", template),
        "served": (canary(stableService="served"), f'{where}.stableService: Invalid value: "served": service "served" not found',
                   service("served", "served")),
        "selected": (canary(stableService="selected"), f'{where}.stableService: Invalid value: "selected": Service "selected" has '
                     'unmatch label "app" in rollout', service("selected", "selected"))}
    with world() as it:
        it.put(service("selected", "nobody"))
        before = it.settled()
        for name, (strategy, _, _) in cases.items():
            it.put(rollout(name, strategy, replicas=1))
        for name, (_, sentence, _) in cases.items():
            it.refused(name, sentence, before)
        it.put(service("routed", "routed"), service("routed-canary", "routed"), rollout("routed", routed, replicas=1))
        lost = (f'The Rollout "routed" is invalid: {where}.trafficRouting: httproutes.gateway.networking.k8s.io "web" not found')
        text = it.until_shown("routed", "^Message: +InvalidSpec: " + re.escape(lost))
        assert "Degraded" in text, text
        assert it.events("routed", "InvalidSpec") == [("Warning", lost, 1)], it.events("routed", "InvalidSpec")
        assert len(it.events("routed", "TrafficRoutingError")) <= 1, "one event, however often it was tried"
        assert it.describe("rollout", "routed").count(lost) >= 2
        for _, _, mended in cases.values():
            it.put(mended)
        it.put(route)
        for name in (*cases, "routed"):
            it.healthy(name)
        it.answers("selected", "v1")


def two_rollouts_cannot_have_one_service():
    def of(name, image="web:v1"):
        made = rollout(name, canary({"setWeight": 50}, stableService="shared"), replicas=1)
        for labels in (made["spec"]["selector"]["matchLabels"], made["spec"]["template"]["metadata"]["labels"]):
            labels.update(app="shared", who=name)
        return with_image(made, image)
    where = "spec.strategy.canary.stableService"
    sentence = f'{where}: Invalid value: "shared": Service "shared" is managed by another Rollout: "elder"'
    with world() as it:
        it.put(service("shared", "shared"), service("own", "shared"))
        # At the same moment: neither has the Service yet.
        it.put(of("elder"), of("younger", "web:v2"))
        until(lambda: it.condition("younger", "InvalidSpec"), "the second does not say anything")
        it.healthy("elder")
        it.refused("younger", sentence, it.settled())
        assert not any(name.startswith("younger") for _, name in it.made()), it.made()
        it.answers("shared", "v1")
        it.put(of("elder", "web:v3"))
        it.healthy("elder")
        it.answers("shared", "v3")

        other = of("younger", "web:v2")
        other["spec"]["strategy"]["canary"]["stableService"] = "own"
        it.put(other)
        it.healthy("younger")
        it.answers("own", "v2")
        before = it.settled()
        it.put(of("younger", "web:v2"))
        it.refused("younger", sentence, before, times=2)
        assert it.kube("delete", "rollout", "elder").returncode == 0
        it.healthy("younger")
        it.answers("shared", "v2")
        # What nobody uses any more is as it was.
        until(lambda: it.send("GET", f"{CORE}/services/own")["spec"]["selector"] == {"app": "shared"}, "it still selects one version")
        assert "managed-by" not in json.dumps(it.send("GET", f"{CORE}/services/own")["metadata"].get("annotations", {}))


def told_by_pods(it, app, reason, sentence):
    """Of a new version whose Pods do not get ready: the Rollout is Degraded and says why, and the one before serves on."""
    late = r'ReplicaSet "web-\w+" has timed out progressing\.'
    text = it.until_shown(app, r"^Status: +✖ Degraded$", rf"^Message: +ProgressDeadlineExceeded: {late}$", rf"□ web-\S+ +Pod .*{sentence}")
    condition = it.condition(app, "Progressing")
    assert (condition["status"], condition["reason"]) == ("False", "ProgressDeadlineExceeded"), condition
    told = it.events(app, "ProgressDeadlineExceeded")
    assert len(told) == 1 and told[0][0] == "Warning" and told[0][2] == 1 and re.match(rf"{late} Pod web-\S+: ", told[0][1]), told
    [pod] = [one for one in it.pods_of(app) if not ready(one)]
    name = pod["metadata"]["name"]
    about = it.events(name, reason)
    assert len(about) == 1 and about[0][0] == "Warning" and re.search(sentence, about[0][1]), about
    assert re.search(sentence, it.describe("pod", name)), it.describe("pod", name)
    assert told[0][1] in it.describe("rollout", app), it.describe("rollout", app)
    assert it.rollout_object(app)["status"]["stableRS"] != it.rollout_object(app)["status"]["currentPodHash"], text
    for _ in range(5):
        assert it.answer("front") == "v1"
    return name, told[0][1]


def ready(pod):
    return any(one["type"] == "Ready" and one["status"] == "True" for one in pod["status"].get("conditions", []))


def served(**more):
    """A Rollout whose first version is to serve while the second does not get ready."""
    return rollout("web", canary({"setWeight": 50}, **SERVICES), progressDeadlineSeconds=5, **more)


def put_services(it):
    it.put(service("front", "web"), service("front-canary", "web"))


def an_image_without_a_command_is_named():
    sentence = 'no command for image "other:v1": give the container a command, or name one for the image in images.yaml'
    with world() as it:
        put_services(it)
        it.put(served())
        it.healthy("web")
        it.answers("front", "v1")
        it.put(with_image(served(), "other:v1"))
        name, told = told_by_pods(it, "web", "Failed", re.escape(sentence))
        assert told.endswith(f": {sentence}"), told
        waiting = next(one for one in it.pods_of("web") if one["metadata"]["name"] == name)["status"]["containerStatuses"][0]["state"]["waiting"]
        assert waiting["message"] == sentence, waiting
        it.put(with_image(served(), "web:v2"))
        it.healthy("web")
        it.answers("front", "v2")


def a_probe_to_nowhere_is_named():
    with world() as it:
        put_services(it)
        it.put(served())
        it.healthy("web")
        it.answers("front", "v1")
        bad = with_image(served(), "web:v2")
        bad["spec"]["template"]["spec"]["containers"][0]["readinessProbe"] = {"tcpSocket": {"port": 9}, "periodSeconds": 1}
        it.put(bad)
        name, _ = told_by_pods(it, "web", "Unhealthy", r"Readiness probe failed: dial tcp [\d.]+:9: Connection refused")
        it.until_shown("web", rf"^Problem: +Pod {name}: Readiness probe failed")
        assert len(it.events(name, "Unhealthy")) == 1, "one event, however often it fails"
        it.put(with_image(served(), "web:v2"))
        it.healthy("web")
        it.answers("front", "v2")


def a_port_that_is_in_use_is_named():
    with world() as it, taken_port() as (port, other):
        put_services(it)
        it.put(served())
        it.healthy("web")
        it.answers("front", "v1")
        bad = with_image(served(), "web:v2")
        bad["spec"]["template"]["spec"]["containers"][0].update(
            command=[sys.executable, "-c", PROGRAM.replace("8000", str(port))],
            env=[{"name": "VERSION", "value": "v2"}], readinessProbe={"tcpSocket": {"port": port}, "periodSeconds": 1})
        it.put(bad)
        sentence = rf"port {port} of [\d.]+ is in use; end the process that listens there, or choose another port"
        name, told = told_by_pods(it, "web", "PortInUse", sentence)
        assert re.search(sentence, told), told
        pod = next(one for one in it.pods_of("web") if one["metadata"]["name"] == name)
        last = pod["status"]["containerStatuses"][0]["lastState"]["terminated"]
        assert re.fullmatch(sentence, last["message"]) and last["exitCode"] == 1, last
        assert it.events(name, "PortInUse")[0][2] == 1
        other.close()
        it.healthy("web")


def a_service_port_that_is_in_use_is_named():
    def listening(kind, name):
        found = it.send("GET", f"{CORE if kind == 'services' else GATEWAY}/{kind}/{name}").get("status", {}).get("conditions", [])
        return next((one for one in found if one["type"] in ("slipway.dev/Listening", "Programmed")), None)
    with world() as it, taken_port() as (port, other):
        shown = service("web", "web")
        shown["spec"]["ports"][0]["port"] = port
        gateway = {"apiVersion": "gateway.networking.k8s.io/v1", "kind": "Gateway", "metadata": {"name": "gw"}, "spec": {
            "gatewayClassName": "any", "listeners": [{"name": "main", "port": port, "protocol": "HTTP"}]}}
        it.put(shown, gateway, rollout("web", canary(), replicas=1))
        it.healthy("web")
        for kind, name, said in (("services", "web", ""), ("gateways", "gw", "main: ")):
            condition = until(lambda: listening(kind, name), f"{name} says nothing")
            sentence = rf"{said}[\d.]+:{port} cannot be listened at: the port is in use; end the process that has it, or choose another port"
            assert condition["status"] == "False" and re.search(sentence, condition["message"]), condition
            until(lambda: it.events(name, "NotListening"), f"there is no event of {name}")
            [told] = it.events(name, "NotListening")
            assert told[0] == "Warning" and told[2] == 1 and re.fullmatch(sentence, told[1]), told
            assert told[1] in it.describe(kind, name), it.describe(kind, name)
        other.close()
        for kind, name in (("services", "web"), ("gateways", "gw")):
            until(lambda: listening(kind, name)["status"] == "True", lambda: f"{name} is not listened for: {listening(kind, name)}")
            assert len(it.events(name, "NotListening")) == 1
        it.answers("web", "v1", port)


def experiment(name, image="web:v1", labels="web", template="none"):
    made = rollout("web", {})["spec"]["template"]
    made["metadata"]["labels"] = {"app": labels}
    made["spec"]["containers"][0]["image"] = image
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Experiment", "metadata": {"name": name}, "spec": {
        "progressDeadlineSeconds": 5, "scaleDownDelaySeconds": 1, "duration": "1h",
        "templates": [{"name": "one", "selector": {"matchLabels": {"app": "web"}}, "template": made}],
        "analyses": [] if template == "none" else [{"name": "look", "templateName": template}]}}


NO_TEMPLATE = "AnalysisTemplate verification failed for analysis 'look': analysistemplate.argoproj.io \"nope\" not found"
NO_MATCH = "`selector` does not match template `labels`"
LATE = "Template 'one' exceeded its progressDeadlineSeconds (5)"
# Of each: its phase, what its condition says, and the reason and the message of its event.
EXPERIMENTS = [
    (experiment("template", template="nope"), "Error", f'Experiment "template" has ended: {NO_TEMPLATE}', "AnalysisRunError", NO_TEMPLATE),
    (experiment("image", image="other:v1"), "Failed", f'Experiment "image" has ended: {LATE}: Pod image-one-', "TemplateFailed",
     'no command for image "other:v1": give the container a command'),
    (experiment("selector", labels="elsewhere"), "Error", NO_MATCH, "TemplateError", NO_MATCH),
]


def experiments_say_what_is_wrong_with_them():
    with world() as it:
        it.put(*(bad for bad, *_ in EXPERIMENTS))
        for bad, phase, sentence, reason, told in EXPERIMENTS:
            name = bad["metadata"]["name"]

            def status():
                return it.send("GET", f"{ARGO}/experiments/{name}").get("status", {})

            def condition():
                found = [one for one in status().get("conditions", []) if one["status"] == "False" and sentence in one["message"]]
                return found and found[0]
            until(condition, lambda: f"{name} does not say {sentence}: {status()}")
            assert status().get("phase", "") == phase, status()
            until(lambda: any(one[0] == "Warning" and told in one[1] for one in it.events(name, reason)),
                  lambda: f"{name}: {it.events(name, reason)}\n{it.describe('experiment', name)}")
            described = it.describe("experiment", name)
            assert sentence in described and told in described, described
            shown = it.ask("experiment", "get", name).stdout
            assert told in " ".join(shown.split()), shown
        until(lambda: not it.pods_of("web"), lambda: f"left behind: {[one['metadata']['name'] for one in it.pods_of('web')]}")


def what_looks_odd_but_is_right_goes_through():
    with world() as it:
        it.put(service("active", "blue"))
        it.put(rollout("one", canary({"setWeight": 10}, {"pause": {"duration": 1}}), replicas=1),
               rollout("none", canary({"setWeight": 10}), replicas=0),
               rollout("blue", {"blueGreen": {"activeService": "active"}}, replicas=1))
        for name in ("one", "none", "blue"):
            it.healthy(name)
            it.rollout("set", "image", name, "web=web:v2")
            it.healthy(name)
        it.answers("active", "v2")


if __name__ == "__main__":
    harness.run([an_invalid_spec_is_said_once_and_changes_nothing, what_is_missing_may_come_later, two_rollouts_cannot_have_one_service,
                 an_image_without_a_command_is_named, a_probe_to_nowhere_is_named, a_port_that_is_in_use_is_named,
                 a_service_port_that_is_in_use_is_named, experiments_say_what_is_wrong_with_them, what_looks_odd_but_is_right_goes_through])
