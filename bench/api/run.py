#!/usr/bin/env python3
"""The embedded API server beside kube-apiserver with etcd: the same client, JSON, no compression, one after the other."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(root / "tests/integration"))
import harness  # noqa: E402

LOAD = root / "build/bench/api_load"
OBJECTS, TEMPLATES, SECONDS = 10_000, 20_000, 10


def load(target, *words):
    done = subprocess.run([str(LOAD), "127.0.0.1", str(target["port"]), target["token"], *map(str, words)],
                          capture_output=True, text=True, timeout=900)
    if done.returncode:
        sys.exit(f"load {words}: {done.stderr}")
    return json.loads(done.stdout)


def resident_mb(pids):
    total = 0
    for pid in pids:
        for line in open(f"/proc/{pid}/status"):
            if line.startswith("VmRSS:"):
                total += int(line.split()[1])
    return total / 1024


def measure(target):
    """Everything that is the same for both; the target is fresh."""
    row = {"idle MB": resident_mb(target["pids"])}
    row["creates/s, 1 client"] = load(target, "create", 1, SECONDS, "one")["perSecond"]
    row["creates/s, 64 clients"] = load(target, "create", 64, SECONDS, "many")["perSecond"]
    delete_all(target)
    load(target, "fill", 16, OBJECTS, "fill")
    row["gets/s, 1 client"] = load(target, "get", 1, 3, "fill-0")["perSecond"]
    row["gets/s, 64 clients"] = load(target, "get", 64, 5, "fill-0")["perSecond"]
    listed = load(target, "list", 7)
    row["list of 10,000, ms"] = listed["p50"]
    row["list bytes"] = listed["bytes"]
    watch = load(target, "watch", 100, 50)
    row["watch p50, ms"], row["watch p99, ms"] = watch["p50"], watch["p99"]
    return row


def delete_all(target):
    """Back to an empty namespace, so that both list the same number of objects."""
    import http.client
    import ssl
    connection = http.client.HTTPSConnection("127.0.0.1", target["port"], context=ssl._create_unverified_context(),
                                             timeout=600)
    connection.request("DELETE", "/api/v1/namespaces/default/configmaps",
                       headers={"Authorization": f"Bearer {target['token']}"})
    assert connection.getresponse().status == 200


def slipway():
    with harness.scratch() as folder:
        server = harness.Server(folder / "data")
        server.folder.mkdir(mode=0o700)
        starts = []
        for _ in range(10):
            begin = time.monotonic()
            server.start()
            starts.append((time.monotonic() - begin) * 1000)
            server.stop()
        server.start()
        time.sleep(1)
        row = measure({"port": server.port, "token": server.token(), "pids": [server.process.pid]})
        row["start to ready, ms"] = sorted(starts)[len(starts) // 2]
        server.stop()
    with harness.running() as server:
        target = {"port": server.port, "token": server.token(), "pids": [server.process.pid]}
        load(target, "templates", 16, TEMPLATES)
        row["with 20,000 objects, MB"] = resident_mb(target["pids"])
        load(target, "list", 1)
    return row


def kubernetes():
    folder = tempfile.mkdtemp(prefix="slipway-bench-")
    try:
        begin = time.monotonic()
        cluster = subprocess.Popen([str(root / "tests/kube/cluster"), folder, "--fsync", "--crds", str(root / "deploy/crds"),
                                    "--no-controllers"], stdout=subprocess.PIPE, text=True)
        line = cluster.stdout.readline()
        ready = (time.monotonic() - begin) * 1000
        config = pathlib.Path(re.search(r"KUBECONFIG=(\S+)", line)[1]).read_text()
        port = int(re.search(r"server\W+https://[\w.]+:(\d+)", config)[1])
        token = re.search(r"token\W+([\w.-]+)", config)[1]
        pids = subprocess.run(["pgrep", "-f", f"(kube-apiserver|etcd).*{folder}"], capture_output=True, text=True).stdout.split()
        target = {"port": port, "token": token, "pids": pids}
        time.sleep(3)
        row = measure(target)
        row["start to ready, ms"] = ready
        load(target, "templates", 16, TEMPLATES)
        row["with 20,000 objects, MB"] = resident_mb(pids)
        cluster.send_signal(signal.SIGTERM)
        cluster.wait(timeout=30)
        return row
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stripped_mb():
    with tempfile.NamedTemporaryFile() as copy:
        subprocess.run(["strip", "-o", copy.name, harness.slipway], check=True)
        return os.path.getsize(copy.name) / 1e6


def main():
    subprocess.run([str(root / "tools/build"), "release", "slipway", "api_load"], check=True)
    subprocess.run([str(root / "tests/kube/install")], check=True, stdout=subprocess.DEVNULL)
    ours, theirs = slipway(), kubernetes()
    print(f"| {'':26} | slipway | kube-apiserver + etcd | ratio |\n|---|---|---|---|")
    for name in ours:
        ratio = ours[name] / theirs[name] if theirs.get(name) else 0
        print(f"| {name:26} | {ours[name]:,.1f} | {theirs.get(name, 0):,.1f} | {ratio:.2f} |")
    print(f"| {'stripped program, MB':26} | {stripped_mb():.1f} | | |")


if __name__ == "__main__":
    main()
