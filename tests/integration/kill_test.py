#!/usr/bin/env python3
"""kill -9 under concurrent writes: nothing acknowledged is lost, nothing is half there, versions only grow."""
import http.client
import json
import random
import shutil
import subprocess
import threading
import time

import harness

WRITERS = 8
KEYS_A_WRITER = 5
CATCH_UP_S = 20
CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
NETWORK = (OSError, http.client.HTTPException, ValueError)


class Writer(threading.Thread):
    """Creates, replaces and deletes its own objects, and remembers what was acknowledged and what was under way."""

    def __init__(self, server, number, chance):
        super().__init__(daemon=True)
        self.server, self.number, self.chance = server, number, chance
        self.acknowledged = {}  # name -> value, None when deleted
        self.under_way = {}     # name -> value the server may or may not have written
        self.value = 0
        self.version = 0
        self.writes = 0
        self.problem = None

    def body(self, name, value):
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name},
                "data": {"first": str(value), "padding": "x" * self.chance.randrange(2000), "last": str(value)}}

    def run(self):
        client = None
        try:
            client = self.server.client(timeout=5)
            while True:
                self.write_once(client)
        except NETWORK:
            return  # the server was killed
        except Exception as problem:  # told by whoever joins this thread
            self.problem = problem
        finally:
            if client:
                client.close()

    def write_once(self, client):
        name = f"w{self.number}-{self.chance.randrange(KEYS_A_WRITER)}"
        there = self.acknowledged.get(name) is not None
        delete = there and self.chance.random() < 0.2
        self.value += 1
        self.under_way[name] = None if delete else self.value
        if delete:
            status, answer = client.send("DELETE", f"{CONFIG_MAPS}/{name}")
        elif there:
            status, answer = client.send("PUT", f"{CONFIG_MAPS}/{name}", self.body(name, self.value))
        else:
            status, answer = client.send("POST", CONFIG_MAPS, self.body(name, self.value))
        if status not in (200, 201):
            raise AssertionError(f"{name}: {status} {answer}")
        if not delete:
            version = int(answer["metadata"]["resourceVersion"])
            if version <= self.version:
                raise AssertionError(f"version {version} after {self.version}")
            self.version = version
        self.acknowledged[name] = self.under_way.pop(name)
        self.writes += 1

    def settle(self, found):
        """Compares with what the server has now; what was under way may have happened or not."""
        for name in [f"w{self.number}-{i}" for i in range(KEYS_A_WRITER)]:
            allowed = {self.acknowledged.get(name)}
            if name in self.under_way:
                allowed.add(self.under_way.pop(name))
            there = found.get(name)
            assert there in allowed, f"{name}: found {there}, allowed {allowed}"
            self.acknowledged[name] = there


class Watcher(threading.Thread):
    """Follows all ConfigMaps across restarts, as an informer does; relists when its version is too old."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.version, self.seen, self.resumed, self.relisted = server, 0, 0, 0, 0
        self.known = {}  # name -> value
        self.problem = None
        self.done = False

    def run(self):
        while not self.done:
            try:
                self.follow()
            except NETWORK:
                time.sleep(0.02)
            except Exception as problem:  # told by whoever looks at it after a round
                self.problem = problem
                return

    def follow(self):
        client = self.server.client(timeout=5)
        if self.version == 0:
            status, listed = client.send("GET", CONFIG_MAPS)
            assert status == 200, listed
            self.known = values_of(listed["items"])
            self.version = int(listed["metadata"]["resourceVersion"])
            self.relisted += 1
        response = client.stream(f"{CONFIG_MAPS}?watch=true&resourceVersion={self.version}&allowWatchBookmarks=true")
        self.resumed += 1
        while line := response.readline():
            self.take(json.loads(line))
            if self.version == 0:
                return

    def take(self, event):
        if event["type"] == "ERROR":
            assert event["object"]["code"] == 410, event
            self.version = 0
            return
        version = int(event["object"]["metadata"]["resourceVersion"])
        if event["type"] != "BOOKMARK":
            assert version > self.version, f"event {version} after {self.version}"
            self.seen += 1
            for name, value in values_of([event["object"]]).items():
                if event["type"] == "DELETED":
                    self.known.pop(name)
                else:
                    self.known[name] = value
        self.version = max(self.version, version)

    def catch_up(self, version, found):
        """Waits until it has seen `version`; then it must know just what the list shows."""
        deadline = time.monotonic() + CATCH_UP_S
        while self.version < version and not self.problem:
            assert time.monotonic() < deadline, f"the watcher stays at {self.version}, the list is at {version}"
            time.sleep(0.005)
        assert self.problem is None, self.problem
        assert self.known == found, f"the watcher knows {self.known}, the list shows {found}"


def values_of(items):
    """name -> value of the objects writers made; what was written in one go must be there in one piece."""
    found = {}
    for item in items:
        data = item.get("data", {})
        if "first" in data:
            assert data["first"] == data["last"], f"half there: {item}"
            found[item["metadata"]["name"]] = int(data["first"])
    return found


def kill_9_under_concurrent_writes_loses_nothing():
    chance = random.Random(harness.seed)
    with harness.scratch() as folder:
        server = harness.Server(folder / "data")
        server.folder.mkdir(mode=0o700)
        server.start()
        writers = [Writer(server, n, random.Random(chance.random())) for n in range(WRITERS)]
        watcher = Watcher(server)
        watcher.start()
        highest = writes = 0
        for _ in range(harness.rounds):
            for writer in writers:
                writer.start()
            time.sleep(chance.uniform(0.02, 0.3))
            server.kill()
            for writer in writers:
                writer.join()
                assert writer.problem is None, writer.problem
                writes += writer.writes
            server.start()
            client = server.client()
            # A write of our own, so that the watcher has something to wait for.
            status, marked = client.send("POST", CONFIG_MAPS, {"apiVersion": "v1", "kind": "ConfigMap",
                                                               "metadata": {"generateName": "mark-"}})
            assert status == 201, marked
            status, listed = client.send("GET", CONFIG_MAPS)
            assert status == 200, listed
            found = values_of(listed["items"])
            version = int(listed["metadata"]["resourceVersion"])
            assert version >= max(highest, *(w.version for w in writers)), "versions went back"
            highest = version
            fresh = []
            for writer in writers:
                writer.settle(found)
                again = Writer(server, writer.number, writer.chance)
                again.acknowledged, again.value, again.version = writer.acknowledged, writer.value, writer.version
                fresh.append(again)
            writers = fresh
            watcher.catch_up(int(marked["metadata"]["resourceVersion"]), found)
        watcher.done = True
        assert writes > harness.rounds * WRITERS, f"only {writes} writes: the rounds show too little"
        assert watcher.seen > 0 and watcher.resumed >= harness.rounds
        print(f"kill -9: {harness.rounds} rounds, {writes} acknowledged writes; the watcher saw {watcher.seen} events, "
              f"came back {watcher.resumed} times and listed {watcher.relisted} times")
        server.kill()


def a_full_disk_refuses_writes_and_keeps_serving():
    if not shutil.which("unshare") or subprocess.run(
            ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode != 0:
        raise harness.Skip("this machine cannot mount a small file system in a namespace of its own")
    with harness.scratch() as folder:
        small = folder / "data"
        small.mkdir(mode=0o700)
        # The server sees a file system of 3 MB in place of its folder; its certificates are copied in and out.
        keep = folder / "keep"
        keep.mkdir()
        script = (f'mount -t tmpfs -o size=3m,mode=0700 tmpfs {small} && cp -r {keep}/. {small}/ && '
                  f'{{ (while ! [ -s {small}/kubeconfig ]; do sleep 0.02; done; '
                  f'for f in token ca.crt; do cp {small}/$f {keep}/$f.new; mv {keep}/$f.new {keep}/$f; done) & '
                  f'exec "$@"; }}')
        server = harness.Server(small, prefix=["unshare", "-rm", "sh", "-c", script, "sh"])
        server.start()
        server.folder = keep
        while not (keep / "ca.crt").exists() or not (keep / "token").exists():
            time.sleep(0.02)
        client = server.client()
        last, refused = 0, None
        for n in range(400):
            status, answer = client.send("POST", CONFIG_MAPS, {
                "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"fill-{n}"},
                "data": {"text": "x" * 20000}})
            if status != 201:
                refused = (status, answer)
                break
            last = n
        assert refused, "3 MB never filled up"
        assert refused[0] == 507, refused
        assert "disk" in refused[1]["message"] or "space" in refused[1]["message"], refused
        status, listed = client.send("GET", CONFIG_MAPS)
        names = {item["metadata"]["name"] for item in listed["items"]}
        assert status == 200 and {f"fill-{n}" for n in range(last + 1)} <= names, "an acknowledged write is missing"
        assert f"fill-{last + 1}" not in names, "a refused write is there"
        # Deleting may need room too; once something could be freed, writes work again.
        freed = sum(client.send("DELETE", f"{CONFIG_MAPS}/fill-{n}")[0] == 200 for n in range(last + 1))
        status, again = client.send("GET", CONFIG_MAPS)
        assert status == 200 and len(again["items"]) == len(listed["items"]) - freed
        server.process.terminate()
        server.process.wait(timeout=20)


harness.run([kill_9_under_concurrent_writes_loses_nothing, a_full_disk_refuses_writes_and_keeps_serving])
