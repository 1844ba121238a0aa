#!/usr/bin/env python3
"""docs/experiments.md, run from top to bottom as a reader would; what is printed must be what the page shows, but for names
that are made up, ages and measured times."""
import re

import console_page
import harness


def settled(text):
    lines = []
    for line in text.strip().splitlines():
        line = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "#", line)
        line = re.sub(r"-\w{5}(?= +Pod)", "-#", line)
        line = re.sub(r"(?<!Duration:        )\b(\d+m)?\d+s\b", "#s", line)
        line = re.sub(r"p95 [\d.]+ s", "p95 # s", line)
        lines.append(" ".join(line.split()))
    return lines


def the_page_shows_what_its_commands_print():
    with harness.scratch() as folder:
        try:
            done = console_page.run("docs/experiments.md", folder)
        finally:
            harness.end_processes(folder)
    assert len(done) >= 9, f"only {len(done)} commands found"
    for command, shown, real in done:
        assert settled(real) == settled(shown), f"$ {command}\nthe page shows\n{shown}\nbut it printed\n{real}"


harness.run([the_page_shows_what_its_commands_print])
