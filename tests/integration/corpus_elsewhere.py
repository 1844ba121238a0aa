"""Manifests of the corpus that need a load balancer, a mesh or a plugin that is not here: they say so, and do not begin."""
from corpus import FUNCTIONAL, manifest, rows

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


def is_translated(name, at_first, *changes, at_rest=(100, 0)):
    """What a mesh would do, an HTTPRoute does."""
    def goes_through_its_steps(it):
        it.ask("apply", "-f", "-", *it.within(), text=manifest(name, *changes))
        rollout = it.all("rollouts")[0]["metadata"]["name"]

        def weights():
            route = next((each for each in it.all("httproutes") if each["metadata"]["name"] == f"{rollout}-traffic"), None)
            return [each["weight"] for each in route["spec"]["rules"][-1]["backendRefs"]][:2] if route else None

        it.until_phase(rollout, "Healthy")
        it.until(lambda: weights() == (at_rest and list(at_rest)), "all is for the first version")
        it.update(rollout)
        it.until(lambda: it.all("replicasets")[1:] and it.sizes(2)[0] > 0 and weights() == at_first, f"the first weights are {at_first}")
        it.rollout("promote", rollout, "--full")
        it.until_phase(rollout, "Healthy")
        it.until(lambda: it.stable_is(rollout, 2) and weights() == [100, 0], "all is for the second version")
    rows.of(name)(goes_through_its_steps)


is_translated("test__e2e__header-routing__istio-hr-host", [80, 20])
is_translated("test__e2e__istio__istio-host-split", [90, 10])
is_translated("test__e2e__istio__istio-host-split-update-in-middle", [100, 0])
is_translated("test__e2e__istio__istio-rollout-abort-delete-all-canary-pods", [80, 20])
is_translated("examples__traffic-routing-experiment-step__istio-host-split-experiment-step", [70, 10])
# Subsets of one Service: each is a Service of its own here, and before the first update there is nothing to divide.
for name in ("examples__istio__istio-subset-split", "test__e2e__istio__istio-subset-split-single-route",
             "test__e2e__istio__istio-subset-split-in-stable-downscale-after-canary-abort"):
    is_translated(name, [90, 10], at_rest=None)
is_translated("test__e2e__smi__rollout-smi-experiment", [90, 5])
is_translated("examples__traffic-management__rollout-linkerd", [95, 5], ("{{args.linkerd-enabled}}", '"{{args.linkerd-enabled}}"'))


@rows.of("examples__helm-blue-green__templates__rollout")
def a_template_of_helm_is_no_manifest(it):
    for name, line in (("examples__helm-blue-green__templates__rollout", 4),
                       ("examples__traffic-management__rollout-linkerd", 101)):
        done = it.ask("apply", "-f", "-", *it.within(), text=manifest(name))
        assert done.returncode == 3 and done.stderr.count("\n") == 1, done
        assert f"line {line}, " in done.stderr and "{{…}} needs quotes" in done.stderr, done.stderr
    assert not it.all("rollouts")
