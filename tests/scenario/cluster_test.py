#!/usr/bin/env python3
"""Every script on a real control plane: kube-apiserver and kube-controller-manager, a stand-in for the node, and
`slipway serve --kubeconfig` beside them. What is done to Rollouts are the patches that Argo's own client sends."""
import json
import os
import pathlib
import ssl
import subprocess
import sys
import urllib.error
import urllib.request

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
sys.path[:0] = [str(here.parent / "integration"), str(here / "live")]
import harness  # noqa: E402
import stand_ins  # noqa: E402

PACE = 10
PROGRAMS = pathlib.Path(os.environ.get("SLIPWAY_SCENARIO_BIN", pathlib.Path(harness.slipway).parent / "tests/scenario"))
CONTROLLERS = ("replicaset-controller", "deployment-controller")


class ApiServer:
    """The one of $KUBECONFIG."""

    def __init__(self):
        config = json.loads(pathlib.Path(os.environ["KUBECONFIG"]).read_text())
        cluster = config["clusters"][0]["cluster"]
        self.url, self.token = cluster["server"], config["users"][0]["user"]["token"]
        self.tls = ssl.create_default_context(cafile=pathlib.Path(os.environ["KUBECONFIG"]).parent / "pki/ca.crt")

    def send(self, method, path, body=None, content_type="application/json"):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": content_type}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, context=self.tls, timeout=30) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:  # gone or changed meanwhile: the next look sees it
            return error.code, {}


def main():
    with harness.scratch() as folder, stand_ins.metrics(folder) as metrics, stand_ins.Node(ApiServer().send, folder):
        with harness.running("--kubeconfig", os.environ["KUBECONFIG"]):
            words = [PROGRAMS / "scenario_live", os.environ["KUBECONFIG"], metrics, folder, str(PACE)]
            return subprocess.run(words + sys.argv[1:2]).returncode


def with_cluster():
    """Runs this again beside a cluster."""
    kube = root / "tests/kube"
    programs = subprocess.run([kube / "install"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[-1]
    options = [word for name in CONTROLLERS for word in ("--with", name)]
    for crds in (root / "deploy/crds", pathlib.Path(programs).parent / "crds"):
        options += ["--crds", crds]
    os.execv(kube / "with-cluster", [kube / "with-cluster", *options, "--", sys.executable, __file__, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main() if "KUBE_BIN" in os.environ else with_cluster())
