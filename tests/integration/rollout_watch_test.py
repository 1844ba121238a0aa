#!/usr/bin/env python3
"""`slipway rollout get -w` and `status` hear of changes instead of asking again and again: nothing is read while nothing
changes, a change shows at once, and a server that is started again is heard again."""
import contextlib
import pathlib
import queue
import re
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402
from rollout_test import PATIENCE_S, canary, rollout, world  # noqa: E402

QUIET_S = 5
AT_ONCE_S = 2 * harness.patience


class Followed:
    """A command that goes on, and what it has printed so far."""

    def __init__(self, it, *words, command="rollout"):
        self.process = subprocess.Popen([harness.slipway, command, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, env=it.environment)
        self.lines, self.text = queue.Queue(), ""
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)

    def until(self, pattern, within=PATIENCE_S):
        """What was printed since the last call, up to the pattern."""
        deadline, self.text = time.monotonic() + within, ""
        while not re.search(pattern, self.text, re.M):
            left = deadline - time.monotonic()
            assert left > 0, f"{pattern} does not show within {within} s:\n{self.text}"
            with contextlib.suppress(queue.Empty):
                self.text += self.lines.get(timeout=max(left, 0.01))
        return self.text

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()


@contextlib.contextmanager
def followed(it, *words, command="rollout"):
    made = Followed(it, *words, command=command)
    try:
        yield made
    finally:
        made.stop()


def lists(it):
    """How often lists were read."""
    client = it.server.client()
    _, text = client.send("GET", "/metrics")
    client.close()
    return sum(float(line.split()[-1]) for line in text.splitlines()
               if line.startswith("slipway_api_requests_total{") and 'verb="list"' in line and
               re.search(r'resource="(pods|replicasets|jobs|experiments|analysisruns)"', line))


def a_quiet_rollout_is_not_read_again():
    with world() as it:
        it.apply(rollout("web", canary({"setWeight": 50}, {"pause": {}})))
        it.healthy("web")
        with followed(it, "get", "web", "-w") as tree:
            tree.until("Healthy")
            time.sleep(2 * harness.patience)  # the watches are open, and what is still settling has settled
            before = lists(it)
            time.sleep(QUIET_S)
            assert lists(it) - before < 5, "the tree is read though nothing changes"
            it.rollout("set", "image", "web", "web=web:v2")
            tree.until("Paused")
            assert lists(it) - before >= 5, "the tree is not read though something changes"


def a_change_shows_at_once():
    with world() as it:
        it.apply(rollout("web", canary({"setWeight": 50}, {"pause": {}})))
        it.healthy("web")
        it.rollout("set", "image", "web", "web=web:v2")
        it.until_shown("web", "^Status: +॥ Paused$")
        with followed(it, "get", "web", "-w") as tree, followed(it, "list", "-w") as table, followed(it, "status", "web") as status:
            tree.until("Paused")
            table.until("Paused")
            time.sleep(2 * harness.patience)
            it.rollout("abort", "web")
            for each in (tree, table, status):
                each.until("Degraded", AT_ONCE_S)
            assert status.process.wait(timeout=PATIENCE_S) == 1


def a_server_that_is_started_again_is_heard_again():
    with world() as it:
        it.apply(rollout("web", canary({"setWeight": 50}, {"pause": {}})))
        it.healthy("web")
        it.rollout("set", "image", "web", "web=web:v2")
        it.until_shown("web", "^Status: +॥ Paused$")
        with followed(it, "get", "web", "-w") as tree, followed(it, "status", "web") as status:
            tree.until("Paused")
            time.sleep(harness.patience)
            it.server.kill()
            for each in (tree, status):
                each.until("the server does not answer; waiting for it")
            it.server.start()
            it.rollout("promote", "web")
            tree.until("Healthy")
            assert status.process.wait(timeout=PATIENCE_S) == 0


def a_server_that_is_not_there_at_first_is_not_waited_for():
    with world() as it:
        it.server.kill()
        began = time.monotonic()
        with followed(it, "get", "web", "-w") as tree:
            assert tree.process.wait(timeout=PATIENCE_S) == 3
        assert time.monotonic() - began < PATIENCE_S / 2


if __name__ == "__main__":
    harness.run([a_quiet_rollout_is_not_read_again, a_change_shows_at_once, a_server_that_is_started_again_is_heard_again,
                 a_server_that_is_not_there_at_first_is_not_waited_for])
