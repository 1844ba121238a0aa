#!/usr/bin/env python3
"""Metric providers at their worst: a clear state and message each, little memory and time, and nobody else disturbed."""
import contextlib
import gzip
import json
import random
import resource
import socket
import subprocess
import threading
import time
import urllib.parse

import harness
from evidence import answering, environment, matrix, vector

RUNS = "/apis/argoproj.io/v1alpha1/namespaces/default/analysisruns"
QUERY_TIMEOUT_S = 3
ANSWER_LIMIT = 32 << 20  # bytes of one answer
GIGABYTE = 1 << 30
PIECE = b"9" * (1 << 20)


def never(handler, request):
    time.sleep(60)


def drips(handler, request):
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    for _ in range(600):
        handler.wfile.write(b" ")
        time.sleep(0.1)


sent = {"bytes": 0}  # of the gigabyte, by hand of the one test that asks for it


def gigabyte(handler, request):
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    while sent["bytes"] < GIGABYTE:
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(PIECE), PIECE))
        sent["bytes"] += len(PIECE)
    handler.wfile.write(b"0\r\n\r\n")


def packed_gigabyte():
    whole = bytearray()
    packer = gzip.zlib.compressobj(9, gzip.zlib.DEFLATED, 31)
    for _ in range(GIGABYTE // len(PIECE)):
        whole += packer.compress(PIECE)
    return bytes(whole + packer.flush())


def announces_a_terabyte(handler, request):
    handler.send_response(200)
    handler.send_header("Content-Length", str(1 << 40))
    handler.end_headers()
    handler.wfile.write(b"{")
    time.sleep(60)


def half(handler, request):
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"status":"success","data":{"resultType":"vec')
    handler.close_connection = True


def always(body, status=200, **more):
    return lambda handler, request: handler.reply(body, status, **more)


def to_itself(handler, request):
    handler.reply("", 302, headers=[("Location", f"{request.path.split('?')[0]}?n={len(handler.server.seen)}")])


def data(kind, result):
    return json.dumps({"status": "success", "data": {"resultType": kind, "result": result}})


# How it answers, the phase of the run, and words that its message must have.
HOSTILE = {
    "slow": (never, "Error", ["timeout|timed out|deadline|within"]),
    "drips": (drips, "Error", ["timeout|timed out|deadline|within"]),
    "gigabyte": (gigabyte, "Error", ["32 MiB|too large|larger|limit"]),
    "announced": (announces_a_terabyte, "Error", ["32 MiB|too large|larger|limit|1099511627776"]),
    "garbage": (always(bytes(range(256)) * 40), "Error", ["unmarshal|invalid|JSON"]),
    "html": (always("<html>It works!</html>", content_type="text/html"), "Error", ["unmarshal|invalid|JSON"]),
    "broken": (always("<html>502</html>", 502, content_type="text/html"), "Error", ["502"]),
    "refuses": (always(json.dumps({"status": "error", "errorType": "bad_data", "error": "parse error: no"}), 400), "Error",
                ["parse error: no"]),
    "half": (half, "Error", ["closed|transfer|ended|end of|partial|EOF"]),
    "string": (always(data("string", [1, "up"])), "Error", ["string"]),
    "streams": (always(data("streams", [])), "Error", ["streams"]),
    "object": (always(data("vector", {"a": 1})), "Error", ["result|array|list"]),
    "number": (always("17"), "Error", ["unmarshal|object|JSON"]),
    "word": (always(data("vector", [{"metric": {}, "value": [1, "seventeen"]}])), "Error", ["seventeen"]),
    "nan": (always(vector("NaN")), "Failed", ["failureLimit"]),
    "nothing": (always(vector()), "Error", ["no data"]),
    "redirects": (to_itself, "Error", ["redirect"]),
}


def metric(address, name="check", **more):
    return {"name": name, "count": 1, "consecutiveErrorLimit": 0, "successCondition": "result[0] < 5",
            "provider": {"prometheus": {"address": address, "query": "up", "timeout": QUERY_TIMEOUT_S}}, **more}


def run_of(name, *metrics):
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisRun", "metadata": {"name": name},
            "spec": {"metrics": list(metrics)}}


def create(server, run):
    status, answer = server.client().send("POST", RUNS, run)
    assert status == 201, answer


def status_of(client, name):
    status, run = client.send("GET", f"{RUNS}/{name}")
    assert status == 200, run
    return run.get("status", {})


def completed(server, names, seconds):
    """name -> status, once all have ended."""
    client, deadline, found = server.client(), time.monotonic() + seconds, {}
    while len(found) < len(names):
        for name in names:
            status = status_of(client, name)
            if status.get("completedAt"):
                found[name] = status
        assert time.monotonic() < deadline, f"still running after {seconds} s: {sorted(set(names) - set(found))}"
        time.sleep(0.1)
    return found


def message_of(status):
    result = status["metricResults"][0]
    return " ".join([status.get("message", ""), result.get("message", ""),
                     *(one.get("message", "") for one in result.get("measurements", []))])


def check_outcome(name, status, phase, words):
    assert status["phase"] == phase, (name, phase, status)
    said = message_of(status)
    for word in words:
        assert any(one in said for one in word.split("|")), f"{name}: none of {word!r} in {said!r}"
    assert len(said) < 3000, f"{name}: a message of {len(said)} characters"
    assert said.isprintable(), f"{name}: {said!r}"


@contextlib.contextmanager
def closed_port():
    with socket.socket() as taken:  # bound, not listening: nobody else gets it
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


def each_hostile_provider_is_told_apart_and_a_calm_one_is_not_disturbed():
    sent["bytes"] = 0
    with harness.running() as server, contextlib.ExitStack() as open_servers:
        calm = open_servers.enter_context(answering(always(vector(0.5))))
        create(server, run_of("calm", {**metric(calm.address), "interval": "1s", "count": 8}))
        time.sleep(1)
        before, begin = server.resident_kb(), time.monotonic()
        most = Peak(server)
        create(server, run_of("down", metric(open_servers.enter_context(closed_port()))))
        for name, (respond, _, _) in HOSTILE.items():
            create(server, run_of(name, metric(open_servers.enter_context(answering(respond)).address)))
        statuses = completed(server, ["down", "calm", *HOSTILE], 60)
        took = time.monotonic() - begin
        grown = (most.stop() - before) / 1024
        print(f"{len(HOSTILE) + 1} hostile providers: {took:.1f} s, {grown:.0f} MB more at the most, "
              f"{sent['bytes'] >> 20} MB of the gigabyte sent")
        check_outcome("down", statuses["down"], "Error", ["127.0.0.1|connect|refused"])
        for name, (_, phase, words) in HOSTILE.items():
            check_outcome(name, statuses[name], phase, words)
        assert sent["bytes"] < 3 * ANSWER_LIMIT, f"{sent['bytes']} bytes were taken"
        assert grown < 200 or not harness.memory_counts, f"{grown} MB more"
        result = statuses["calm"]["metricResults"][0]
        assert statuses["calm"]["phase"] == "Successful" and result["successful"] == 8, result
        assert longest_gap(calm) < 3 * harness.patience, f"the calm provider was asked {longest_gap(calm)} s apart"


class Peak(threading.Thread):
    """The most memory a server has had."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.most, self.going = server, 0, True
        self.start()

    def run(self):
        while self.going:
            self.most = max(self.most, self.server.resident_kb())
            time.sleep(0.02)

    def stop(self):
        self.going = False
        self.join()
        return self.most


def longest_gap(stub):
    times = [request.at for request in stub.seen]
    return max(later - earlier for earlier, later in zip(times, times[1:]))


def a_packed_gigabyte_is_not_unpacked():
    packed = packed_gigabyte()
    with harness.running() as server, answering(
            always(packed, headers=[("Content-Encoding", "gzip")])) as stub:
        before, most = server.resident_kb(), Peak(server)
        create(server, run_of("packed", metric(stub.address)))
        status = completed(server, ["packed"], 30)["packed"]
        grown = (most.stop() - before) / 1024
        print(f"a gigabyte in {len(packed) >> 10} kB: {grown:.0f} MB more at the most")
        check_outcome("packed", status, "Error", ["32 MiB|too large|larger|limit|unmarshal|invalid"])
        assert grown < 100 or not harness.memory_counts, f"{grown} MB more"


def a_hundred_checks_of_a_provider_that_hangs_hold_up_no_other():
    with harness.running() as server, answering(never) as hanging, answering(always(vector(0.5))) as calm:
        for number in range(100):
            create(server, run_of(f"hanging-{number}", {**metric(hanging.address), "interval": "1s", "count": 5,
                                                        "consecutiveErrorLimit": 100}))
        create(server, run_of("calm", {**metric(calm.address), "interval": "1s", "count": 6}))
        status = completed(server, ["calm"], 20)["calm"]
        assert status["phase"] == "Successful", status
        assert longest_gap(calm) < 2.5 * harness.patience, f"asked {longest_gap(calm)} s apart"


def a_query_that_hangs_holds_up_no_other_of_the_same_source():
    def by_query(handler, request):
        never(handler, request) if "hangs" in request.path + str(request.body) else handler.reply(vector(0.5))

    with harness.running() as server, answering(by_query) as source:
        slow = metric(source.address)
        slow["provider"]["prometheus"]["query"] = "hangs"
        create(server, run_of("slow", slow))
        for number in range(3):
            create(server, run_of(f"fine-{number}", metric(source.address)))
        statuses = completed(server, ["slow", *(f"fine-{number}" for number in range(3))], 20)
        phases = {name: status["phase"] for name, status in statuses.items()}
        assert phases == {"slow": "Error", "fine-0": "Successful", "fine-1": "Successful", "fine-2": "Successful"}, statuses


def analyze_tells_each_hostile_provider_apart():
    sent["bytes"] = 0
    with harness.scratch() as folder, contextlib.ExitStack() as open_servers:
        running = {}
        for name, (respond, phase, words) in {**HOSTILE, "down": (None, "Error", ["127.0.0.1|connect|refused"])}.items():
            address = (open_servers.enter_context(answering(respond)).address if respond
                       else open_servers.enter_context(closed_port()))
            file = folder / f"{name}.json"
            file.write_text(json.dumps({"apiVersion": "argoproj.io/v1alpha1", "kind": "AnalysisTemplate",
                                        "metadata": {"name": name}, "spec": {"metrics": [metric(address)]}}))
            command = [harness.slipway, "analyze", "-f", str(file), "-o", "json"]
            running[name] = (subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                              env=environment()), phase, words)
        for name, (process, phase, words) in running.items():
            out, said = process.communicate(timeout=60)
            answer = json.loads(out)
            assert answer["phase"] == phase, (name, out, said)
            assert process.returncode == {"Failed": 1, "Error": 3}[phase], (name, process.returncode, said)
            check_outcome(name, {**answer, "metricResults": answer["metrics"]}, phase, words)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"the largest child had {most:.0f} MB")


def a_slow_provider_does_not_keep_a_server_from_stopping():
    with harness.running() as server, answering(never) as stub:
        create(server, run_of("slow", {**metric(stub.address), "provider": {
            "prometheus": {"address": stub.address, "query": "up", "timeout": 50}}}))
        deadline = time.monotonic() + 20
        while not stub.seen:
            assert time.monotonic() < deadline, "never asked"
            time.sleep(0.05)
        begin = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - begin < 10 * harness.patience, f"stopped after {time.monotonic() - begin:.1f} s"
        # The measurement was not finished, so it was not taken.
        server.start()
        assert not status_of(server.client(), "slow").get("metricResults"), status_of(server.client(), "slow")


LOOKS, PLAIN_LOOKS, KILLS = 8, 9, 4


def a_killed_server_goes_on_with_the_look_it_was_at():
    chance = random.Random(harness.seed)

    def respond(handler, request):
        form = urllib.parse.parse_qs(request.body)
        request.name = form["query"][0]
        noise = random.Random(harness.seed ^ len(request.name))
        if request.path.endswith("query_range"):
            handler.reply(matrix(form, lambda at: 10 + noise.random() + hash((round(at), request.name)) % 97 / 97))
        else:
            handler.reply(vector(0.5))

    with harness.running() as server, answering(respond) as stub:
        side = {"prometheus": {"address": stub.address, "query": "side_a"}}
        other = {"prometheus": {"address": stub.address, "query": "side_b"}}
        create(server, run_of("killed",
                              {"name": "plain", "interval": "1s", "count": PLAIN_LOOKS, "successCondition": "result[0] < 5",
                               "provider": {"prometheus": {"address": stub.address, "query": "plain"}}},
                              {"name": "compared", "interval": "1s", "count": LOOKS, "inconclusiveLimit": LOOKS,
                               "provider": {"compare": {"control": side, "experiment": other, "step": "1s",
                                                        "method": "signed-rank", "alpha": 0.0001}}}))
        known = []  # what a reader had been told before each kill
        for _ in range(KILLS):
            time.sleep(1 + chance.random())
            known.append(status_of(server.client(), "killed"))
            server.kill()
            server.start()
        status = completed(server, ["killed"], 60)["killed"]
        check_looks(status, known, stub)


def counted(status):
    return {result["name"]: result["count"] for result in status.get("metricResults", [])}


def check_looks(status, known, stub):
    plain, compared = status["metricResults"]
    assert (plain["count"], plain["successful"]) == (PLAIN_LOOKS, PLAIN_LOOKS), plain
    assert compared["count"] == LOOKS, compared
    for earlier, later in zip(known, [*known[1:], status]):
        for name, count in counted(earlier).items():
            assert counted(later)[name] >= count, f"{name} forgot a look: {known}"
    # A kill may take a question that was asked with it, but at most one of each metric.
    asked = {name: sum(request.name == name for request in stub.seen) for name in ("plain", "side_a", "side_b")}
    print(f"asked {asked}, counted {counted(status)}, {KILLS} kills")
    assert PLAIN_LOOKS <= asked["plain"] <= PLAIN_LOOKS + KILLS, asked
    assert LOOKS <= asked["side_a"] <= LOOKS + KILLS and LOOKS <= asked["side_b"] <= LOOKS + KILLS, asked
    # Every look continues where the one before it ended: no point twice, none left out.
    times = [[at for at, _ in look["samples"]["control"]] for look in compared["measurements"] if look.get("samples")]
    flat = [at for look in times for at in look]
    assert flat == sorted(set(flat)), f"points were judged twice: {times}"
    assert all(later - earlier == 1 for earlier, later in zip(flat, flat[1:])), f"points were left out: {times}"
    state = compared["state"]
    assert state["judge"]["look"] == len(times), (state, len(times))


harness.run([each_hostile_provider_is_told_apart_and_a_calm_one_is_not_disturbed, a_packed_gigabyte_is_not_unpacked,
             a_hundred_checks_of_a_provider_that_hangs_hold_up_no_other,
             a_query_that_hangs_holds_up_no_other_of_the_same_source, analyze_tells_each_hostile_provider_apart,
             a_slow_provider_does_not_keep_a_server_from_stopping, a_killed_server_goes_on_with_the_look_it_was_at])
