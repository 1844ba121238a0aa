#!/usr/bin/env python3
"""The store contract, access and leader election on a real API server: kube_test beside a cluster."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
LIMIT_SECONDS = 1200


def outcome(suite, test):
    name = f"{suite['name']}.{test['name']}"
    if test.get("failures"):
        why = test["failures"][0]["failure"].strip().splitlines()
        return f"FAIL {name}: {' | '.join(why[:6])}"
    if test.get("result") == "SKIPPED":
        return f"skip {name}: {' '.join(s.get('message', '') for s in test.get('skipped', [])).strip() or 'see test'}"
    return f"ok {name}" if test.get("status") == "RUN" else None


def main():
    program = pathlib.Path(os.environ.get("SLIPWAY_KUBE_TEST", root / "build/tests/kube/kube_test"))
    if not program.exists():
        print(f"FAIL store_contract: {program} is not built")
        return 1
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        done = subprocess.run([root / "tests/kube/with-cluster", program, f"--gtest_output=json:{report.name}", *sys.argv[1:]],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              timeout=LIMIT_SECONDS)
        try:
            suites = json.load(open(report.name)).get("testsuites", [])
        except ValueError:
            suites = []
    lines = [line for suite in suites for test in suite["testsuite"] if (line := outcome(suite, test))]
    if not lines or done.returncode != 0:
        print(done.stdout, file=sys.stderr)
    if not lines:
        print(f"FAIL store_contract: ended with {done.returncode} without a report")
    for line in lines:
        print(line)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
