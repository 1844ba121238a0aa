#!/usr/bin/env python3
"""What /metrics tells of Rollouts and Experiments whose Pods are real processes, from the first version to the end: Argo's
names and labels, and the right numbers."""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness  # noqa: E402
from rollout_test import PATIENCE_S, canary, rollout, world  # noqa: E402

WEB = 'namespace="default",name="web"'
MANY = 500


def told(server):
    """Every series by its name and labels, as it is written."""
    client = server.client()
    status, text = client.send("GET", "/metrics")
    client.close()
    assert status == 200, text
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if line and not line.startswith("#")]
    series = {name: float(value) for name, value in lines}
    assert len(series) == len(lines), "a series is told twice"
    return series


def until_told(server, **wanted):
    """What is told, once it has these values; None is a series that is not there."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        series = told(server)
        wrong = {name: series.get(name) for name, value in wanted.items() if series.get(name) != value}
        if not wrong:
            return series
        assert time.monotonic() < deadline, f"{wanted} is never told: {wrong}"
        time.sleep(0.2)


def info(phase):
    return f'rollout_info{{{WEB},strategy="canary",traffic_router="",phase="{phase}"}}'


def replicas(which):
    return f"rollout_info_replicas_{which}{{{WEB}}}"


def event(kind, reason):
    return f'rollout_events_total{{{WEB},type="{kind}",reason="{reason}"}}'


def the_life_of_a_rollout_is_told():
    with world() as it:
        it.apply(rollout("web", canary({"setWeight": 50}, {"pause": {}})))
        it.healthy("web")
        first = until_told(it.server, **{info("Completed"): 1, replicas("desired"): 2, replicas("available"): 2,
                                         replicas("unavailable"): 0, replicas("updated"): 2, event("Normal", "RolloutCompleted"): 1})
        assert not [name for name in first if name.startswith("rollout_info{") and name != info("Completed")], first

        it.rollout("set", "image", "web", "web=web:v2")
        it.until_shown("web", "^Status: +॥ Paused$")
        until_told(it.server, **{info("Paused"): 1, info("Completed"): None, replicas("updated"): 1, event("Normal", "RolloutPaused"): 1})
        time.sleep(1.5)
        it.rollout("promote", "web")
        it.healthy("web")
        ended = 'rollout_duration_seconds_count{status="Promoted"}'
        series = until_told(it.server, **{info("Completed"): 1, replicas("updated"): 2, ended: first.get(ended, 0) + 1})
        took = 'rollout_duration_seconds_sum{status="Promoted"}'
        assert 1 <= series[took] - first.get(took, 0) <= 2 * PATIENCE_S, series[took]
        held = 'rollout_manual_pause_duration_seconds_sum{status="Promoted"}'
        assert series[held] >= 1 and series[held] <= series[took], series[held]
        assert series['rollout_duration_seconds_bucket{status="Promoted",le="+Inf"}'] == series[ended]
        assert series[event("Normal", "RolloutCompleted")] == 2, series

        it.rollout("set", "image", "web", "web=web:v3")
        it.until_shown("web", "^Status: +॥ Paused$")
        it.rollout("abort", "web")
        series = until_told(it.server, **{info("Abort"): 1, event("Warning", "RolloutAborted"): 1,
                                          'rollout_duration_seconds_count{status="Aborted"}': 1})
        looks = series[f"rollout_reconcile_count{{{WEB}}}"]
        assert looks > 5 and series[f'rollout_reconcile_bucket{{{WEB},le="+Inf"}}'] == looks, looks
        assert series[f"rollout_reconcile_error{{{WEB}}}"] == 0, series

        assert it.ask("delete", "rollout", "web").returncode == 0
        series = until_told(it.server, **{info("Abort"): None, replicas("desired"): None})
        # What was counted last can still be asked for.
        assert series[event("Warning", "RolloutAborted")] == 1, series


def experiments_are_told():
    with world() as it:
        pod = rollout("web", {})["spec"]["template"]
        it.apply({"apiVersion": "argoproj.io/v1alpha1", "kind": "Experiment", "metadata": {"name": "trial"},
                  "spec": {"duration": "1s", "templates": [{"name": "only", "replicas": 1, "template": pod,
                                                            "selector": {"matchLabels": {"app": "web"}}}]}})
        trial = 'namespace="default",name="trial"'
        series = until_told(it.server, **{f'experiment_info{{{trial},phase="Successful"}}': 1})
        assert series[f"experiment_reconcile_count{{{trial}}}"] > 1, series
        assert series[f"experiment_reconcile_error{{{trial}}}"] == 0, series


def many_are_told_one_by_one():
    with harness.running("--no-workloads", "--memory") as server:
        client = server.client()
        for i in range(MANY):
            one = rollout(f"web-{i}", canary({"setWeight": 50}), replicas=i)
            status, answer = client.send("POST", "/apis/argoproj.io/v1alpha1/namespaces/default/rollouts", one)
            assert status == 201, answer
        client.close()
        wanted = {f'rollout_info_replicas_desired{{namespace="default",name="web-{i}"}}': i for i in range(MANY)}
        series = until_told(server, **wanted)
        assert sum(name.startswith("rollout_info{") for name in series) == MANY


if __name__ == "__main__":
    harness.run([the_life_of_a_rollout_is_told, experiments_are_told, many_are_told_one_by_one])
