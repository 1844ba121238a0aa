"""What a namespace holds, without what differs between any two runs: names that are drawn, uids, times, versions."""
import json
import re

KINDS = {"deployments": "/apis/apps/v1", "replicasets": "/apis/apps/v1", "jobs": "/apis/batch/v1", "pods": "/api/v1",
         "services": "/api/v1", "endpoints": "/api/v1", "endpointslices": "/apis/discovery.k8s.io/v1"}
COMPARED = [kind for kind in KINDS if kind != "services"]  # which kubectl_test.py compares
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
CONTROLLED = ("Deployment", "ReplicaSet", "Job")
COMBINED = "(combined from similar events): "
RESTARTED = "kubectl.kubernetes.io/restartedAt"
# Cells and fields that tell a time, or who runs what.
TIMES = re.compile(r"(?:Time|Timestamp|startedAt|finishedAt|trigger-time)$")
UNTOLD_METADATA = ("uid", "resourceVersion", "managedFields", "namespace", "selfLink")
UNTOLD_CELLS = ("Age", "Duration")
UID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
DRAWN = re.compile(r"-[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9-])")
ADDRESS = re.compile(r"^\d+\.\d+\.\d+\.\d+$")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}")


def namespaced(namespace, kind):
    return f"{KINDS[kind]}/namespaces/{namespace}/{kind}"


def objects(api, namespace, kind):
    return api.get(namespaced(namespace, kind))["items"]


def plain(value, key=""):
    """Times become TIME and uids UID."""
    if isinstance(value, dict):
        return {name: plain(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    if not isinstance(value, str):
        return value
    if key == "message":
        value = DRAWN.sub("-*", value)
    return "TIME" if TIMES.search(key) else UID.sub("UID", value)


def told(kind, document):
    """Of a Deployment, a ReplicaSet, a Job or a Pod; of what leads to Pods."""
    metadata = {key: value for key, value in document["metadata"].items() if key not in UNTOLD_METADATA}
    rest = {key: value for key, value in document.items() if key not in ("apiVersion", "kind", "metadata")}
    if kind in ("pods", "endpointslices"):
        metadata.pop("generation", None)  # counts what nodes and schedulers write, or who was quicker
    if "generateName" in metadata:
        metadata["name"] = metadata["generateName"] + "*"
    elif kind == "endpointslices":
        metadata["name"] = metadata["ownerReferences"][0]["name"] + "-*"
    if kind == "pods":
        rest["spec"] = {key: value for key, value in rest["spec"].items() if key != "nodeName"}
        rest["status"] = {"phase": rest["status"].get("phase")}
    if kind in ("endpoints", "endpointslices"):
        rest = without_addresses(rest)
    return plain({"metadata": metadata, **rest})


def without_addresses(value):
    """Nor names of Pods, and in an order that does not depend on them."""
    if isinstance(value, dict):
        return {key: without_addresses(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return sorted((without_addresses(inner) for inner in value), key=lambda inner: json.dumps(inner, sort_keys=True))
    return ADDRESS.sub("IP", DRAWN.sub("-*", UID.sub("UID", value))) if isinstance(value, str) else value


def table(api, namespace, kind):
    page = api.get(namespaced(namespace, kind), accept=TABLE)
    names = [column["name"] for column in page["columnDefinitions"]]
    rows = [[UID.sub("UID", f"{name}={cell}") for name, cell in zip(names, row["cells"]) if name not in UNTOLD_CELLS]
            for row in page["rows"] or []]
    return {"columns": " ".join(names), "rows": [" ".join(row) for row in rows]}


def events(api, namespace):
    """How often each was told. Which of many messages of one reason still get events of their own is chance."""
    told_of = {}
    for event in api.get(f"/api/v1/namespaces/{namespace}/events")["items"]:
        about = event["involvedObject"]
        if about["kind"] in CONTROLLED:
            reason = f"{about['kind']} {about['name']} {event['type']} {event['reason']} by {event['source']['component']}"
            told_of.setdefault(reason, []).append((DRAWN.sub("-*", event["message"]), event.get("count", 1)))
    counts = {}
    for reason, messages in told_of.items():
        many = any(message.startswith(COMBINED) for message, _ in messages)
        for message, count in messages:
            line = f"{reason}: {COMBINED if many else message}"
            counts[line] = counts.get(line, 0) + count
    return counts


def numbered(items):
    """By name; those of one drawn name, by what else they are."""
    named = {}
    for item in sorted(items, key=lambda item: json.dumps(item, sort_keys=True)):
        name = item["metadata"]["name"]
        same = sum(1 for known in named if known.split("#")[0] == name)
        named[f"{name}#{same}" if same else name] = item
    return named


def without_restarts(text, sets):
    """A template that was restarted holds the time, and so do its hash and all names made of it."""
    for one in sets:
        template = one["spec"]["template"]["metadata"]
        if RESTARTED in template.get("annotations", {}):
            text = text.replace(template["labels"]["pod-template-hash"], "HASH-OF-RESTART")
    return re.sub(rf'("{RESTARTED}": ")[^"]*"', r'\1TIME"', text)


def of(api, namespace):
    """The objects as they are, for conditions of steps."""
    return {kind: objects(api, namespace, kind) for kind in KINDS}


def normal(api, namespace, now):
    state = {kind: numbered(told(kind, document) for document in now[kind]) for kind in COMPARED}
    state["tables"] = {kind: table(api, namespace, kind) for kind in ("deployments", "replicasets", "jobs")}
    state["events"] = events(api, namespace)
    state = json.loads(without_restarts(json.dumps(state), now["replicasets"]))
    for one in state["tables"].values():
        one["rows"].sort()
    return state


def normal_text(text):
    text = re.sub(r"\(?\b\d+[smh]\b( ago)?\)?", "AGE", TIME.sub("TIME", UID.sub("UID", text)))
    return [re.sub(r" {2,}", "  ", line).rstrip() for line in text.splitlines()]


def differences(want, got, path=""):
    """Lines that say where two states differ."""
    if isinstance(want, dict) and isinstance(got, dict):
        return [line for key in sorted({**want, **got}) for line in
                differences(want.get(key, "absent"), got.get(key, "absent"), f"{path}/{key}")]
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        return [line for i, (one, other) in enumerate(zip(want, got)) for line in differences(one, other, f"{path}/{i}")]
    return [] if want == got else [f"{path}: want {json.dumps(want)}, got {json.dumps(got)}"]
