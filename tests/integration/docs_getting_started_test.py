#!/usr/bin/env python3
"""docs/getting-started.md, run from top to bottom as a reader would; what is printed must be what the page shows, and what
the page ends is gone.

Names of runs, ages and measured numbers differ from one moment to the next; the rest must be equal.
"""
import re
import time

import console_page
import harness

GONE_LIMIT_S = 10 * harness.patience


def settled(text):
    """The lines without what differs from one moment to the next."""
    lines = []
    for line in text.strip().splitlines():
        if "Terminated" in line or "curl -s -o" in line or line.strip() in ("", "done"):
            continue  # the shell's word of a job that was ended
        line = re.sub(r"\bhello-\w+-(\d)-(\d)\b", r"hello-#-\1-\2", line)
        line = re.sub(r"\b(\d+m)?\d+s\b", "#s", line)
        line = re.sub(r"z \d+(\.\d+)? reached its boundary \d+(\.\d+)? at look \d", "z # reached its boundary # at look #", line)
        lines.append(" ".join(line.split()))
    return lines


def the_page_shows_what_its_commands_print_and_leaves_nothing():
    with harness.scratch() as folder:
        try:
            done = console_page.run("docs/getting-started.md", folder)
            deadline = time.monotonic() + GONE_LIMIT_S
            while harness.processes(folder) and time.monotonic() < deadline:
                time.sleep(0.1)
            left = harness.processes(folder)
        finally:
            harness.end_processes(folder)
    assert len(done) > 15, f"only {len(done)} commands found"
    for command, shown, real in done:
        assert settled(real) == settled(shown), f"$ {command}\nthe page shows\n{shown}\nbut it printed\n{real}"
    assert not left, left


harness.run([the_page_shows_what_its_commands_print_and_leaves_nothing])
