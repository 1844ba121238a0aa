#!/usr/bin/env python3
"""deploy/rbac.yaml: a server under its account, in a Pod too, carries runs out, with a Job, a Secret, events and a Lease, and may
do no more."""
import base64
import contextlib
import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
import urllib.parse

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "integration"))
from harness import Server, Skip, run, scratch, slipway, until  # noqa: E402

root = here.parent.parent
ACCOUNT = "system:serviceaccount:slipway:slipway"


def kubectl(*words, given=None):
    done = subprocess.run([pathlib.Path(os.environ["KUBE_BIN"]) / "kubectl", *map(str, words)], capture_output=True,
                          text=True, input=given)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b'{"token": "%s"}' % self.headers.get("X-Key", "").encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def account_config(folder):
    """A kubeconfig with the account's token and nothing else."""
    config = json.loads(kubectl("config", "view", "--raw", "--minify", "--flatten", "-o", "json"))
    config["users"] = [{"name": "slipway", "user": {"token": kubectl("create", "token", "slipway", "-n", "slipway").strip()}}]
    config["contexts"][0]["context"].update(user="slipway", namespace="slipway")
    path = folder / "account"
    path.write_text(json.dumps(config))
    return path


@contextlib.contextmanager
def served(folder, *arguments, **more):
    """A server under the account, which is never refused anything."""
    (folder / "data").mkdir(mode=0o700)
    server = Server(folder / "data", *arguments, **more).start()
    try:
        yield server
        assert "forbidden" not in (folder / "data.log").read_text().lower(), "it was refused something"
    except AssertionError:
        print((folder / "data.log").read_text()[-3000:], file=sys.stderr)
        raise
    finally:
        server.kill()


def see_replica_set(labels):
    """Waits for one without Pods, and does for it what nobody else does here."""
    made = until(lambda: kubectl("get", "replicasets", "-l", labels, "-o", "name").strip(), "a ReplicaSet")
    kubectl("patch", made, "--subresource=status", "--type=merge", "-p", '{"status":{"observedGeneration":1}}')
    return made


def analysis_run(name, **metric):
    return json.dumps({"apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisRun", "metadata": {"name": name, "namespace": "default"},
                       "spec": {"ttlStrategy": {"secondsAfterCompletion": 0 if name == "short" else 3600},
                                "args": [{"name": "key", "valueFrom": {"secretKeyRef": {"name": "creds", "key": "key"}}}],
                                "metrics": [{"name": "m", **metric}]}})


def phase(name):
    return kubectl("get", "analysisrun", name, "-o", "jsonpath={.status.phase}", "--ignore-not-found")


JOB = {"job": {"spec": {"backoffLimit": 0, "template": {"spec": {
    "restartPolicy": "Never", "containers": [{"name": "main", "image": "alpine", "command": ["true"]}]}}}}}


def runs_are_carried_out_under_the_account():
    kubectl("apply", "-f", root / "deploy/rbac.yaml")
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "creds", "namespace": "default"},
              "data": {"key": base64.b64encode(b"open-sesame").decode()}}
    kubectl("apply", "-f", "-", given=json.dumps(secret))
    source = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=source.serve_forever, daemon=True).start()
    web = {"provider": {"web": {"url": f"http://127.0.0.1:{source.server_port}/", "jsonPath": "{$.token}",
                                "headers": [{"key": "X-Key", "value": "{{args.key}}"}]}},
           "successCondition": "result startsWith 'open'"}
    with scratch() as folder, served(folder, "--kubeconfig", account_config(folder)):
        kubectl("apply", "-f", "-", given=analysis_run("asked", **web))
        until(lambda: phase("asked") == "Successful", "a run with a Secret has succeeded")
        assert "open-sesame" not in kubectl("get", "analysisrun", "asked", "-o", "yaml")
        until(lambda: "AnalysisRunSuccessful" in kubectl("get", "events", "-o", "jsonpath={.items[*].reason}"), "an event")

        kubectl("apply", "-f", "-", given=analysis_run("worked", provider=JOB))
        job = until(lambda: kubectl("get", "jobs", "-o", "name").strip(), "a Job")
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        done = [{"type": kind, "status": "True", "lastTransitionTime": now} for kind in ("SuccessCriteriaMet", "Complete")]
        kubectl("patch", job, "--subresource=status", "--type=merge", "-p", json.dumps(
            {"status": {"conditions": done, "startTime": now, "completionTime": now, "succeeded": 1}}))
        until(lambda: phase("worked") == "Successful", "a run with a Job has succeeded")

        kubectl("apply", "-f", "-", given=analysis_run("ended", provider=JOB))
        until(lambda: len(kubectl("get", "jobs", "-o", "name").split()) == 2, "a second Job")
        kubectl("patch", "analysisrun", "ended", "--type=merge", "-p", '{"spec":{"terminate":true}}')
        until(lambda: phase("ended") in ("Successful", "Inconclusive"), "a run that was terminated has ended")
        until(lambda: kubectl("get", "jobs", "-o", "name").split() == [job], "its Job is gone")

        kubectl("apply", "-f", "-", given=analysis_run("short", **web))
        until(lambda: phase("short") == "", "a run whose time is over is deleted")


# What Keptn's own is like, as far as it is read.
KEPTN_METRICS = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: keptnmetrics.metrics.keptn.sh}
spec:
  group: metrics.keptn.sh
  scope: Namespaced
  names: {plural: keptnmetrics, singular: keptnmetric, kind: KeptnMetric, listKind: KeptnMetricList}
  versions:
    - name: v1beta1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
"""
KEPTN_METRIC = """
apiVersion: metrics.keptn.sh/v1beta1
kind: KeptnMetric
metadata: {name: errors, namespace: default}
status: {value: "0.25"}
"""


def metrics_of_keptn_are_asked_for_under_the_account():
    kubectl("apply", "-f", "-", given=KEPTN_METRICS)
    kubectl("wait", "--for=condition=Established", "crd/keptnmetrics.metrics.keptn.sh", "--timeout=30s")
    kubectl("apply", "-f", "-", given=KEPTN_METRIC)
    asked = {"provider": {"source": {"type": "keptn", "query": "keptnmetric/default/errors"}}}
    with scratch() as folder:
        (folder / "data").mkdir(mode=0o700)
        config = account_config(folder)
        server = Server(folder / "data", "--kubeconfig", config).start()
        try:
            kubectl("apply", "-f", "-", given=analysis_run("keptn-good", successCondition="result < 0.3", **asked))
            kubectl("apply", "-f", "-", given=analysis_run("keptn-bad", successCondition="result < 0.2", **asked))
            until(lambda: phase("keptn-good") == "Successful", "a metric of Keptn's is read")
            until(lambda: phase("keptn-bad") == "Failed", "and judged")
        finally:
            server.kill()
        (folder / "run.yaml").write_text(json.dumps({
            "apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisTemplate", "metadata": {"name": "here"},
            "spec": {"metrics": [{"name": "m", "consecutiveErrorLimit": 0, "successCondition": "result == 0.25", **asked}]}}))
        done = subprocess.run([slipway, "analyze", "-f", folder / "run.yaml", "--kubeconfig", config], capture_output=True, text=True)
        assert done.returncode == 0, done
        done = subprocess.run([slipway, "analyze", "-f", folder / "run.yaml"], capture_output=True, text=True,
                              env={"PATH": os.environ["PATH"], "HOME": str(folder)})
        assert done.returncode != 0 and "--kubeconfig" in done.stdout + done.stderr, done


def experiments_are_carried_out_under_the_account():
    source = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=source.serve_forever, daemon=True).start()
    template = {"apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisTemplate", "metadata": {"name": "asked"},
                "spec": {"args": [{"name": "hash"}], "metrics": [{"name": "m", "successCondition": "true", "provider": {
                    "web": {"url": f"http://127.0.0.1:{source.server_port}/{{{{args.hash}}}}"}}}]}}
    labels = {"app": "demo"}
    variant = {"name": "a", "replicas": 0, "selector": {"matchLabels": labels}, "service": {}, "template": {
        "metadata": {"labels": labels}, "spec": {"containers": [{"name": "main", "image": "alpine"}]}}}
    judged = {"name": "good", "templateName": "asked", "requiredForCompletion": True,
              "args": [{"name": "hash", "value": "{{templates.a.podTemplateHash}}"}]}
    experiment = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Experiment", "metadata": {"name": "tried"},
                  "spec": {"templates": [variant], "analyses": [judged]}}
    with scratch() as folder, served(folder, "--kubeconfig", account_config(folder)):
        for one in (template, experiment):
            kubectl("apply", "-n", "default", "-f", "-", given=json.dumps(one))
        assert see_replica_set("app=demo") == "replicaset.apps/tried-a"
        until(lambda: kubectl("get", "experiment", "tried", "-o", "jsonpath={.status.phase}") == "Successful", "it has succeeded")
        assert kubectl("get", "analysisrun", "tried-good", "-o", "jsonpath={.status.phase}") == "Successful"
        kubectl("delete", "experiment", "tried", "--cascade=orphan")


# A place that is the same in every Pod, in a mount namespace of the server's own.
IN_A_POD = """mount -t tmpfs tmpfs /var/run && mkdir -p "$1" && cp "$0"/* "$1" && shift && exec "$@" """
ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount"


def pod_prefix(folder):
    """What a server is started by to find itself in a Pod of the account: its files, and the cluster in its environment."""
    cluster = json.loads(kubectl("config", "view", "--raw", "--minify", "--flatten", "-o", "json"))["clusters"][0]["cluster"]
    files = folder / "account"
    files.mkdir()
    (files / "token").write_text(kubectl("create", "token", "slipway", "-n", "slipway").strip())
    (files / "ca.crt").write_bytes(base64.b64decode(cluster["certificate-authority-data"]))
    (files / "namespace").write_text("slipway")
    url = urllib.parse.urlsplit(cluster["server"])
    return ["env", "-i", f"PATH={os.environ['PATH']}", f"HOME={folder}", f"KUBERNETES_SERVICE_HOST={url.hostname}",
            f"KUBERNETES_SERVICE_PORT={url.port}", "unshare", "-rm", "sh", "-c", IN_A_POD, files, ACCOUNT_FOLDER]


def a_server_in_a_pod_finds_the_cluster_and_its_account():
    if subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/var/run"], capture_output=True).returncode != 0:
        raise Skip("this machine cannot mount a file system in a namespace of its own")
    kubectl("apply", "-f", root / "deploy/rbac.yaml")
    rollout = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": {"name": "in-a-pod", "namespace": "default"},
               "spec": {"replicas": 0, "selector": {"matchLabels": {"app": "in-a-pod"}}, "strategy": {"canary": {}}, "template": {
                   "metadata": {"labels": {"app": "in-a-pod"}}, "spec": {"containers": [{"name": "main", "image": "alpine"}]}}}}
    holder = ("get", "lease", "slipway", "-n", "slipway", "--ignore-not-found", "-o", "jsonpath={.spec.holderIdentity}")
    before = kubectl(*holder)
    with scratch() as folder, served(folder, "--in-cluster", prefix=pod_prefix(folder)) as server:
        until(lambda: kubectl(*holder) not in ("", before), "it holds the Lease of its namespace")
        until(lambda: server.client(token="").send("GET", "/readyz")[0] == 200, "it is ready")
        kubectl("apply", "-f", "-", given=json.dumps(rollout))
        see_replica_set("app=in-a-pod")
        until(lambda: kubectl("get", "rollout", "in-a-pod", "-o", "jsonpath={.status.phase}") == "Healthy",
              lambda: kubectl("get", "rollout", "in-a-pod", "-o", "jsonpath={.status}"))
        made = json.loads(kubectl("get", "replicasets", "-l", "app=in-a-pod", "-o", "json"))["items"]
        assert [one["metadata"]["ownerReferences"][0]["name"] for one in made] == ["in-a-pod"], made
        assert server.stop() == 0, "SIGTERM ends it with 0"
        assert kubectl(*holder) == "", "the Lease is released"


def outside_of_a_pod_it_says_so():
    with scratch() as folder:
        for host, said in (("", "not inside a cluster"), ("127.0.0.1", f"{ACCOUNT_FOLDER}/token")):
            done = subprocess.run([slipway, "serve", "--in-cluster", "--data", folder / "data", "--port", "0"], capture_output=True,
                                  text=True, timeout=60, env={"PATH": os.environ["PATH"], "HOME": str(folder),
                                                              "KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": "6443"})
            assert done.returncode == 3 and said in done.stderr, done


def the_account_may_do_no_more():
    for words in (["list", "secrets"], ["create", "rollouts"], ["create", "pods"], ["create", "deployments"],
                  ["update", "jobs"], ["create", "clusterroles"], ["delete", "leases", "-n", "slipway"], ["get", "leases"]):
        done = subprocess.run([pathlib.Path(os.environ["KUBE_BIN"]) / "kubectl", "auth", "can-i", *words, "--as", ACCOUNT],
                              capture_output=True, text=True)
        assert done.stdout.strip() == "no", (words, done)


if __name__ == "__main__":
    if "KUBE_BIN" not in os.environ:
        os.execv(here / "with-cluster", [here / "with-cluster", "--crds", root / "deploy/crds", "--", sys.executable, __file__,
                                         *sys.argv[1:]])
    run([runs_are_carried_out_under_the_account, metrics_of_keptn_are_asked_for_under_the_account,
         experiments_are_carried_out_under_the_account, a_server_in_a_pod_finds_the_cluster_and_its_account,
         outside_of_a_pod_it_says_so, the_account_may_do_no_more])
