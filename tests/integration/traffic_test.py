#!/usr/bin/env python3
"""A real HAProxy in front of two real programs: shares, changes under load, reloads, deaths."""
import asyncio
import collections
import contextlib
import http.client
import math
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402
from harness import until  # noqa: E402

PATIENCE_S = 30 * harness.patience
CATCH_UP_S = 1
GATEWAYS = "/apis/gateway.networking.k8s.io/v1/namespaces/default/gateways"
ROUTES = "/apis/gateway.networking.k8s.io/v1/namespaces/default/httproutes"
SERVICES = "/api/v1/namespaces/default/services"
SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
RUNS = "/apis/argoproj.io/v1alpha1/namespaces/default/analysisruns"
PORT = 8000

# Answers with its name; /fail with 500, /echo with what it was sent, /slow after a while.
BACKEND = """
import asyncio, sys
name, address, port = sys.argv[1:]
async def serve(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\\r\\n\\r\\n")
            status = b"500 Oops" if b" /fail" in head.split(b"\\r\\n")[0] else b"200 OK"
            await asyncio.sleep(3 if b" /slow" in head else 0)
            body = head if b" /echo" in head else name.encode()
            writer.write(b"HTTP/1.1 %s\\r\\nserver: x\\r\\ncontent-length: %d\\r\\n\\r\\n%s" % (status, len(body), body))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()
async def main():
    server = await asyncio.start_server(serve, address, int(port))
    print("ready", flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


class Load:
    """Clients that keep their connections, as browsers and pools do; counts who answered, and what went wrong."""

    def __init__(self, address, port, clients=8, pause=0.0, path="/", every=0.0):
        """`pause` is between an answer and the next request of a client; `every` between its requests, whatever answers take: what a
        slow one has held up is made up for, as far as CATCH_UP_S."""
        self.address, self.port, self.clients, self.pause, self.path = address, port, clients, pause, path
        self.every = every
        self.answers, self.errors, self.reconnects = collections.Counter(), [], 0
        self.left = math.inf
        self.stopped = False

    async def client(self):
        reader = writer = None
        request = f"GET {self.path} HTTP/1.1\r\nhost: test\r\n\r\n".encode()
        due = time.monotonic()
        while not self.stopped and self.left > 0:
            self.left -= 1
            try:
                if writer is None:
                    reader, writer = await asyncio.open_connection(self.address, self.port)
                    self.reconnects += 1
                writer.write(request)
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_S)
                length = int(re.search(rb"content-length: (\d+)", head)[1])
                body = (await reader.readexactly(length)).decode()
                if b" 200 " in head.split(b"\r\n")[0]:
                    self.answers[body] += 1
                else:
                    self.errors.append(head.split(b"\r\n")[0].decode())
                if b"connection: close" in head.lower():
                    writer.close()
                    writer = None
            except (OSError, EOFError, asyncio.TimeoutError) as problem:
                self.errors.append(repr(problem))
                writer = None
                await asyncio.sleep(0.01)
            if self.pause:
                await asyncio.sleep(self.pause)
            if self.every:
                due = max(due + self.every, time.monotonic() - CATCH_UP_S)
                await asyncio.sleep(max(0.0, due - time.monotonic()))
        if writer:
            writer.close()

    async def run(self):
        await asyncio.gather(*(self.client() for _ in range(self.clients)))

    def send(self, requests):
        self.left = requests
        asyncio.run(self.run())
        return self


async def meanwhile(load, work):
    """Runs `work` (which blocks) while the load goes on, and a little after."""
    clients = asyncio.create_task(load.run())
    try:
        await asyncio.sleep(0.3)
        await asyncio.get_running_loop().run_in_executor(None, work)
        await asyncio.sleep(0.5)
    finally:
        load.stopped = True
        await clients


def under_load(load, work):
    asyncio.run(meanwhile(load, work))
    assert not load.errors, f"{len(load.errors)} errors among {sum(load.answers.values())}: {load.errors[:5]}"
    assert sum(load.answers.values()) > 50, "there was no load to speak of"
    return load


class World:
    def __init__(self, server):
        self.server = server
        self.programs = []
        # Tests may run beside each other: addresses of our own.
        self.net = os.getpid() % 200 + 1

    def ask(self, method, path, body=None, kind="application/json", wanted=(200, 201)):
        client = self.server.client()
        status, answer = client.send(method, path, body, kind)
        client.close()
        assert status in wanted, f"{method} {path}: {status} {answer}"
        return answer

    def start_program(self, name, host):
        address = f"127.64.{self.net}.{host}"
        program = subprocess.Popen([sys.executable, "-c", BACKEND, name, address, str(PORT)], stdout=subprocess.PIPE)
        self.programs.append(program)
        assert program.stdout.readline() == b"ready\n"
        return address

    def add_service(self, name, host, addresses, port=8080, headless=False):
        self.ask("POST", SERVICES, {
            "apiVersion": "v1", "kind": "Service", "metadata": {"name": name},
            "spec": {"clusterIP": "None" if headless else f"127.128.{self.net}.{host}",
                     "ports": [{"name": "http", "port": port, "targetPort": PORT}]}})
        self.ask("POST", SLICES, self.slice_of(name, addresses))
        return f"127.128.{self.net}.{host}"

    @staticmethod
    def slice_of(name, addresses):
        return {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4",
                "metadata": {"name": f"{name}-1", "labels": {"kubernetes.io/service-name": name}},
                "ports": [{"name": "http", "port": PORT, "protocol": "TCP"}],
                "endpoints": [{"addresses": [address], "conditions": {"ready": True}} for address in addresses]}

    def add_route(self, name, rules, **spec):
        self.ask("POST", ROUTES, {"apiVersion": "gateway.networking.k8s.io/v1", "kind": "HTTPRoute", "metadata": {"name": name},
                                  "spec": {"parentRefs": [{"name": "gw"}], "rules": rules, **spec}})

    def set_weight(self, canary):
        patch = [{"op": "replace", "path": "/spec/rules/0/backendRefs", "value": backends(canary)}]
        route = self.ask("PATCH", f"{ROUTES}/web", patch, "application/json-patch+json")
        return route["metadata"]["generation"]

    def conditions(self, name):
        """type -> (status, reason, message, generation) of the route's first parent"""
        parents = self.ask("GET", f"{ROUTES}/{name}").get("status", {}).get("parents", [])
        return {c["type"]: (c["status"], c["reason"], c["message"], c["observedGeneration"])
                for c in (parents[0]["conditions"] if parents else [])}

    def wait_seen(self, generation, name="web"):
        until(lambda: self.conditions(name).get("Accepted", (0, 0, 0, 0))[3] >= generation,
              lambda: f"generation {generation} is not in effect: {self.conditions(name)}")

    def gateway_address(self):
        def address():
            status = self.ask("GET", f"{GATEWAYS}/gw").get("status", {})
            programmed = any(c["type"] == "Programmed" and c["status"] == "True" for c in status.get("conditions", []))
            return programmed and status["addresses"][0]["value"]
        return until(address, "the Gateway is not programmed")

    def proxy_pid(self):
        return int((self.server.folder / "traffic" / "haproxy.pid").read_text())

    def proxies(self):
        return [pid for pid, words in harness.processes(self.server.folder / "traffic").items() if "haproxy" in words[0]]

    def metric(self, name, **labels):
        client = self.server.client()
        _, text = client.send("GET", "/metrics")
        client.close()
        for line in text.splitlines():
            if line.startswith(name + "{") and all(f'{key}="{value}"' in line for key, value in labels.items()):
                return float(line.split()[-1])
        return 0.0

    def reloads(self):
        return self.metric("slipway_proxy_events_total", event="reload")

    def close(self):
        self.server.kill()  # first: it would start the proxy again
        for program in self.programs:
            program.kill()
            program.wait()
        for pid in self.proxies():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def backends(canary):
    return [{"name": "stable", "port": 8080, "weight": 100 - canary}, {"name": "canary", "port": 8080, "weight": canary}]


@contextlib.contextmanager
def world(weight=50, headless=False):
    """A Gateway, and a route to two Services with a program each; headless ones are reached through it alone."""
    with harness.running() as server:
        made = World(server)
        try:
            made.add_service("stable", 1, [made.start_program("stable", 1)], headless=headless)
            made.add_service("canary", 2, [made.start_program("canary", 2)], headless=headless)
            made.ask("POST", GATEWAYS, {"apiVersion": "gateway.networking.k8s.io/v1", "kind": "Gateway", "metadata": {"name": "gw"},
                                        "spec": {"gatewayClassName": "any", "listeners": [{"name": "main", "port": 8088, "protocol": "HTTP"}]}})
            made.add_route("web", [{"backendRefs": backends(weight)}])
            made.wait_seen(1)
            made.address = made.gateway_address()
            yield made
        finally:
            made.close()


def load_on(made, **more):
    return Load(made.address, 8088, **more)


def shares_follow_the_weights():
    with world() as made:
        for weight, requests in ((50, 2000), (1, 8000), (0, 500), (100, 500)):
            made.wait_seen(made.set_weight(weight))
            load = load_on(made).send(requests)
            assert not load.errors, load.errors[:5]
            share, expected = load.answers["canary"] / requests, weight / 100
            allowed = 4 * math.sqrt(expected * (1 - expected) / requests)
            assert abs(share - expected) <= allowed, f"{share} for {expected}, allowed are {allowed}"


def sixty_changes_of_weight_lose_nothing():
    with world() as made:
        before = made.reloads()

        def change():
            began = time.monotonic()
            for i in range(60):
                generation = made.set_weight(i % 2 * 98 + 1)
                time.sleep(max(0, began + (i + 1) / 3 - time.monotonic()))
            made.wait_seen(generation)
        load = under_load(load_on(made, pause=0.01), change)
        assert load.reconnects == load.clients, "a connection was lost"
        assert made.reloads() == before, "a change of weight needed a reload"
        assert min(load.answers.values()) > 100, load.answers


def reloads_lose_nothing():
    with world() as made:
        before = made.reloads()

        def add():
            for i in range(10):
                address = made.add_service(f"extra{i}", 10 + i, [f"127.64.{made.net}.1"])
                until(lambda: not Load(address, 8080, clients=1).send(1).errors, "the new Service does not answer")
        load = under_load(load_on(made, pause=0.005), add)
        assert made.reloads() >= before + 5, "there was nothing to reload"
        total = sum(load.answers.values())
        until(lambda: sum(made.metric("slipway_traffic_requests_total", service=each) for each in ("stable", "canary")) == total,
              lambda: f"counted {[made.metric('slipway_traffic_requests_total', service=each) for each in ('stable', 'canary')]} of {total}")


def servers_come_and_go_without_a_reload():
    with world(weight=0) as made:
        before, other = made.reloads(), made.start_program("other", 3)
        first = f"127.64.{made.net}.1"

        def replace():
            for i in range(10):
                made.ask("PUT", f"{SLICES}/stable-1", made.slice_of("stable", [other if i % 2 == 0 else first]))
                time.sleep(0.1)
            made.ask("PUT", f"{SLICES}/stable-1", made.slice_of("stable", [other]))
        load = under_load(load_on(made, pause=0.002), replace)
        assert load.answers["other"] > 20 and load.answers["stable"] > 20, load.answers
        assert made.reloads() == before
        assert set(load_on(made).send(100).answers) == {"other"}


def a_killed_proxy_is_started_again():
    with world() as made:
        for _ in range(3):
            pid = made.proxy_pid()
            os.kill(pid, signal.SIGKILL)
            began = time.monotonic()
            until(lambda: not load_on(made, clients=1).send(1).errors, "the proxy does not come back")
            took = time.monotonic() - began
            assert took < 1 * harness.patience, f"that took {took} s"
            assert made.proxy_pid() != pid
        reasons = {event["reason"] for event in made.ask("GET", "/api/v1/namespaces/default/events")["items"]}
        assert "ProxyDied" in reasons, reasons


def end_other_admin_lines(made):
    """As the proxy does by itself with lines that were silent for too long."""
    def ask(command):
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(made.server.folder / "traffic" / "admin.sock"))
            line.sendall(f"{command}\n".encode())
            line.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: line.recv(65536), b"")).decode()
    others = [line.split(":")[0] for line in ask("show sess").splitlines() if "fe=GLOBAL" in line]
    for each in others:
        ask(f"shutdown session {each}")
    return len(others)


def a_line_to_the_proxy_that_was_lost_is_opened_again():
    with world() as made:
        counted = lambda: sum(made.metric("slipway_traffic_requests_total", service=each) for each in ("stable", "canary"))
        load_on(made, clients=1).send(4)
        until(lambda: counted() == 4, lambda: f"counted {counted()} of 4")
        assert end_other_admin_lines(made) >= 2, "there is no line to it"
        load_on(made, clients=1).send(4)
        until(lambda: counted() == 8, lambda: f"counted {counted()} of 8")


def traffic_goes_on_when_the_server_is_killed():
    with world(weight=0) as made:
        def restart():
            for weight in (10, 20):
                made.server.kill()
                time.sleep(0.5)
                made.server.start()
                made.wait_seen(made.set_weight(weight))
        load = under_load(load_on(made, pause=0.005), restart)
        assert load.answers["canary"] > 0, load.answers
        until(lambda: len(made.proxies()) == 1, lambda: f"proxies are left: {made.proxies()}")


@contextlib.contextmanager
def odd_proxy(flag, first):
    """A haproxy that does something first when it is run with the flag; in a folder of its own."""
    with harness.scratch() as folder:
        real, odd, path = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin"), folder / "haproxy", os.environ["PATH"]
        odd.write_text(f'#!/bin/sh\ncase " $* " in *" {flag} "*) {first};; esac\nexec {real} "$@"\n')
        odd.chmod(0o755)
        os.environ["PATH"] = f"{folder}:{path}"
        try:
            yield str(odd)
        finally:
            os.environ["PATH"] = path


def a_proxy_that_a_killed_server_was_starting_is_the_one():
    with odd_proxy("-sf", "sleep 2") as slow, world(weight=0) as made:
        def restart():
            for weight in (10, 20):
                made.server.kill()
                made.server.start()
                started = lambda: harness.processes(made.server.folder / "traffic").values()  # noqa: E731
                until(lambda: any(slow in words and "-sf" in words for words in started()), "the proxy is not replaced")
                made.server.kill()
                made.server.start()
                made.wait_seen(made.set_weight(weight))
        load = under_load(load_on(made, pause=0.005), restart)
        assert load.answers["canary"] > 0, load.answers
        until(lambda: len(made.proxies()) == 1, lambda: f"proxies are left: {made.proxies()}")


def a_proxy_without_anything_to_listen_at_is_ended():
    with world() as made:
        for path in (f"{GATEWAYS}/gw", f"{SERVICES}/stable", f"{SERVICES}/canary"):
            made.ask("DELETE", path)
        until(lambda: not made.proxies(), lambda: f"it runs on: {made.proxies()}")
        address = made.add_service("again", 9, [f"127.64.{made.net}.1"])
        until(lambda: not Load(address, 8080, clients=1).send(1).errors, "it does not come back")


def listens(address, port):
    with contextlib.suppress(OSError):
        socket.create_connection((address, port), timeout=PATIENCE_S).close()
        return True
    return False


def what_is_under_way_when_the_last_listener_goes_is_counted():
    with world(weight=0, headless=True) as made:
        assert not load_on(made, clients=1).send(3).errors
        until(lambda: made.metric("slipway_traffic_requests_total", service="stable") == 3, "three are not counted")
        slow = load_on(made, clients=1, path="/slow")
        under_way = threading.Thread(target=lambda: slow.send(1))
        under_way.start()
        time.sleep(1)
        gateway = made.ask("GET", f"{GATEWAYS}/gw")
        made.ask("DELETE", f"{GATEWAYS}/gw")
        until(lambda: not listens(made.address, 8088), "somebody listens still")
        under_way.join()
        assert slow.answers == {"stable": 1} and not slow.errors, (slow.answers, slow.errors)
        until(lambda: made.metric("slipway_traffic_requests_total", service="stable") == 4,
              lambda: f'counted {made.metric("slipway_traffic_requests_total", service="stable")} instead of 4')
        until(lambda: not made.proxies(), lambda: f"it runs on: {made.proxies()}")
        # One that comes at once is there without a second try.
        for _ in range(5):
            made.ask("POST", GATEWAYS, {**gateway, "status": {}, "metadata": {"name": "gw"}})
            made.address = made.gateway_address()
            assert not load_on(made, clients=1).send(10).errors
            made.ask("DELETE", f"{GATEWAYS}/gw")


def bad_routes_are_refused_and_others_go_on():
    mirror = [{"type": "RequestMirror", "requestMirror": {"backendRef": {"name": "canary", "port": 8080}}}]
    with world() as made:
        made.add_route("mirror", [{"filters": mirror, "backendRefs": backends(1)}])
        made.add_route("regex", by_regex("/("))
        made.add_route("nobody", [{"matches": [{"path": {"type": "PathPrefix", "value": "/nobody"}}],
                                   "backendRefs": [{"name": "nobody", "port": 1}]}])
        for name in ("mirror", "regex", "nobody"):
            made.wait_seen(1, name)
        assert made.conditions("mirror")["Accepted"][:2] == ("False", "UnsupportedValue")
        assert "does not mirror" in made.conditions("mirror")["Accepted"][2]
        assert made.conditions("regex")["Accepted"][:2] == ("False", "UnsupportedValue"), made.conditions("regex")
        assert made.conditions("nobody")["Accepted"][0] == "True"
        assert made.conditions("nobody")["ResolvedRefs"][:2] == ("False", "BackendNotFound")
        assert made.conditions("web")["ResolvedRefs"][:2] == ("True", "ResolvedRefs")
        assert not load_on(made).send(50).errors
        assert set(load_on(made, path="/nobody").send(5).errors) == {"HTTP/1.1 500 Internal Server Error"}


def by_regex(value):
    return [{"matches": [{"path": {"type": "RegularExpression", "value": value}}], "backendRefs": backends(1)}]


def many_bad_routes_hold_up_nobody():
    with world(weight=0) as made:
        before, other, bad = made.reloads(), made.start_program("other", 3), [f"bad{i}" for i in range(60)]
        for name in bad:
            made.add_route(name, by_regex(f"/{name}("))
        began = time.monotonic()
        made.ask("PUT", f"{SLICES}/stable-1", made.slice_of("stable", [other]))
        until(lambda: set(load_on(made).send(10).answers) == {"other"}, "the other Pod does not answer")
        took = time.monotonic() - began
        assert took < 3 * harness.patience, f"a Pod waited {took} s for routes that are not its own"
        for name in bad:
            made.wait_seen(1, name)
            assert made.conditions(name)["Accepted"][:2] == ("False", "UnsupportedValue"), made.conditions(name)
        took = time.monotonic() - began
        assert took < 6 * harness.patience, f"it took {took} s to find all of them"
        assert made.reloads() == before, "there was nothing to reload"


def pods_do_not_wait_for_a_reload_that_fails():
    with odd_proxy("-c", '[ ! -e "$0.broken" ] || exit 1') as proxy, world(weight=0) as made:
        other, broken = made.start_program("other", 3), pathlib.Path(f"{proxy}.broken")
        broken.touch()
        address = made.add_service("new", 9, [other])
        until(lambda: any(event["reason"] == "TrafficFailed" for event in made.ask("GET", "/api/v1/namespaces/default/events")["items"]),
              "the reload does not fail")
        made.ask("PUT", f"{SLICES}/stable-1", made.slice_of("stable", [other]))
        until(lambda: set(load_on(made).send(10).answers) == {"other"}, "the other Pod does not answer")
        weight = made.set_weight(100)
        until(lambda: set(load_on(made).send(10).answers) == {"canary"}, f"the weight of generation {weight} is not in effect")
        broken.unlink()
        until(lambda: not Load(address, 8080, clients=1).send(1).errors, "the new Service does not answer")


def a_route_that_is_mended_while_the_proxy_reads_it_is_read_again():
    with odd_proxy("-c", "sleep 1") as slow, world() as made:
        made.add_route("late", by_regex("/("))
        until(lambda: any(slow in words for words in harness.processes(made.server.folder / "traffic").values()), "the route is not read")
        patch = [{"op": "replace", "path": "/spec/rules", "value": by_regex("/late")}]
        made.ask("PATCH", f"{ROUTES}/late", patch, "application/json-patch+json")
        made.wait_seen(2, "late")
        assert made.conditions("late")["Accepted"][0] == "True", made.conditions("late")
        assert not load_on(made, path="/late").send(5).errors


def fetch(made, path, method="GET", **headers):
    """(status, headers, body)"""
    connection = http.client.HTTPConnection(made.address, 8088, timeout=PATIENCE_S)
    connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, body


def rules_do_what_they_say():
    def to(name, **more):
        return {"backendRefs": [{"name": name, "port": 8080}], **more}

    def prefix(value, **more):
        return {"path": {"type": "PathPrefix", "value": value}, **more}
    edit = {"set": [{"name": "X-Set", "value": "50% of 'it'"}], "add": [{"name": "X-Add", "value": "more"}], "remove": ["X-Gone"]}
    rules = [
        to("canary", matches=[prefix("/match", headers=[{"name": "X-Who", "value": "me"}]),
                              prefix("/match", method="PUT"),
                              prefix("/match", queryParams=[{"name": "q", "value": "a b"}]),
                              {"path": {"type": "Exact", "value": "/match/exact"}},
                              {"path": {"type": "RegularExpression", "value": "/match/[0-9]+"}}]),
        to("stable", matches=[prefix("/match")]),
        to("stable", matches=[prefix("/echo/edit")],
           filters=[{"type": "RequestHeaderModifier", "requestHeaderModifier": edit},
                    {"type": "ResponseHeaderModifier", "responseHeaderModifier": {"set": [{"name": "X-Out", "value": "1"}], "remove": ["server"]}}]),
        to("stable", matches=[prefix("/old")],
           filters=[{"type": "URLRewrite", "urlRewrite": {"hostname": "other.example", "path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/echo"}}}]),
        {"matches": [prefix("/moved")],
         "filters": [{"type": "RequestRedirect", "requestRedirect": {
             "scheme": "https", "hostname": "new.example", "statusCode": 301, "path": {"type": "ReplacePrefixMatch", "replacePrefixMatch": "/"}}}]},
    ]
    with world() as made:
        made.add_route("rules", rules, hostnames=["*.example"])
        made.wait_seen(1, "rules")
        host = {"Host": "a.example:8088"}
        for path, method, more, expected in (
                ("/match", "GET", {}, "stable"), ("/match", "GET", {"X_Who": "me"}, "canary"), ("/match/x", "GET", {"X_Who": "you"}, "stable"),
                ("/match", "PUT", {}, "canary"), ("/match?q=a%20b", "GET", {}, "canary"), ("/match?q=ab", "GET", {}, "stable"),
                ("/match/exact", "GET", {}, "canary"), ("/match/exact/", "GET", {}, "stable"), ("/match/12", "GET", {}, "canary"),
                ("/match/12a", "GET", {}, "stable")):
            status, _, body = fetch(made, path, method, **host, **more)
            assert (status, body) == (200, expected), (path, method, more, status, body)
        assert fetch(made, "/matching", **host)[0] == 200, "of the route for all hosts"
        status, headers, body = fetch(made, "/echo/edit", **host, X_Gone="1", X_Add="first")
        sent = body.lower()
        assert "x-set: 50% of 'it'\r" in sent and "x-gone" not in sent and sent.count("x-add: ") == 2, body
        assert headers["x-out"] == "1" and headers["server"] is None, headers
        large = "x" * 32_000
        status, _, body = fetch(made, "/echo/edit", **host, X_Large=large)
        assert status == 200 and large in body, (status, len(body))
        for path, expected in (("/old/x?y=1", "GET /echo/x?y=1 "), ("/old", "GET /echo ")):
            _, _, body = fetch(made, path, **host)
            assert body.startswith(expected) and "host: other.example" in body.lower(), body
        for path, expected in (("/moved/a?b=c", "https://new.example/a?b=c"), ("/moved", "https://new.example/")):
            status, headers, _ = fetch(made, path, **host)
            assert (status, headers["location"]) == (301, expected), (status, headers["location"])


def analyses_ask_the_proxy():
    def run(name, metric, condition):
        made.ask("POST", RUNS, {"apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisRun", "metadata": {"name": name}, "spec": {
            "metrics": [{"name": "m", "successCondition": condition,
                         "provider": {"traffic": {"service": "canary", "metric": metric, "window": "10m"}}}]}})
        return until(lambda: (status := made.ask("GET", f"{RUNS}/{name}").get("status", {})).get("phase") in
                     ("Successful", "Failed", "Error") and status, "the run does not end")
    with world(weight=100) as made:
        load_on(made).send(75)
        load_on(made, path="/fail").send(25)
        until(lambda: made.metric("slipway_traffic_requests_total", service="canary") == 100, "not all is counted")
        for name, metric, condition in (("r", "requests", "result == 100"), ("e", "errors", "result == 0.25"),
                                        ("l", "latencyMean", "result > 0 && result < 5000")):
            status = run(name, metric, condition)
            assert status["phase"] == "Successful", status


if __name__ == "__main__":
    if not any(os.access(f"{folder}/haproxy", os.X_OK) for folder in [*os.environ["PATH"].split(":"), "/usr/sbin"]):
        sys.exit("haproxy is not installed")
    harness.run([shares_follow_the_weights, sixty_changes_of_weight_lose_nothing, reloads_lose_nothing,
                 servers_come_and_go_without_a_reload, a_killed_proxy_is_started_again,
                 a_line_to_the_proxy_that_was_lost_is_opened_again,
                 traffic_goes_on_when_the_server_is_killed, a_proxy_that_a_killed_server_was_starting_is_the_one,
                 a_proxy_without_anything_to_listen_at_is_ended,
                 what_is_under_way_when_the_last_listener_goes_is_counted,
                 bad_routes_are_refused_and_others_go_on, many_bad_routes_hold_up_nobody, pods_do_not_wait_for_a_reload_that_fails,
                 a_route_that_is_mended_while_the_proxy_reads_it_is_read_again, rules_do_what_they_say,
                 analyses_ask_the_proxy])
