#!/usr/bin/env python3
"""kill -9 under concurrent writes and on a full disk: nothing acknowledged is lost, nothing is half there, versions only grow."""
import contextlib
import http.client
import json
import pathlib
import random
import shutil
import sqlite3
import ssl
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


class SmallDisk:
    """A file system of 4 MB that only its holder and the servers started on it see. It goes when this is closed, not when a
    server is killed."""

    def __init__(self, folder):
        if not shutil.which("unshare") or not shutil.which("nsenter"):
            raise harness.Skip("unshare and nsenter are not there")
        folder.mkdir(mode=0o700)
        mount = 'mount -t tmpfs -o size=4m,mode=0700 tmpfs "$0" && echo mounted && read -r until_closed'
        self.holder = subprocess.Popen(["unshare", "-rm", "sh", "-c", mount, folder], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if self.holder.stdout.readline() != "mounted\n":
            self.close()
            raise harness.Skip("this machine cannot mount a small file system in a namespace of its own")
        self.folder = folder
        self.seen = pathlib.Path(f"/proc/{self.holder.pid}/root{folder}")  # from here

    def close(self):
        self.holder.stdin.close()
        self.holder.wait()

    def check(self, copy):
        """What is on it is a whole database, with its log."""
        copy.mkdir()
        for file in self.seen.glob("slipway.db*"):
            shutil.copy(file, copy)
        with contextlib.closing(sqlite3.connect(copy / "slipway.db")) as database:
            found = database.execute("PRAGMA integrity_check").fetchall()
        assert found == [("ok",)], found


class ServerOnSmallDisk(harness.Server):
    def __init__(self, disk):
        super().__init__(disk.folder, prefix=["nsenter", "-t", str(disk.holder.pid), "-U", "-m", "--preserve-credentials", "--wd"])
        self.disk = disk

    def token(self, name="token"):
        return (self.disk.seen / name).read_text().strip()

    def tls(self):
        return ssl.create_default_context(cafile=str(self.disk.seen / "ca.crt"))


def of_size(name, value, size):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name},
            "data": {"first": str(value), "padding": "x" * size, "last": str(value)}}


def is_refused(answer):
    status, said = answer
    assert status == 507 and said["kind"] == "Status" and said["status"] == "Failure", answer
    assert said["message"] == "no space left on the disk that holds the store", said


def shows(server, wanted, version):
    """The list is just what was acknowledged, each in one piece. Its version, which is no older."""
    status, listed = server.client().send("GET", CONFIG_MAPS)
    assert status == 200, listed
    found = values_of(listed["items"])
    assert found == wanted, f"there is {found}, acknowledged was {wanted}"
    now = int(listed["metadata"]["resourceVersion"])
    assert now >= version, f"version {now} after {version}"
    return now


def a_full_disk_refuses_writes_and_harms_nothing():
    with harness.scratch() as folder, contextlib.closing(SmallDisk(folder / "data")) as disk:
        ballast = disk.seen / "ballast"  # what somebody will make room by
        ballast.write_bytes(bytes(1_500_000))
        server = ServerOnSmallDisk(disk).start()
        try:
            client, acknowledged, refused, version = server.client(), {}, None, 0
            for n in range(200):
                answer = client.send("POST", CONFIG_MAPS, of_size(f"fill-{n}", n, 20_000))
                if answer[0] != 201:
                    refused = f"fill-{n}"
                    break
                acknowledged[f"fill-{n}"] = n
                version = int(answer[1]["metadata"]["resourceVersion"])
            assert refused and len(acknowledged) > 20, f"{len(acknowledged)} writes, and the disk was never full"
            is_refused(answer)
            is_refused(client.send("PUT", f"{CONFIG_MAPS}/fill-0", of_size("fill-0", 1000, 500_000)))
            version = shows(server, acknowledged, version)  # reads go on, and nothing refused is there

            # Killed, and started on a disk that is still full; then stopped with no room for the log to move into the file.
            for number, end in enumerate((server.kill, server.stop)):
                end()
                disk.check(folder / f"copy{number}")
                server.start()
                version = shows(server, acknowledged, version)
                is_refused(server.client().send("PUT", f"{CONFIG_MAPS}/fill-0", of_size("fill-0", 1000, 500_000)))

            ballast.unlink()
            client = server.client()
            status, made = client.send("POST", CONFIG_MAPS, of_size(refused, 2000, 20_000))
            assert status == 201, f"there is room, and yet: {made}"
            status, made = client.send("PUT", f"{CONFIG_MAPS}/fill-0", of_size("fill-0", 1000, 500_000))
            assert status == 200, f"there is room, and yet: {made}"
            assert client.send("DELETE", f"{CONFIG_MAPS}/fill-1")[0] == 200
            acknowledged.update({refused: 2000, "fill-0": 1000})
            del acknowledged["fill-1"]
            server.kill()
            disk.check(folder / "copy")
            server.start()
            shows(server, acknowledged, int(made["metadata"]["resourceVersion"]))
        finally:
            server.kill()


harness.run([kill_9_under_concurrent_writes_loses_nothing, a_full_disk_refuses_writes_and_harms_nothing])
