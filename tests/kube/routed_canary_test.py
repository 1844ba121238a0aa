#!/usr/bin/env python3
"""Canaries whose traffic Istio, ingress-nginx, an SMI mesh or a gateway divides, on a real control plane and under the account of
deploy/rbac.yaml: what is written into VirtualServices, DestinationRules, Ingresses, TrafficSplits and GRPCRoutes at each weight, after
an abort and after a promotion. Their kinds are there, nobody who reads them is."""
import json
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parent / name) for name in ("integration", "scenario", "scenario/live")]
import harness  # noqa: E402
import stand_ins  # noqa: E402
from cluster_test import ApiServer  # noqa: E402
from harness import until  # noqa: E402
from rbac_test import account_config, kubectl, served  # noqa: E402

root = here.parent.parent
HASH = "rollouts-pod-template-hash"
KINDS = (("networking.istio.io", "v1alpha3", "VirtualService"), ("networking.istio.io", "v1alpha3", "DestinationRule"),
         ("split.smi-spec.io", "v1alpha1", "TrafficSplit"), ("gateway.networking.k8s.io", "v1", "GRPCRoute"))
APPROVED = {"api-approved.kubernetes.io": "unapproved, a test"}  # asked for of groups under k8s.io


def install_kinds():
    """As much of them as it takes to keep whatever is written."""
    for group, version, kind in KINDS:
        plural, schema = kind.lower() + "s", {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
        kubectl("apply", "-f", "-", given=json.dumps({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.{group}", "annotations": APPROVED},
            "spec": {"group": group, "scope": "Namespaced", "names": {"plural": plural, "singular": kind.lower(), "kind": kind},
                     "versions": [{"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}]}}))
        kubectl("wait", "--for=condition=Established", f"crd/{plural}.{group}", "--timeout=60s")


def read(kind, name):
    return json.loads(kubectl("get", kind, name, "-n", "default", "-o", "json"))


def apply(api_version, kind, name, spec):
    kubectl("apply", "-n", "default", "-f", "-", given=json.dumps(
        {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, "spec": spec}))


class Canary:
    """A Rollout, and two Services where its traffic is divided between Services."""

    def __init__(self, name, routing, services=True, first_steps=(), routes=()):
        self.name = name
        self.stable, self.canary = f"{name}-stable", f"{name}-canary"
        labels = {"app": name}
        if services:
            for service in (self.stable, self.canary):
                apply("v1", "Service", service, {"selector": labels, "ports": [{"port": 80, "targetPort": 8080}]})
        strategy = {"trafficRouting": {**routing, **({"managedRoutes": [{"name": each} for each in routes]} if routes else {})},
                    "steps": [{"setWeight": 25}, *first_steps, {"pause": {}}, {"setWeight": 60}, {"pause": {}}],
                    **({"stableService": self.stable, "canaryService": self.canary} if services else {})}
        pods = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "web", "image": "web:v1"}]}}
        apply("argoproj.io/v1alpha1", "Rollout", name, {"replicas": 2, "selector": {"matchLabels": labels}, "template": pods,
                                                       "strategy": {"canary": strategy}})

    def set_image(self, image):
        patch = [{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": image}]
        kubectl("patch", "rollout", self.name, "-n", "default", "--type=json", "-p", json.dumps(patch))

    def do(self, verb):
        subprocess.run([harness.slipway, "rollout", verb, self.name, "-n", "default"], check=True, stdout=subprocess.DEVNULL)

    def status(self):
        return read("rollout", self.name)["status"]

    def until(self, phase, weight):
        """Once the Rollout is in the phase and says this weight, the objects of its router say the same."""
        def there():
            found = read("rollout", self.name)
            status = found.get("status", {})
            weights = status.get("canary", {}).get("weights", {})
            return (str(status.get("observedGeneration")) == str(found["metadata"]["generation"]) and status.get("phase") == phase
                    and (weights.get("canary", {}).get("weight"), weights.get("stable", {}).get("weight")) == (weight, 100 - weight))
        until(there, lambda: f"{self.name} is not {phase} at {weight}: {read('rollout', self.name).get('status')}")
        assert self.weights() == (weight, 100 - weight), (self.name, self.weights())

    def is_owned(self, made):
        owner = made["metadata"]["ownerReferences"]
        assert [(one["kind"], one["name"], one["controller"]) for one in owner] == [("Rollout", self.name, True)], owner


def weighted(host, weight, **more):
    return {"destination": {"host": host, **more}, "weight": weight}


class Istio(Canary):
    """By hosts. A route that is not the Rollout's has the same hosts; while there is a canary, a header leads to it."""

    OTHER = {"name": "other", "route": [weighted("mesh-stable", 5), weighted("mesh-canary", 95)]}

    def __init__(self):
        primary = {"name": "primary", "route": [weighted("mesh-stable", 100), weighted("mesh-canary", 0)]}
        apply("networking.istio.io/v1alpha3", "VirtualService", "mesh", {"hosts": ["mesh"], "http": [self.OTHER, primary]})
        beta = {"setHeaderRoute": {"name": "beta", "match": [{"headerName": "who", "headerValue": {"exact": "tester"}}]}}
        super().__init__("mesh", {"istio": {"virtualService": {"name": "mesh", "routes": ["primary"]}}}, first_steps=[beta],
                         routes=["beta"])

    def weights(self):
        *before, other, primary = read("virtualservice", "mesh")["spec"]["http"]
        assert other == self.OTHER, other
        stable, canary = primary["route"]
        assert (stable["destination"], canary["destination"]) == ({"host": "mesh-stable"}, {"host": "mesh-canary"}), primary
        beta = {"name": "beta", "match": [{"headers": {"who": {"exact": "tester"}}}], "route": [weighted("mesh-canary", 100)]}
        assert before == ([beta] if canary["weight"] else []), before
        return canary["weight"], stable["weight"]


class Subsets(Canary):
    """By subsets of one Service, whose labels say the version."""

    def __init__(self):
        labels = {"app": "subsets"}
        apply("v1", "Service", "subsets", {"selector": labels, "ports": [{"port": 80}]})
        apply("networking.istio.io/v1alpha3", "VirtualService", "subsets", {"hosts": ["subsets"], "http": [
            {"route": [weighted("subsets", 100, subset="stable"), weighted("subsets", 0, subset="canary")]}]})
        apply("networking.istio.io/v1alpha3", "DestinationRule", "subsets", {"host": "subsets", "subsets": [
            {"name": name, "labels": labels} for name in ("stable", "canary")]})
        rule = {"name": "subsets", "canarySubsetName": "canary", "stableSubsetName": "stable"}
        super().__init__("subsets", {"istio": {"virtualService": {"name": "subsets"}, "destinationRule": rule}}, services=False)

    def weights(self):
        status = self.status()
        versions = {one["name"]: one["labels"] for one in read("destinationrule", "subsets")["spec"]["subsets"]}
        assert versions["stable"] == {"app": "subsets", HASH: status["stableRS"]}, (versions, status)
        if status["phase"] == "Paused":
            assert versions["canary"] == {"app": "subsets", HASH: status["currentPodHash"]}, (versions, status)
        stable, canary = read("virtualservice", "subsets")["spec"]["http"][0]["route"]
        return canary["weight"], stable["weight"]


class Nginx(Canary):
    """A second Ingress takes what the weight says of the paths to the stable Service, and of no others."""

    def __init__(self):
        def path(where, service):
            return {"path": where, "pathType": "Prefix", "backend": {"service": {"name": service, "port": {"number": 80}}}}

        rules = [{"host": "shop.example", "http": {"paths": [path("/", "door-stable"), path("/else", "somebody")]}},
                 {"host": "else.example", "http": {"paths": [path("/", "somebody")]}}]
        self.rules = [{"host": "shop.example", "http": {"paths": [path("/", "door-canary")]}}]
        self.tls = [{"hosts": ["shop.example"], "secretName": "cert"}]
        apply("networking.k8s.io/v1", "Ingress", "front", {"ingressClassName": "nginx", "tls": self.tls, "rules": rules})
        super().__init__("door", {"nginx": {"stableIngress": "front", "additionalIngressAnnotations": {"canary-by-header": "X-Who"}}})

    def weights(self):
        made = read("ingress", "door-front-canary")
        self.is_owned(made)
        assert made["spec"] == {"ingressClassName": "nginx", "tls": self.tls, "rules": self.rules}, made["spec"]
        said = {key.removeprefix("nginx.ingress.kubernetes.io/"): value for key, value in made["metadata"]["annotations"].items()}
        weight = int(said.pop("canary-weight"))
        assert said == {"canary": "true", "canary-by-header": "X-Who"}, said
        return weight, 100 - weight


class Smi(Canary):
    """A TrafficSplit of the Service that people ask."""

    def __init__(self):
        apply("v1", "Service", "split-root", {"selector": {"app": "split"}, "ports": [{"port": 80}]})
        super().__init__("split", {"smi": {"rootService": "split-root"}})

    def weights(self):
        made = read("trafficsplit", "split")
        self.is_owned(made)
        canary, stable = made["spec"]["backends"]
        assert made["spec"]["service"] == "split-root", made["spec"]
        assert (canary["service"], stable["service"]) == ("split-canary", "split-stable"), made["spec"]
        return canary["weight"], stable["weight"]


class Grpc(Canary):
    """The Gateway API, by a kind that is no part of slipway."""

    def __init__(self):
        apply("gateway.networking.k8s.io/v1", "GRPCRoute", "calls", {"parentRefs": [{"name": "somebodys"}], "rules": [
            {"backendRefs": [{"name": "calls-stable", "port": 80}, {"name": "calls-canary", "port": 80, "weight": 0}]}]})
        super().__init__("calls", {"plugins": {"argoproj-labs/gatewayAPI": {"grpcRoute": "calls", "namespace": "default"}}})

    def weights(self):
        stable, canary = read("grpcroute", "calls")["spec"]["rules"][0]["backendRefs"]
        assert (stable["name"], canary["name"]) == ("calls-stable", "calls-canary"), (stable, canary)
        return canary["weight"], stable["weight"]


def weights_are_written_for_every_router():
    install_kinds()
    kubectl("apply", "-f", root / "deploy/rbac.yaml")
    with harness.scratch() as folder, stand_ins.Node(ApiServer().send, folder), served(folder, "--kubeconfig", account_config(folder)):
        canaries = [Istio(), Subsets(), Nginx(), Smi(), Grpc()]

        def each(phase, weight):
            for one in canaries:
                one.until(phase, weight)

        def everybody(act):
            for one in canaries:
                act(one)

        each("Healthy", 0)
        everybody(lambda one: one.set_image("web:v2"))
        each("Paused", 25)
        everybody(lambda one: one.do("promote"))
        each("Paused", 60)
        everybody(lambda one: one.do("promote"))
        each("Healthy", 0)
        everybody(lambda one: one.set_image("web:v3"))
        each("Paused", 25)
        everybody(lambda one: one.do("abort"))
        each("Degraded", 0)


if __name__ == "__main__":
    if "KUBE_BIN" not in os.environ:
        os.execv(here / "with-cluster", [here / "with-cluster", "--crds", root / "deploy/crds", "--with", "replicaset-controller", "--",
                                         sys.executable, __file__, *sys.argv[1:]])
    harness.run([weights_are_written_for_every_router])
