"""The kubectl commands that must mean the same on slipway as on a real API server.

A step is (name, command) or (name, command, options). Commands are split as a shell would. Options: stdin, new (only the newest
kubectl has it), editor (KUBE_EDITOR), meanwhile (commands that run while this one is watching), until (again until it prints
this).
"""
STRICT_VERBS = ("apply", "patch", "delete")
STRICT_AREAS = ("apply", "patch", "watch", "delete", "conflict")


def is_strict(step):
    """Whether no difference is allowed: what the command does decides, whatever the step is called; and the first word of its
    name, for those that look at what such a command has left behind."""
    name, words = step[0], step[1].split()
    return words[0] in STRICT_VERBS or "-w" in words or "--watch" in words or name.split()[0] in STRICT_AREAS


WEB = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web, tier: front}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: example/web:1
        ports: [{containerPort: 8080, name: http}]
        env: [{name: MODE, value: a}, {name: LEVEL, value: low}]
"""
CONFIG = """apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {app: web}}
data: {greeting: hello, colour: blue}
"""
SECRET = """apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {user: admin}
"""
SERVICE = """apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports: [{name: http, port: 80, targetPort: http}]
"""
CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, minimum: 0, maximum: 10}
              colour: {type: string, enum: [red, blue], default: red}
              name: {type: string, pattern: '^[a-z]+$'}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [id]
                items:
                  type: object
                  required: [id]
                  properties: {id: {type: string}, weight: {type: integer}}
          status:
            type: object
            properties:
              size: {type: integer}
              conditions:
                type: array
                items:
                  type: object
                  properties: {type: {type: string}, status: {type: string}}
"""
WIDGET = """apiVersion: example.com/v1
kind: Widget
metadata: {name: one}
spec:
  size: 3
  parts: [{id: a, weight: 1}, {id: b, weight: 2}]
"""
OWNED = """apiVersion: v1
kind: ConfigMap
metadata:
  name: %s
  ownerReferences:
  - {apiVersion: v1, kind: ConfigMap, name: %s, uid: $UID, blockOwnerDeletion: true}
"""
POD_TEMPLATE = """apiVersion: v1
kind: PodTemplate
metadata: {name: plan}
template:
  metadata: {labels: {tier: front, app: plan}}
  spec: {containers: [{name: web, image: "example/web:1"}, {name: side, image: "example/side:1"}]}
"""
MANY = "---\n".join(f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: many-{n:03}, labels: {{set: many}}}}\n"
                    for n in range(110))

STEPS = [
    ("create namespace", "create namespace shop"),
    ("create namespace twice", "create namespace shop"),
    ("create with a bad name", "create namespace Shop_1"),
    ("create configmap", "create configmap plain --from-literal=a=1 -n shop"),
    ("create secret", "create secret generic plain --from-literal=password=x -n shop"),
    ("create deployment", "create deployment made --image=example/made:1 -n shop"),
    ("create in a namespace that is not there", "create configmap x --from-literal=a=1 -n nowhere"),
    ("create dry run", "create -f - -n shop --dry-run=server -o yaml", {"stdin": CONFIG}),
    ("create generateName", "create -f - -n shop -o name", {"stdin": CONFIG.replace("name: settings", "generateName: made-")}),
    ("create service", "create -f - -n shop", {"stdin": SERVICE}),
    ("create without a name", "create -f - -n shop", {"stdin": "apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n"}),
    ("create of an unknown kind", "create -f - -n shop", {"stdin": "apiVersion: v1\nkind: Gadget\nmetadata: {name: x}\n"}),

    ("apply create", "apply -f - -n shop", {"stdin": WEB}),
    ("apply again", "apply -f - -n shop", {"stdin": WEB}),
    ("apply change", "apply -f - -n shop", {"stdin": WEB.replace("web:1", "web:2").replace("replicas: 2", "replicas: 3")}),
    ("apply result", "get deployment web -n shop -o yaml"),
    ("apply prunes a field", "apply -f - -n shop", {"stdin": WEB.replace(", {name: LEVEL, value: low}", "")}),
    ("apply pruned", "get deployment web -n shop -o jsonpath={.spec.template.spec.containers[0].env}"),
    ("apply several", "apply -f - -n shop", {"stdin": CONFIG + "---\n" + SECRET}),
    ("apply dry run", "apply -f - -n shop --dry-run=server", {"stdin": CONFIG.replace("blue", "green")}),
    ("apply left as it was", "get configmap settings -n shop -o jsonpath={.data.colour}"),
    ("apply server side", "apply --server-side -f - -n shop --field-manager=one",
     {"stdin": CONFIG.replace("settings", "shared").replace(", colour: blue", "")}),
    ("apply server side, another manager", "apply --server-side -f - -n shop --field-manager=two",
     {"stdin": CONFIG.replace("settings", "shared").replace("greeting: hello, ", "")}),
    ("conflict between managers", "apply --server-side -f - -n shop --field-manager=two",
     {"stdin": CONFIG.replace("settings", "shared").replace("hello", "hi")}),
    ("conflict forced", "apply --server-side --force-conflicts -f - -n shop --field-manager=two",
     {"stdin": CONFIG.replace("settings", "shared").replace("hello", "hi")}),
    ("apply managed fields", "get configmap shared -n shop -o yaml --show-managed-fields", {"new": True}),
    ("apply server side prunes", "apply --server-side -f - -n shop --field-manager=two",
     {"stdin": CONFIG.replace("settings", "shared").replace("greeting: hello, ", "")}),
    ("apply server side pruned", "get configmap shared -n shop -o jsonpath={.data}"),
    ("apply server side deployment", "apply --server-side -f - -n shop",
     {"stdin": WEB.replace("name: web\n", "name: side\n", 1)}),
    ("apply server side over client side", "apply --server-side -f - -n shop", {"stdin": WEB}),
    ("apply unknown field", "apply -f - -n shop --validate=strict",
     {"stdin": CONFIG + "spelling: wrong\n", "new": True}),
    ("apply unknown field deep", "apply -f - -n shop --validate=strict",
     {"stdin": WEB.replace("image: example/web:1", "image: example/web:1\n        imagee: x"), "new": True}),
    # Without a flag: the newest kubectl has the server refuse it, 1.20 refuses it itself, by the server's OpenAPI document.
    ("apply unknown field, as everybody does", "apply -f - -n shop", {"stdin": CONFIG + "spelling: wrong\n"}),
    ("apply unknown field deep, as everybody does", "apply -f - -n shop",
     {"stdin": WEB.replace("image: example/web:1", "image: example/web:1\n        imagee: x")}),
    ("apply unknown field left as it was", "get configmap settings -n shop -o yaml"),
    ("create with an unknown field", "create -f - -n shop", {"stdin": SERVICE.replace("name: web}", "name: odd}") + "  portz: []\n"}),
    ("apply invalid", "apply -f - -n shop", {"stdin": WEB.replace("{labels: {app: web}}", "{labels: {app: other}}")}),
    ("apply immutable", "apply -f - -n shop",
     {"stdin": WEB.replace("{app: web}}\n  template", "{tier: web}}\n  template").replace("{labels: {app: web}}", "{labels: {tier: web}}")}),

    ("diff nothing", "diff -f - -n shop", {"stdin": SECRET}),
    ("diff something", "diff -f - -n shop", {"stdin": CONFIG.replace("blue", "red")}),

    ("replace", "replace -f - -n shop", {"stdin": CONFIG.replace("blue", "yellow")}),
    ("replace what is not there", "replace -f - -n shop", {"stdin": CONFIG.replace("settings", "absent")}),
    ("conflict of a second writer", "replace -f - -n shop",
     {"stdin": CONFIG.replace("{name: settings,", '{name: settings, resourceVersion: "1",')}),
    ("edit", "edit configmap settings -n shop", {"editor": "sed -i s/yellow/purple/"}),
    ("edit nothing", "edit configmap settings -n shop", {"editor": "true"}),
    ("edit result", "get configmap settings -n shop -o jsonpath={.data.colour}"),

    ("patch merge", """patch configmap settings -n shop --type=merge -p {"data":{"greeting":null,"extra":"1"}}"""),
    ("patch json", """patch configmap settings -n shop --type=json -p [{"op":"replace","path":"/data/extra","value":"2"}]"""),
    ("patch json test fails", """patch configmap settings -n shop --type=json -p [{"op":"test","path":"/data/extra","value":"3"}]"""),
    ("patch json missing path", """patch configmap settings -n shop --type=json -p [{"op":"remove","path":"/data/none"}]"""),
    ("patch strategic", """patch deployment web -n shop -p {"spec":{"template":{"spec":{"containers":[{"name":"web","env":[{"name":"NEW","value":"1"}]},{"name":"side","image":"example/side:1"}]}}}}"""),
    ("patch strategic result", "get deployment web -n shop -o jsonpath={.spec.template.spec.containers}"),
    ("patch strategic delete", """patch deployment web -n shop -p {"spec":{"template":{"spec":{"containers":[{"name":"side","$patch":"delete"}]}}}}"""),
    ("patch strategic deleted", "get deployment web -n shop -o jsonpath={.spec.template.spec.containers[*].name}"),
    ("patch nothing", """patch configmap settings -n shop --type=merge -p {"data":{"extra":"2"}}"""),
    ("patch bad json", "patch configmap settings -n shop --type=merge -p {nonsense"),
    ("patch what is not there", """patch configmap absent -n shop --type=merge -p {"data":{"a":"1"}}"""),
    ("label", "label configmap settings -n shop size=big"),
    ("label again", "label configmap settings -n shop size=small"),
    ("label overwrite", "label configmap settings -n shop size=small --overwrite"),
    ("label remove", "label configmap settings -n shop size-"),
    ("label bad", "label configmap settings -n shop size=not/good/value"),
    ("annotate", "annotate configmap settings -n shop note=hello"),
    ("scale", "scale deployment web -n shop --replicas=5"),
    ("scale checked", "scale deployment web -n shop --current-replicas=5 --replicas=4"),
    ("scale wrong", "scale deployment web -n shop --current-replicas=9 --replicas=4"),

    ("get name", "get deployments -n shop -o name"),
    ("get table", "get deployments -n shop"),
    ("get wide", "get deployments -n shop -o wide"),
    ("get configmaps", "get configmaps -n shop"),
    ("get secrets", "get secrets -n shop"),
    ("get namespaces", "get namespaces shop"),
    ("get several kinds", "get configmap/settings deployment/web -n shop"),
    ("get yaml", "get configmap settings -n shop -o yaml"),
    ("get json", "get configmap settings -n shop -o json"),
    ("get jsonpath", "get deployment web -n shop -o jsonpath={.spec.replicas}"),
    ("get custom columns", "get deployments -n shop -o custom-columns=NAME:.metadata.name,IMAGE:.spec.template.spec.containers[0].image"),
    ("get all namespaces", "get deployments -A"),
    ("get selector", "get configmaps -n shop -l app=web"),
    ("get selector set", "get configmaps -n shop -l 'app in (web,other),!tier'"),
    ("get selector bad", "get configmaps -n shop -l 'app in web'"),
    ("get field selector", "get configmaps -n shop --field-selector metadata.name=settings"),
    ("get field selector bad", "get configmaps -n shop --field-selector spec.none=x"),
    ("get show labels", "get configmaps -n shop --show-labels"),
    ("get absent", "get configmap absent -n shop"),
    ("get unknown type", "get gadgets -n shop"),
    ("get nothing", "get jobs -n shop"),
    ("create many", "create -f - -n shop -o name", {"stdin": MANY}),
    ("get chunks", "get configmaps -n shop -l set=many --chunk-size=100 -o name"),
    ("delete by selector", "delete configmaps -n shop -l set=many"),
    ("watch", "get configmaps -n shop -w --output-watch-events --no-headers -l watched=yes",
     {"meanwhile": ["create configmap seen -n shop --from-literal=a=1", "label configmap seen -n shop watched=yes",
                    "annotate configmap seen -n shop a=b", "label configmap seen -n shop watched-",
                    "label configmap seen -n shop watched=yes", "delete configmap seen -n shop"]}),

    ("describe configmap", "describe configmap settings -n shop"),
    ("describe deployment", "describe deployment web -n shop"),
    ("describe secret", "describe secret login -n shop"),
    ("describe namespace", "describe namespace shop"),
    ("describe absent", "describe configmap absent -n shop"),

    ("crd", "apply -f -", {"stdin": CRD}),
    # kubectl ends with an error where the definition has no conditions yet.
    ("crd wait", "wait crd/widgets.example.com --for=condition=established --timeout=10s", {"until": "condition met"}),
    ("crd get", "get crd widgets.example.com"),
    ("crd object", "apply -f - -n shop", {"stdin": WIDGET}),
    ("crd table", "get widgets -n shop"),
    ("crd yaml", "get wd one -n shop -o yaml"),
    ("crd invalid", "apply -f - -n shop", {"stdin": WIDGET.replace("size: 3", "size: 30")}),
    ("crd wrong type", "apply -f - -n shop --validate=false", {"stdin": WIDGET.replace("size: 3", "size: three")}),
    ("crd bad enum", "apply -f - -n shop", {"stdin": WIDGET.replace("size: 3", "size: 3\n  colour: green")}),
    ("crd missing", "apply -f - -n shop --validate=false", {"stdin": WIDGET.replace("  size: 3\n", "  name: abc\n").replace("one", "two")}),
    ("crd unknown field", "apply -f - -n shop", {"stdin": WIDGET.replace("size: 3", "size: 3\n  sizee: 4"), "new": True}),
    ("crd server side", "apply --server-side -f - -n shop --field-manager=two",
     {"stdin": WIDGET.replace("{id: a, weight: 1}, {id: b, weight: 2}", "{id: c, weight: 3}").replace("one", "three")}),
    ("crd scale", "scale widget one -n shop --replicas=7"),
    ("patch crd merge", """patch widget one -n shop --type=merge -p {"spec":{"colour":"blue"}}"""),
    ("patch crd strategic", """patch widget one -n shop -p {"spec":{"colour":"red"}}"""),
    ("patch crd status", """patch widget one -n shop --subresource=status --type=merge -p {"status":{"size":7,"conditions":[{"type":"Ready","status":"True"}]}}""", {"new": True}),
    ("wait condition", "wait widget/one -n shop --for=condition=Ready --timeout=5s", {"new": True}),
    ("wait jsonpath", "wait widget/one -n shop --for=jsonpath={.status.size}=7 --timeout=5s", {"new": True}),
    ("wait timeout", "wait widget/one -n shop --for=condition=Never --timeout=1s"),
    ("wait for what goes", "create configmap going -n shop --from-literal=a=1"),
    ("wait delete", "wait configmap/going -n shop --for=delete --timeout=20s",
     {"meanwhile": ["delete configmap going -n shop"]}),
    ("wait delete of what is gone", "wait configmap/going -n shop --for=delete --timeout=5s"),
    ("wait delete in vain", "wait widget/one -n shop --for=delete --timeout=1s"),
    ("explain crd", "explain widgets.spec --recursive"),

    ("explain", "explain deployment.spec.strategy --recursive"),
    ("explain pod", "explain pod.spec.containers --recursive"),
    ("explain field", "explain service.spec.type"),
    ("explain unknown", "explain deployment.spec.nothing"),
    ("api-resources", "api-resources --namespaced=true -o name --api-group=apps"),
    ("api-resources core", "api-resources --api-group=batch"),
    ("api-versions has apps", "api-versions"),
    ("auth can-i", "auth can-i create deployments -n shop"),
    ("auth can-i all", "auth can-i * *"),
    ("auth whoami", "auth whoami -o jsonpath={.kind}", {"new": True}),
    ("events none", "get events -n shop --field-selector involvedObject.kind=ConfigMap"),
    ("events create", "create -f - -n shop", {"stdin": """apiVersion: v1
kind: Event
metadata: {name: settings.1}
involvedObject: {kind: ConfigMap, name: settings, namespace: shop}
reason: Changed
message: it changed
type: Normal
source: {component: test}
firstTimestamp: "2026-01-01T00:00:00Z"
lastTimestamp: "2026-01-01T00:00:00Z"
count: 3
"""}),
    ("events", "get events -n shop --field-selector involvedObject.kind=ConfigMap"),

    ("owner", "create configmap owner -n shop --from-literal=a=1"),
    ("owner of another", "create -f - -n shop", {"stdin": OWNED % ("child-1", "owner"), "uid_of": "owner"}),
    ("delete background", "delete configmap owner -n shop --cascade=background"),
    ("delete background took the child", "get configmap child-1 -n shop", {"until": "not found"}),
    ("owner again", "create configmap owner -n shop --from-literal=a=1"),
    ("owner of another again", "create -f - -n shop", {"stdin": OWNED % ("child-2", "owner"), "uid_of": "owner"}),
    ("delete foreground", "delete configmap owner -n shop --cascade=foreground --timeout=40s"),
    ("delete foreground took the child", "get configmap child-2 -n shop"),
    ("owner third", "create configmap owner -n shop --from-literal=a=1"),
    ("owner of a third", "create -f - -n shop", {"stdin": OWNED % ("child-3", "owner"), "uid_of": "owner"}),
    ("delete orphan", "delete configmap owner -n shop --cascade=orphan --timeout=40s"),
    ("delete orphan left the child", "get configmap child-3 -n shop -o jsonpath={.metadata.ownerReferences}"),
    ("delete dry run", "delete configmap settings -n shop --dry-run=server"),
    ("delete", "delete configmap settings -n shop"),
    ("delete again", "delete configmap settings -n shop"),
    ("delete ignore", "delete configmap settings -n shop --ignore-not-found"),
    ("delete from file", "delete -f - -n shop", {"stdin": SECRET}),
    ("apply quantities", "apply -f - -n shop", {"stdin": WEB.replace("name: web\n", "name: sized\n", 1).replace(
        "image: example/web:1", "image: example/web:1\n        resources: {limits: {cpu: 0.5, memory: 1024Mi}, requests: {cpu: 100m}}")}),
    ("get quantities", "get deployment sized -n shop -o jsonpath={.spec.template.spec.containers[0].resources}"),
    ("apply pod template", "apply -f - -n shop", {"stdin": POD_TEMPLATE}),
    ("apply pod template change", "apply -f - -n shop", {"stdin": POD_TEMPLATE.replace("web:1", "web:2")}),
    ("apply pod template result", "get podtemplate plan -n shop -o yaml"),
    ("get pod templates", "get podtemplates -n shop -o wide"),
    ("patch pod template", """patch podtemplate plan -n shop -p {"template":{"spec":{"containers":[{"name":"side","image":"x:2"}]}}}"""),
    ("patch pod template result", "get podtemplate plan -n shop -o jsonpath={.template.spec.containers[*].image}{.metadata.generation}"),
    ("create bad pod template", "create -f - -n shop", {"stdin": POD_TEMPLATE.replace("name: web,", "name: Web!,")}),
    ("create empty pod template", "create -f - -n shop", {"stdin": "apiVersion: v1\nkind: PodTemplate\nmetadata: {name: none}\n"}),
    ("delete all", "delete deployments --all -n shop"),
    ("delete crd", "delete crd widgets.example.com --timeout=40s"),
    ("delete crd took its objects", "get widgets -n shop"),
    ("delete namespace", "delete namespace shop --timeout=60s"),
    ("delete namespace took everything", "get configmaps -n shop"),
]
