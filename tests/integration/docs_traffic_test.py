#!/usr/bin/env python3
"""docs/traffic.md, run as a reader would; what is printed must be what the page shows."""
import console_page
import harness


def settled(text):
    """What was applied comes in the order in which it was answered; the shell's word of an ended job is none of the page's."""
    return sorted(line.strip() for line in text.splitlines() if line.strip() and "slipway serve" not in line)


def the_page_shows_what_its_commands_print():
    with harness.scratch() as folder:
        try:
            done = console_page.run("docs/traffic.md", folder)
        finally:
            harness.end_processes(folder)
    assert len(done) > 8, f"only {len(done)} commands found"
    for command, shown, real in done:
        assert settled(real) == settled(shown), f"$ {command}\nthe page shows\n{shown}\nbut it printed\n{real}"


harness.run([the_page_shows_what_its_commands_print])
