#!/usr/bin/env python3
"""Whole Rollouts under load through HAProxy: no request is lost, also while weights change every second or the server is killed
again and again; each Rollout ends as it would have, and versions get the shares that the weights say."""
import collections
import contextlib
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402
from number_source import Numbers  # noqa: E402
from pods_test import cluster  # noqa: E402
from harness import until  # noqa: E402
from traffic_test import GATEWAYS, ROUTES, Load, World as Traffic, under_load  # noqa: E402

ARGO = "/apis/argoproj.io/v1alpha1/namespaces/default"
SOAK = harness.rounds >= 300
KILLS = min(harness.rounds, 200)
# Weights that are set one after the other, a second each.
CHANGES = 60 if SOAK else 20
WEIGHTS = (1, 10, 50, 90)
STANDARD_ERRORS = 4
# Of the deaths of a server, those that come while it starts.
DIES_EARLY = 0.5
# 500 requests a second in all, whatever answers take; some more where that is the least.
CLIENTS, EVERY_S = 27 if SOAK else 25, 0.05
# What must have come of it, however busy the machine is. The soak asks for what is promised; CI, whose tests run beside others on a
# small machine, leaves some room.
LEAST_RATE = 500 if SOAK else 400 / harness.patience
MOST_S = 61 if SOAK else 1.5 * CHANGES * harness.patience
# Answers with its version, and for a moment after it was told to end: requests are on their way until then.
PROGRAM = """
import asyncio, os, signal
body = os.environ["VERSION"].encode()
answer = b"HTTP/1.1 200 OK\\r\\ncontent-length: %d\\r\\n\\r\\n%s" % (len(body), body)
async def serve(reader, writer):
    try:
        while True:
            await reader.readuntil(b"\\r\\n\\r\\n")
            writer.write(answer)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()
async def main():
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, lambda: loop.call_later(1, loop.stop))
    await (await asyncio.start_server(serve, "", 8080)).serve_forever()
try:
    asyncio.run(main())
except RuntimeError:
    pass  # the loop was stopped
"""


def service(name):
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name},
            "spec": {"selector": {"app": "web"}, "ports": [{"name": "http", "port": 8080, "targetPort": 8080}]}}


def backends():
    return [{"name": "stable", "port": 8080, "weight": 100}, {"name": "canary", "port": 8080, "weight": 0}]


def experiment_step():
    return {"experiment": {"templates": [{"name": "baseline", "specRef": "stable"}, {"name": "canary", "specRef": "canary"}],
                           "analyses": [{"name": "number", "templateName": "number", "requiredForCompletion": True,
                                         "args": [{"name": "key", "value": "canary"}]}]}}


def rollout(pauses="1s", steps=None):
    labels = {"app": "web"}
    container = {"name": "web", "image": "web:v1", "ports": [{"containerPort": 8080}],
                 "readinessProbe": {"tcpSocket": {"port": 8080}, "periodSeconds": 1}}
    if steps is None:
        steps = [experiment_step()]
        for weight in (1, 10, 50, 90):
            steps += [{"setWeight": weight}, {"pause": {"duration": pauses}}]
    routing = {"plugins": {"argoproj-labs/gatewayAPI": {"httpRoute": "web", "namespace": "default"}}}
    canary = {"stableService": "stable", "canaryService": "canary", "trafficRouting": routing, "steps": steps,
              "scaleDownDelaySeconds": 2, "abortScaleDownDelaySeconds": 2}
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": {"name": "web"},
            "spec": {"replicas": 2, "selector": {"matchLabels": labels}, "strategy": {"canary": canary},
                     "template": {"metadata": {"labels": labels},
                                  "spec": {"terminationGracePeriodSeconds": 5, "containers": [container]}}}}


class MadeTwice(Exception):
    pass


class World(Traffic):
    def __init__(self, server, kube, numbers):
        super().__init__(server)
        self.kube, self.numbers = kube, numbers
        self.steps = []  # (revision's hash, index of the step, whether it was aborted) as they were seen
        self.shortest_start = self.vain_starts = 0
        self.made = collections.defaultdict(dict)  # of each kind all that was ever seen, by its name

    def status(self):
        return self.ask("GET", f"{ARGO}/rollouts/web").get("status", {})

    def set_image(self, tag):
        patch = [{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": f"web:{tag}"}]
        self.ask("PATCH", f"{ARGO}/rollouts/web", patch, "application/json-patch+json")

    def promote(self):
        subprocess.run([harness.slipway, "rollout", "promote", "web"], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "KUBECONFIG": str(self.server.folder / "kubeconfig")})

    def owned(self, kind, path=ARGO):
        return self.ask("GET", f"{path}/{kind}")["items"]

    def remember(self):
        """What was made under a name stays what it is: else it was made twice."""
        client = self.server.client()
        for path in ("/apis/apps/v1/namespaces/default/replicasets", f"{ARGO}/experiments", f"{ARGO}/analysisruns"):
            kind, (status, found) = path.rpartition("/")[2], client.send("GET", path)
            assert status == 200, found
            for one in found["items"]:
                name, uid = one["metadata"]["name"], one["metadata"]["uid"]
                before = self.made[kind].setdefault(name, one)["metadata"]["uid"]
                if before != uid:
                    raise MadeTwice(f"{kind} {name} was {before}, and is {uid}")
        client.close()

    def start_again(self, chance):
        """Kills it while it starts, once at least and as often as chance has it, and starts it at last."""
        while self.shortest_start and (not self.vain_starts or chance.random() < DIES_EARLY):
            self.vain_starts += self.server.start_in_vain(chance.uniform(0, self.shortest_start))
        began = time.monotonic()
        self.server.start()
        took = time.monotonic() - began
        self.shortest_start = min(self.shortest_start or took, took)

    def ended(self, generation_before):
        """The phase, once the controller has seen the change and the Rollout has come to an end."""
        with contextlib.suppress(OSError, KeyError, AssertionError):
            found = self.ask("GET", f"{ARGO}/rollouts/web")
            status = found["status"]
            self.steps.append((status.get("currentPodHash"), status.get("currentStepIndex"), status.get("abort", False)))
            seen = int(status.get("observedGeneration", 0)) >= generation_before
            if seen and status["phase"] in ("Healthy", "Degraded"):
                return status["phase"]
        return None


@contextlib.contextmanager
def world(**more):
    with harness.scratch() as folder:
        images = {"web:*": {"command": [sys.executable, "-u", "-c", PROGRAM], "env": {"VERSION": "$(SLIPWAY_IMAGE_TAG)"}}}
        (folder / "images.yaml").write_text(json.dumps(images))
        with cluster("--images", str(folder / "images.yaml")) as kube:
            made = World(kube.server, kube, Numbers())
            try:
                for name in ("stable", "canary"):
                    made.ask("POST", "/api/v1/namespaces/default/services", service(name))
                listener = {"name": "main", "port": 8088, "protocol": "HTTP"}
                made.ask("POST", GATEWAYS, {"apiVersion": "gateway.networking.k8s.io/v1", "kind": "Gateway", "metadata": {"name": "gw"},
                                            "spec": {"gatewayClassName": "any", "listeners": [listener]}})
                made.add_route("web", [{"backendRefs": backends()}])
                made.ask("POST", f"{ARGO}/analysistemplates", made.numbers.template("number", "key", count=3))
                made.ask("POST", f"{ARGO}/rollouts", rollout(**more))
                until(lambda: made.status().get("phase") == "Healthy", lambda: f"the first version does not come up: {made.status()}")
                made.address = made.gateway_address()
                until(lambda: not Load(made.address, 8088, clients=1).send(1).errors, "the first version does not answer")
                yield made
            finally:
                made.numbers.close()
                made.close()


def a_whole_rollout_loses_no_request():
    with world() as made:
        def roll_out():
            made.set_image("v2")
            generation = made.ask("GET", f"{ARGO}/rollouts/web")["metadata"]["generation"]
            until(lambda: made.ended(generation) == "Healthy", lambda: f"it does not end: {made.status()}")
            time.sleep(4)  # the old Pods go
        load, began = Load(made.address, 8088, clients=CLIENTS, every=EVERY_S), time.monotonic()
        under_load(load, roll_out)
        check_rate(sum(load.answers.values()) / (time.monotonic() - began))
        assert load.answers["v1"] > 100 and load.answers["v2"] > 100, load.answers


def check_rate(rate):
    print(f"{rate:.0f} requests a second", flush=True)
    assert rate >= LEAST_RATE, f"{rate:.0f} requests a second, wanted {LEAST_RATE}: no load to speak of"


def weight_in_effect(made):
    """What the proxy gives to the canary; None while it has not taken the newest weight."""
    route = made.ask("GET", f"{ROUTES}/web")
    accepted = made.conditions("web").get("Accepted")
    if not accepted or accepted[3] < route["metadata"]["generation"]:
        return None
    return next(one["weight"] for one in route["spec"]["rules"][0]["backendRefs"] if one["name"] == "canary")


def go_through(made, load, weights):
    """Promotes the Rollout from one weight to the next, one a second; how many requests each version got at each weight."""
    held = {weight: collections.Counter() for weight in weights}
    began = first = 0
    for i, weight in enumerate(weights):
        if i:
            made.promote()
        until(lambda: weight_in_effect(made) == weight, lambda: f"weight {weight} is not in effect: {made.status()}")
        if not i:
            began, first = time.monotonic(), sum(load.answers.values())
        time.sleep(0.05)  # what was under way before is answered
        before = {version: load.answers[version] for version in ("v1", "v2")}
        time.sleep(max(0.3, began + i + 1 - time.monotonic()))
        for version, count in before.items():
            held[weight][version] += load.answers[version] - count
    took = time.monotonic() - began
    return held, took, (sum(load.answers.values()) - first) / took


def check_shares(held):
    for weight, counts in sorted(held.items()):
        total, expected = sum(counts.values()), weight / 100
        assert total > 100, f"weight {weight} was not held long enough: {counts}"
        error = math.sqrt(expected * (1 - expected) / total)
        share = counts["v2"] / total
        print(f"weight {weight}: {counts['v2']} of {total} requests, {(share - expected) / error:+.1f} standard errors", flush=True)
        assert abs(share - expected) <= STANDARD_ERRORS * error, f"{share} for {expected}, the standard error is {error}"


def changes_of_weight_lose_no_request_and_are_kept_to():
    weights = [WEIGHTS[i % len(WEIGHTS)] for i in range(CHANGES)]
    steps = [{"setCanaryScale": {"replicas": 2}}]
    for weight in weights:
        steps += [{"setWeight": weight}, {"pause": {}}]
    with world(steps=steps) as made:
        def roll_out():
            nonlocal held, took, rate
            made.set_image("v2")
            generation = made.ask("GET", f"{ARGO}/rollouts/web")["metadata"]["generation"]
            held, took, rate = go_through(made, load, weights)
            made.promote()
            until(lambda: made.ended(generation) == "Healthy", lambda: f"it does not end: {made.status()}")
            time.sleep(4)  # the old Pods go
        held, took, rate = {}, 0, 0
        load = Load(made.address, 8088, clients=CLIENTS, every=EVERY_S)
        under_load(load, roll_out)
        print(f"{CHANGES} changes of weight in {took:.1f} s, {sum(load.answers.values())} requests, none failed", flush=True)
        check_shares(held)
        check_rate(rate)
        assert took <= MOST_S, f"{CHANGES} changes took {took:.1f} s, wanted {MOST_S}"


def one_killing(made, chance, kills):
    """Kills the server at random moments until the Rollout has ended, and at least `kills` times."""
    done = 0
    generation = made.ask("GET", f"{ARGO}/rollouts/web")["metadata"]["generation"]
    deadline = time.monotonic() + 240 * harness.patience
    while True:
        until_kill = time.monotonic() + chance.uniform(0.02, 1.2)
        phase = None
        while time.monotonic() < until_kill:
            phase = made.ended(generation) or phase
            with contextlib.suppress(OSError, AssertionError):
                made.remember()
            time.sleep(0.02)
        if phase and done >= kills:
            return phase, done
        assert time.monotonic() < deadline, f"it does not end: {made.status()}"
        made.server.kill()
        made.start_again(chance)
        done += 1


# An update may fail at its beginning, by the experiment, or by the analysis once it has traffic.
KILLED_STEPS = [experiment_step(), {"setWeight": 10}, {"pause": {"duration": "1s"}}, {"setWeight": 50},
                {"analysis": {"templates": [{"templateName": "number"}], "args": [{"name": "key", "value": "late"}]}},
                {"setWeight": 90}, {"pause": {"duration": "1s"}}]
FAILS_AT = {"canary": 0, "late": 4}


def killed_servers_change_nothing():
    chance = random.Random(harness.seed)
    with world(steps=KILLED_STEPS) as made:
        kills = cycle = 0

        def roll_out_again_and_again():
            nonlocal kills, cycle
            while kills < KILLS:
                cycle += 1
                bad = chance.choice(list(FAILS_AT)) if cycle % 2 == 0 else None
                made.numbers.of.update({key: 99 if key == bad else 0 for key in FAILS_AT})
                before = made.status()["stableRS"]
                made.steps.clear()
                made.set_image(f"v{cycle + 1}")
                phase, more = one_killing(made, chance, 5)
                kills += more
                status = made.status()
                if bad:
                    assert phase == "Degraded" and status["abort"] and status["stableRS"] == before, status
                else:
                    assert phase == "Healthy" and status["stableRS"] == status["currentPodHash"] != before, status
                check_steps(made, bad)
                check_nothing_twice(made, cycle, bad)
        load = under_load(Load(made.address, 8088, clients=CLIENTS, every=EVERY_S), roll_out_again_and_again)
        print(f"{kills} kills and {made.vain_starts} before it was ready during {cycle} rollouts, {sum(load.answers.values())} requests, "
              "none failed", flush=True)
        until(lambda: pods_of(made) == processes_of(made) == 2, lambda: f"Pods {pods_of(made)}, processes {processes_of(made)}")
        until(lambda: len(made.proxies()) == 1, lambda: f"proxies are left: {made.proxies()}")


def check_steps(made, bad):
    """None is gone back to, nor is one passed that failed; what was aborted is at the first and stays aborted."""
    current = made.status()["currentPodHash"]
    seen = [(aborted, index) for revision, index, aborted in made.steps if revision == current and index is not None]
    assert [aborted for aborted, _ in seen] == sorted(aborted for aborted, _ in seen), f"an abort was taken back: {seen}"
    passed = [index for aborted, index in seen if not aborted]
    assert passed == sorted(passed), f"a step was gone back to: {passed}"
    if bad:
        assert max(passed, default=0) <= FAILS_AT[bad], f"it went past what failed: {passed}"
        assert {index for aborted, index in seen if aborted} == {0}, f"it was aborted: {seen}"


def check_nothing_twice(made, cycle, bad):
    """By all that was ever there: what was made, deleted and made under another name counts, too."""
    made.remember()
    current, revision = made.status()["currentPodHash"], str(cycle + 1)

    def names(kind, rule):
        return [name for name, one in made.made[kind].items() if rule(one["metadata"])]

    def owned_by(uid):
        return lambda about: about["ownerReferences"][0]["uid"] == uid

    image = f"web:v{revision}"
    uid = made.ask("GET", f"{ARGO}/rollouts/web")["metadata"]["uid"]
    sets = [name for name in names("replicasets", owned_by(uid))
            if made.made["replicasets"][name]["spec"]["template"]["spec"]["containers"][0]["image"] == image]
    assert sets == [f"web-{current}"], f"ReplicaSets of {image}: {sets}"
    tried = names("experiments", lambda about: about["annotations"].get("rollout.argoproj.io/revision") == revision)
    assert len(tried) == 1, f"experiments of revision {revision}: {tried}"
    within = owned_by(made.made["experiments"][tried[0]]["metadata"]["uid"])
    assert len(names("replicasets", within)) == 2, f"ReplicaSets of one experiment: {names('replicasets', within)}"
    assert len(names("analysisruns", within)) == 1, f"runs of one experiment: {names('analysisruns', within)}"
    runs = names("analysisruns", lambda about: owned_by(uid)(about)
                 and about["annotations"].get("rollout.argoproj.io/revision") == revision)
    assert len(runs) == (bad != "canary"), f"runs of revision {revision}: {runs}"


def pods_of(made):
    return len(made.owned("pods", "/api/v1/namespaces/default"))


def processes_of(made):
    return len(made.kube.processes())


if __name__ == "__main__":
    harness.run([a_whole_rollout_loses_no_request, changes_of_weight_lose_no_request_and_are_kept_to, killed_servers_change_nothing])
