"""Prometheus, VictoriaMetrics and Graphite of Debian 12, unpacked into the user's cache on first use.

Unpacked, not installed: installing them would enable three daemons at the next boot, needs root, and takes four times
as long. What they need beside is in Debian's python3 and in tools/packages.txt.
"""
import fcntl
import os
import pathlib
import shutil
import subprocess
import tempfile

RECIPE = 1  # raise it when the packages or what is kept of them change
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "slipway"
UNPACK = pathlib.Path(__file__).resolve().parent.parent / "kube/debian-unpack"
PYTHON = "/usr/bin/python3"  # the packages' modules are built for Debian's own
PACKAGES = ["prometheus", "victoria-metrics", "graphite-web", "graphite-carbon"] + [
    f"python3-{name}" for name in (
        "asgiref", "attr", "automat", "cachetools", "cairocffi", "cffi", "cffi-backend", "constantly", "django",
        "django-tagging", "hamcrest", "hyperlink", "idna", "incremental", "pkg-resources", "ply", "pyparsing", "pycparser",
        "simplejson", "six", "sqlparse", "twisted", "tz", "urllib3", "whisper", "xcffib", "zope.interface")]
KEPT = ["usr/bin/prometheus", "usr/bin/promtool", "usr/bin/victoria-metrics", "usr/bin/carbon-cache",
        "usr/lib/python3/dist-packages", "usr/share/graphite-web"]


class Unavailable(Exception):
    pass


def folder():
    """Where usr/bin/prometheus and the others are. Raises Unavailable when they are not and cannot be fetched."""
    wanted = CACHE / f"stores-{RECIPE}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "stores.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not wanted.exists():
            fetch(wanted)
    return wanted


def fetch(wanted):
    """Everything happens beside the final folder, which then appears whole or not at all."""
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
        whole, kept = pathlib.Path(scratch) / "whole", pathlib.Path(scratch) / "kept"
        done = subprocess.run([str(UNPACK), str(whole), *PACKAGES], capture_output=True, text=True, timeout=900)
        if done.returncode:
            said = done.stderr.strip().splitlines() or ["no reason given"]
            raise Unavailable(f"Debian's packages cannot be fetched: {said[-1]}")
        for name in KEPT:
            (kept / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(whole / name, kept / name)
        kept.rename(wanted)
