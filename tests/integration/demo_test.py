#!/usr/bin/env python3
"""slipway demo: both versions end as they are to, the table has the numbers, and nothing is left, however it ends.

With SLIPWAY_DEMOS the whole of it is run so many times, one after the other, and nothing else.
"""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402

DEMO_LIMIT_S = 180
END_LIMIT_S = 15 * harness.patience
DEMOS = int(os.environ.get("SLIPWAY_DEMOS", "0"))


def environment(folder):
    return {**os.environ, "TMPDIR": str(folder)}


def start(folder, *words, **more):
    return subprocess.Popen([harness.slipway, "demo", *words], env=environment(folder), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def processes(folder):
    return harness.processes(f"{folder}/slipway-demo-")


def expect_nothing_left(folder):
    deadline = time.monotonic() + 5
    while processes(folder) and time.monotonic() < deadline:
        time.sleep(0.1)  # a killed process is there until the kernel is done with it
    assert not processes(folder), processes(folder)
    assert not list(folder.iterdir()), list(folder.iterdir())


def rows(text):
    """The table's rows by version; cells are three blanks apart."""
    lines = text.splitlines()
    at = next((n for n, line in enumerate(lines) if line.startswith("VERSION")), None)
    assert at is not None, text[-3000:]
    names = re.split(r" {2,}", lines[at].strip())
    found = {}
    for line in lines[at + 1:]:
        cells = re.split(r" {2,}", line.strip())
        if len(cells) == len(names):
            found[cells[0]] = dict(zip(names, cells))
    return found


def number(cell):
    return float(re.match(r"[-+]?[\d.]+(e[-+]\d+)?", cell)[0])


def one_demo(folder):
    began = time.monotonic()
    demo = start(folder)
    text, _ = demo.communicate(timeout=DEMO_LIMIT_S + 60)
    took = time.monotonic() - began
    assert demo.returncode == 0, text[-4000:]
    assert took < DEMO_LIMIT_S, f"it took {took:.0f} s"
    table = rows(text)
    good, bad = table["v2"], table["v3"]
    assert (good["VERDICT"], bad["VERDICT"]) == ("promoted", "aborted"), table
    baseline, canary = map(number, bad["ERRORS"].split(" → "))
    assert baseline < 10 < canary, bad
    assert number(good["ERRORS"].split(" → ")[1]) < 5, good
    assert number(bad["P"]) < 0.001 < number(good["P"]), table
    for row in (good, bad):
        assert row["LOST"].startswith("0 of "), row
        assert all(int(part) > 50 for part in row["REQUESTS"].split(" + ")), row
    expect_nothing_left(folder)
    return took


def the_good_version_is_promoted_and_the_bad_one_aborted():
    with harness.scratch() as folder:
        took = one_demo(folder)
    print(f"took {took:.0f} s", flush=True)


def numbered(test, n):
    def again():
        test()
    again.__name__ = f"{test.__name__}_{n}"
    return again


def two_run_side_by_side():
    with harness.scratch() as folder:
        both = [start(folder), start(folder)]
        texts = [one.communicate(timeout=DEMO_LIMIT_S + 60)[0] for one in both]
        for one, text in zip(both, texts):
            assert one.returncode == 0, text[-4000:]
        expect_nothing_left(folder)


def wait_for_line(demo, wanted):
    lines = []
    for line in demo.stdout:
        lines.append(line)
        if re.search(wanted, line):
            return "".join(lines)
    raise AssertionError(f"never said {wanted!r}: {''.join(lines)[-3000:]}")


def interrupted(sign, group):
    """Half way through the first rollout, by the terminal (to the group) or by kill (to the one process)."""
    with harness.scratch() as folder:
        demo = start(folder, start_new_session=True)
        wait_for_line(demo, r"^v2: ")
        time.sleep(3)
        assert len(processes(folder)) > 5, processes(folder)
        began = time.monotonic()
        (os.killpg if group else os.kill)(demo.pid, sign)
        rest, _ = demo.communicate(timeout=END_LIMIT_S)
        assert demo.returncode == 1, demo.returncode
        assert "interrupted" in rest, rest
        assert time.monotonic() - began < END_LIMIT_S
        expect_nothing_left(folder)


def ctrl_c_half_way_leaves_nothing():
    interrupted(signal.SIGINT, group=True)


def a_polite_kill_leaves_nothing():
    interrupted(signal.SIGTERM, group=False)


def a_kill_of_the_whole_job_leaves_nothing():
    """As a job's time limit does it: nobody in the group can say goodbye."""
    with harness.scratch() as folder:
        demo = start(folder, start_new_session=True)
        wait_for_line(demo, r"^v2: ")
        assert len(processes(folder)) > 5, processes(folder)
        os.killpg(demo.pid, signal.SIGKILL)
        demo.communicate(timeout=END_LIMIT_S)  # who sweeps holds the output until it is done
        assert demo.returncode == -signal.SIGKILL, demo.returncode
        expect_nothing_left(folder)


def a_dead_server_ends_it_with_what_happened():
    with harness.scratch() as folder:
        demo = start(folder)
        wait_for_line(demo, r"^v2: ")
        for pid, words in processes(folder).items():
            if "serve" in words:
                os.kill(pid, signal.SIGKILL)
        rest, _ = demo.communicate(timeout=DEMO_LIMIT_S)
        assert demo.returncode == 1 and "slipway: " in rest, rest
        expect_nothing_left(folder)


def without_prometheus_it_says_what_to_install():
    with harness.scratch() as folder:
        # Neither on the path nor where Debian has it: a mount namespace without /usr/bin/prometheus.
        if os.geteuid() != 0 or not shutil.which("unshare"):
            raise harness.Skip("hiding a program needs root and unshare")
        script = f"mount --bind /dev/null /usr/bin/prometheus 2>/dev/null; exec {harness.slipway} demo"
        done = subprocess.run(["unshare", "--mount", "sh", "-c", script], env=environment(folder), capture_output=True,
                              text=True, timeout=60)
        assert done.returncode == 1, done
        assert "apt-get install prometheus" in done.stderr, done.stderr
        expect_nothing_left(folder)


def a_kept_one_answers_until_it_is_ended():
    with harness.scratch() as folder:
        demo = start(folder, "--keep")
        text, _ = demo.communicate(timeout=DEMO_LIMIT_S + 60)
        try:
            assert demo.returncode == 0, text[-4000:]
            page = re.search(r"application\s+(http\S+)", text)[1]
            prometheus = re.search(r"Prometheus\s+(http\S+)", text)[1]
            kubeconfig = re.search(r"export KUBECONFIG=(\S+)", text)[1]
            for _ in range(20):  # one request in a hundred fails, by design
                with contextlib.suppress(urllib.error.HTTPError), urllib.request.urlopen(page, timeout=10) as answer:
                    assert answer.read() == b"hello from v2\n"
                    break
            else:
                raise AssertionError("the application does not answer")
            with urllib.request.urlopen(prometheus + "-/ready", timeout=10) as answer:
                assert answer.status == 200
            shown = subprocess.run([harness.slipway, "--kubeconfig", kubeconfig, "get", "rollout", "web"],
                                   capture_output=True, text=True, timeout=30)
            assert shown.returncode == 0 and "web" in shown.stdout, shown
        finally:
            kept = next(iter(folder.glob("slipway-demo-*")), folder / "none")
            ended = subprocess.run([harness.slipway, "demo", "--end", str(kept)], capture_output=True, text=True, timeout=60)
        assert ended.returncode == 0, ended
        expect_nothing_left(folder)
        again = subprocess.run([harness.slipway, "demo", "--end", str(kept)], capture_output=True, text=True, timeout=60)
        assert again.returncode == 1 and "no demo was kept" in again.stderr, again


if __name__ == "__main__":
    whole = the_good_version_is_promoted_and_the_bad_one_aborted
    harness.run([numbered(whole, n + 1) for n in range(DEMOS)] or
                [whole, two_run_side_by_side, ctrl_c_half_way_leaves_nothing, a_polite_kill_leaves_nothing,
                 a_kill_of_the_whole_job_leaves_nothing, a_dead_server_ends_it_with_what_happened,
                 without_prometheus_it_says_what_to_install, a_kept_one_answers_until_it_is_ended])
