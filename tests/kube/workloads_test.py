#!/usr/bin/env python3
"""Plays the scripts of workloads/scripts.py on slipway's own cluster and on one with kube-controller-manager, and compares
all objects, tables and events of their namespaces after each step.

What may differ is listed, with reasons, in docs/compatibility.md under "Workload steps that differ".
"""
import concurrent.futures
import contextlib
import fnmatch
import glob
import os
import pathlib
import re
import signal
import sys
import time
import traceback

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
sys.path[:0] = [str(here.parent / "integration"), str(here / "workloads")]
import harness  # noqa: E402
import play  # noqa: E402
import scripts  # noqa: E402
import sides  # noqa: E402
import state  # noqa: E402

CONTROLLERS = ("deployment-controller", "replicaset-controller", "job-controller", "ttl-after-finished-controller",
               "endpoints-controller", "endpointslice-controller")
STEP_TIMEOUT_S = 240
END_TIMEOUT_S = 30
MAX_SHOWN = 40


def known_differences():
    """Patterns of SCRIPT/STEP/PATH in the table of docs/compatibility.md."""
    text = (root / "docs/compatibility.md").read_text()
    part = text.split("## Workload steps that differ", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\| `([^`]+)` \|", part, re.M)


def perform(script, side):
    """The records of the steps, and what ended it early."""
    made = play.Play(side, script.__name__.replace("_", "-"), STEP_TIMEOUT_S)
    try:
        script(made)
        return made.records, None
    except Exception as error:
        traceback.print_exc()
        return made.records, f"{side.name}: {type(error).__name__}: {error}"


def compare(name, ours, theirs, known):
    """Prints an outcome for each step; the patterns that were of use."""
    used = set()
    for (step, want), (_, got) in zip(theirs[0], ours[0]):
        lines = [f"{name}/{step}{line}" for line in state.differences(want, got)]
        unknown = []
        for line in lines:
            patterns = [one for one in known if fnmatch.fnmatchcase(line.split(": want ")[0], one)]
            used.update(patterns)
            if not patterns:
                unknown.append(line)
        print(f"FAIL {name}: {step}: {unknown[0]}"[:600] if unknown else f"ok {name}: {step}", flush=True)
        for line in unknown[:MAX_SHOWN]:
            print(line, file=sys.stderr, flush=True)
    for _, problem in (ours, theirs):
        if problem:
            print(f"FAIL {name}: {problem}"[:2000], flush=True)
    return used


def processes_of(folder):
    """pids of shims and containers whose Pods lie in a data folder."""
    found, mark = [], f"{folder}/pods/".encode()
    for process in glob.glob("/proc/[0-9]*"):
        with contextlib.suppress(OSError):
            if mark in pathlib.Path(process, "cmdline").read_bytes() + pathlib.Path(process, "environ").read_bytes():
                found.append(int(process.split("/")[2]))
    return found


@contextlib.contextmanager
def slipway_cluster(kubectl):
    with harness.scratch() as folder:
        images = sides.images_file(folder / "images.yaml")
        with harness.running("--images", str(images)) as server:
            try:
                yield sides.side_of_slipway(server, kubectl)
                leave(server)
            finally:
                server.kill()  # first: it would start them again
                for pid in processes_of(server.folder):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)


def leave(server):
    client = server.client()
    for script in scripts.SCRIPTS:
        client.send("DELETE", f"/api/v1/namespaces/w-{script.__name__.replace('_', '-')}")
    client.close()
    deadline = time.monotonic() + END_TIMEOUT_S
    while processes_of(server.folder):
        if time.monotonic() > deadline:
            print(f"FAIL nothing_is_left: {processes_of(server.folder)} of deleted Pods go on", flush=True)
            return
        time.sleep(0.2)
    print("ok nothing_is_left", flush=True)


def main():
    kubectl = f"{os.environ['KUBE_BIN']}/kubectl"
    chosen = [one for one in scripts.SCRIPTS if not sys.argv[1:] or sys.argv[1] in one.__name__]
    known, used = known_differences(), set()
    with slipway_cluster(kubectl) as ours:
        theirs = sides.side_of_cluster(os.environ["KUBECONFIG"], kubectl)
        with sides.Node(theirs), concurrent.futures.ThreadPoolExecutor(2 * len(chosen)) as pool:
            pairs = [(one.__name__, pool.submit(perform, one, ours), pool.submit(perform, one, theirs)) for one in chosen]
            for name, mine, other in pairs:
                used |= compare(name, mine.result(), other.result(), known)
    if chosen == list(scripts.SCRIPTS):
        for pattern in sorted(set(known) - used):
            print(f"known difference {pattern} did not show")


if __name__ == "__main__":
    if "KUBE_BIN" not in os.environ:
        options = [word for name in CONTROLLERS for word in ("--with", name)]
        os.execv(here / "with-cluster", [here / "with-cluster", *options, "--", sys.executable, __file__, *sys.argv[1:]])
    main()
