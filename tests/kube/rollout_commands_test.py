#!/usr/bin/env python3
"""`slipway rollout`, `slipway experiment` and a server that works for a real cluster: the same commands, through kube-apiserver alone;
and where Rollouts have no status subresource, too."""
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import threading

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "integration"))
import harness  # noqa: E402
from harness import until  # noqa: E402
from number_source import Numbers  # noqa: E402

root = here.parent.parent
PATIENCE_S = 60 * harness.patience


def kubectl(*words, given=None):
    done = subprocess.run([pathlib.Path(os.environ["KUBE_BIN"]) / "kubectl", *map(str, words)], capture_output=True,
                          text=True, input=given)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ask(*words, group="rollout"):
    return subprocess.run([harness.slipway, group, *words], capture_output=True, text=True, timeout=2 * PATIENCE_S)


def rollout(*words, group="rollout"):
    done = ask(*words, group=group)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


def experiment(*words):
    return rollout(*words, group="experiment")


def until_shown(name, wanted):
    until(lambda: re.search(wanted, rollout("get", name), re.M), lambda: wanted + "\n" + rollout("get", name))


def apply_rollout(name):
    container = {"name": "web", "image": "web:v1"}
    kubectl("apply", "-f", "-", given=json.dumps({
        "apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": {"name": name},
        "spec": {"replicas": 2, "selector": {"matchLabels": {"app": name}},
                 "template": {"metadata": {"labels": {"app": name}}, "spec": {"containers": [container]}},
                 "strategy": {"canary": {"steps": [{"setWeight": 50}, {"pause": {}}]}}}}))


@contextlib.contextmanager
def pods_get_ready():
    """In place of the ReplicaSet controller and nodes, which this cluster does not have."""
    over = threading.Event()

    def work():
        while not over.wait(0.2):
            with contextlib.suppress(AssertionError, KeyError):
                for one in json.loads(kubectl("get", "rs", "-o", "json"))["items"]:
                    wanted, seen = one["spec"]["replicas"], one["metadata"]["generation"]
                    status = {"replicas": wanted, "readyReplicas": wanted, "availableReplicas": wanted, "observedGeneration": seen}
                    if {key: one["status"].get(key, 0) for key in status} != status:
                        kubectl("patch", "rs", one["metadata"]["name"], "--subresource=status", "--type=merge", "-p",
                                json.dumps({"status": status}))
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def commands_do_the_same_on_a_cluster():
    with harness.scratch() as folder, pods_get_ready():
        (folder / "data").mkdir(mode=0o700)
        server = harness.Server(folder / "data", "--kubeconfig", os.environ["KUBECONFIG"]).start()
        try:
            apply_rollout("web")
            assert rollout("status", "web", "--timeout", f"{PATIENCE_S}s") == "Healthy\n"
            rollout("set", "image", "web", "web=web:v2")
            until_shown("web", "^Status: +॥ Paused$")
            until_shown("web", r"web:v2 \(canary\)$")
            assert rollout("promote", "web") == "rollout.argoproj.io/web promoted\n"
            assert rollout("status", "web", "--timeout", f"{PATIENCE_S}s") == "Healthy\n"
            rollout("set", "image", "web", "web=web:v3")
            until_shown("web", "^Status: +॥ Paused$")
            rollout("abort", "web")
            waited = ask("status", "web", "--timeout", f"{PATIENCE_S}s")
            assert waited.returncode == 1 and waited.stdout.startswith("Degraded - RolloutAborted"), waited
            rollout("retry", "web")
            until_shown("web", "^Status: +॥ Paused$")
            assert rollout("undo", "web") == "rollout.argoproj.io/web rolled back to revision 2 (web:v2)\n"
            assert rollout("status", "web", "--timeout", f"{PATIENCE_S}s") == "Healthy\n"
            rollout("pause", "web")
            until_shown("web", "^Message: +manually paused$")
            rollout("promote", "web")
            rollout("restart", "web")
            assert rollout("status", "web", "--timeout", f"{PATIENCE_S}s") == "Healthy\n"
            assert "web    Canary     Healthy   2/2    100          2/2     2         2            2" in rollout("list")
        finally:
            server.kill()
            kubectl("delete", "rollout", "web", "--ignore-not-found")


def read(kind, name):
    return json.loads(kubectl("get", kind, name, "-o", "json"))


def phase(kind, name):
    return read(kind, name).get("status", {}).get("phase")


def apply_experiment(name, numbers):
    """Runs until somebody ends it, or its number is bad."""
    labels = {"app": name}
    pods = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "web", "image": "web:v1"}]}}
    analysis = {"name": "number", "templateName": "number", "args": [{"name": "key", "value": name}]}
    made = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Experiment", "metadata": {"name": name},
            "spec": {"scaleDownDelaySeconds": 0, "analyses": [analysis],
                     "templates": [{"name": "a", "replicas": 1, "selector": {"matchLabels": labels}, "template": pods}]}}
    for one in (numbers.template("number", "key"), made):
        kubectl("apply", "-f", "-", given=json.dumps(one))


def see_an_experiment_fail_and_retry_it(numbers):
    numbers.of["tried"] = 99
    apply_experiment("tried", numbers)
    ended = ask("status", "tried", "--timeout", f"{PATIENCE_S}s", group="experiment")
    assert ended.returncode == 1 and ended.stdout.startswith('Failed: Metric "number" assessed Failed'), ended
    until(lambda: re.search("^├──⧉ tried-a +ReplicaSet +• ScaledDown ", experiment("get", "tried"), re.M),
          lambda: experiment("get", "tried"))
    assert re.search("^Status: +✖ Failed$", experiment("get", "tried"), re.M), experiment("get", "tried")
    uid = read("rs", "tried-a")["metadata"]["uid"]
    numbers.of["tried"] = 1
    assert experiment("retry", "tried") == "experiment.argoproj.io/tried retried\n"
    until(lambda: "tried-number.1" in kubectl("get", "analysisruns", "-o", "name"),
          lambda: "the retry has no run of its own\n" + kubectl("get", "experiments,replicasets,analysisruns,events", "-o", "yaml"))
    until(lambda: re.search("^├──⧉ tried-a +ReplicaSet +✔ Healthy ", experiment("get", "tried"), re.M),
          lambda: experiment("get", "tried"))
    assert read("rs", "tried-a")["metadata"]["uid"] == uid, "it was made again"
    assert phase("experiment", "tried") == "Running" and phase("analysisrun", "tried-number") == "Failed"


def end_its_run_and_then_the_experiment():
    assert rollout("terminate", "analysisrun", "tried-number.1") == "analysisrun.argoproj.io/tried-number.1 terminated\n"
    until(lambda: phase("analysisrun", "tried-number.1") == "Successful", lambda: read("analysisrun", "tried-number.1"))
    assert read("analysisrun", "tried-number.1")["spec"]["terminate"] is True
    until(lambda: re.search("^└──α tried-number.1 +AnalysisRun +✔ Successful ", experiment("get", "tried"), re.M),
          lambda: experiment("get", "tried"))
    assert phase("experiment", "tried") == "Running", "a run that is not required does not end it"
    assert experiment("terminate", "tried") == "experiment.argoproj.io/tried terminated\n"
    assert experiment("status", "tried", "--timeout", f"{PATIENCE_S}s") == "Successful\n"
    until(lambda: read("rs", "tried-a")["spec"]["replicas"] == 0, "its Pods go")
    assert read("experiment", "tried")["spec"]["terminate"] is True
    assert json.loads(experiment("get", "tried", "-o", "json"))["status"]["phase"] == "Successful"


def experiments_and_runs_are_ended_and_retried_on_a_cluster():
    numbers = Numbers()
    with harness.scratch() as folder, pods_get_ready():
        (folder / "data").mkdir(mode=0o700)
        server = harness.Server(folder / "data", "--kubeconfig", os.environ["KUBECONFIG"]).start()
        try:
            see_an_experiment_fail_and_retry_it(numbers)
            end_its_run_and_then_the_experiment()
        finally:
            server.kill()
            numbers.close()
            kubectl("delete", "experiment", "tried", "--ignore-not-found")


def where_there_is_no_status_subresource_the_object_is_patched():
    kubectl("patch", "crd", "rollouts.argoproj.io", "--type=json", "-p",
            '[{"op": "remove", "path": "/spec/versions/0/subresources/status"}]')
    apply_rollout("old")
    status = {"currentPodHash": "b", "stableRS": "a", "currentStepIndex": 0, "observedGeneration": "1", "phase": "Progressing"}

    def written(*path):
        found = json.loads(kubectl("get", "rollout", "old", "-o", "json"))
        for key in path:
            found = found.get(key)
        return found

    def write():  # until it counts: the API server takes its time to see what a CRD has become
        kubectl("patch", "rollout", "old", "--type=merge", "-p", json.dumps({"status": status}))
        return written("status")
    until(write, "a status is kept")
    assert rollout("promote", "old") == "rollout.argoproj.io/old promoted\n"
    assert written("status", "currentStepIndex") == 1
    rollout("pause", "old")
    rollout("promote", "old", "--full")
    assert written("status", "promoteFull") is True and written("spec", "paused") is False
    rollout("abort", "old")
    assert written("status", "abort") is True
    rollout("retry", "old")
    assert written("status", "abort") is False


if __name__ == "__main__":
    if "KUBE_BIN" not in os.environ:
        os.execv(here / "with-cluster", [here / "with-cluster", "--crds", root / "deploy/crds", "--", sys.executable, __file__,
                                         *sys.argv[1:]])
    harness.run([commands_do_the_same_on_a_cluster, experiments_and_runs_are_ended_and_retried_on_a_cluster,
                 where_there_is_no_status_subresource_the_object_is_patched])
