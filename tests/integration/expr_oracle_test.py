#!/usr/bin/env python3
"""Conditions against expr-lang's own engine: generated cases give the same value, or an error both times.

SLIPWAY_ROUNDS rounds of 200 cases, drawn from SLIPWAY_SEED. The engine is built from tests/oracle/expr.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
slipway = os.environ.get("SLIPWAY", str(root / "build/slipway"))
CASES_A_ROUND = 200
count = CASES_A_ROUND * int(os.environ.get("SLIPWAY_ROUNDS", "10"))
seed = int(os.environ.get("SLIPWAY_SEED", "0")) or int.from_bytes(os.urandom(4), "big")
TIMEOUT_S = 1800
SHOWN = 20

# Map order is random in Go, so now and then another pair is the first that cannot be compared.
SAME_TEXTS = 0.99

# The oracle's way to write what JSON has no numbers for, and slipway's.
NUMBERS = {'"\\u0001NaN"': "NaN", '"\\u0001+Inf"': "Infinity", '"\\u0001-Inf"': "-Infinity"}


def build(folder):
    found = subprocess.run([root / "tests/kube/go-toolchain"], capture_output=True, text=True)
    if found.returncode != 0:
        return None, f"no Go toolchain: {found.stderr.strip().splitlines()[-1:]}"
    oracle = folder / "expr"
    done = subprocess.run([found.stdout.strip(), "build", "-o", oracle, "."], cwd=root / "tests/oracle/expr",
                          env={**os.environ, "GOFLAGS": "", "GOTOOLCHAIN": "local"}, capture_output=True, text=True)
    if done.returncode != 0:
        return None, f"the oracle does not build: {done.stderr.strip()[-300:]}"
    return oracle, ""


def ask(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=TIMEOUT_S)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr[-500:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(cases, theirs, ours):
    """Yields what differs; returns the numbers of errors and of equal texts."""
    errors = same = 0
    for line, there, here in zip(cases, theirs, ours):
        message = here.get("error", {}).get("message")
        if there["id"] != here["id"] or there.get("value") != here.get("value"):
            yield f"{line}\n    expr-lang: {there.get('value', there.get('error'))}\n    slipway: {here.get('value', message)}"
        elif "value" not in there:
            errors += 1
            same += message == there["error"]
    return errors, same


def main():
    with tempfile.TemporaryDirectory() as name:
        oracle, why = build(pathlib.Path(name))
        if not oracle:
            print(f"skip expr agrees with expr-lang: {why}")
            return 0
        text = subprocess.run([oracle, "generate", str(count), str(seed)], capture_output=True, text=True, check=True).stdout
        theirs = ask([oracle, "eval"], text)
        for spelt, number in NUMBERS.items():
            text = text.replace(spelt, number)
        ours = ask([slipway, "eval", "--batch", "-"], text)

    test = f"expr {count} conditions agree with expr-lang (seed {seed})"
    if len(ours) != count or len(theirs) != count:
        print(f"FAIL {test}: {len(theirs)} and {len(ours)} answers")
        return 1
    differences, comparison = [], compare(text.splitlines(), theirs, ours)
    while True:
        try:
            differences.append(next(comparison))
        except StopIteration as end:
            errors, same = end.value
            break
    for difference in differences[:SHOWN]:
        print(difference, file=sys.stderr)
    values = sum("value" in answer for answer in theirs)
    print(f"expr: {values} values, {errors} errors, {same} of them in the same words")
    failed = bool(differences) or same < errors * SAME_TEXTS
    if differences:
        print(f"FAIL {test}: {len(differences)} differ")
    else:
        print(f"ok {test}")
    if same < errors * SAME_TEXTS:
        print(f"FAIL expr errors are expr-lang's: {same} of {errors} texts agree")
    else:
        print("ok expr errors are expr-lang's")
    return 1 if failed else 0


sys.exit(main())
