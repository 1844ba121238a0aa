#!/usr/bin/env python3
"""Runs the tiers of ./test and prints `N passed, M failed, K skipped` last.

A tier is a function that yields outcomes. Test programs are of two sorts: GoogleTest programs, whose JSON report is
read, and scripts that print `ok NAME`, `FAIL NAME: why` or `skip NAME: why`, a line each.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

root = pathlib.Path(__file__).resolve().parent.parent
ROOMS = [p.parent.name for p in sorted((root / "src").glob("*/CMakeLists.txt"))]
PROGRAM_LIMIT_S = 1200
SOAK_PROGRAM_LIMIT_S = 4 * 3600


class Counts:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add(self, more):
        self.passed += more.passed
        self.failed += more.failed
        self.skipped += more.skipped

    def ok(self):
        self.passed += 1

    def fail(self, name, why=""):
        self.failed += 1
        print(f"FAIL {name}{': ' if why else ''}{why}", flush=True)

    def skip(self, name, why):
        self.skipped += 1
        print(f"skip {name}: {why}", flush=True)


counts = Counts()
program_limit_s = PROGRAM_LIMIT_S


# What reads the bytes of others, the store and the judge, with what they stand on: these have sanitizers everywhere, the
# other rooms in the soak only.
SANITIZED = ("analysis", "api", "async", "base", "control", "http", "judge", "lang", "metrics", "server", "store")


def unit_target(room):
    return f"{room}_test" if any((root / "src" / room).rglob("*_test.cc")) else ""


# Of the release build: what scripts drive, and the programs that test by themselves.
DRIVEN = ("slipway", "scenario_live", "scenario_app", "kube_test")
RELEASE_TARGETS = (*DRIVEN, "sim_test", "scenario_test", *filter(None, (unit_target(room) for room in ROOMS if room not in SANITIZED)))

building = {preset: threading.Lock() for preset in ("release", "asan", "tsan")}
built = {preset: set() for preset in building}


def build(preset, *targets):
    """Once a run: who drives what is built does not wait for what else of the preset is being compiled."""
    if built[preset].issuperset(targets):
        return
    with building[preset]:
        subprocess.run([str(root / "tools/build"), preset, *targets], check=True)
        built[preset].update(targets)


def environment(**more):
    return {**os.environ, "SLIPWAY": str(root / "build/slipway"), "SLIPWAY_ROOT": str(root),
            **{key: str(value) for key, value in more.items()}}


def progress(text=""):
    """A line on a terminal that the next one replaces; nothing elsewhere."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def said(name, seconds, own):
    print(f"{name}: {own.passed} passed ({seconds:.1f} s)", flush=True)


def run_limited(command, **env):
    """One that does not end has failed: 124, as timeout(1) says it."""
    try:
        return subprocess.run([str(part) for part in command], env=environment(**env), capture_output=True, text=True,
                              errors="replace", timeout=program_limit_s)
    except subprocess.TimeoutExpired as late:
        said_so_far = [(part or b"").decode(errors="replace") for part in (late.stdout, late.stderr)]
        return subprocess.CompletedProcess(command, 124, *said_so_far)


def run_gtest(name, program, test_filter="", **env):
    """One GoogleTest program; each test counts."""
    progress(name)
    start = time.monotonic()
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = [program, f"--gtest_output=json:{report.name}", "--gtest_brief=1"]
        if test_filter:
            command.append(f"--gtest_filter=*{test_filter}*")
        done = run_limited(command, **env)
        try:
            suites = json.load(open(report.name)).get("testsuites", [])
        except ValueError:
            suites = []
    progress()
    own = Counts()
    for suite in suites:
        for test in suite["testsuite"]:
            full = f"{suite['name']}.{test['name']}"
            if test.get("failures"):
                own.fail(full)
            elif test.get("result") == "SKIPPED":
                own.skip(full, " ".join(s.get("message", "") for s in test.get("skipped", [])).strip() or "see test")
            elif test.get("status") == "RUN":
                own.ok()
    if done.returncode != 0:
        if not own.failed:
            own.fail(name, f"ended with {done.returncode}")
        print(done.stderr[-5000:] + done.stdout[-20000:], flush=True)  # logs first, they are many
    if own.passed or not test_filter:
        said(name, time.monotonic() - start, own)
    counts.add(own)


def run_in_shares(name, program, test_filter, **env):
    """One GoogleTest program, as often as there are processors, each with a share of its tests."""
    shares = os.cpu_count()
    with concurrent.futures.ThreadPoolExecutor(shares) as several:
        for _ in several.map(lambda share: run_gtest(f"{name} {share + 1}/{shares}", program, test_filter, GTEST_TOTAL_SHARDS=shares,
                                                     GTEST_SHARD_INDEX=share, **env), range(shares)):
            pass


def run_script(name, command, **env):
    """A script that prints ok, FAIL and skip lines; what it says on stderr is shown when it fails."""
    progress(name)
    start = time.monotonic()
    done = run_limited(command, **env)
    progress()
    own = Counts()
    for line in done.stdout.splitlines():
        word, _, rest = line.partition(" ")
        if word == "ok":
            own.ok()
        elif word == "FAIL":
            own.fail(rest)
        elif word == "skip":
            test, _, why = rest.partition(": ")
            own.skip(test, why)
        else:
            print(line, flush=True)
    if done.returncode != 0 and not own.failed:
        own.fail(name, f"ended with {done.returncode}")
    if own.failed:
        print(done.stderr[-20000:], flush=True)
    said(name, time.monotonic() - start, own)
    return own


# Scripts that failed once beside others and passed alone: CI takes them, the soak does not.
unsteady = []


def scripts(tier, test_filter, soak, lanes=("",), names="*_test.py", **env):
    """Lanes run side by side, the scripts of one after each other. A script is in the first lane whose words it begins with.

    They drive real programs by the clock, and what else a machine does is not theirs to answer for: one that fails is run
    once more when the others of its tier have ended, and both are told. The soak gives no second try."""
    found = [s for s in sorted((root / "tests" / tier).glob(names)) if test_filter in s.name]
    lane_of = {s: next(lane for lane in lanes if s.name.startswith(lane)) for s in found}

    def run(script):
        return script, run_script(f"{tier} {script.stem}", [sys.executable, script], **env)

    with concurrent.futures.ThreadPoolExecutor(len(lanes)) as several:
        ended = several.map(lambda lane: [run(script) for script in found if lane_of[script] == lane], lanes)
        outcomes = [one for lane in ended for one in lane]
    for script, own in outcomes:
        if own.failed and not soak:
            unsteady.append(f"{tier} {script.stem}")
            own = run(script)[1]
        counts.add(own)


def tidy(test_filter, soak=False):
    if soak:
        build("asan", "base")  # configures it: clang-tidy reads there how files are compiled
    counts.add(run_script("tidy", [sys.executable, root / "tests/tidy/tidy.py", test_filter] + (["--clang-tidy"] if soak else [])))


def unit(test_filter, soak=False):
    unit_sanitized(test_filter, soak)
    unit_released(test_filter, soak)


def unit_sanitized(test_filter, soak=False):
    unit_of("asan", "build/asan", [room for room in ROOMS if soak or room in SANITIZED], test_filter, soak)


def unit_released(test_filter, soak=False):
    unit_of("release", "build", [room for room in ROOMS if not soak and room not in SANITIZED], test_filter, soak)


def unit_of(preset, folder, rooms, test_filter, soak):
    rooms = [room for room in rooms if unit_target(room)]
    if rooms:
        build(preset, *map(unit_target, rooms))
    for room in rooms:
        run_gtest(f"unit {room}", root / folder / "src" / room / f"{room}_test", test_filter, SLIPWAY_ROUNDS=300 if soak else 20)


# They wait more than they work. Those of the documentation and the demo use the ports that are written there.
INTEGRATION_LANES = (("docs_", "demo_"), ("bad_", "cli_", "corpus", "evidence", "hostile"), ("rollout_", "traffic"), "")


def integration(test_filter, soak=False):
    build("release", "slipway")
    scripts("integration", test_filter, soak, INTEGRATION_LANES, SLIPWAY_ROUNDS=300 if soak else 10)
    if soak:
        build("asan", "slipway")
        scripts("integration", test_filter, soak, INTEGRATION_LANES, SLIPWAY_ROUNDS=20, SLIPWAY=root / "build/asan/slipway", SLIPWAY_SANITIZED=1)


def as_written(test_filter, soak=True):
    """What others wrote, in the time they gave it: an hour and more of waiting."""
    build("release", "slipway")
    scripts("integration", test_filter, soak, lanes=("seed_examples", ""), names="seed_*_test.py", SLIPWAY_AS_WRITTEN=1)


def kube(test_filter, soak=False):
    build("release", *DRIVEN)
    scripts("kube", test_filter, soak, lanes=("kubectl_", ""))


def sim(test_filter, soak=False):
    preset, folder = ("asan", "build/asan") if soak else ("release", "build")
    build(preset, "sim_test")
    run_in_shares("sim", root / folder / "tests/sim/sim_test", test_filter, SLIPWAY_SEEDS=500 if soak else 200)


def scenario(test_filter, soak=False):
    side_by_side(((simulated,), (live,)), test_filter, soak)


def simulated(test_filter, soak=False):
    build("release", "scenario_test")
    run_in_shares("scenario", root / "build/tests/scenario/scenario_test", test_filter, SLIPWAY_SEEDS=500 if soak else 5)
    if not soak:
        return
    build("asan", "scenario_test")  # with sanitizers the same scripts take ten times as long
    run_in_shares("scenario asan", root / "build/asan/tests/scenario/scenario_test", test_filter, SLIPWAY_SEEDS=5)


def live(test_filter, soak=False):
    """The same scripts on real programs."""
    build("release", *DRIVEN)
    scripts("scenario", test_filter, soak, lanes=("embedded", "cluster"))


# What anybody may send to a server.
READERS = ("crd", "field_set", "http", "json", "patch", "protobuf", "request", "selector", "yaml")


def fuzz_seconds(name, soak):
    if not soak:
        return 5
    return 300 if name.removesuffix("_fuzz") in READERS else 100


def fuzz(test_filter, soak=False):
    build("asan", "fuzzers")
    sources = [s for s in sorted((root / "tests/fuzz").glob("*_fuzz.cc")) if test_filter in s.stem]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as several:
        targets = [several.submit(fuzz_one, source.stem, fuzz_seconds(source.stem, soak)) for source in sources]
        progress(f"fuzz: {len(targets)} targets")
        for ended, target in enumerate(concurrent.futures.as_completed(targets), 1):
            progress()
            name, seconds, runs, problem = target.result()
            if problem:
                counts.fail(f"fuzz {name}", problem)
            else:
                counts.ok()
                print(f"fuzz {name}: {runs} runs in {seconds} s", flush=True)
            progress(f"fuzz: {ended} of {len(targets)} targets")
    progress()


def fuzz_one(name, seconds):
    """(name, for how long, how many inputs, what went wrong)"""
    seeds = root / "tests/fuzz/seeds" / name.removesuffix("_fuzz")
    found = root / "build/asan/tests/fuzz/found"  # what it stumbled over, kept for whoever mends it
    found.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        command = [root / "build/asan/tests/fuzz" / name, f"-max_total_time={seconds}", "-timeout=20", "-rss_limit_mb=2048",
                   "-print_final_stats=1", "-verbosity=0", f"-artifact_prefix={found}/{name}-", corpus]
        done = run_limited(command + ([seeds] if seeds.exists() else []))
    runs = next((line.split()[-1] for line in done.stderr.splitlines() if "number_of_executed" in line), "?")
    return name, seconds, runs, "" if done.returncode == 0 else done.stderr[-6000:] or f"ended with {done.returncode}"


TSAN_ROOMS = ("async", "store")


def tsan(test_filter, soak=True):
    for room in TSAN_ROOMS:
        build("tsan", f"{room}_test")
        run_gtest(f"tsan {room}", root / "build/tsan/src" / room / f"{room}_test", test_filter, SLIPWAY_ROUNDS=20)


def demo(test_filter, soak=True):
    if test_filter not in "demo":
        return
    build("release", "slipway")
    counts.add(run_script("demo", [sys.executable, root / "tests/integration/demo_test.py"], SLIPWAY_DEMOS=20))


def nothing_yet(tier):
    return lambda test_filter, soak=False: print(f"{tier}: no tests of this sort yet", flush=True)


def side_by_side(lanes, test_filter, soak):
    def run(lane):
        if lane in COMPUTING:
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # this thread, and all it starts
        for tier in lane:
            start = time.monotonic()
            tier(test_filter, soak=soak)
            print(f"{tier.__name__} ended after {(time.monotonic() - start) / 60:.1f} minutes", flush=True)

    with concurrent.futures.ThreadPoolExecutor(len(lanes)) as several:
        list(several.map(run, lanes))


def program(test_filter, soak=False):
    build("release", *DRIVEN)


def control_plane(test_filter, soak=False):
    """Builds Kubernetes where it was never built before. What goes wrong shows when it is wanted."""
    subprocess.call([str(root / "tests/kube/install")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def sanitized_builds(test_filter, soak=True):
    build("asan", "slipway", "fuzzers", "sim_test", "scenario_test", *filter(None, map(unit_target, ROOMS)))
    build("tsan", *(f"{room}_test" for room in TSAN_ROOMS))


TIERS = {"tidy": tidy, "unit": unit, "sim": sim, "fuzz": fuzz, "integration": integration, "scenario": scenario, "kube": kube,
         "browser": nothing_yet("browser")}
# What drives real programs waits by the clock more than it works; what computes and compiles has the time that is left, and gives way.
# So on a new machine the program comes first, and all else is compiled beside the scripts that drive it.
CI_COMPUTING = (control_plane, unit_sanitized, fuzz, sim, simulated)
CI_LANES = (CI_COMPUTING, (tidy, program, integration, live, kube, unit_released))  # units of shims, too, go by the clock
# What found most is first and waits for the release only; clang-tidy, where it was never run, is the longest.
SOAK_COMPUTING = (simulated, control_plane, sanitized_builds, unit, sim, fuzz, tsan, tidy)
SOAK_LANES = (SOAK_COMPUTING, (integration, live, kube, demo), (as_written,))
COMPUTING = (CI_COMPUTING, SOAK_COMPUTING)


def soak_all(test_filter):
    build("release", *RELEASE_TARGETS)
    side_by_side(SOAK_LANES, test_filter, True)


def bench(test_filter):
    """Each script builds what it measures, and exits 1 when it misses a bound. True when none did."""
    there = sorted((root / "bench").glob("*/run.py"))
    chosen = [script for script in there if test_filter in script.parent.name]
    if not chosen:
        print(f"no bench {test_filter!r}; there are: {' '.join(script.parent.name for script in there)}", file=sys.stderr)
    ends = [subprocess.run([sys.executable, str(script)], env=environment()).returncode for script in chosen]
    return bool(ends) and not any(ends)


def main(words):
    global program_limit_s
    what, test_filter = (words + ["", ""])[:2]
    if what == "bench":
        return 0 if bench(test_filter) else 1
    if what and what != "soak" and what not in TIERS:
        print(__doc__, f"unknown tier {what!r}; tiers: {' '.join(TIERS)} soak bench", sep="\n", file=sys.stderr)
        return 64
    if what == "soak":
        program_limit_s = SOAK_PROGRAM_LIMIT_S
        chosen = {tier.__name__: tier for lane in SOAK_LANES for tier in lane} | {"scenario": scenario}
        if test_filter in chosen:
            side_by_side(((chosen[test_filter],),), "", True)
        else:
            soak_all(test_filter)
    elif what:
        TIERS[what](test_filter)
    else:
        side_by_side(CI_LANES, "", False)
    if unsteady:
        print(f"tried twice: {', '.join(unsteady)}")
    print(f"{counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
    return 1 if counts.failed or not counts.passed else 0


sys.exit(main(sys.argv[1:]))
