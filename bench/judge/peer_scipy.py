"""Times scipy and numpy on the samples run.py wrote: peer_scipy.py FOLDER prints seconds by name as JSON."""
import json
import math
import pathlib
import sys
import time

import numpy
import scipy
from scipy.stats import mannwhitneyu, norm

folder = pathlib.Path(sys.argv[1])
ROUNDS, ROUND_S = 15, 0.02


def load(name):
    return numpy.array(json.loads((folder / f"{name}.json").read_text()), dtype=float)


def seconds(work):
    calls, taken = 1, []
    while True:
        begin = time.perf_counter()
        for _ in range(calls):
            work()
        if time.perf_counter() - begin > ROUND_S:
            break
        calls *= 2
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(calls):
            work()
        taken.append((time.perf_counter() - begin) / calls)
    return min(taken)


def interval(x, y, confidence=0.95):
    """Median and order-statistic ends of all differences, the quickest way numpy has: one selection of all ranks."""
    n, m = len(x), len(y)
    order = int(n * m / 2 + norm.ppf((1 - confidence) / 2) * math.sqrt(n * m * (n + m + 1) / 12))
    wanted = [order - 1, (n * m - 1) // 2, n * m // 2, n * m - order]
    low, middle, other, high = numpy.partition(numpy.subtract.outer(x, y).ravel(), wanted)[wanted]
    return low, (middle + other) / 2, high


def main():
    x50, y50, x, y = load("experiment50"), load("control50"), load("experiment1000"), load("control1000")
    begin = time.perf_counter()
    exact = mannwhitneyu(x50, y50, method="exact").pvalue
    first = time.perf_counter() - begin
    low, shift, high = interval(x, y)
    print(json.dumps({
        "version": f"scipy {scipy.__version__}, numpy {numpy.__version__}",
        "exact50 first": first,
        "exact50": seconds(lambda: mannwhitneyu(x50, y50, method="exact")),
        "test1000": seconds(lambda: mannwhitneyu(x, y)),
        "interval1000": seconds(lambda: interval(x, y)),
        "all1000": seconds(lambda: (mannwhitneyu(x, y), interval(x, y))),
        "check": {"exact50": exact, "test1000": mannwhitneyu(x, y).pvalue, "shift1000": shift, "low1000": low,
                  "high1000": high}}))


main()
