"""Rollouts of the corpus: strategies, metadata and the examples."""
import contextlib
import os

from corpus import FUNCTIONAL, HASH, deployed, job, manifest, rows, template


@rows.of(FUNCTIONAL + "ephemeral-labels")
def pods_have_the_labels_of_their_part(it):
    def roles():
        pods = [pod["metadata"]["labels"] for pod in it.pods()]
        return sorted((labels["role"], labels[HASH] == stable) for labels in pods)
    deployed(it, "ephemeral-label", manifest(FUNCTIONAL + "ephemeral-labels"))
    stable = it.one("rollouts", "ephemeral-label")["status"]["stableRS"]
    it.until(lambda: roles() == [("stable", True)] * 2, "both Pods are stable")
    it.update("ephemeral-label", "argoproj/rollouts-demo:yellow")
    it.until_phase("ephemeral-label", "Paused", "CanaryPauseStep")
    it.until(lambda: roles() == [("canary", False), ("stable", True)], "one Pod is the canary")
    before = {pod["metadata"]["name"] for pod in it.pods() if pod["metadata"]["labels"]["role"] == "canary"}
    it.promote("ephemeral-label")
    it.until_phase("ephemeral-label", "Healthy")
    it.until(lambda: roles() == [("stable", False)] * 2, "both Pods of the new version are stable")
    assert before <= {pod["metadata"]["name"] for pod in it.pods()}, "the canary was made anew for a label"


@rows.of(FUNCTIONAL + "rollout-bluegreen")
def the_new_version_is_promoted_when_it_is_there(it):
    def counts():
        status = it.one("rollouts", "bluegreen")["status"]
        return tuple(status.get(each, 0) for each in ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas"))
    deployed(it, "bluegreen", manifest(FUNCTIONAL + "rollout-bluegreen"))
    assert counts() == (3, 3, 3, 3), counts()
    it.update("bluegreen")
    it.until_phase("bluegreen", "Healthy")
    assert it.stable_is("bluegreen", 2)
    hash_now = it.one("rollouts", "bluegreen")["status"]["stableRS"]
    assert it.one("services", "bluegreen")["spec"]["selector"][HASH] == hash_now
    assert it.sizes(1, 2) == (3, 3) and counts()[0] == 6, (it.sizes(1, 2), counts())
    it.until(lambda: it.sizes(1, 2) == (0, 3), "the old version goes after its delay")
    told = [reason for reason, _ in it.events()]
    assert {"RolloutUpdated", "NewReplicaSetCreated", "ScalingReplicaSet", "RolloutCompleted", "SwitchService",
            "RolloutNotCompleted"} <= set(told), told
    assert any(message.endswith("Completed blue-green update") for _, message in it.events()), it.events()


@rows.of(FUNCTIONAL + "rollout-canary-with-pause")
def another_update_during_a_pause_replaces_the_canary(it):
    name = "rollout-canary-with-pause"
    hurry = [("initialDelaySeconds: 10", "initialDelaySeconds: 1"), ("periodSeconds: 30", "periodSeconds: 1")]
    unprivileged = [] if os.geteuid() == 0 else [("containerPort: 80", "containerPort: 8080"),
                                                 ("port: 80\n            p", "port: 8080\n            p")]
    deployed(it, name, manifest(FUNCTIONAL + name, *hurry, *unprivileged))
    for number in (2, 3):
        it.update(name, f"nginx:{number}")
        it.until_phase(name, "Paused", "CanaryPauseStep")
        it.until(lambda: it.sizes(1, number) == (3, 1), "one canary is beside three")
    it.until(lambda: it.sizes(1, 2, 3) == (3, 0, 1), "the canary of before is gone")
    services = {each["metadata"]["name"]: each["spec"]["selector"].get(HASH) for each in it.all("services")}
    hashes = {revision: it.set_of(revision)["metadata"]["labels"][HASH] for revision in (1, 3)}
    assert services == {f"{name}-root": None, f"{name}-stable": hashes[1], f"{name}-canary": hashes[3]}, services


ROUTED = ("""        alb:
          ingress: dynamic-stable-scale-ingress
          rootService: dynamic-stable-scale-root
          servicePort: 80""", """        plugins:
          argoproj-labs/gatewayAPI:
            httpRoute: dynamic-stable-scale
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: dynamic-stable-scale
spec:
  parentRefs: [{group: "", kind: Service, name: dynamic-stable-scale-root, port: 80}]
  rules:
  - backendRefs:
    - {name: dynamic-stable-scale-stable, port: 80}
    - {name: dynamic-stable-scale-canary, port: 80, weight: 0}
""")


@rows.of(FUNCTIONAL + "canary-dynamic-stable-scale")
def the_stable_version_shrinks_and_grows_with_its_traffic(it):
    name = "dynamic-stable-scale"

    def mark_ready(revision, count):
        """The gate that the Pods wait for is ours to open."""
        def waiting():
            owner = it.set_of(revision)["metadata"]["uid"]
            pods = [pod for pod in it.pods() if pod["metadata"]["ownerReferences"][0]["uid"] == owner
                    and not any(each["type"] == "argoproj.io/e2e-readiness" for each in pod["status"].get("conditions", []))]
            return pods if len(pods) >= count else None
        for pod in it.until(waiting, f"{count} Pods of revision {revision} wait for their gate")[:count]:
            gate = {"status": {"conditions": [{"type": "argoproj.io/e2e-readiness", "status": "True"}]}}
            status, answer = it.client.send("PATCH", it.path("pods", pod["metadata"]["name"]) + "/status", gate,
                                            "application/strategic-merge-patch+json")
            assert status == 200, answer

    def weights():
        return [each.get("weight", 1) for each in it.one("httproutes", name)["spec"]["rules"][0]["backendRefs"]]

    it.apply(manifest(FUNCTIONAL + "canary-dynamic-stable-scale", ROUTED))
    mark_ready(1, 4)
    it.until_phase(name, "Healthy")
    it.update(name)
    mark_ready(2, 1)
    it.until_phase(name, "Paused", "CanaryPauseStep")
    it.until(lambda: it.sizes(1, 2) == (3, 1) and weights() == [75, 25], "three and one")
    it.promote(name)
    mark_ready(2, 2)
    it.until(lambda: it.one("rollouts", name)["status"]["currentStepIndex"] == 3, "it is at its last pause")
    it.until(lambda: it.sizes(1, 2) == (1, 3) and weights() == [25, 75], "one and three")
    it.rollout("abort", name)
    mark_ready(1, 2)
    it.until(lambda: it.sizes(1, 2) == (4, 1), "the canary goes as the stable version comes")
    selectors = {each["metadata"]["name"]: each["spec"]["selector"].get(HASH) for each in it.all("services")}
    assert selectors[f"{name}-canary"] != selectors[f"{name}-stable"], "the canary still has traffic"
    mark_ready(1, 1)
    it.until(lambda: it.sizes(1, 2) == (4, 0) and weights() == [100, 0], "it is all back")
    it.until(lambda: it.one("services", f"{name}-canary")["spec"]["selector"][HASH] == selectors[f"{name}-stable"],
             "the canary's Service has the stable version")


# Examples

def random_fail(code):
    return template("random-fail", job("random-fail", f"exit {code}", count=2, interval="1s", failureLimit=1))


@rows.of("examples__rollout-analysis-step")
def a_step_of_two_templates_passes_and_fails(it):
    name = "rollout-analysis-step"
    it.apply(manifest("examples__cluster-analysis-templates"))
    it.apply(random_fail(0))
    deployed(it, name, manifest("examples__rollout-analysis-step"))
    it.update(name, "argoproj/rollouts-demo:green")
    it.until_phase(name, "Healthy")
    assert it.stable_is(name, 2) and len(it.runs()) == 1
    results = {each["name"]: (each["phase"], each["successful"]) for each in it.runs()[0]["status"]["metricResults"]}
    assert results == {"random-fail": ("Successful", 2), "pass": ("Successful", 1)}, results
    it.apply(random_fail(1))
    it.update(name, "argoproj/rollouts-demo:red")
    it.until_phase(name, "Degraded", 'Metric "random-fail" assessed Failed due to failed (2) > failureLimit (1)')
    it.until(lambda: it.sizes(2, 3) == (4, 0), "the version of before is back")


@rows.of("examples__rollout-bluegreen")
def it_waits_for_somebody_to_promote_it(it):
    def serves(service, tag):
        with contextlib.suppress(OSError):
            return it.answer_of(f"rollout-bluegreen-{service}") == [tag]
    name = "rollout-bluegreen"
    deployed(it, name, manifest("examples__rollout-bluegreen"))
    it.until(lambda: serves("active", "blue") and serves("preview", "blue"), "blue is served")
    it.update(name, "argoproj/rollouts-demo:green")
    it.until_phase(name, "Paused", "BlueGreenPause")
    it.until(lambda: serves("active", "blue") and serves("preview", "green"), "green is served to those who look at it")
    it.promote(name)
    it.until_phase(name, "Healthy")
    it.until(lambda: serves("active", "green") and serves("preview", "green"), "green is served to all")
    it.until(lambda: it.set_of(1)["metadata"]["annotations"]["scale-down-deadline"], "the old version is given half a minute")
    assert it.sizes(1, 2) == (2, 2), it.outline()


@rows.of("examples__rollout-experiment-step")
def an_experiment_decides_about_a_step(it):
    name = "rollout-experiment-step"

    def experiment_of(revision):
        return it.until(lambda: next(each for each in it.all("experiments") if each["metadata"]["annotations"][
            "rollout.argoproj.io/revision"] == str(revision)), f"revision {revision} has an experiment")["metadata"]["name"]
    it.apply(random_fail(0))
    deployed(it, name, manifest("examples__rollout-experiment-step"))
    it.update(name, "argoproj/rollouts-demo:green")
    # Its analysis is not requiredForCompletion and it has no duration: it goes on until somebody ends it.
    experiment = experiment_of(2)
    it.until_run("Successful")
    it.stays(2, lambda: it.one("experiments", experiment)["status"]["phase"] == "Running", "it runs")
    assert it.one("rollouts", name)["status"]["currentStepIndex"] == 1
    assert it.ask("experiment", "terminate", experiment, *it.within()).returncode == 0
    it.until_experiment(experiment, "Successful")
    it.until_phase(name, "Healthy")
    assert it.stable_is(name, 2)
    it.apply(random_fail(1))
    it.update(name, "argoproj/rollouts-demo:red")
    it.until_experiment(experiment_of(3), "Failed")
    it.until_phase(name, "Degraded", "RolloutAborted: Rollout aborted update to revision 3")
    assert it.stable_is(name, 2)


@rows.of("examples__rollout-rolling-update")
def pods_are_replaced_few_at_a_time(it):
    name = "rollout-rollingupdate"
    deployed(it, name, manifest("examples__rollout-rolling-update"))
    it.update(name, "argoproj/rollouts-demo:green")
    available, wanted = [5], [5]

    def is_done():
        sets = it.all("replicasets")
        available.append(sum(each["status"].get("availableReplicas", 0) for each in sets))
        wanted.append(sum(each["spec"]["replicas"] for each in sets))
        return it.state(name)[0] == "Healthy" and it.stable_is(name, 2)
    it.until(is_done, "it is done", poll=0.02)
    assert min(available) >= 4 and max(wanted) == 6, (available, wanted)
    it.until(lambda: it.sizes(1, 2) == (0, 5), "five Pods of the new version")
