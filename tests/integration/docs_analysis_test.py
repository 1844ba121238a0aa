#!/usr/bin/env python3
"""docs/analysis.md, run from top to bottom as a reader would: every command verbatim, in one shell, against a Prometheus
that has the series it asks about; what is printed must be what the page shows.

Measured numbers, times and sparklines differ from one moment to the next and match any other; the rest must be equal.
"""
import random
import re
import time

import console_page
import harness
import stores

SAMPLE_S = 15


def settled(text):
    """The text without what differs from one moment to the next."""
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", text)
    text = re.sub(r"[▁▂▃▄▅▆▇█]+", "~", text)
    text = re.sub(r"\bp \d\S*?(?=[;\s])", "p #", text)
    text = re.sub(r"[-+]\d+(\.\d+)? %", "# %", text)
    text = re.sub(r"\bz \d+(\.\d+)? reached", "z # reached", text)  # may come out whole
    text = re.sub(r"\b\d+s\b", "#s", text)
    text = re.sub(r"(?<![<=] )\b\d+\.\d+\b(?!\S*yaml)", "#", text)
    text = re.sub(r"(?m)^(\{.*?\} +)\d+( +TIME)", r"\1#\2", text)  # a value may come out whole, too
    text = re.sub(r"(?m)^(\{.*?\} +\d+ ).*", r"\1#", text)  # columns of a range
    return [" ".join(line.split()) for line in text.strip().splitlines() if line.strip()]


def series(now):
    """An hour of two services: the canary of `web` is as good as what runs beside it, that of `cart` is not."""
    chance, found = random.Random(harness.seed), []
    for service, factor in (("web", 0.9), ("cart", 6.0)):
        for track, share, rate in (("stable", 0.004, 100), ("canary", 0.004 * factor, 10)):
            for code, part in (("200", 1 - share), ("500", share)):
                total, points = 0.0, []
                for at in range(now - 3600, now + 900, SAMPLE_S):
                    points.append((at, round(total, 3)))
                    total += SAMPLE_S * rate * part * (0.8 + 0.4 * chance.random())
                found.append(stores.Series("http_requests_total", {"service": service, "track": track, "code": code}, points))
    return found


def the_page_shows_what_its_commands_print():
    with harness.scratch() as folder, stores.prometheus(folder, series(int(time.time()))) as address:
        done = console_page.run("docs/analysis.md", folder, PROMETHEUS=address)
    assert len(done) > 20, f"only {len(done)} commands found"
    for command, shown, real in done:
        assert settled(real) == settled(shown), f"$ {command}\nthe page shows\n{shown}\nbut it printed\n{real}"


harness.run([the_page_shows_what_its_commands_print])
