"""Objects to send to a real API server: what it says of them is how slipway must judge them."""

SPEC = {"type": "object", "properties": {
    "s": {"type": "string", "minLength": 2, "maxLength": 4, "pattern": "^[a-z]+$"},
    "e": {"type": "string", "enum": ["a", "b"]},
    "i": {"type": "integer", "minimum": 1, "maximum": 10, "multipleOf": 2},
    "n": {"type": "number", "maximum": 1.5, "exclusiveMaximum": True},
    "b": {"type": "boolean"},
    "l": {"type": "array", "minItems": 1, "maxItems": 2,
          "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"],
          "items": {"type": "object", "required": ["k"],
                    "properties": {"k": {"type": "string"}, "v": {"type": "integer"}}}},
    "set": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
    "m": {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 2},
    "ios": {"x-kubernetes-int-or-string": True},
    "any": {"x-kubernetes-preserve-unknown-fields": True},
    "t": {"type": "string", "format": "date-time"},
    "ip": {"type": "string", "format": "ipv4"},
    "ei": {"type": "integer", "enum": [1, 2]},
    "one": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    "req": {"type": "object", "required": ["x", "y"],
            "properties": {"x": {"type": "string"},
                           "y": {"type": "object", "required": ["z"], "properties": {"z": {"type": "string"}}}}},
    "nul": {"type": "string", "nullable": True},
    "d": {"type": "object", "default": {"q": 1},
          "properties": {"q": {"type": "integer"}, "w": {"type": "string", "default": "ww"}}},
    "emb": {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True},
}}


def definition(plural, kind, spec):
    schema = {"type": "object", "properties": {"spec": spec}}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": plural + ".example.com"},
            "spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": plural, "kind": kind},
                     "versions": [{"name": "v1", "served": True, "storage": True, "subresources": {"status": {}},
                                   "schema": {"openAPIV3Schema": schema}}]}}


CRONTABS = definition("crontabs", "CronTab", SPEC)

CRONTAB_SPECS = [
    {}, "str", [1],
    {"s": 1}, {"s": "a"}, {"s": "abcde"}, {"s": "AB"}, {"s": None}, {"e": "c"}, {"e": 1},
    {"i": 0}, {"i": 12}, {"i": 3}, {"i": 2.0}, {"i": "x"}, {"i": 1.5}, {"n": 1.5}, {"n": "1"}, {"b": "true"}, {"b": 1},
    {"l": []}, {"l": [{"k": "a"}, {"k": "b"}, {"k": "c"}]}, {"l": [{"k": "a"}, {"k": "a"}]}, {"l": [{"v": 1}]},
    {"l": ["x"]}, {"l": {}}, {"l": [{"k": "a", "v": "1"}]}, {"set": ["a", "a"]}, {"set": [1]},
    {"m": {"a": "x"}}, {"m": {"a": 1, "b": 2, "c": 3}}, {"m": []},
    {"ios": True}, {"ios": 1.5}, {"ios": "x"}, {"ios": 5}, {"any": [1, {"a": None}]},
    {"t": "x"}, {"t": "2024-01-01T00:00:00Z"}, {"t": 5}, {"ip": "1.2.3"}, {"ei": 3}, {"ei": "1"},
    {"one": {}}, {"one": {"a": "1", "b": "2"}}, {"one": {"a": "1"}}, {"req": {}}, {"req": {"x": "1", "y": {}}},
    {"nul": None}, {"d": None}, {"d": {}}, {"zzz": 1}, {"l": [{"k": "a", "q": 1}], "aaa": {"b": 1}},
    {"emb": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "foo": 1}, "q": 1}},
]

METADATA = [
    {}, {"name": "X"}, {"name": "x", "labels": {"a": 1}}, {"name": "x", "labels": {"a b": "c"}},
    {"name": "x", "labels": {"a": "-"}}, {"name": "x", "labels": {}}, {"name": "x", "annotations": {"a/b/c": "d"}},
    {"name": "x", "finalizers": ["bad finalizer"]}, {"name": "x", "finalizers": ["noprefix"]},
    {"name": "x", "foo": 1}, {"name": "x", "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "a"}]},
    {"name": "x", "generation": "1"},
]

CONFIG_MAPS = [
    {"data": {"a": 1}}, {"data": []}, {"data": {"a": None}}, {"binaryData": {"a": "%%"}}, {"immutable": "x"}, {"foo": 1},
    {"data": {"a": "b"}, "x": {"y": 1}, "w": 2}, {"metadata": {"name": "x", "managedFields": "q"}},
]

CONTAINER = {"name": "c", "image": "i"}


def deployment(spec=None, pod=None, container=None):
    containers = [dict(CONTAINER, **(container or {}))]
    template = {"metadata": {"labels": {"a": "b"}}, "spec": dict({"containers": containers}, **(pod or {}))}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "x"},
            "spec": dict({"selector": {"matchLabels": {"a": "b"}}, "template": template}, **(spec or {}))}


DEPLOYMENTS = [
    deployment(), deployment({"replicas": "1"}), deployment({"replicas": 1.5}), deployment({"replicas": -1}),
    deployment({"foo": 1}), deployment(pod={"foo": 1}), deployment(container={"foo": 1, "bar": 2}),
    deployment(container={"env": [{"name": "A", "value": 1}]}),
    deployment(container={"resources": {"limits": {"cpu": "x"}}}),
    deployment(container={"resources": {"limits": {"cpu": 1, "memory": "1024Mi"}, "requests": {"cpu": "0.5"}}}),
    deployment({"strategy": {"rollingUpdate": {"maxSurge": True}}}),
    deployment({"strategy": {"rollingUpdate": {"maxSurge": "x"}}}),
    deployment(pod={"terminationGracePeriodSeconds": None, "hostNetwork": None, "tolerations": []}),
    deployment(container={"ports": [{"containerPort": "80"}]}),
    deployment(container={"ports": [{"containerPort": 80, "protocol": "X"}]}),
    deployment(pod={"containers": "x"}), deployment(pod={"containers": [None]}), deployment({"paused": "x"}),
    deployment(pod={"nodeSelector": {"a": 1}}),
    deployment(pod={"volumes": [{"name": "v", "emptyDir": {"sizeLimit": "x"}}]}),
    deployment({"template": []}), deployment({"selector": "x"}), deployment({"minReadySeconds": 3000000000}),
    deployment({"template": {"metadata": {"labels": {"a": "b"}, "creationTimestamp": "x"},
                             "spec": {"containers": [CONTAINER]}}}),
]

RENEW_TIMES = ["x", "2024-01-01T00:00:00.1+02:00", "2024-01-01T00:00:00.100000+02:00"]

SCHEMAS = [
    {}, {"type": "text"}, {"type": "array"}, {"type": "array", "items": {}}, {"type": "object", "$ref": "#/a"},
    {"type": "object", "additionalProperties": {"type": "string"}, "properties": {"a": {"type": "string"}}},
    {"type": "object", "oneOf": [{"description": "x"}]}, {"type": "object", "oneOf": [{"type": "object"}]},
    {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]},
    {"type": "array", "x-kubernetes-list-type": "map", "items": {"type": "object"}},
    {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["n"],
     "items": {"type": "object", "properties": {"n": {"type": "string"}}}},
    {"type": "array", "x-kubernetes-list-type": "foo", "items": {"type": "string"}},
    {"type": "object", "x-kubernetes-map-type": "foo"}, {"type": "string", "default": 1},
    {"type": "object", "properties": {"a": {"type": "string", "foo": 1}}},
]


def edited(change):
    crd = definition("foos", "Foo", {"type": "object"})
    change(crd, crd["spec"], crd["spec"]["versions"][0])
    return crd


DEFINITIONS = [definition("foos", "Foo", schema) for schema in SCHEMAS] + [
    edited(lambda crd, spec, version: crd["metadata"].update(name="foo.example.com")),
    edited(lambda crd, spec, version: spec.update(scope="X")),
    edited(lambda crd, spec, version: spec.update(group="example")),
    edited(lambda crd, spec, version: spec.update(versions=[])),
    edited(lambda crd, spec, version: version.pop("schema")),
    edited(lambda crd, spec, version: spec["names"].update(kind="A b")),
    edited(lambda crd, spec, version: spec["names"].pop("plural")),
    edited(lambda crd, spec, version: version.update(name="1")),
    edited(lambda crd, spec, version: crd.pop("spec")),
    edited(lambda crd, spec, version: spec.pop("scope")),
    edited(lambda crd, spec, version: version.update(additionalPrinterColumns=[{"name": "a"}])),
    edited(lambda crd, spec, version: spec.pop("names")),
]


def crontab(metadata, spec):
    return {"apiVersion": "example.com/v1", "kind": "CronTab", "metadata": metadata, "spec": spec}


def config_map(metadata, more):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, **more}


def lease(renew_time):
    return {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "x"},
            "spec": {"renewTime": renew_time}}


# Each with the URL of its collection.
CASES = (
    [("/apis/example.com/v1/namespaces/default/crontabs", crontab({"name": "x"}, spec)) for spec in CRONTAB_SPECS]
    + [("/apis/example.com/v1/namespaces/default/crontabs", crontab(metadata, {})) for metadata in METADATA]
    + [("/api/v1/namespaces/default/configmaps", config_map(metadata, {})) for metadata in METADATA]
    + [("/api/v1/namespaces/default/configmaps", config_map({"name": "x"}, more)) for more in CONFIG_MAPS]
    + [("/apis/apps/v1/namespaces/default/deployments", one) for one in DEPLOYMENTS]
    + [("/apis/coordination.k8s.io/v1/namespaces/default/leases", lease(time)) for time in RENEW_TIMES]
    + [("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", one) for one in DEFINITIONS]
)
