#!/usr/bin/env python3
"""Pods as real processes, looked at and steered with kubectl (slipway's own commands where there is none); logs with both."""
import contextlib
import glob
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402
from harness import until  # noqa: E402

PATIENCE_S = 60 if "SLIPWAY_SANITIZED" in os.environ else 30
NOTICE_S = 1 * harness.patience
WEB = {"name": "main", "image": "web", "command": ["python3", "-u", "-m", "http.server", "8000"],
       "readinessProbe": {"httpGet": {"path": "/", "port": 8000}, "periodSeconds": 1}}


def find_kubectl():
    folders = [os.environ.get("KUBE_BIN", ""), *glob.glob(os.path.expanduser("~/.cache/slipway/kube-*/bin"))]
    return next((f"{folder}/kubectl" for folder in folders if os.access(f"{folder}/kubectl", os.X_OK)), None)


kubectl = find_kubectl()
both = [program for program in (kubectl, harness.slipway) if program]


def shell(script, **more):
    return {"name": "main", "image": "script", "command": ["/bin/sh", "-c", script], **more}


def pod(name, *containers, **spec):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"app": name}},
            "spec": {"containers": list(containers), **spec}}


class Cluster:
    """A server, the commands of a person, and what is left of Pods in the end."""

    def __init__(self, server):
        self.server = server
        self.program = kubectl or harness.slipway

    def ask(self, *words, body=None, timeout=2 * PATIENCE_S, program=None):
        environment = {**os.environ, "KUBECONFIG": str(self.server.folder / "kubeconfig")}
        return subprocess.run([program or self.program, *words], input=json.dumps(body) if body else None, text=True,
                              capture_output=True, timeout=timeout, env=environment)

    def say(self, *words, body=None, program=None):
        done = self.ask(*words, body=body, program=program)
        assert done.returncode == 0, f"{program or self.program} {words}: {done.stdout} {done.stderr}"
        return done.stdout

    def apply(self, *objects):
        for each in objects:
            self.say("apply", "-f", "-", body=each)

    def get(self, name):
        return json.loads(self.say("get", "pod", name, "-o", "json"))

    def wait_ready(self, name):
        self.say("wait", "pod", name, "--for=condition=Ready", f"--timeout={PATIENCE_S}s")
        return self.get(name)

    def events(self, name):
        client = self.server.client()
        _, page = client.send("GET", f"/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3D{name}")
        client.close()
        return {event["reason"] for event in page["items"]}

    def processes(self):
        """Of containers."""
        return list(harness.processes(f"SLIPWAY_POD_FOLDER={self.server.folder}/pods/"))

    def shims(self):
        return [pid for pid, words in harness.processes(self.server.folder).items() if words[1:2] == ["pod-shim"]]

    def proxies(self):
        with contextlib.suppress(OSError, ValueError):
            return [int((self.server.folder / "traffic/haproxy.pid").read_text())]
        return []


@contextlib.contextmanager
def cluster(*arguments):
    with harness.running(*arguments) as server:
        made = Cluster(server)
        try:
            yield made
            if server.process.poll() is None:
                client = server.client()
                client.send("DELETE", "/api/v1/namespaces/default/pods?gracePeriodSeconds=1")
                client.close()
                until(lambda: not made.processes() and not made.shims(), "processes of deleted Pods are left")
        finally:
            server.kill()  # first: it would start them again
            for pid in made.shims() + made.processes() + made.proxies():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def fetch(address, port=8000):
    with urllib.request.urlopen(f"http://{address}:{port}/", timeout=PATIENCE_S) as answer:
        return answer.status


def main_status(document):
    """Of the first container; of one that nobody has looked at yet, that it has done nothing."""
    return document["status"].get("containerStatuses", [{"restartCount": 0, "state": {}}])[0]


def pods_of_one_port_become_ready_and_serve():
    with cluster() as it:
        it.apply(pod("one", WEB), pod("two", WEB))
        addresses = [it.wait_ready(name)["status"]["podIP"] for name in ("one", "two")]
        assert len(set(addresses)) == 2, addresses
        for address in addresses:
            assert fetch(address) == 200
        assert "1/1" in it.say("get", "pod", "one")
        until(lambda: {"Scheduled", "Created", "Started"} <= it.events("one"), lambda: str(it.events("one")))


def a_watch_shows_the_pod_become_ready():
    with cluster() as it:
        environment = {**os.environ, "KUBECONFIG": str(it.server.folder / "kubeconfig")}
        watching = subprocess.Popen([it.program, "get", "pods", "-w"], stdout=subprocess.PIPE, text=True,
                                    env=environment)
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(iter(watching.stdout.readline, "")), daemon=True)
        reader.start()
        try:
            it.apply(pod("web", WEB))
            until(lambda: any("1/1" in line and "Running" in line for line in lines), lambda: "".join(lines))
        finally:
            watching.kill()
            watching.wait()
        assert any("Pending" in line or "ContainerCreating" in line for line in lines), lines


def logs_are_shown_followed_and_cut():
    with cluster() as it:
        for number, program in enumerate(both):
            logs_of_one_pod(it, f"talk-{number}", program)


def logs_of_one_pod(it, name, program):
    """The Pod says its last words once somebody follows."""
    told = it.server.folder.parent / name
    it.apply(pod(name, shell("for i in 1 2 3; do echo line $i; done; "
                             f"until [ -e {told} ]; do sleep 0.1; done; echo late; sleep 0.2; echo odd >&2"),
                 restartPolicy="Never"))

    def logs(*words):
        return it.say("logs", name, *words, program=program)

    until(lambda: it.ask("logs", name, program=program).stdout == "line 1\nline 2\nline 3\n",
          lambda: it.ask("logs", name, program=program).stderr)
    assert logs("--tail", "1") == "line 3\n" and logs("--tail=0") == ""
    threading.Timer(1, told.touch).start()
    followed = logs("-f", "--tail=2")
    assert followed == "line 2\nline 3\nlate\nodd\n", (program, followed)
    until(lambda: it.get(name)["status"]["phase"] == "Succeeded", "it never ends")
    assert logs("-f") == logs() == "line 1\nline 2\nline 3\nlate\nodd\n", program
    stamped = logs("--timestamps", "--tail=2").splitlines()
    assert len(stamped) == 2 and stamped[0].startswith("20") and stamped[0].endswith("Z late"), (program, stamped)
    refused = it.ask("logs", name, "--previous", program=program)
    assert refused.returncode != 0 and "not found" in refused.stderr, (program, refused.stderr)


def usage_is_told():
    with cluster() as it:
        it.apply(pod("busy", shell("while :; do :; done")))
        it.wait_ready("busy")
        client = it.server.client()
        path = "/apis/metrics.k8s.io/v1beta1/namespaces/default/pods"
        items = until(lambda: client.send("GET", path)[1]["items"], "no usage is told")
        usage = items[0]["containers"][0]["usage"]
        assert int(usage["cpu"].removesuffix("n")) > 10_000_000 and usage["memory"].endswith("Ki"), usage
        assert client.send("GET", path + "/busy")[1]["kind"] == "PodMetrics"
        assert client.send("GET", path + "?labelSelector=app%3Dother")[1]["items"] == []
        client.close()
        if kubectl:
            top = it.say("top", "pod")
            assert "busy" in top and "Mi" in top, top


def a_deleted_pod_may_say_goodbye():
    with cluster() as it:
        mark = it.server.folder.parent / "goodbye"
        goodbye = f"trap 'sleep 1; echo bye > {mark}; exit 0' TERM"
        it.apply(pod("polite", shell(f"{goodbye}; echo up; while :; do sleep 0.1; done")))
        it.wait_ready("polite")
        until(lambda: "up" in it.ask("logs", "polite").stdout, "it never begins")
        began = time.monotonic()
        it.say("delete", "pod", "polite")
        assert time.monotonic() - began >= 1 and mark.read_text() == "bye\n"
        assert it.ask("get", "pod", "polite").returncode != 0
        until(lambda: not it.processes() and not it.shims(), "something of it still runs")
        assert not list((it.server.folder / "pods").iterdir())


def a_deaf_pod_is_killed_when_its_grace_is_over():
    with cluster() as it:
        it.apply(pod("deaf", shell("trap '' TERM; echo up; while :; do sleep 0.1; done"),
                     terminationGracePeriodSeconds=2))
        it.wait_ready("deaf")
        until(lambda: "up" in it.ask("logs", "deaf").stdout, "it never begins")
        began = time.monotonic()
        it.say("delete", "pod", "deaf")
        assert 1.5 <= time.monotonic() - began < PATIENCE_S
        until(lambda: not it.processes(), "it still runs")


def goodbye(mark, seconds=1):
    """A container that takes its time to stop, and its preStop hook; both leave a line."""
    return {**shell(f"trap 'sleep {seconds}; echo bye >> {mark}; exit 0' TERM; echo up; while :; do sleep 0.1; done"),
            "lifecycle": {"preStop": {"exec": {"command": ["/bin/sh", "-c", f"echo hook >> {mark}"]}}}}


def a_pod_past_its_deadline_may_say_goodbye_and_has_failed_then():
    with cluster() as it:
        mark = it.server.folder.parent / "goodbye"
        it.apply(pod("late", goodbye(mark), activeDeadlineSeconds=2))
        status = until(lambda: it.get("late")["status"]["phase"] == "Failed" and it.get("late")["status"],
                       lambda: str(it.get("late")["status"]))
        assert status["reason"] == "DeadlineExceeded", status
        assert mark.read_text() == "hook\nbye\n"
        assert status["containerStatuses"][0]["state"]["terminated"]["exitCode"] == 0, status
        assert not it.processes()


def a_sidecar_may_say_goodbye_when_the_work_is_done():
    with cluster() as it:
        mark = it.server.folder.parent / "goodbye"
        it.apply(pod("work", shell("sleep 1"), restartPolicy="Never",
                     initContainers=[{**goodbye(mark), "name": "side", "restartPolicy": "Always"}]))
        until(lambda: it.get("work")["status"]["phase"] == "Succeeded", lambda: str(it.get("work")["status"]))
        assert mark.read_text() == "hook\nbye\n"
        assert not it.processes()


def pods_go_on_when_the_server_is_killed():
    with cluster() as it:
        it.apply(pod("web", WEB))
        before = it.wait_ready("web")
        pids = sorted(it.processes())
        address = before["status"]["podIP"]
        it.server.kill()
        for _ in range(10):
            assert fetch(address) == 200
        it.server.start()
        time.sleep(2)
        after = it.get("web")
        assert sorted(it.processes()) == pids, "another process runs now"
        assert main_status(after) == main_status(before), (main_status(before), main_status(after))
        assert after["status"]["conditions"] == before["status"]["conditions"]
        assert fetch(address) == 200
        assert "GET / " in it.say("logs", "web")
        it.say("delete", "pod", "web")
        until(lambda: not it.processes() and not it.shims(), "it outlives its deletion")


def what_was_deleted_while_the_server_was_dead_is_ended():
    with cluster("--memory") as it:  # whose objects end with it
        it.apply(pod("web", WEB))
        it.wait_ready("web")
        assert it.processes()
        it.server.kill()
        it.server.start()
        until(lambda: not it.processes() and not it.shims(), "a Pod without object still runs")


def notices(it, what, holds):
    """Whether this holds soon after a kill that was done just now; asked directly, for a command's own start takes long."""
    client = it.server.client()
    seen = ()

    def asked():
        nonlocal seen
        found = client.send("GET", "/api/v1/namespaces/default/pods/web")[1]
        events = client.send("GET", "/api/v1/namespaces/default/events")[1]["items"]
        seen = main_status(found), [(event["reason"], event.get("count", 1)) for event in events]
        return holds(*seen)

    try:
        until(asked, lambda: f"{what} is not noticed within {NOTICE_S} s: {seen}", NOTICE_S)
    finally:
        client.close()


def was_killed(status):
    return status["lastState"].get("terminated", {}).get("exitCode") == 137


def was_unready_since(it, before):
    """Whether a Pod whose container was killed was ever not ready since; looks from time to time may miss that."""
    client = it.server.client()
    version = before["metadata"]["resourceVersion"]
    answer = client.stream(f"/api/v1/namespaces/default/pods?watch=true&timeoutSeconds=1&resourceVersion={version}").read()
    client.close()
    statuses = [main_status(json.loads(line)["object"]) for line in answer.splitlines()]
    return any(was_killed(status) and not status["ready"] for status in statuses)


def a_killed_container_is_noticed_at_once_and_started_again():
    with cluster() as it:
        it.apply(pod("web", WEB))
        before = it.wait_ready("web")
        old = it.processes()
        for pid in old:
            os.kill(pid, signal.SIGKILL)
        notices(it, "the end of a container", lambda status, events: was_killed(status)
                and status["restartCount"] == 1 and ("Started", 2) in events)
        assert was_unready_since(it, before)
        after = it.wait_ready("web")
        assert it.processes() and not set(it.processes()) & set(old), (old, it.processes())
        assert after["status"]["podIP"] == before["status"]["podIP"]
        assert fetch(after["status"]["podIP"]) == 200
        # Again, and it is kept back for a while: that is said.
        for pid in it.processes():
            os.kill(pid, signal.SIGKILL)
        notices(it, "the second end of a container",
                lambda status, events: status["state"].get("waiting", {}).get("reason") == "CrashLoopBackOff"
                and ("BackOff", 1) in events)
        until(lambda: main_status(it.get("web"))["ready"], lambda: str(main_status(it.get("web"))))


def a_killed_shim_is_noticed_at_once_and_replaced():
    with cluster() as it:
        it.apply(pod("web", WEB))
        before = it.wait_ready("web")
        old = it.shims()
        for pid in old:
            os.kill(pid, signal.SIGKILL)
        notices(it, "the end of a shim", lambda status, events: was_killed(status) and ("SandboxChanged", 1) in events)
        assert was_unready_since(it, before)
        until(lambda: it.shims() and it.shims() != old, "nobody looks after it")
        until(lambda: main_status(it.get("web"))["restartCount"] == 1, lambda: str(main_status(it.get("web"))))
        after = it.wait_ready("web")
        assert after["status"]["podIP"] == before["status"]["podIP"]
        assert fetch(after["status"]["podIP"]) == 200


def a_crash_is_counted_and_its_log_kept():
    with cluster() as it:
        it.apply(pod("crash", shell("echo run; date; exit 3")))
        until(lambda: main_status(it.get("crash"))["restartCount"] >= 1
              and "waiting" in main_status(it.get("crash"))["state"], lambda: str(main_status(it.get("crash"))))
        status = main_status(it.get("crash"))
        assert status["state"]["waiting"]["reason"] == "CrashLoopBackOff", status
        assert status["lastState"]["terminated"]["exitCode"] == 3, status
        for program in both:
            assert it.say("logs", "crash", "--previous", program=program).startswith("run\n"), program
            last = it.say("logs", "crash", "--previous", "--tail=1", program=program)
            assert last.count("\n") == 1 and last != "run\n", (program, last)
        assert "CrashLoopBackOff" in it.say("get", "pods")
        until(lambda: "BackOff" in it.events("crash"), lambda: str(it.events("crash")))


def a_liveness_probe_restarts_what_is_unwell():
    with cluster() as it:
        probe = {"exec": {"command": ["test", "-e", "well"]}, "initialDelaySeconds": 1, "periodSeconds": 1,
                 "failureThreshold": 1}
        it.apply(pod("ill", shell("touch well; sleep 3; rm well; sleep 1000", livenessProbe=probe),
                     terminationGracePeriodSeconds=1))
        until(lambda: main_status(it.get("ill"))["restartCount"] >= 1, lambda: str(main_status(it.get("ill"))))
        until(lambda: {"Unhealthy", "Killing"} <= it.events("ill"), lambda: str(it.events("ill")))


REDIRECTING = """
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        to = {"/away": "http://192.0.2.1:81/", "/near": "/good", "/bad": "/none"}.get(self.path)
        self.send_response(302 if to else 200 if self.path == "/good" else 500)
        if to: self.send_header("Location", to)
        self.end_headers()
    def log_message(self, *_): pass
http.server.HTTPServer(("", 8000), Handler).serve_forever()
"""


def a_probe_follows_redirects_within_its_host_alone():
    with cluster() as it:
        for path in ("away", "near", "bad"):
            probe = {"httpGet": {"path": f"/{path}", "port": 8000}, "periodSeconds": 1}
            it.apply(pod(path, {"name": "main", "image": "web", "command": ["python3", "-c", REDIRECTING], "readinessProbe": probe}))
        it.wait_ready("away")
        it.wait_ready("near")
        until(lambda: "Unhealthy" in it.events("bad"), lambda: str(it.events("bad")))


def configuration_reaches_the_container():
    environment = [{"name": "GREETING", "valueFrom": {"configMapKeyRef": {"name": "cm", "key": "greeting"}}},
                   {"name": "WORD", "valueFrom": {"secretKeyRef": {"name": "sec", "key": "word"}}},
                   {"name": "ME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]
    with cluster() as it:
        it.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "cm"}, "data": {"greeting": "hello"}},
                 {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "sec"}, "stringData": {"word": "s3cret"}},
                 pod("reader", shell('echo "$GREETING $WORD $ME $POD_IP"; cat "$SLIPWAY_MOUNT_FILES/greeting"; echo',
                                     env=environment,
                                     volumeMounts=[{"name": "files", "mountPath": "/etc/slipway-test-files"}]),
                     volumes=[{"name": "files", "configMap": {"name": "cm"}}], restartPolicy="Never"))
        until(lambda: it.get("reader")["status"]["phase"] == "Succeeded", lambda: str(it.get("reader")["status"]))
        document = it.get("reader")
        assert it.say("logs", "reader") == f"hello s3cret reader {document['status']['podIP']}\nhello\n"


def init_containers_run_first():
    with cluster() as it:
        it.apply(pod("steps", {**shell("echo main"), "name": "last"}, restartPolicy="Never",
                     initContainers=[{**shell("sleep 1; echo first"), "name": "first"}]))
        until(lambda: it.get("steps")["status"]["phase"] == "Succeeded", lambda: str(it.get("steps")["status"]))
        status = it.get("steps")["status"]
        ended = status["initContainerStatuses"][0]["state"]["terminated"]["finishedAt"]
        assert ended <= main_status({"status": status})["state"]["terminated"]["startedAt"]
        assert it.say("logs", "steps", "-c", "first") == "first\n"


def an_init_container_makes_the_file_that_another_mounts():
    with cluster() as it:
        volume = {"name": "data", "mountPath": "/mnt"}
        it.apply(pod("reader", shell("cat ${SLIPWAY_MOUNT_DATA}", volumeMounts=[
                         {"name": "data", "mountPath": "/slipway-conf", "subPath": "made/conf"}]),
                     initContainers=[{**shell("mkdir ${SLIPWAY_MOUNT_DATA}/made; echo x=1 > ${SLIPWAY_MOUNT_DATA}/made/conf",
                                              volumeMounts=[volume]), "name": "writer"}],
                     volumes=[{"name": "data", "emptyDir": {}}], restartPolicy="Never"))
        until(lambda: it.get("reader")["status"]["phase"] == "Succeeded", lambda: str(it.get("reader")["status"]))
        assert it.say("logs", "reader") == "x=1\n"


def a_sidecar_holds_back_what_follows_until_it_has_started():
    with cluster() as it:
        mark = it.server.folder.parent / "ready"
        probe = {"exec": {"command": ["test", "-e", str(mark)]}, "periodSeconds": 1, "failureThreshold": 100}
        it.apply(pod("web", shell("sleep 1000"), initContainers=[
            {**shell("sleep 1000"), "name": "side", "restartPolicy": "Always", "startupProbe": probe}]))
        until(lambda: "running" in it.get("web")["status"].get("initContainerStatuses", [{"state": {}}])[0]["state"],
              lambda: str(it.get("web")["status"]))
        it.server.kill()
        it.server.start()
        time.sleep(2)
        status = it.get("web")["status"]
        assert status["phase"] == "Pending" and "waiting" in main_status(it.get("web"))["state"], status
        mark.write_text("")
        assert it.wait_ready("web")["status"]["initContainerStatuses"][0]["started"]


def an_image_without_command_waits_until_it_has_one():
    with cluster() as it:
        it.apply(pod("image", {"name": "main", "image": "my/app:blue"}))
        waiting = until(lambda: main_status(it.get("image"))["state"].get("waiting", {}).get("message"),
                        "no reason is given")
        assert 'no command for image "my/app:blue"' in waiting and "images.yaml" in waiting, waiting
        assert "ImagePullBackOff" in it.say("get", "pods")
        images = 'my/app:*: [/bin/sh, -c, "echo $(SLIPWAY_IMAGE_TAG); sleep 1000"]\n'
        (it.server.folder / "images.yaml").write_text(images)
        it.wait_ready("image")
        until(lambda: it.ask("logs", "image").stdout == "blue\n", lambda: it.ask("logs", "image").stderr)


def another_image_is_run_in_the_same_pod():
    with cluster() as it:
        images = 'my/app:*: [/bin/sh, -c, "echo $(SLIPWAY_IMAGE_TAG); sleep 1000"]\n'
        (it.server.folder / "images.yaml").write_text(images)
        it.apply(pod("image", {"name": "main", "image": "my/app:blue"}, terminationGracePeriodSeconds=1))
        before = it.wait_ready("image")
        it.apply(pod("image", {"name": "main", "image": "my/app:green"}, terminationGracePeriodSeconds=1))
        until(lambda: it.ask("logs", "image").stdout == "green\n", lambda: it.ask("logs", "image").stderr)
        after = it.wait_ready("image")
        assert main_status(after)["restartCount"] == 1 and main_status(after)["image"] == "my/app:green", after["status"]
        assert after["status"]["podIP"] == before["status"]["podIP"]
        assert it.say("logs", "--previous", "image") == "blue\n"
        assert "Killing" in it.events("image")


def pods_that_are_deleted_are_nothing_to_warn_of():
    """Their shims end while they are being told to."""
    with cluster() as it:
        names = [f"web-{number}" for number in range(10)]
        it.apply(*(pod(name, {"name": "main", "image": "x", "command": ["sleep", "1000"]}) for name in names))
        for name in names:
            it.wait_ready(name)
        it.say("delete", "pods", "--all")
        log = (it.server.folder.parent / "data.log").read_text()
        assert "shim" not in log, log


def an_eviction_deletes():
    with cluster() as it:
        it.apply(pod("web", shell("sleep 1000"), terminationGracePeriodSeconds=1))
        it.wait_ready("web")
        client = it.server.client()
        path = "/api/v1/namespaces/default/pods/web"
        body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "web"}}
        status, answer = client.send("POST", path + "/eviction", body)
        assert (status, answer["status"]) == (201, "Success"), answer
        until(lambda: client.send("GET", path)[0] == 404, "it is still there")
        client.close()


def a_stopped_server_leaves_pods_and_takes_them_up_again():
    with cluster() as it:
        it.apply(pod("web", WEB))
        it.wait_ready("web")
        pids = sorted(it.processes())
        assert it.server.stop() == 0
        assert sorted(it.processes()) == pids
        it.server.start()
        assert main_status(it.wait_ready("web"))["restartCount"] == 0


if __name__ == "__main__":
    harness.run([pods_of_one_port_become_ready_and_serve, a_watch_shows_the_pod_become_ready,
                 logs_are_shown_followed_and_cut, usage_is_told, a_deleted_pod_may_say_goodbye,
                 a_deaf_pod_is_killed_when_its_grace_is_over, a_pod_past_its_deadline_may_say_goodbye_and_has_failed_then,
                 a_sidecar_may_say_goodbye_when_the_work_is_done, pods_go_on_when_the_server_is_killed,
                 what_was_deleted_while_the_server_was_dead_is_ended, a_killed_container_is_noticed_at_once_and_started_again,
                 a_killed_shim_is_noticed_at_once_and_replaced,
                 a_crash_is_counted_and_its_log_kept, a_liveness_probe_restarts_what_is_unwell,
                 a_probe_follows_redirects_within_its_host_alone,
                 configuration_reaches_the_container, init_containers_run_first,
                 an_init_container_makes_the_file_that_another_mounts, a_sidecar_holds_back_what_follows_until_it_has_started,
                 an_image_without_command_waits_until_it_has_one, another_image_is_run_in_the_same_pod,
                 pods_that_are_deleted_are_nothing_to_warn_of, an_eviction_deletes,
                 a_stopped_server_leaves_pods_and_takes_them_up_again])
