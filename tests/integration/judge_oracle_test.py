#!/usr/bin/env python3
"""`slipway judge` against scipy: p, U, shift and interval of random samples, exact and normal, with ties and without."""
import json
import math
import pathlib
import random
import subprocess
import sys

import harness
import scipy_venv

CASES = 2000
DIRECTIONS = ("increase", "decrease", "either")
here = pathlib.Path(__file__).resolve().parent


def untied(draw, size, shift):
    return [draw.lognormvariate(0, 1) + shift for _ in range(size)]


def tied(draw, size, shift):
    # Rounded: scipy does not take 0.1 + 0.2 and 0.3 for a tie, and judge does.
    return [round(draw.randrange(8) / 10 + shift, 1) for _ in range(size)]


def case(draw, number):
    kind = ("exact", "asymptotic", "asymptotic", "permutation")[number % 4]
    values = untied if kind == "exact" or number % 8 == 1 else tied
    least, most = {"exact": (1, 50), "asymptotic": (51, 150), "permutation": (2, 5)}[kind]
    shift = draw.choice((0, 0, 0.1, 0.5))
    made = {"id": number, "oracle": kind, "method": "mann-whitney", "direction": DIRECTIONS[number % 3],
            "control": values(draw, draw.randint(least, most), 0),
            "experiment": values(draw, draw.randint(least, most), shift)}
    if kind == "permutation" and made["direction"] == "increase":
        made["direction"] = "either"  # with ties the released one-sided p counts half a step more
    return made


def distinct(made):
    return len({round(value, 9) for value in made["control"] + made["experiment"]}) > 1


def lines(command, cases):
    text = "".join(json.dumps(made) + "\n" for made in cases)
    done = subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(cases), f"{len(answers)} answers to {len(cases)} cases"
    return answers


def close(ours, theirs, scale=0.0):
    if isinstance(ours, str):
        ours = float(ours)
    return ours == theirs or math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-13 + 1e-11 * scale)


def answers_as_scipy_does():
    try:
        python = scipy_venv.python()
    except scipy_venv.Unavailable as why:
        raise harness.Skip(str(why))
    draw = random.Random(harness.seed)
    cases = [made for made in (case(draw, number) for number in range(CASES)) if distinct(made)]
    ours = lines([harness.slipway, "judge", "--batch", "-"], cases)
    theirs = lines([python, here / "judge_oracle_scipy.py"], cases)
    wrong = []
    for made, answer, wanted in zip(cases, ours, theirs):
        got = {"p": answer["p"], "statistic": answer["statistic"],
               **{key: answer["effect"][key] for key in ("shift", "low", "high")}}
        scale = max(abs(value) for value in made["control"] + made["experiment"])
        wrong += [f"case {made}: {key} is {got[key]}, scipy has {wanted[key]}" for key in got
                  if not close(got[key], wanted[key], 0 if key == "p" else scale)]
    assert not wrong, f"{len(wrong)} differ, first: {wrong[0][:2000]}"
    print(f"# {len(cases)} cases")


def a_batch_goes_on_after_a_bad_line():
    done = subprocess.run([harness.slipway, "judge", "--batch", "-"], capture_output=True, text=True, timeout=60,
                          input='{"id":1,"control":[1],"experiment":[2]}\nno case\n{"id":3,"control":[1]}\n'
                                '{"id":4,"control":[1,2,3,4,5],"experiment":[7,8,9,10,11]}\n')
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert answers[0]["verdict"] == "pass" and answers[3]["verdict"] == "fail", answers
    assert "message" in answers[1]["error"] and answers[2]["id"] == 3 and "message" in answers[2]["error"], answers


def exit_codes_say_the_verdict():
    with harness.scratch() as folder:
        for name, text in {"low": "[1, 2, 3, 4, 5]", "high": "7 8 9\n10 11\n", "none": "", "bad": "1 two"}.items():
            (folder / name).write_text(text)
        for control, experiment, more, want in (
                ("low", "low", [], 0), ("low", "high", [], 1), ("low", "none", [], 2), ("low", "bad", [], 3),
                ("low", "missing", [], 3), ("low", "high", ["--direction", "decrease"], 0),
                ("low", "high", ["--direction", "up"], 64), ("low", "high", ["--method", "t"], 64),
                ("low", "high", ["--option", "beta=1"], 64), ("low", "high", ["--option", "alpha=0.001"], 0),
                ("low", "high", ["--method", "kayenta", "-o", "json"], 1)):
            done = subprocess.run([harness.slipway, "judge", "--control", folder / control, "--experiment",
                                   folder / experiment, *more], capture_output=True, text=True, timeout=60)
            assert done.returncode == want, f"{control} {experiment} {more}: {done.returncode}, want {want}: {done.stderr}"
            if "json" in more:
                assert json.loads(done.stdout)["label"] == "High", done.stdout


if __name__ == "__main__":
    harness.run([answers_as_scipy_does, a_batch_goes_on_after_a_bad_line, exit_codes_say_the_verdict])
