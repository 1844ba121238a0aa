#!/usr/bin/env python3
"""`slipway experiment get -w`: the tree as it grows, each change at once, and its end with that of the Experiment, whose
verdict is the exit code; nothing is read while nothing changes, and a server that is started again is heard again."""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402
from rollout_test import PATIENCE_S, world  # noqa: E402
from rollout_watch_test import AT_ONCE_S, QUIET_S, followed, lists  # noqa: E402

SUCCESSFUL, FAILED = 0, 1


def experiment(image="web:v1", **spec):
    labels = {"app": "colours"}
    container = {"name": "web", "image": image, "readinessProbe": {"tcpSocket": {"port": 8000}, "periodSeconds": 1}}
    pods = {"metadata": {"labels": labels}, "spec": {"terminationGracePeriodSeconds": 1, "containers": [container]}}
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Experiment", "metadata": {"name": "colours"},
            "spec": {"templates": [{"name": "purple", "selector": {"matchLabels": labels}, "template": pods}], **spec}}


def watched(it):
    return followed(it, "get", "colours", "-w", command="experiment")


def experiment_of(it, *words):
    done = it.ask("experiment", *words)
    assert done.returncode == 0, f"{words}: {done.stdout} {done.stderr}"


def the_tree_grows_and_ends_with_the_experiment():
    with world() as it:
        it.apply(experiment())
        with watched(it) as tree:
            tree.until(r"^Status: +◌ Running$")
            tree.until(r"^└──⧉ colours-purple +ReplicaSet +✔ Healthy")
            tree.until(r"^   └──□ colours-purple-\w+ +Pod +✔ Running +\S+ +ready:1/1$")
            experiment_of(it, "terminate", "colours")
            tree.until(r"^Status: +✔ Successful$", AT_ONCE_S)
            assert tree.process.wait(timeout=PATIENCE_S) == SUCCESSFUL


def one_that_fails_is_told_by_its_exit_code():
    with world() as it:
        it.apply(experiment("web:crashes", progressDeadlineSeconds=2))
        with watched(it) as tree:
            tree.until(r"^Status: +✖ Failed$")
            assert tree.process.wait(timeout=PATIENCE_S) == FAILED


def a_quiet_experiment_is_not_read_again():
    with world() as it:
        it.apply(experiment())
        with watched(it) as tree:
            tree.until(r"Pod +✔ Running +\S+ +ready:1/1$")
            time.sleep(2 * harness.patience)  # what is still settling has settled
            before = lists(it)
            time.sleep(QUIET_S)
            assert lists(it) - before < 5, "the tree is read though nothing changes"


def a_server_that_is_started_again_is_heard_again():
    with world() as it:
        it.apply(experiment())
        with watched(it) as tree:
            tree.until("Running")
            time.sleep(harness.patience)
            it.server.kill()
            tree.until("the server does not answer; waiting for it")
            it.server.start()
            experiment_of(it, "terminate", "colours")
            tree.until("Successful")
            assert tree.process.wait(timeout=PATIENCE_S) == SUCCESSFUL


if __name__ == "__main__":
    harness.run([the_tree_grows_and_ends_with_the_experiment, one_that_fails_is_told_by_its_exit_code,
                 a_quiet_experiment_is_not_read_again, a_server_that_is_started_again_is_heard_again])
