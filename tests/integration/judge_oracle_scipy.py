"""Answers judge cases with scipy and numpy: JSON lines in, {"p","statistic","shift","low","high"} lines out.

Run by judge_oracle_test.py with an interpreter that has scipy. A case says by `oracle` how: exact, asymptotic or
permutation.
"""
import json
import math
import sys

import numpy
from scipy.stats import PermutationMethod, mannwhitneyu, norm

ALTERNATIVES = {"increase": "greater", "decrease": "less", "either": "two-sided"}


def exact_order(n, m, tail):
    """Largest C with P(U < C) <= tail, from the counts of Mann and Whitney's recurrence."""
    counts = {}

    def count(a, b):
        if (a, b) not in counts:
            if a == 0 or b == 0:
                counts[a, b] = numpy.ones(1, dtype=object)
            else:
                whole = numpy.zeros(a * b + 1, dtype=object)
                whole[b:] += count(a - 1, b)
                whole[:a * (b - 1) + 1] += count(a, b - 1)
                counts[a, b] = whole
        return counts[a, b]

    total, below, order = math.comb(n + m, n), 0, 0
    for ways in count(n, m):
        below += ways
        if below / total > tail * (1 + 1e-12):
            return order
        order += 1
    return order


def interval(x, y, confidence):
    n, m = len(x), len(y)
    differences = numpy.sort(numpy.subtract.outer(x, y).ravel())
    tail = (1 - confidence) / 2
    order = exact_order(n, m, tail) if max(n, m) <= 50 else max(
        0, math.floor(n * m / 2 + norm.ppf(tail) * math.sqrt(n * m * (n + m + 1) / 12)))
    low, high = (differences[order - 1], differences[n * m - order]) if order else (-math.inf, math.inf)
    return float(numpy.median(differences)), float(low), float(high)


def answer(case):
    x, y = numpy.array(case["experiment"], dtype=float), numpy.array(case["control"], dtype=float)
    method = case["oracle"]
    if method == "permutation":
        method = PermutationMethod(n_resamples=math.inf)
    result = mannwhitneyu(x, y, alternative=ALTERNATIVES[case["direction"]], method=method)
    shift, low, high = interval(x, y, 0.95)
    return {"p": float(result.pvalue), "statistic": float(result.statistic), "shift": shift, "low": low, "high": high}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))))
