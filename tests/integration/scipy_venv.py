"""scipy as an oracle, in a virtual environment of its own under the user's cache; fetched once from PyPI."""
import fcntl
import os
import pathlib
import subprocess
import sys

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "slipway"
PINNED = "scipy==1.17.1"


class Unavailable(Exception):
    pass


def python():
    """The environment's interpreter. Raises Unavailable when it is not there and cannot be fetched."""
    folder = CACHE / PINNED.replace("==", "-")
    program = folder / "bin/python"
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "scipy.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "ready").exists():
            for command in ([sys.executable, "-m", "venv", "--clear", folder],
                            [program, "-m", "pip", "-q", "install", "--disable-pip-version-check", PINNED]):
                done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600)
                if done.returncode:
                    said = (done.stderr or done.stdout).strip().splitlines() or ["no reason given"]
                    raise Unavailable(f"scipy cannot be fetched from PyPI: {said[-1]}")
            (folder / "ready").touch()
    return program
