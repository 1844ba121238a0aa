"""The two clusters that a script of workloads_test.py is played on: slipway's own, whose Pods are processes, and
kube-apiserver with kube-controller-manager, whose Pods a stand-in takes through their lives."""
import http.client
import json
import os
import pathlib
import ssl
import subprocess
import tempfile
import threading
import time

NODE = "slipway"  # as slipway calls its own
KUBECTL_TIMEOUT_S = 240
# What Pods of an image do, by the image's name: run until they are told to end, or end by themselves after a while. An
# image that is not here never starts.
IMAGES = {"web": None, "run": None, "ok": 0, "fail": 1, "odd": 42}
WORK_S = 0.4


def images_file(path):
    """The same for slipway."""
    def command(code):
        return ["sleep", "100000"] if code is None else ["sh", "-c", f"sleep {WORK_S}; exit {code}"]
    path.write_text("".join(f'"{name}:*": {json.dumps(command(code))}\n' for name, code in IMAGES.items()))
    return path


class Api:
    """One connection, for one thread."""

    def __init__(self, port, ca, token):
        self.port, self.token = port, token
        self.tls = ssl.create_default_context(cafile=str(ca))
        self.connection = None

    def send(self, method, path, body=None, content_type="application/json", accept="application/json"):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": content_type, "Accept": accept}
        data = None if body is None else json.dumps(body)
        for attempt in (1, 2):
            try:
                if not self.connection:
                    self.connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=self.tls, timeout=60)
                self.connection.request(method, path, data, headers)
                answer = self.connection.getresponse()
                return answer.status, json.loads(answer.read() or b"{}")
            except (OSError, http.client.HTTPException):
                self.connection = None  # closed meanwhile: a keep-alive connection may be, between two requests
                if attempt == 2:
                    raise

    def get(self, path, **more):
        status, document = self.send("GET", path, **more)
        assert status == 200, (path, document)
        return document


class Side:
    """Where to play."""

    def __init__(self, name, kubectl, kubeconfig, port, ca, token):
        self.name, self.kubectl, self.kubeconfig = name, kubectl, str(kubeconfig)
        self.reach = (port, ca, token)
        self.home = tempfile.TemporaryDirectory(prefix="slipway-kubectl-")

    def api(self):
        return Api(*self.reach)

    def run_kubectl(self, namespace, *words, stdin=""):
        environment = {"PATH": os.environ["PATH"], "HOME": self.home.name, "KUBECONFIG": self.kubeconfig}
        done = subprocess.run([self.kubectl, "-n", namespace, *words], input=stdin, capture_output=True, text=True,
                              timeout=KUBECTL_TIMEOUT_S, env=environment)
        return done.returncode, done.stdout + done.stderr


def side_of_slipway(server, kubectl):
    return Side("slipway", kubectl, server.folder / "kubeconfig", server.port, server.folder / "ca.crt", server.token())


def side_of_cluster(kubeconfig, kubectl):
    config = json.loads(pathlib.Path(kubeconfig).read_text())
    port = int(config["clusters"][0]["cluster"]["server"].rsplit(":", 1)[1])
    ca = pathlib.Path(kubeconfig).parent / "pki/ca.crt"
    return Side("kubernetes", kubectl, kubeconfig, port, ca, config["users"][0]["user"]["token"])


def stamp(at):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


class Node:
    """Binds Pods, starts them, ends them, and takes them away when they are deleted, as a kubelet does."""

    PERIOD_S = 0.15

    def __init__(self, side):
        self.api = side.api()
        self.started = {}  # by uid: when
        self.addresses = {}  # by uid
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        while not self.stopping.wait(self.PERIOD_S):
            for pod in self.api.get("/api/v1/pods")["items"]:
                self.look_at(pod)

    def look_at(self, pod):
        meta, phase = pod["metadata"], pod["status"].get("phase", "Pending")
        path = f"/api/v1/namespaces/{meta['namespace']}/pods/{meta['name']}"
        image = pod["spec"]["containers"][0]["image"].split(":")[0]
        if "deletionTimestamp" in meta:
            if phase == "Running":
                self.write(path, pod, "Failed", 143)
            if meta.get("deletionGracePeriodSeconds", 0) > 0:
                self.api.send("DELETE", path + "?gracePeriodSeconds=0")
        elif not pod["spec"].get("nodeName"):
            binding = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": meta["name"]},
                       "target": {"apiVersion": "v1", "kind": "Node", "name": NODE}}
            self.api.send("POST", path + "/binding", binding)
            if image in IMAGES:
                self.started[meta["uid"]] = time.time()
                self.write(path, pod, "Running", None)
        elif phase == "Running" and IMAGES[image] is not None and time.time() - self.started[meta["uid"]] > WORK_S:
            if IMAGES[image] and pod["spec"]["restartPolicy"] == "OnFailure":
                self.write(path, pod, "Running", IMAGES[image], restarts=1)
            else:
                self.write(path, pod, "Failed" if IMAGES[image] else "Succeeded", IMAGES[image])

    def free_address(self):
        return f"10.1.{len(self.addresses) // 250}.{len(self.addresses) % 250 + 1}"

    def write(self, path, pod, phase, code, restarts=0):
        """`code` is what its container has ended with, None while it runs."""
        started, now = stamp(self.started.get(pod["metadata"]["uid"], time.time())), stamp(time.time())
        state = {"running": {"startedAt": started}} if code is None else {"terminated": {
            "exitCode": code, "startedAt": started, "finishedAt": now, "reason": "Error" if code else "Completed"}}
        container = pod["spec"]["containers"][0]
        ready = phase == "Running" and not restarts and "readinessProbe" not in container  # those of the scripts fail
        address = self.addresses.setdefault(pod["metadata"]["uid"], self.free_address())
        conditions = [{"type": type_, "status": str(ready), "lastTransitionTime": now} for type_ in
                      ("Ready", "ContainersReady")]
        status = {"phase": phase, "startTime": started, "podIP": address, "podIPs": [{"ip": address}],
                  "conditions": conditions, "containerStatuses": [{
                      "name": container["name"], "image": container["image"], "imageID": container["image"],
                      "ready": ready, "restartCount": restarts, "state": state}]}
        self.api.send("PATCH", path + "/status", {"status": status}, "application/strategic-merge-patch+json")

    def __enter__(self):
        # Without it, its Pods would not be listed for Services.
        self.api.send("POST", "/api/v1/nodes", {"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE}})
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()
