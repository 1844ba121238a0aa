#!/usr/bin/env python3
"""Argo Rollouts' own end-to-end manifests and examples, run on real processes to the end that their names say.

Each row (corpus_*.py) says what is done to a manifest, as Argo's tests do by its name, and what must come of it. Templates
that a manifest refers to and that are not in the corpus are written beside it. What needs somebody's load balancer or mesh
must say so, and must not begin.
"""
import contextlib
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import corpus  # noqa: E402
import corpus_experiments  # noqa: E402, F401 (first: they take longest)
import corpus_analyses  # noqa: E402, F401
import corpus_elsewhere  # noqa: E402, F401
import corpus_strategies  # noqa: E402, F401
import harness  # noqa: E402
import pods_test  # noqa: E402

MISSING = "../shared/corpus/argo-rollouts is not there"
ANSWERS = {"/message": {"message": "It worked!"}, "/dns": {"Status": 0}}


def lint_refuses_what_is_malformed_and_nothing_else():
    """Each manifest as it is, before anything is run; those of Helm are templates, not manifests."""
    files = [path for path in sorted(corpus.FOLDER.glob("*.yaml")) if "helm" not in path.name]
    assert files, f"no manifests in {corpus.FOLDER}"
    wrong = []
    for path in files:
        done = subprocess.run([harness.slipway, "lint", path, "-o", "json"], capture_output=True, text=True, timeout=60)
        found = json.loads(done.stdout)["files"][0]["problems"] if done.returncode in (0, 1) else []
        errors = [problem for problem in found if problem["severity"] == "error"]
        malformed = "malformed" in path.name
        # An error is at a field: it is more than that the file could not be read.
        if done.returncode != malformed or bool(errors) != malformed or not all(error["line"] and error["field"] for error in errors):
            wrong.append(f"{path.name}: exit {done.returncode}: {errors} {done.stderr}")
    assert not wrong, "\n".join(wrong)


def play():
    with harness.scratch() as folder, contextlib.ExitStack() as stack:
        (folder / "images.yaml").write_text(json.dumps(corpus.IMAGES))
        kube = stack.enter_context(pods_test.cluster("--images", str(folder / "images.yaml")))

        def every_manifest_is_run():
            left = {path.stem for path in corpus.FOLDER.glob("*.yaml")} - corpus.read_so_far
            assert not left, f"nobody runs {sorted(left)}"

        def nothing_of_them_is_left():
            pods_test.until(lambda: not kube.processes() and not kube.shims(), "processes of Pods are left")

        waiting = corpus.rows.side_by_side(kube.server, corpus.Answers(ANSWERS))
        harness.run([lint_refuses_what_is_malformed_and_nothing_else, *waiting, every_manifest_is_run, nothing_of_them_is_left])


def the_corpus_is_linted():
    raise harness.Skip(MISSING)


def the_corpus_is_run():
    raise harness.Skip(MISSING)


if __name__ == "__main__":
    play() if corpus.FOLDER.is_dir() else harness.run([the_corpus_is_linted, the_corpus_is_run])
