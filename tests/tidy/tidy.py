#!/usr/bin/env python3
"""The house rules as a test: layering, banned calls, sizes, dead files, doc links, format.

tidy.py [FILTER] [--clang-tidy]   prints `ok RULE` or `FAIL RULE: file:line: why`
"""
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent

# A room may include the rooms named here, and what those may include.
LAYERS = {
    "base": [],
    "async": ["base"],
    "api": ["base"],
    "lang": ["base"],
    "judge": ["base"],
    "forecast": ["base"],
    "http": ["async"],
    "store": ["api", "http"],
    "metrics": ["api", "http", "lang"],
    "control": ["store"],
    "runtime": ["control"],
    "analysis": ["control", "metrics", "judge"],
    "experiment": ["analysis"],
    "rollout": ["analysis"],
    "canary": ["analysis"],
    "pipeline": ["analysis"],
    "shipyard": ["analysis"],
    "estimator": ["analysis", "forecast"],
    "server": ["store", "control", "lang"],
    "cli": ["server", "runtime", "experiment", "rollout", "canary", "pipeline", "shipyard", "estimator"],
}

# pattern, where it is allowed, what to use instead
BANNED = [
    (r"system_clock::now|steady_clock::now", ("src/async/",), "Clock"),
    (r"\bsleep_for\s*\(\s*std::chrono|this_thread::sleep|\busleep\(", (), "slipway::sleep_for(loop, …)"),
    (r"random_device|\bgetrandom\(|\brand\(\)", ("src/base/random.cc",), "Random"),
    (r"std::(mutex|condition_variable|shared_mutex)\b", ("src/async/",), "the loop's thread owns all state"),
    (r"std::thread\b|std::jthread", ("src/async/",), "blocking(loop, pool, work)"),
    (r"using namespace std;", (), "names with std::"),
    (r"\bprintf\(|std::cout|std::cerr", ("src/cli/", "src/main.cc"), "log:: or the cli's Output"),
    (r"fmt::print\(|\bfprintf\(|\bfwrite\(", ("src/cli/output.cc", "src/base/error.cc"), "print, note or write_to"),
    (r"\b(TODO|FIXME|XXX)\b", (), "finish it, or an issue"),
    (r"boost/(asio|beast)", ("src/async/", "src/http/"), "async/ and http/ alone see Asio and Beast"),
    (r"boost/beast/", ("src/http/",), "http/ alone sees Beast"),
]

LINES_HEADER, LINES_SOURCE, LINES_TEST, LINES_FUNCTION = 150, 400, 600, 70
LINES_README = 60


def tracked(*suffixes):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True,
                            check=True)
    paths = [p for p in listed.stdout.splitlines() if (root / p).is_file()]
    return [p for p in sorted(paths) if not suffixes or p.endswith(suffixes)]


def lines(path):
    return (root / path).read_text(errors="replace").splitlines()


def sources():
    return tracked(".h", ".cc")


def layering():
    allowed = {}

    def closure(room):
        if room not in allowed:
            allowed[room] = set(LAYERS[room]) | {r for below in LAYERS[room] for r in closure(below)} | {room}
        return allowed[room]

    for path in sources():
        parts = path.split("/")
        if parts[0] != "src" or len(parts) < 3:
            continue
        if parts[1] not in LAYERS:
            yield f"{path}:1: room {parts[1]} is not in tidy's table of layers"
            continue
        for number, line in enumerate(lines(path), 1):
            included = re.match(r'#include "([a-z_]+)/', line)
            if included and included[1] in LAYERS and included[1] not in closure(parts[1]):
                yield f"{path}:{number}: {parts[1]}/ may not include {included[1]}/"


def banned():
    for path in sources():
        for number, line in enumerate(lines(path), 1):
            code = line.split("//")[0] if "TODO" not in line and "FIXME" not in line else line
            for pattern, where, instead in BANNED:
                if re.search(pattern, code) and not path.startswith(where or ("\0",)) and path.startswith("src/"):
                    yield f"{path}:{number}: {re.search(pattern, code)[0]} is not allowed here; use {instead}"


def sizes():
    for path in sources():
        text = lines(path)
        limit = LINES_HEADER if path.endswith(".h") and "_testing" not in path and "fixture" not in path else LINES_TEST if "_test." in path or path.startswith("tests/") \
            else LINES_SOURCE
        if len(text) > limit:
            yield f"{path}:{len(text)}: {len(text)} lines, at most {limit}: split it by concern"


def code_only(text):
    """The text with comments and literals blanked out, line by line."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])  # noqa: E731
    return re.sub(r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text, flags=re.S)


def functions():
    for path in sources():
        text = code_only((root / path).read_text(errors="replace"))
        stack, begin, line = [], 0, 1
        for at, character in enumerate(text):
            if character == "\n":
                line += 1
            elif character == "{":
                head = text[begin:at]
                scope = re.search(r"\b(namespace|class|struct|union|enum|extern)\b", head) and not head.rstrip().endswith(")")
                outside = all(kind == "scope" for kind, _ in stack)
                kind = "scope" if scope else "function" if "(" in head and outside else "block"
                stack.append((kind, line - head.lstrip().count("\n")))
                begin = at + 1
            elif character == "}" and stack:
                kind, start = stack.pop()
                if kind == "function" and line - start + 1 > LINES_FUNCTION:
                    yield f"{path}:{start}: a function of {line - start + 1} lines, at most {LINES_FUNCTION}"
                begin = at + 1
            elif character == ";":
                begin = at + 1


def own_header_first():
    for path in sources():
        header = path.removesuffix(".cc") + ".h"
        if not path.endswith(".cc") or not (root / header).exists():
            continue
        first = next((line for line in lines(path) if line.startswith("#include")), "")
        if first != f'#include "{re.sub("^(src|tests|bench)/", "", header)}"':
            yield f"{path}:1: the first include is not its own header, so nothing shows that the header compiles alone"


def dead_headers():
    included = set()
    for path in sources():
        included.update(re.findall(r'#include "([^"]+)"', "\n".join(lines(path))))
    for path in tracked(".h"):
        if path.startswith("src/") and path.removeprefix("src/") not in included:
            yield f"{path}:1: nobody includes it"


def readmes():
    for folder in sorted((root / "src").iterdir()):
        if not folder.is_dir():
            continue
        readme = folder / "README.md"
        if not readme.exists():
            yield f"src/{folder.name}/README.md:1: missing: why the room exists, what belongs here, which header first"
        elif len(readme.read_text().splitlines()) > LINES_README:
            yield f"src/{folder.name}/README.md:1: over {LINES_README} lines: a screen is enough"


def doc_links():
    linked = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md"}
    for path in tracked(".md"):
        for number, line in enumerate(lines(path), 1):
            for target in re.findall(r"\]\(([^)#\s]+)", line):
                if re.match(r"[a-z]+:", target):
                    continue
                found = (root / path).parent / target
                if not found.exists():
                    yield f"{path}:{number}: {target} does not exist"
                else:
                    linked.add(str(found.resolve().relative_to(root)))
    for path in tracked(".md"):
        if path not in linked and not path.endswith("/README.md"):
            yield f"{path}:1: no document links here"


def formatted():
    files = [p for p in sources() if not p.startswith("tests/kube/oracle")]
    done = subprocess.run(["clang-format-19", "--dry-run", "-Werror", "--ferror-limit=1", *files], cwd=root,
                          capture_output=True, text=True)
    for line in done.stderr.splitlines():
        if "error:" in line:
            yield line.replace(str(root) + "/", "")


def clang_tidy():
    """In soak: needs build/asan configured, which tells how each file is compiled. Without precompiled headers, so that
    a missing include is found. What was found good is remembered, with all of ours that it reads: half an hour else."""
    commands = {str(pathlib.Path(one["file"]).relative_to(root)): re.sub(r"-include-pch \S+ ", "", one["command"])
                for one in json.loads((root / "build/asan/compile_commands.json").read_text())}
    files = [p for p in sources() if p.startswith("src/") and p.endswith(".cc") and "_test" not in p]
    good = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "slipway/clang-tidy"
    good.mkdir(parents=True, exist_ok=True)
    version = subprocess.run(["clang-tidy-19", "--version"], capture_output=True, text=True, check=True).stdout

    def look_at(path):
        """What is wrong with one file, a line each."""
        basis = [version, (root / ".clang-tidy").read_text(), commands[path].replace(str(root), "")]
        basis += [f"{one}\n{(root / one).read_text()}" for one in sorted(read_with(path))]
        known = good / hashlib.sha256("\0".join(basis).encode()).hexdigest()
        if known.exists():
            return []
        done = subprocess.run(["clang-tidy-19", "-p", folder, "--quiet", path], cwd=root, capture_output=True, text=True)
        found = [line.replace(str(root) + "/", "") for line in done.stdout.splitlines() if "error:" in line]
        if done.returncode == 0 and not found:
            known.touch()
            return []
        return found or [f"{path}:1: clang-tidy-19 ended with {done.returncode}: {done.stderr[-500:]}"]

    with tempfile.TemporaryDirectory() as folder:
        listed = [{"directory": str(root / "build/asan"), "file": str(root / path), "command": commands[path]} for path in files]
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps(listed))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as several:
            for found in several.map(look_at, files):
                yield from found


@functools.cache
def included_by(path):
    named = re.findall(r'^#include "(.+)"', (root / path).read_text(), re.M)
    return [f"src/{name}" for name in named if (root / "src" / name).is_file()]


def read_with(path):
    """A file and all of ours that it includes."""
    known, open_ = {path}, [path]
    while open_:
        for one in included_by(open_.pop()):
            if one not in known:
                known.add(one)
                open_.append(one)
    return known


def main(words):
    rules = [layering, banned, sizes, functions, own_header_first, dead_headers, readmes, doc_links, formatted]
    if "--clang-tidy" in words:
        rules.append(clang_tidy)
    test_filter = next((word for word in words if word and not word.startswith("-")), "")
    failed = False
    for rule in rules:
        if test_filter not in rule.__name__:
            continue
        findings = list(rule())
        failed = failed or bool(findings)
        for finding in findings[:50]:
            print(f"FAIL {rule.__name__}: {finding}")
        if not findings:
            print(f"ok {rule.__name__}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
