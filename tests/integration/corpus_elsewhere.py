"""Manifests of the corpus that need a load balancer, a mesh or a plugin that is not here: they say so, and do not begin; or what a mesh
would do is done by an HTTPRoute."""
import contextlib

import harness
from corpus import FUNCTIONAL, HASH, manifest, rows

ISTIO = "test__e2e__istio__"

NOT_SUPPORTED = "spec.strategy.canary.trafficRouting.{}: not supported; use istio, nginx, smi or gatewayAPI"


def does_not_begin(name, message, *changes):
    def says_what_is_not_supported(it):
        applied = it.ask("apply", "-f", "-", *it.within(), text=manifest(name, *changes))
        assert applied.returncode == 0 or "apply its CustomResourceDefinition first" in applied.stderr, applied
        rollout = it.all("rollouts")[0]["metadata"]["name"]
        status = it.until_phase(rollout, "Degraded", "InvalidSpec: ")
        assert message in status["message"], status["message"]
        condition = next(each for each in status["conditions"] if each["type"] == "InvalidSpec")
        assert condition["status"] == "True" and message in condition["message"], condition
        assert not it.all("replicasets") and not it.pods(), "it has begun"
    rows.of(name)(says_what_is_not_supported)


for name, router in (("docs__getting-started__alb__rollout", "alb"), ("examples__ambassador__rollout", "ambassador"),
                     ("examples__apisix__rollout", "apisix"), (FUNCTIONAL + "alb-pingpong-rollout", "alb"),
                     (FUNCTIONAL + "canary-dynamic-stable-scale", "alb"),
                     ("test__e2e__alb__rollout-alb-experiment-no-setweight", "alb"),
                     ("test__e2e__alb__rollout-alb-multi-ingress-experiment-no-setweight", "alb"),
                     ("test__e2e__header-routing__alb-header-route", "alb")):
    does_not_begin(name, NOT_SUPPORTED.format(router))
does_not_begin("test__e2e__apisix__rollout-apisix-canary-set-header", NOT_SUPPORTED.format("apisix"),
               ("  namespace: default\n", ""))
does_not_begin("examples__appmesh__canary-rollout", NOT_SUPPORTED.format("appMesh"), ("  namespace: argo-examples\n", ""))
does_not_begin("test__e2e__step-plugin__disabled-rollout", "steps[0].plugin: step plugins are not supported")
for name in ("istio", "mixed"):  # without the rest of their tutorials
    does_not_begin(f"docs__getting-started__{name}__rollout", 'service "rollouts-demo-stable" not found')


does_not_begin("examples__istio__istio-mirror", "steps[1].setMirrorRoute: mirroring is not supported")


class Translated:
    """What a mesh would do, an HTTPRoute does."""

    def __init__(self, it, name, *changes, at_rest=(100, 0)):
        """The first version is up."""
        self.it = it
        # The objects of a mesh are refused; the rest is taken.
        it.ask("apply", "-f", "-", *it.within(), text=manifest(name, *changes))
        self.rollout = it.all("rollouts")[0]["metadata"]["name"]
        it.until_phase(self.rollout, "Healthy")
        self.until(at_rest and list(at_rest), "all is for the first version")

    def weights(self):
        """Of the stable and the canary; None while there is nothing to divide."""
        route = next((each for each in self.it.all("httproutes") if each["metadata"]["name"] == f"{self.rollout}-traffic"), None)
        return [each["weight"] for each in route["spec"]["rules"][-1]["backendRefs"]][:2] if route else None

    def until(self, weights, what):
        self.it.until(lambda: self.weights() == weights, f"the weights are {weights}: {what}")

    def until_paused(self, step, weights, **sizes):
        """At this step, with so many Pods of each revision (r1=5)."""
        self.it.until_phase(self.rollout, "Paused", "CanaryPauseStep")
        self.it.until(lambda: self.it.one("rollouts", self.rollout)["status"]["currentStepIndex"] == step, f"it is at step {step}")
        self.until(weights, f"step {step}")
        wanted = {int(name[1:]): size for name, size in sizes.items()}
        self.it.until(lambda: dict(zip(wanted, self.it.sizes(*wanted))) == wanted, f"there are {sizes}")

    def promote(self, *words):
        self.it.rollout("promote", self.rollout, *words)

    def abort(self):
        self.it.rollout("abort", self.rollout)
        self.it.until_phase(self.rollout, "Degraded", "RolloutAborted")

    def finish(self, revision=2):
        self.promote("--full")
        self.it.until_phase(self.rollout, "Healthy")
        self.it.until(lambda: self.it.stable_is(self.rollout, revision) and self.weights() == [100, 0], f"all is for version {revision}")


def is_translated(name, at_first, *changes, at_rest=(100, 0)):
    def goes_through_its_steps(it):
        mesh = Translated(it, name, *changes, at_rest=at_rest)
        it.update(mesh.rollout)
        it.until(lambda: it.all("replicasets")[1:] and it.sizes(2)[0] > 0 and mesh.weights() == at_first,
                 f"the first weights are {at_first}")
        mesh.finish()
    rows.of(name)(goes_through_its_steps)


is_translated(ISTIO + "istio-host-split", [90, 10])
is_translated("examples__traffic-routing-experiment-step__istio-host-split-experiment-step", [70, 10])
# Subsets of one Service: each is a Service of its own here, and before the first update there is nothing to divide.
for name in ("examples__istio__istio-subset-split", ISTIO + "istio-subset-split-single-route"):
    is_translated(name, [90, 10], at_rest=None)
is_translated("test__e2e__smi__rollout-smi-experiment", [90, 5])
is_translated("examples__traffic-management__rollout-linkerd", [95, 5], ("{{args.linkerd-enabled}}", '"{{args.linkerd-enabled}}"'))


@rows.of("test__e2e__header-routing__istio-hr-host")
def requests_with_the_header_reach_the_canary(it):
    tries = 30

    def answered(agent):
        with contextlib.suppress(OSError):  # nobody listens yet
            return {answer for _ in range(tries) for answer in it.answer_of("stable-service", agent=agent)}

    def until_led(agent, others):
        """By this header; requests with others go by the weights."""
        it.until(lambda: answered(agent) == {"next"}, f"every request of {agent} reaches the canary")
        for other in others:
            it.until(lambda: answered(other) == {"1.19-alpine", "next"}, f"requests of {other} are divided")
    mesh = Translated(it, "test__e2e__header-routing__istio-hr-host")
    it.until(lambda: answered("firefox/100") == {"1.19-alpine"}, "the first version answers")
    it.update(mesh.rollout)
    mesh.until_paused(2, [80, 20], r1=5, r2=1)
    until_led("firefox/100", ("chrome/1", "curl"))
    mesh.promote()
    mesh.until_paused(4, [80, 20], r1=5, r2=1)
    until_led("chrome/1", ("firefox/100", "curl"))
    mesh.promote()
    mesh.until_paused(7, [60, 40], r1=5, r2=2)
    for agent in ("chrome/1", "firefox/100", "curl"):
        it.until(lambda: answered(agent) == {"1.19-alpine", "next"}, f"a header of {agent} means nothing any more")
    mesh.finish()
    it.until(lambda: answered("curl") == {"next"}, "all is the new version's")


@rows.of(ISTIO + "istio-host-split-update-in-middle")
def an_update_in_the_middle_of_another_takes_its_place(it):
    mesh = Translated(it, ISTIO + "istio-host-split-update-in-middle")
    it.update(mesh.rollout)
    mesh.until_paused(2, [100, 0], r1=2, r2=1)
    it.update(mesh.rollout, "nginx:third")
    mesh.until_paused(2, [100, 0], r1=2, r2=0, r3=1)
    assert it.stable_is(mesh.rollout, 1), it.outline()
    third = it.set_of(3)["metadata"]["labels"][HASH]
    it.until(lambda: it.one("services", "istio-host-split-canary")["spec"]["selector"][HASH] == third, "the canary's Service follows")
    mesh.finish(3)


@rows.of(ISTIO + "istio-rollout-abort-delete-all-canary-pods")
def after_an_abort_the_canary_stays_for_its_delay_and_goes_as_a_whole(it):
    delay = f"canaryService: istio-host-split-canary\n      abortScaleDownDelaySeconds: {10 * harness.patience}"
    mesh = Translated(it, ISTIO + "istio-rollout-abort-delete-all-canary-pods", ("canaryService: istio-host-split-canary", delay))
    it.update(mesh.rollout)
    mesh.until_paused(2, [80, 20], r1=5, r2=2)
    mesh.promote()
    mesh.until_paused(5, [60, 40], r1=5, r2=4)
    mesh.abort()
    mesh.until([100, 0], "it was aborted")
    canary = it.until(lambda: (found := it.set_of(2))["metadata"]["annotations"].get("scale-down-deadline") and found, "a deadline is set")
    assert canary["spec"]["replicas"] == 4 and it.sizes(1) == (5,), "it is left up until then"
    it.until(lambda: it.sizes(1, 2) == (5, 0) and len(it.pods()) == 5, "no Pod of the canary is left")
    assert it.stable_is(mesh.rollout, 1) and it.state(mesh.rollout)[0] == "Degraded", it.outline()


@rows.of(ISTIO + "istio-subset-split-in-stable-downscale-after-canary-abort")
def after_an_abort_traffic_goes_back_as_the_stable_version_grows(it):
    name = "istio-subset-split-in-stable-downscale-after-canary-abort"
    mesh = Translated(it, ISTIO + name, at_rest=None)
    it.update(name)
    for step, weights, sizes in ((1, [90, 10], {"r1": 4, "r2": 1}), (3, [80, 20], {"r1": 4, "r2": 1}),
                                 (5, [70, 30], {"r1": 3, "r2": 2}), (7, [50, 50], {"r1": 2, "r2": 2})):
        mesh.until_paused(step, weights, **sizes)
        if step < 7:
            mesh.promote()
    it.rollout("abort", name)

    def is_back():
        weight, stable = mesh.weights()[0], it.set_of(1)["status"]
        assert stable.get("availableReplicas", 0) >= 4 * weight // 100, f"{weight} % for {stable}"
        return weight == 100 and it.sizes(1, 2) == (4, 0)
    it.until(is_back, "the stable version has all again", poll=0.05)
    it.until_phase(name, "Degraded", "RolloutAborted")
    stable = it.set_of(1)["metadata"]["labels"][HASH]

    def roles():
        return [(pod["metadata"]["labels"]["role"], pod["metadata"]["labels"][HASH]) for pod in it.pods()]
    it.until(lambda: roles() == [("stable", stable)] * 4, "no Pod of the canary is left")
    selected = [each["spec"]["selector"].get(HASH) for each in it.all("services") if each["metadata"]["name"].endswith("-stable")]
    assert selected == [stable], selected


@rows.of("examples__helm-blue-green__templates__rollout")
def a_template_of_helm_is_no_manifest(it):
    for name, line in (("examples__helm-blue-green__templates__rollout", 4),
                       ("examples__traffic-management__rollout-linkerd", 101)):
        done = it.ask("apply", "-f", "-", *it.within(), text=manifest(name))
        assert done.returncode == 3 and done.stderr.count("\n") == 1, done
        assert f"line {line}, " in done.stderr and "{{…}} needs quotes" in done.stderr, done.stderr
    assert not it.all("rollouts")
