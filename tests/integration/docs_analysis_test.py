#!/usr/bin/env python3
"""docs/analysis.md, run from top to bottom as a reader would: every command verbatim, in one shell, against a Prometheus
that has the series it asks about; what is printed must be what the page shows.

Measured numbers, times and sparklines differ from one moment to the next and match any other; the rest must be equal.
"""
import os
import pathlib
import random
import re
import subprocess
import time

import harness
import stores

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/analysis.md"
SAMPLE_S = 15
SHELL_TIMEOUT_S = 300
MARK = "---- end of command ----"


def commands(page):
    """(command, what it prints) of every console block, in order."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", page, re.S):
        end = None  # of a here-document
        for line in block.splitlines():
            if end is not None:
                found[-1][0] += "\n" + line
                end = None if line == end else end
            elif line.startswith("$ "):
                found.append([line[2:], ""])
                opened = re.search(r"<<'?(\w+)'?", line)
                end = opened[1] if opened else None
            else:
                found[-1][1] += line + "\n"
    return found


def settled(text):
    """The text without what differs from one moment to the next."""
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME", text)
    text = re.sub(r"[▁▂▃▄▅▆▇█]+", "~", text)
    text = re.sub(r"\bp \d\S*?(?=[;\s])", "p #", text)
    text = re.sub(r"[-+]\d+(\.\d+)? %", "# %", text)
    text = re.sub(r"\b\d+s\b", "#s", text)
    text = re.sub(r"(?<![<=] )\b\d+\.\d+\b(?!\S*yaml)", "#", text)
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
    page = commands(PAGE.read_text())
    assert len(page) > 20, f"only {len(page)} commands found"
    with harness.scratch() as folder, stores.prometheus(folder, series(int(time.time()))) as address:
        (folder / "bin").mkdir()
        (folder / "bin/slipway").symlink_to(pathlib.Path(harness.slipway).resolve())
        (folder / "examples").symlink_to(ROOT / "examples")
        env = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder), "PROMETHEUS": address,
               "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        script = "set -m\n" + "".join(f"{command}\necho; echo '{MARK}'\n" for command, _ in page)
        done = subprocess.run(["bash", "-c", script], cwd=folder, env=env, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SHELL_TIMEOUT_S)
        printed = done.stdout.split(MARK)[:-1]
    assert len(printed) == len(page), done.stdout[-3000:]
    for (command, shown), real in zip(page, printed):
        assert settled(real) == settled(shown), f"$ {command}\nthe page shows\n{shown}\nbut it printed\n{real}"


harness.run([the_page_shows_what_its_commands_print])
