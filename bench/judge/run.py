#!/usr/bin/env python3
"""Mann–Whitney, estimate and interval beside scipy with numpy (PyPI) and go-moremath (Go proxy): the same samples, one
after the other. Also checks that all three give the same numbers."""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(root / "tests/integration"))
import scipy_venv  # noqa: E402

TIME = pathlib.Path(os.environ.get("JUDGE_TIME", root / "build/bench/judge_time"))
ROWS = [("exact50", "exact p, 50 against 50"), ("exact25ties", "exact p with ties, 25 against 25"),
        ("test1000", "test, 1,000 against 1,000"), ("interval1000", "estimate and interval, 1,000 against 1,000"),
        ("all1000", "test, estimate and interval, 1,000 against 1,000"),
        ("all1000skewed", "the same, skewed by e^5z"), ("legacy1000", "Kayenta's solver, 1,000 against 1,000")]
TARGETS = {"exact50": 20, "all1000": 20}


def write_samples(folder):
    draw = random.Random(4)
    for size in (50, 1000):
        for side, shift in (("control", 0.0), ("experiment", 0.2)):
            points = [draw.gauss(10 + shift, 1) for _ in range(size)]
            (folder / f"{side}{size}.json").write_text(json.dumps(points))
            (folder / f"{side}{size}skewed.json").write_text(json.dumps([math.exp(5 * p - 50) for p in points]))
    for side, shift in (("control", 0), ("experiment", 2)):
        (folder / f"{side}25ties.json").write_text(json.dumps([shift + draw.randrange(9) for _ in range(25)]))


def asked(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900, **options)
    if done.returncode:
        sys.exit(f"{command[0]}: {done.stderr}")
    return done.stdout


def moremath(folder):
    go = asked(root / "tests/kube/go-toolchain").strip()
    program = folder / "moremath"
    asked(go, "build", "-o", program, ".", cwd=here / "moremath", env={**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": ""})
    return json.loads(asked(program, folder))


def shown(seconds):
    if seconds is None:
        return "-"
    return f"{seconds * 1e6:,.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:,.2f} ms"


def main():
    if "JUDGE_TIME" not in os.environ:
        subprocess.run([str(root / "tools/build"), "release", "judge_time"], check=True)
    with tempfile.TemporaryDirectory(prefix="slipway-bench-") as name:
        folder = pathlib.Path(name)
        write_samples(folder)
        ours = json.loads(asked(TIME, folder))
        go = moremath(folder)
        scipy = json.loads(asked(scipy_venv.python(), here / "peer_scipy.py", folder))
    wrong = [f"{peer}: {key} is {theirs[key]}, ours {ours['check'][key]}"
             for peer, theirs in (("scipy", scipy["check"]), ("go-moremath", go["check"]))
             for key in theirs if not math.isclose(theirs[key], ours["check"][key], rel_tol=1e-9)]
    print(f"Judge beside {scipy['version']} and go-moremath\n")
    print("| | slipway | scipy | go-moremath | times faster than scipy |\n|---|---:|---:|---:|---:|")
    for key, text in ROWS:
        factor = scipy[key] / ours[key] if key in scipy else None
        print(f"| {text} | {shown(ours[key])} | {shown(scipy.get(key))} | {shown(go.get(key))} |"
              f" {f'{factor:,.0f}' if factor else '-'} |")
        if key in TARGETS and factor < TARGETS[key]:
            wrong.append(f"{text}: {factor:.1f} times faster than scipy, wanted {TARGETS[key]}")
    print(f"\nscipy's first exact p of a size takes {shown(scipy['exact50 first'])}; the row above is with its table kept.")
    for line in wrong:
        print(f"FAIL {line}")
    return 1 if wrong else 0


sys.exit(main())
