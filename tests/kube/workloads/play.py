"""One script on one side: what is done, and what the namespace holds once it has come to rest."""
import time

import state

STABLE_S = 1.3  # kube-controller-manager looks at Jobs once a second
POLL_S = 0.15
MERGE = "application/merge-patch+json"


def number(document, part, field):
    return document.get(part, {}).get(field, 0)


def observed(document):
    return number(document, "status", "observedGeneration") == document["metadata"].get("generation", 0)


def calm(now):
    """Nothing is on its way: sets have the Pods that they ask for, and none is going."""
    return (all(observed(one) for one in now["deployments"] + now["replicasets"])
            and all(number(one, "status", "replicas") == one["spec"]["replicas"] for one in now["replicasets"])
            and not any("deletionTimestamp" in one["metadata"] for one in now["pods"]))


def complete(now):
    """And what Deployments ask for is there, of the newest version."""
    counts = ("replicas", "updatedReplicas", "availableReplicas")
    return calm(now) and all(number(one, "status", field) == one["spec"]["replicas"]
                             for one in now["deployments"] for field in counts)


def condition(document, type_):
    found = [one for one in document.get("status", {}).get("conditions", []) if one["type"] == type_]
    return found[0] if found else {}


def ended(now):
    """Every Job has."""
    return not any("deletionTimestamp" in one["metadata"] for one in now["pods"]) and all(
        "True" in (condition(job, "Complete").get("status"), condition(job, "Failed").get("status")) for job in now["jobs"])


def gone(now):
    return not any(now.values())


class Play:
    def __init__(self, side, group, patience):
        self.side, self.namespace, self.patience_s = side, f"w-{group}", patience
        self.api = side.api()
        self.records, self.said = [], []
        self.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}})

    def path(self, kind, name=""):
        return state.namespaced(self.namespace, kind) + (f"/{name}" if name else "")

    def create(self, document):
        kind = document["kind"].lower() + "s"
        path = "/api/v1/namespaces" if kind == "namespaces" else self.path(kind)
        status, answer = self.api.send("POST", path, document)
        assert status == 201, answer

    def patch(self, kind, name, body):
        status, answer = self.api.send("PATCH", self.path(kind, name), body, MERGE)
        assert status == 200, answer

    def pods(self):
        return sorted(state.objects(self.api, self.namespace, "pods"), key=lambda pod: pod["metadata"]["name"])

    def kubectl(self, *words, last_line=False):
        """What it prints belongs to the next step. `last_line`: what comes before depends on who is quicker."""
        code, text = self.side.run_kubectl(self.namespace, *words)
        lines = state.normal_text(text)
        self.said.append([f"exit {code}", *(lines[-1:] if last_line else lines)])

    def step(self, name, until=complete):
        deadline = time.monotonic() + self.patience_s
        before, since = None, 0
        while True:
            now = state.of(self.api, self.namespace)
            seen = state.normal(self.api, self.namespace, now) if until(now) else None
            if seen is None or seen != before:
                before, since = seen, time.monotonic()
            elif time.monotonic() - since > STABLE_S:
                break
            assert time.monotonic() < deadline, f"{name}: waited in vain, there is {state.normal(self.api, self.namespace, now)}"
            time.sleep(POLL_S)
        self.records.append((name, {**seen, "kubectl": self.said}))
        self.said = []
