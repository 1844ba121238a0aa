#!/usr/bin/env python3
"""Clients that send too much, too slowly, half or nonsense: bounded memory, and nobody else is disturbed."""
import json
import resource
import socket
import ssl
import threading
import time

import harness

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"


def raw(server, tls=False, timeout=20):
    plain = socket.create_connection(("127.0.0.1", server.port), timeout=timeout)
    return server.tls().wrap_socket(plain, server_hostname="127.0.0.1") if tls else plain


def answer_of(connection):
    text = b""
    try:
        while chunk := connection.recv(65536):
            text += chunk
    except (TimeoutError, OSError):
        pass
    return text.decode(errors="replace")


def status_of(text):
    return int(text.split()[1]) if text.startswith("HTTP/1.1 ") else None


def head(server, method="GET", path="/api", host=None, more=""):
    return (f"{method} {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{server.port}'}\r\n"
            f"Authorization: Bearer {server.token()}\r\n{more}\r\n").encode()


def nobody_else_is_disturbed(server):
    begin, limit = time.monotonic(), 2 * harness.patience
    status, _ = server.client(timeout=5 * harness.patience).send("GET", CONFIG_MAPS)
    assert status == 200, status
    assert time.monotonic() - begin < limit, f"a plain request took over {limit} s"


def a_body_over_the_limit_is_refused_with_413():
    with harness.running() as server:
        before = server.resident_kb()
        for announced in (3 * 1024 * 1024 + 1, 10**12):
            connection = raw(server, tls=True)
            connection.sendall(head(server, "POST", CONFIG_MAPS,
                                    more=f"Content-Type: application/json\r\nContent-Length: {announced}\r\n"))
            answer = answer_of(connection)
            assert status_of(answer) == 413, answer[:300]
            assert json.loads(answer.split("\r\n\r\n", 1)[1])["reason"] == "RequestEntityTooLarge"
        # Chunked, so that no length is announced.
        connection = raw(server, tls=True)
        connection.sendall(head(server, "POST", CONFIG_MAPS,
                                more="Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"))
        try:
            for _ in range(64):
                connection.sendall(b"20000\r\n" + b" " * 0x20000 + b"\r\n")
        except OSError:
            pass
        answer = answer_of(connection)
        assert status_of(answer) in (413, None), answer[:300]
        nobody_else_is_disturbed(server)
        assert server.resident_kb() - before < 30_000 or not harness.memory_counts, "memory grew with refused bodies"


def nesting_over_the_limit_is_refused():
    with harness.running() as server:
        for deep in ("[" * 200_000, '{"a":' * 200_000, "[" * 90_000 + "]" * 90_000):
            status, answer = server.client().send("POST", CONFIG_MAPS, deep)
            assert status == 400, (status, answer)
        for kind in ("application/merge-patch+json", "application/json-patch+json", "application/apply-patch+yaml"):
            status, answer = server.client().send("PATCH", f"{CONFIG_MAPS}/x?fieldManager=t", "[" * 100_000, kind)
            assert status in (400, 404), (kind, status, answer)
        nobody_else_is_disturbed(server)


def slow_senders_are_cut_off_alone():
    with harness.running() as server:
        slow = []
        for n in range(50):
            connection = raw(server)
            connection.sendall(b"GET /api HTTP/1.1\r\nHost: 127.0")
            slow.append(connection)
        nobody_else_is_disturbed(server)
        begin = time.monotonic()
        for n, connection in enumerate(slow):
            answer = answer_of(connection)
            assert status_of(answer) in (408, None), answer[:200]
        assert time.monotonic() - begin < 18, "slow senders were kept too long"
        nobody_else_is_disturbed(server)


def half_requests_and_garbage_cost_only_their_connection():
    with harness.running() as server:
        samples = [b"\x00" * 1000, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x00\x05hello", b"\xff" * 70_000,
                   b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n", head(server, more="X: " + "y" * 100_000 + "\r\n"),
                   head(server, "POST", CONFIG_MAPS, more="Content-Length: 10\r\nContent-Length: 20\r\n"),
                   head(server, "POST", CONFIG_MAPS, more="Content-Length: 10\r\nTransfer-Encoding: chunked\r\n") + b"0\r\n\r\n",
                   head(server, "POST", CONFIG_MAPS, more="Content-Length: -1\r\n"),
                   head(server, "POST", CONFIG_MAPS, more="Transfer-Encoding: chunked\r\n") + b"FFFFFFFFFFFFFFFF\r\n"]
        for sample in samples:
            for cut in (len(sample), len(sample) // 2):
                connection = raw(server, timeout=3 * harness.patience)
                try:
                    connection.sendall(sample[:cut])
                    connection.shutdown(socket.SHUT_WR)
                except OSError:
                    continue
                status = status_of(answer_of(connection))
                assert status is None or 400 <= status < 500, (sample[:60], status)
        nobody_else_is_disturbed(server)


def a_thousand_idle_watchers_are_cheap():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 4096:
        raise harness.Skip(f"this machine allows only {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with harness.running() as server:
        before = server.resident_kb()
        watchers = []
        for _ in range(1000):
            connection = raw(server, tls=True)
            connection.sendall(head(server, path=f"{CONFIG_MAPS}?watch=true"))
            watchers.append(connection)
        first = watchers[0]
        text = first.recv(65536).decode()
        assert status_of(text) == 200, text
        nobody_else_is_disturbed(server)
        grown = server.resident_kb() - before
        print(f"1,000 idle watchers over TLS: {grown} kB, {grown / 1000:.0f} kB each")
        assert grown < 100_000 or not harness.memory_counts, f"{grown} kB for 1,000 watchers"
        status, _ = server.client().send("POST", CONFIG_MAPS, {"apiVersion": "v1", "kind": "ConfigMap",
                                                               "metadata": {"name": "news"}})
        assert status == 201
        for connection in watchers[::100]:
            text = b""
            while b'"news"' not in text:
                chunk = connection.recv(65536)
                assert chunk, "a watcher was closed"
                text += chunk


def a_reader_that_does_not_read_is_cut_off():
    with harness.running() as server:
        client = server.client()
        for n in range(150):
            client.send("POST", CONFIG_MAPS, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"big-{n}"},
                                              "data": {"text": "x" * 100_000}})
        before = server.resident_kb()
        stuck = []
        for _ in range(40):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(head(server, path=CONFIG_MAPS))
            stuck.append(connection)
        time.sleep(1)
        nobody_else_is_disturbed(server)
        grown = server.resident_kb() - before
        assert grown < 60_000 or not harness.memory_counts, f"{grown} kB for 40 readers of 15 MB that do not read"


def watchers_that_do_not_read_are_cheap():
    with harness.running() as server:
        client = server.client()
        for n in range(150):
            assert client.send("POST", CONFIG_MAPS, {"apiVersion": "v1", "kind": "ConfigMap",
                                                     "metadata": {"name": f"big-{n}"}, "data": {"text": "x" * 100_000}})[0] == 201
        before = server.resident_kb()
        watchers = []
        for _ in range(100):
            connection = raw(server)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(head(server, path=f"{CONFIG_MAPS}?watch=true"))
            watchers.append(connection)
        time.sleep(2)
        nobody_else_is_disturbed(server)
        grown = server.resident_kb() - before
        print(f"100 watchers of 15 MB that do not read: {grown} kB")
        assert grown < 60_000 or not harness.memory_counts, f"{grown} kB for 100 watchers of 15 MB that do not read"


def more_connections_than_descriptors_lock_nobody_out():
    few = ("prlimit", "--nofile=512:512")
    with harness.scratch() as folder:
        server = harness.Server(folder / "data", prefix=few)
        server.folder.mkdir(mode=0o700)
        server.start()
        try:
            idle = []
            for _ in range(600):
                connection = socket.create_connection(("127.0.0.1", server.port), timeout=5 * harness.patience)
                idle.append(connection)
            assert idle[-1].recv(1) == b"", "the last of too many is closed"
            for connection in idle[:200]:
                connection.close()
            deadline = time.monotonic() + 10 * harness.patience
            while True:
                try:
                    nobody_else_is_disturbed(server)
                    break
                except OSError:
                    assert time.monotonic() < deadline, "locked out although connections have gone"
                    time.sleep(0.1)
            text = server.client().send("GET", "/metrics")[1]
            refused = [line for line in text.splitlines() if line.startswith("slipway_connections_refused_total")]
            assert refused and float(refused[0].split()[-1]) > 100, refused
        finally:
            server.kill()


def a_request_with_many_keys_holds_nobody_up():
    many = 100_000
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "many"}}
    with harness.running() as server:
        client = server.client(timeout=60)

        def quick(what, status, method, path, body, content_type="application/json"):
            started = time.monotonic()
            got = client.send(method, path, body, content_type)
            took = time.monotonic() - started
            assert got[0] == status, (what, got[0], str(got[1])[:300])
            # Quadratic work takes minutes here; linear work well under a second on an idle machine.
            assert took < 10 * harness.patience, f"{what}: {took:.1f} s"

        quick("unknown fields", 201, "POST", CONFIG_MAPS, {**body, **{f"f{i}": 1 for i in range(many)}})
        path, merge = f"{CONFIG_MAPS}/many", "application/merge-patch+json"
        strategic = "application/strategic-merge-patch+json"
        data = {f"k{i}": "" for i in range(many)}
        quick("many keys", 200, "PUT", path, {**body, "data": data})
        quick("nulls in a merge patch", 200, "PATCH", path, {"data": dict.fromkeys(data)}, merge)
        quick("many keys again", 200, "PUT", path, {**body, "data": data})
        quick("nulls in a strategic patch", 200, "PATCH", path, {"data": dict.fromkeys(data)}, strategic)
        quick("many keys applied", 200, "PATCH", path + "?fieldManager=m&force=true", {**body, "data": dict(list(data.items())[:30_000])},
              "application/apply-patch+yaml")
        quick("many keys dropped by apply", 200, "PATCH", path + "?fieldManager=m&force=true", body,
              "application/apply-patch+yaml")
        quick("many keys once more", 200, "PUT", path, {**body, "data": data})
        quick("removes in a JSON patch", 200, "PATCH", path, [{"op": "remove", "path": f"/data/k{i}"} for i in range(10_000)],
              "application/json-patch+json")
        finalizers = [f"example.com/f{i}" for i in range(20_000)]
        quick("many finalizers", 200, "PATCH", path, {"metadata": {"finalizers": finalizers}}, strategic)
        quick("many finalizers merged", 200, "PATCH", path, {"metadata": {"finalizers": finalizers[::-1]}}, strategic)
        env = [{"name": f"E{i}", "value": "x"} for i in range(12_000)]
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"},
               "spec": {"containers": [{"name": "c", "image": "i", "env": env}]}}
        quick("a long list", 201, "POST", "/api/v1/namespaces/default/pods", pod)
        quick("a long list merged by key", 422, "PATCH", "/api/v1/namespaces/default/pods/p",
              {"spec": {"containers": [{"name": "c", "env": env[::-1]}]}}, strategic)
        nobody_else_is_disturbed(server)


def nobody_may_act_as_somebody_else():
    with harness.running() as server:
        status, answer = server.client().send("GET", CONFIG_MAPS, headers={"Impersonate-User": "bob"})
        assert status == 403 and 'cannot impersonate resource "users"' in answer["message"], answer


def who_may_what():
    with harness.running() as server:
        config_map = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
        status, answer = server.client(token="").send("GET", CONFIG_MAPS)
        assert status == 401 and answer["reason"] == "Unauthorized", (status, answer)
        status, _ = server.client(token="wrong").send("GET", CONFIG_MAPS)
        assert status == 401, status
        view = server.client(token=server.token("view-token"))
        assert view.send("GET", CONFIG_MAPS)[0] == 200
        status, answer = view.send("POST", CONFIG_MAPS, config_map)
        assert status == 403 and "cannot create resource" in answer["message"], (status, answer)
        assert view.send("GET", "/api/v1/namespaces/default/secrets")[0] == 403
        for path in ("/healthz", "/livez", "/readyz"):
            assert server.client(token="").send("GET", path)[0] == 200, path
        for host in ("evil.example", "evil.example:8080", "127.0.0.1.evil.example"):
            connection = raw(server)
            connection.sendall(head(server, host=host, more="Connection: close\r\n"))
            status = status_of(answer_of(connection))
            assert status in (403, 421), (host, status)
        for name in ("token", "view-token", "kubeconfig", "slipway.db"):
            mode = (server.folder / name).stat().st_mode & 0o777
            assert mode == 0o600, (name, oct(mode))
        command = open(f"/proc/{server.process.pid}/cmdline").read()
        assert server.token() not in command


def a_second_server_on_one_folder_is_refused():
    with harness.running() as server:
        second = harness.Server(server.folder)
        try:
            second.start()
        except RuntimeError as why:
            assert "another" in str(why), why
        else:
            raise AssertionError("two servers opened one folder")
        nobody_else_is_disturbed(server)


harness.run([a_body_over_the_limit_is_refused_with_413, nesting_over_the_limit_is_refused, slow_senders_are_cut_off_alone,
             half_requests_and_garbage_cost_only_their_connection, a_thousand_idle_watchers_are_cheap,
             a_reader_that_does_not_read_is_cut_off, watchers_that_do_not_read_are_cheap,
             more_connections_than_descriptors_lock_nobody_out, a_request_with_many_keys_holds_nobody_up,
             nobody_may_act_as_somebody_else, who_may_what, a_second_server_on_one_folder_is_refused])
