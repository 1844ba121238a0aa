#!/usr/bin/env python3
"""Random templates through `slipway render --batch` and through Go's own text/template: the same text, or both an error."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
slipway = os.environ.get("SLIPWAY", str(root / "build/slipway"))
CASES_A_ROUND = 200
cases_wanted = CASES_A_ROUND * int(os.environ.get("SLIPWAY_ROUNDS", "10"))
seed = int(os.environ.get("SLIPWAY_SEED", "0")) or int.from_bytes(os.urandom(4), "big")
SHOWN = 10
# Our limit is lower: a recursion that deep has no end.
DEPTH = re.compile(r"exceeded maximum template depth \(\d+\)")
# Widths of a million characters are rare; where one meets our limits, Go has none.
LIMIT = re.compile(r"^template: tmpl: (the text grows|functions make|takes) over \d+ ")
AGREEING_TEXTS = 0.99
AT_LIMIT = 0.005


def build(folder):
    toolchain = subprocess.run([str(root / "tests/kube/go-toolchain")], capture_output=True, text=True)
    if toolchain.returncode != 0:
        print(f"skip template_oracle: no Go toolchain: {toolchain.stderr.strip()[-200:]}")
        sys.exit(0)
    program = pathlib.Path(folder) / "oracle"
    subprocess.run([toolchain.stdout.strip(), "build", "-o", str(program), "."], cwd=root / "tests/oracle/template",
                   env={**os.environ, "GOFLAGS": "", "GOTOOLCHAIN": "local"}, check=True)
    return program


def lines(command, text=None):
    done = subprocess.run([str(word) for word in command], input=text, capture_output=True, check=True)
    return done.stdout


def outcome(answer):
    """("text", …) or ("error", …), whichever program said it."""
    if "text" in answer:
        return "text", answer["text"]
    error = answer.get("error", "no answer")
    return "error", DEPTH.sub("exceeded maximum template depth", error["message"] if isinstance(error, dict) else error)


def compare(cases, ours, theirs):
    different, worded, limited = [], [], 0
    for case, our, their in zip(cases, ours, theirs, strict=True):
        assert case["id"] == our["id"] == their["id"], (case["id"], our["id"], their["id"])
        mine, go = outcome(our), outcome(their)
        if mine[0] == "error" and LIMIT.match(mine[1]):
            limited += 1
        elif mine[0] != go[0] or (mine[0] == "text" and mine != go):
            different.append((case, mine, go))
        elif mine != go:
            worded.append((case, mine, go))
    return different, worded, limited


def show(kind, found):
    for case, mine, go in found[:SHOWN]:
        print(f"{kind} {case['id']}: {json.dumps(case)[:1500]}\n  slipway: {mine}\n  go:      {go}", file=sys.stderr)


def main():
    print(f"seed {seed}, {cases_wanted} cases")
    with tempfile.TemporaryDirectory() as folder:
        oracle = build(folder)
        text = lines([oracle, "generate", seed, cases_wanted])
        theirs = [json.loads(line) for line in lines([oracle, "answer"], text).splitlines()]
    ours = [json.loads(line) for line in lines([slipway, "render", "--batch", "-"], text).splitlines()]
    cases = [json.loads(line) for line in text.splitlines()]
    different, worded, limited = compare(cases, ours, theirs)
    errors = sum("error" in answer for answer in theirs)
    agreeing = errors - len(worded)
    print(f"{cases_wanted - errors} texts and {errors} errors from Go; {agreeing} error texts are the same; "
          f"{limited} cases met a limit of ours")
    show("DIFFERENT", different)
    show("WORDED", worded)
    if limited > max(2, AT_LIMIT * len(cases)):
        print(f"FAIL template_oracle: {limited} of {len(cases)} cases met a limit (SLIPWAY_SEED={seed})")
    elif different:
        print(f"FAIL template_oracle: {len(different)} of {len(cases)} cases differ (SLIPWAY_SEED={seed})")
    else:
        print("ok template_oracle")
    if agreeing < AGREEING_TEXTS * errors:
        print(f"FAIL template_oracle_error_texts: only {agreeing} of {errors} are Go's (SLIPWAY_SEED={seed})")
    else:
        print("ok template_oracle_error_texts")
    return 0


sys.exit(main())
