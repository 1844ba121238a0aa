#!/usr/bin/env python3
"""docs/rollouts.md, run from top to bottom as a reader would; what is printed must be what the page shows.

Names of Pods, ages, measured numbers and what is still on its way out differ from one moment to the next; the rest must be equal.
"""
import re

import console_page
import harness


def settled(text):
    """The lines without what differs from one moment to the next."""
    lines = []
    for line in text.strip().splitlines():
        passing = re.search(r" Pod +\S \w+ ", line) and "ready:0/1" not in line
        idle = " ReplicaSet " in line and not re.search(r"(stable|canary|active|preview)(,delay:\S+)?$", line)
        untagged = re.match(r"(Images:)? +example/web:\w+$", line)
        if not line.strip() or passing or idle or untagged:
            continue
        line = re.sub(r"-\w{5}(?= +Pod)", "-#", line)
        line = re.sub(r"\b(\d+m)?\d+s\b", "#s", line)
        line = re.sub(r"[✔✖?⚠] \d+(,[✔✖?⚠] \d+)* errors=\S+", "# errors=#", line)
        line = re.sub(r"^(  (Current|Ready|Available|Updated): +)\d+", r"\1#", line)
        line = re.sub(r"^(Images:)? +example", "example", line)
        line = re.sub(r"^[│├└─ ]+", "", line)
        lines.append(" ".join(line.split()))
    return lines


def the_page_shows_what_its_commands_print():
    with harness.scratch() as folder:
        try:
            done = console_page.run("docs/rollouts.md", folder)
        finally:
            harness.end_processes(folder)
    assert len(done) > 30, f"only {len(done)} commands found"
    for command, shown, real in done:
        assert settled(real) == settled(shown), f"$ {command}\nthe page shows\n{shown}\nbut it printed\n{real}"


harness.run([the_page_shows_what_its_commands_print])
