#!/usr/bin/env python3
"""`slipway serve --kubeconfig` beside a real API server: who leads, health, stopping, wrong flags."""
import os
import pathlib
import re
import subprocess
import sys
import time

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here.parent / "integration"))
from harness import Server, run, scratch, slipway, until  # noqa: E402

TAKE_OVER_S = 40  # a lease of 15 s, a try every 2 s, on a busy machine


def metric(server, name):
    status, text = server.client().send("GET", "/metrics")
    assert status == 200, text
    return float(re.search(rf"^{name} (\S+)$", text, re.M)[1])


def leads(server):
    return metric(server, "slipway_leader") == 1


def kubectl(*words):
    done = subprocess.run([pathlib.Path(os.environ["KUBE_BIN"]) / "kubectl", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def copies(folder, count):
    for index in range(count):
        data = folder / f"copy{index}"
        data.mkdir(mode=0o700)
        yield Server(data, "--kubeconfig", os.environ["KUBECONFIG"]).start()


def one_copy_leads_and_another_takes_over():
    with scratch() as folder:
        first, second = servers = list(copies(folder, 2))
        try:
            until(lambda: leads(first) != leads(second), "one of two leads", TAKE_OVER_S)
            leader, other = (first, second) if leads(first) else (second, first)
            for server in servers:
                until(lambda: server.client(token="").send("GET", "/readyz")[0] == 200, "both are ready", TAKE_OVER_S)
            holder = kubectl("get", "lease", "slipway", "-n", "default", "-o", "jsonpath={.spec.holderIdentity}")
            assert holder, "the lease has no holder"
            started = time.monotonic()
            assert leader.stop() == 0, "SIGTERM ends it with 0"
            until(lambda: leads(other), "the other leads once the first has stopped", TAKE_OVER_S)
            assert time.monotonic() - started < 12, "a released lease need not run out"
            leader.start()
            other.kill()
            until(lambda: leads(leader), "the first leads again once the other was killed", TAKE_OVER_S)
            assert kubectl("get", "lease", "slipway", "-n", "default", "-o", "jsonpath={.spec.holderIdentity}") != holder
        finally:
            for server in servers:
                server.kill()


def objects_are_left_to_the_cluster():
    with scratch() as folder:
        server = next(copies(folder, 1))
        try:
            status, body = server.client().send("GET", "/api/v1/namespaces")
            assert status == 404 and "cluster's own API server" in body["message"], body
            assert server.client().send("GET", "/version")[0] == 200
            assert server.client(token="").send("GET", "/metrics")[0] == 401
            assert not (folder / "copy0/slipway.db").exists()
        finally:
            server.kill()


def a_cluster_that_cannot_be_reached_is_said_at_once():
    with scratch() as folder:
        config = folder / "config"
        config.write_text("apiVersion: v1\nkind: Config\ncurrent-context: a\n"
                          "contexts: [{name: a, context: {cluster: a, user: a}}]\n"
                          "clusters: [{name: a, cluster: {server: 'https://127.0.0.1:9'}}]\n"
                          "users: [{name: a, user: {}}]\n")
        done = subprocess.run([slipway, "serve", "--kubeconfig", config, "--data", folder / "data", "--port", "0"],
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 3, done
        assert "cannot reach the cluster at https://127.0.0.1:9" in done.stderr, done.stderr


def flags_that_contradict_each_other_are_refused():
    for words, said in ((["--kubeconfig", "x", "--memory"], "--memory"), (["--context", "x"], "--context"),
                        (["--in-cluster", "--kubeconfig", "x"], "--in-cluster"),
                        (["--lease-namespace", "x"], "--lease-namespace")):
        done = subprocess.run([slipway, "serve", *words], capture_output=True, text=True, timeout=60)
        assert done.returncode == 64 and said in done.stderr, done


if __name__ == "__main__":
    if "KUBE_BIN" not in os.environ:
        os.execv(here / "with-cluster", [here / "with-cluster", sys.executable, __file__, *sys.argv[1:]])
    run([one_copy_leads_and_another_takes_over, objects_are_left_to_the_cluster,
         a_cluster_that_cannot_be_reached_is_said_at_once, flags_that_contradict_each_other_are_refused])
