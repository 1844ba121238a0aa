"""Pages of docs/ run from top to bottom as a reader would: every command of their console blocks verbatim, in one shell."""
import os
import pathlib
import re
import subprocess

import harness

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHELL_TIMEOUT_S = 300 * harness.patience
MARK = "---- end of command ----"
# What follows from a change is not there in the same instant; a reader looks a moment later.
LOOKS, MOMENT_S = re.compile(r"^slipway (rollout|experiment) get "), 1


def commands(text):
    """(command, what it prints) of every console block, in order."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
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


def run(page, folder, **environment):
    """(command, what the page shows, what it printed) of each."""
    listed = commands((ROOT / page).read_text())
    (folder / "bin").mkdir()
    (folder / "bin/slipway").symlink_to(pathlib.Path(harness.slipway).resolve())
    (folder / "examples").symlink_to(ROOT / "examples")
    env = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder),
           "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""), **environment}
    script = "set -m\n"
    for command, _ in listed:
        script += f"sleep {MOMENT_S}\n" * bool(LOOKS.match(command)) + f"{command}\necho; echo '{MARK}'\n"
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=env, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SHELL_TIMEOUT_S)
    printed = done.stdout.split(MARK)[:-1]
    assert len(printed) == len(listed), done.stdout[-3000:]
    return [(command, shown, real) for (command, shown), real in zip(listed, printed)]
