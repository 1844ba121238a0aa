"""Pod templates that between them hold fields of every type Go has for them."""
TERM = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a", "b"]}, {"key": "gpu", "operator": "Exists"}]}
NEAR = {"labelSelector": {"matchLabels": {"app": "web"}, "matchExpressions": [{"key": "tier", "operator": "NotIn", "values": ["x"]}]},
        "topologyKey": "kubernetes.io/hostname", "namespaces": ["one", "two"]}
PROBE = {"initialDelaySeconds": 3, "periodSeconds": 5, "timeoutSeconds": 2, "successThreshold": 1, "failureThreshold": 4}

TEMPLATES = {
    "quantities": {"container": {"resources": {
        "requests": {"cpu": "100m", "memory": "128Mi", "ephemeral-storage": "1Gi"},
        "limits": {"cpu": "1.5", "memory": "2000Mi", "ephemeral-storage": "100Ti", "example.com/gpu": "2"}}}},
    "more-quantities": {"container": {"resources": {
        "requests": {"cpu": "0", "memory": "1024Mi"}, "limits": {"cpu": "2000m", "memory": "4e9", "example.com/big": "1Pi"}}}},
    "odd-quantities": {"container": {"resources": {"limits": {
        "cpu": "0.1", "memory": "1234567890", "ephemeral-storage": "5e9", "example.com/much": "8Ei", "example.com/k": "3k"}}}},
    "ports": {"container": {"ports": [{"containerPort": 8080, "name": "http", "hostPort": 0}, {"containerPort": 53, "protocol": "UDP"}],
                            "args": ["a b", "", "ü\n\"quoted\""], "command": ["run"], "workingDir": "/w", "tty": True,
                            "stdin": True, "imagePullPolicy": "Always"}},
    "variables": {"container": {
        "env": [{"name": "A", "value": "1"}, {"name": "EMPTY", "value": ""},
                {"name": "IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}},
                {"name": "CPU", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "1m"}}},
                {"name": "MEMORY", "valueFrom": {"resourceFieldRef": {"resource": "limits.memory"}}},
                {"name": "KEY", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k", "optional": True}}},
                {"name": "SECRET", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k", "optional": False}}}],
        "envFrom": [{"prefix": "P_", "configMapRef": {"name": "c"}}, {"secretRef": {"name": "s", "optional": True}}]}},
    "probes": {"container": {
        "livenessProbe": {"httpGet": {"path": "/", "port": 8080, "httpHeaders": [{"name": "X", "value": "y"}]}, **PROBE},
        "readinessProbe": {"tcpSocket": {"port": "http"}},
        "startupProbe": {"exec": {"command": ["true"]}, "terminationGracePeriodSeconds": 7},
        "ports": [{"containerPort": 8080, "name": "http"}],
        "lifecycle": {"preStop": {"exec": {"command": ["sleep", "1"]}}}}},
    "volumes": {"container": {"volumeMounts": [
        {"name": "scratch", "mountPath": "/s"}, {"name": "config", "mountPath": "/c", "readOnly": True, "subPath": "x"}]},
        "spec": {"volumes": [
            {"name": "scratch", "emptyDir": {}}, {"name": "memory", "emptyDir": {"medium": "Memory", "sizeLimit": "64Mi"}},
            {"name": "config", "configMap": {"name": "c", "items": [{"key": "k", "path": "p", "mode": 256}]}},
            {"name": "secret", "secret": {"secretName": "s", "defaultMode": 384, "optional": False}},
            {"name": "host", "hostPath": {"path": "/tmp"}},
            {"name": "claim", "persistentVolumeClaim": {"claimName": "c", "readOnly": True}},
            {"name": "down", "downwardAPI": {"items": [{"path": "labels", "fieldRef": {"fieldPath": "metadata.labels"}}]}},
            {"name": "all", "projected": {"sources": [{"configMap": {"name": "c"}}, {"secret": {"name": "s"}}, {
                "downwardAPI": {"items": [{"path": "cpu", "resourceFieldRef": {
                    "containerName": "main", "resource": "limits.cpu"}}]}}]}}]}},
    "placed": {"spec": {
        "nodeSelector": {"disk": "ssd", "arch": "arm64"}, "hostname": "h", "subdomain": "s",
        "tolerations": [{"key": "k", "operator": "Equal", "value": "v", "effect": "NoExecute", "tolerationSeconds": 30},
                        {"operator": "Exists"}],
        "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway",
                                       "labelSelector": {"matchLabels": {"app": "placed"}}}],
        "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [TERM]},
                                      "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 5, "preference": TERM}]},
                     "podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [NEAR]},
                     "podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
                         {"weight": 10, "podAffinityTerm": NEAR}]}}}},
    "secured": {"container": {"securityContext": {
        "runAsUser": 0, "runAsNonRoot": False, "privileged": False, "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True, "capabilities": {"add": ["NET_ADMIN"], "drop": ["ALL"]},
        "seccompProfile": {"type": "RuntimeDefault"}}},
        "spec": {"securityContext": {"fsGroup": 5, "supplementalGroups": [1, 2], "runAsGroup": 7,
                                     "sysctls": [{"name": "net.core.somaxconn", "value": "1"}], "seLinuxOptions": {"level": "s0"}}}},
    "networked": {"spec": {
        "dnsPolicy": "None", "dnsConfig": {"nameservers": ["10.0.0.1"], "searches": ["a.b"], "options": [{"name": "ndots", "value": "2"}]},
        "hostAliases": [{"ip": "10.0.0.2", "hostnames": ["x", "y"]}], "hostNetwork": True, "enableServiceLinks": False,
        "shareProcessNamespace": True, "setHostnameAsFQDN": False, "automountServiceAccountToken": False,
        "serviceAccountName": "robot", "imagePullSecrets": [{"name": "pull"}], "terminationGracePeriodSeconds": 0,
        "readinessGates": [{"conditionType": "example.com/ready"}], "runtimeClassName": "r", "schedulerName": "other"}},
    "several": {"spec": {
        "initContainers": [{"name": "first", "image": "ok:1"}, {"name": "beside", "image": "web:v1", "restartPolicy": "Always"}],
        "containers": [{"name": "main", "image": "web"}, {"name": "second", "image": "web@sha256:" + "a" * 64,
                                                          "terminationMessagePolicy": "FallbackToLogsOnError"}]}},
    "described": {"labels": {"a.b/c": "d", "Z": "", "tier": "front"},
                  "metadata": {"annotations": {"text": "several\nlines: [x] {y}", "empty": "", "a": "b"}, "finalizers": ["x.y/z"]}},
    "plain": {},
    "emptied": {"container": {"env": [], "resources": {"limits": {}}, "securityContext": {}, "args": []},
                "spec": {"volumes": [], "nodeSelector": {}, "affinity": {}, "securityContext": {}, "hostNetwork": False}},
}
