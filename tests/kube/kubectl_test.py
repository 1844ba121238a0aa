#!/usr/bin/env python3
"""Runs the same kubectl commands against slipway and against a real API server and compares what they print.

What may differ in what it prints, but not in how it ends, is listed with reasons in docs/compatibility.md under "kubectl
steps that differ".
"""
import contextlib
import os
import pathlib
import queue
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time

root = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(root / "tests/integration"), str(root / "tests/kube")]
import harness  # noqa: E402
import steps  # noqa: E402

MAX_DIFFERENT = 20
STEP_TIMEOUT_S = 90
WATCH_SETTLE_S = 0.7


# An entry of managedFields, as YAML and as JSON.
MANAGED = (r'^ *- apiVersion: \S+\n +fieldsType: FieldsV1\n(?:.*\n)*?^ *time: ["\']TIME["\']\n',
           r'^ *\{\n +"apiVersion": "[^"]+",\n +"fieldsType": "FieldsV1",\n(?:.*\n)*?^ *"time": "TIME"\n +\}(?:,|$)\n')


def by_name(text):
    """managedFields are in the order of their seconds, and those of one second by name: which it is hangs on the clock."""
    for entry in MANAGED:
        text = re.sub(f"(?m)(?:{entry})+", lambda found: "".join(sorted(re.findall(f"(?m){entry}", found[0].replace("},\n", "}\n")))), text)
    return text


def normal(text, unordered=False):
    """Takes out what differs between any two runs."""
    for pattern, word in [
            # What client-go logs of a watch that ends with its command comes or comes not.
            (r"(?m)^[IWE]\d{4} .*reflector\.go.*\n?", ""),
            (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UID"),
            (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME"),
            (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}", "TIME"),
            (r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w+ \d{4} \d\d:\d\d:\d\d [+-]\d{4}", "TIME"),
            (r'(resourceVersion[\\"]*: ?[\\"]*)\d+"?', r"\1VERSION"),
            (r"(https://127\.0\.0\.1:)\d+", r"\1PORT"),
            # Of a column or of `describe`, not what a field holds: cpu: 100m is no age.
            (r"(cpu: +\S+)|(?<![:=\"'] )(?<![:=\"'\w.-])(\d+d)?(\d+h)?(\d+m)?\d+[smhd]\b", lambda found: found[1] or "AGE"),
            (r"\bmade-[a-z0-9]{5}\b", "made-RANDOM"),
            (r"/tmp/[\w.-]*(LIVE|MERGED)[\w.-]*", r"\1"),
            (r"/tmp/kubectl-\S+", "TMP"),
            (r"\b10\.\d+\.\d+\.\d+\b", "CLUSTER-IP")]:
        text = re.sub(pattern, word, text)
    # Columns move with the width of what was replaced.
    text = by_name("\n".join(re.sub(r" {2,}", "  ", line).rstrip() for line in text.splitlines()))
    # kubectl 1.20 describes maps in the random order in which Go walks them.
    return "\n".join(sorted(text.splitlines())) if unordered and "\nData\n====" in text else text


class Side:
    """One kubectl against one server."""

    def __init__(self, kubectl, kubeconfig, old):
        self.kubectl, self.kubeconfig, self.old = kubectl, kubeconfig, old
        self.own = tempfile.TemporaryDirectory(prefix="slipway-kubectl-")  # goes with this
        self.home = self.own.name

    def environment(self, editor="true"):
        return {"PATH": os.environ["PATH"], "HOME": self.home, "KUBECONFIG": self.kubeconfig, "KUBE_EDITOR": editor,
                "TMPDIR": "/tmp", "KUBECACHEDIR": self.home}

    def call(self, words, stdin="", editor="true"):
        done = subprocess.run([self.kubectl, *words], input=stdin, capture_output=True, text=True, timeout=STEP_TIMEOUT_S,
                              env=self.environment(editor))
        return f"exit {done.returncode}\n{done.stdout}{done.stderr}"

    def run(self, step):
        name, command, options = (*step, {})[:3]
        words = shlex.split(command) if "{" not in command or "'" in command else command.split(" ")
        stdin = options.get("stdin", "")
        if "uid_of" in options:
            uid = self.call(["get", "configmap", options["uid_of"], "-n", "shop", "-o", "jsonpath={.metadata.uid}"])
            stdin = stdin.replace("$UID", uid.split("\n", 1)[1].strip())
        try:
            if "meanwhile" in options:
                return normal(self.watch(words, options["meanwhile"]))
            deadline = time.monotonic() + STEP_TIMEOUT_S
            while True:
                text = self.call(words, stdin, options.get("editor", "true"))
                if options.get("until", "") in text or time.monotonic() > deadline:
                    return normal(text, self.old)
                time.sleep(0.2)
        except subprocess.TimeoutExpired:
            return f"took over {STEP_TIMEOUT_S} s"

    def watch(self, words, commands):
        watching = subprocess.Popen([self.kubectl, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                    env=self.environment())
        time.sleep(2 * WATCH_SETTLE_S)
        for command in commands:
            self.call(shlex.split(command))
            time.sleep(WATCH_SETTLE_S)
        watching.terminate()
        return watching.communicate(timeout=20)[0]


def allowed():
    """Step names in the table of docs/compatibility.md, for the newest kubectl and for 1.20."""
    text = (root / "docs/compatibility.md").read_text()
    part = text.split("## kubectl steps that differ", 1)[1].split("\n## ", 1)[0]
    return set(re.findall(r"^\| `([^`]+)` \|", part, re.M))


class Run:
    """All steps of a side, in order, in a thread of its own: sides share nothing. `after`: a run on the same server."""

    def __init__(self, side, after=None):
        self.side, self.after, self.outputs = side, after, queue.Queue()
        self.steps = [step for step in steps.STEPS if not (side.old and len(step) > 2 and step[2].get("new"))]
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        if self.after:
            self.after.thread.join()
        for step in self.steps:
            try:
                self.outputs.put(self.side.run(step))
            except Exception as error:  # a step that could not be run differs from every other
                self.outputs.put(f"could not run on {self.side.kubeconfig}: {error!r}")


def only_text_differs(got, want):
    """What a step that is listed may do: it ends as there, and prints something else. `exit N` is the first line of each."""
    (ended, said), (their_end, they_said) = (text.partition("\n")[::2] for text in (got, want))
    return re.fullmatch(r"exit \d+", ended) and ended == their_end and said.strip() and they_said.strip()


def compare(label, ours, theirs):
    """Prints and counts the differences, in the order of the steps, as soon as both sides have taken one."""
    different = []
    for step in ours.steps:
        name = step[0]
        got, want = ours.outputs.get(), theirs.outputs.get()
        if got == want:
            print(f"ok {label}: {name}", flush=True)
            continue
        different.append(name)
        print(f"--- {label}: {name}\nwant: {want}\ngot:  {got}", file=sys.stderr, flush=True)
        if name not in allowed() or steps.is_strict(step) or not only_text_differs(got, want):
            first = next((f"want {w!r}, got {g!r}" for w, g in zip(want.splitlines() + [""], got.splitlines() + [""]) if w != g),
                         "lengths differ")
            print(f"FAIL {label}: {name}: {first}"[:400], flush=True)
        else:
            print(f"ok {label}: {name}", flush=True)
    return different


def main():
    if "KUBE_BIN" not in os.environ:
        here = [str(root / "tests/kube/with-cluster"), sys.executable, __file__]
        return subprocess.run(here).returncode
    bin_folder = os.environ["KUBE_BIN"]
    failed = False
    pairs, before = [], None
    with contextlib.ExitStack() as servers:
        # Each kubectl has a slipway of its own and they take turns on the one cluster.
        for label, kubectl in (("kubectl", "kubectl"), ("kubectl 1.20", "kubectl-1.20")):
            # No workloads: the cluster it is compared with has neither their controllers nor a node.
            server = servers.enter_context(harness.running("--no-workloads"))
            ours = Run(Side(f"{bin_folder}/{kubectl}", str(server.folder / "kubeconfig"), "1.20" in label))
            before = Run(Side(f"{bin_folder}/{kubectl}", os.environ["KUBECONFIG"], "1.20" in label), after=before)
            pairs.append((label, ours, before))
        for label, ours, theirs in pairs:
            different = compare(label, ours, theirs)
            print(f"{label}: {len(different)} steps differ: {', '.join(different)}")
            if len(different) > MAX_DIFFERENT:
                print(f"FAIL {label}: {len(different)} steps differ, at most {MAX_DIFFERENT} may")
                failed = True
    return 1 if failed else 0


sys.exit(main())
