"""Experiments of the corpus, and manifests that are malformed."""
import contextlib

from corpus import FAILURES, FUNCTIONAL, HASH, manifest, rows, seconds


def runs_for_its_time(it, name, templates):
    """The status, once it is Successful."""
    status = it.until_experiment(name, "Running")
    assert {(each["name"], each["availableReplicas"]) for each in status["templateStatuses"]} == {
        (each, 1) for each in templates}, status
    sets = {each["metadata"]["name"]: each for each in it.all("replicasets")}
    assert set(sets) == {f"{name}-{each}" for each in templates}, set(sets)
    for pod in it.pods():  # of each its own, also where all of them have the same labels
        owner = pod["metadata"]["ownerReferences"][0]
        assert owner["uid"] == sets[owner["name"]]["metadata"]["uid"], pod["metadata"]
    assert len(it.pods()) == len(templates)
    status = it.until_experiment(name, "Successful")
    assert [each["status"] for each in status["templateStatuses"]] == ["Successful"] * len(templates), status
    return status


def waits_to_scale_down(it):
    """Half a minute, where nothing is said of it."""
    def all_have_one():
        return all("scale-down-deadline" in each["metadata"]["annotations"] for each in it.all("replicasets"))
    it.until(all_have_one, "its ReplicaSets have a deadline")
    assert all(each["spec"]["replicas"] == 1 for each in it.all("replicasets"))


@rows.of(FUNCTIONAL + "experiment-basic")
def runs_two_versions_for_its_time(it):
    name = it.create("experiments", manifest(FUNCTIONAL + "experiment-basic", ("duration: 30s", "duration: " + seconds(3))))
    assert name.startswith("experiment-basic-") and len(name) > len("experiment-basic-"), name
    status = runs_for_its_time(it, name, ["baseline", "canary"])
    hashes = {each["metadata"]["labels"][HASH] for each in it.all("replicasets")}
    assert len(hashes) == 2, hashes
    condition = status["conditions"][0]
    ended = [condition[each] for each in ("type", "status", "reason")]
    assert ended == ["Progressing", "False", "ExperimentCompleted"], condition
    waits_to_scale_down(it)


@rows.of(FUNCTIONAL + "experiment-same-template")
def runs_the_same_version_twice(it):
    name = it.create("experiments", manifest(FUNCTIONAL + "experiment-same-template", ("duration: 30s", "duration: " + seconds(3))))
    runs_for_its_time(it, name, ["first", "second"])
    hashes = {each["metadata"]["labels"][HASH] for each in it.all("replicasets")}
    assert len(hashes) == 1, hashes
    waits_to_scale_down(it)


def offers_a_service(name, service, *ports):
    def offers_a_service_while_it_runs(it):
        it.apply(manifest(FUNCTIONAL + name, ("scaleDownDelaySeconds: 5", "scaleDownDelaySeconds: 1")))
        status = it.until_experiment(name, "Running")
        made = it.until(lambda: it.all("services"), "there is a Service")
        assert [each["metadata"]["name"] for each in made] == [service], made
        spec = made[0]["spec"]
        assert [(port.get("name"), port["protocol"], port["port"], port["targetPort"])
                for port in spec["ports"]] == list(ports), spec
        status = it.one("experiments", name)["status"]["templateStatuses"][0]
        assert status["serviceName"] == service, status
        assert spec["selector"] == {"app": name, HASH: status["podTemplateHash"]}, spec
        it.until(lambda: answers_all(it, service, len(ports)), "every port of the Service is answered")
        it.until_experiment(name, "Successful")
        it.until(lambda: not it.all("services") and not it.pods(), "Service and Pods are gone")
        assert it.one("replicasets", f"{name}-test")["spec"]["replicas"] == 0
    return offers_a_service_while_it_runs


def answers_all(it, service, count):
    with contextlib.suppress(OSError):
        return it.answer_of(service) == ["1.19-alpine"] * count


rows.of(FUNCTIONAL + "experiment-with-service")(
    offers_a_service("experiment-with-service", "experiment-with-service-test", (None, "TCP", 8080, 8080)))
rows.of(FUNCTIONAL + "experiment-with-service-name")(
    offers_a_service("experiment-with-service-name", "test-service-name", (None, "TCP", 8080, 8080)))
rows.of(FUNCTIONAL + "experiment-with-multiport-service")(
    offers_a_service("experiment-with-multiport-service", "experiment-with-multiport-service-test",
                     *((f"testport{number + 1}", "TCP", 8080 + number, 8080 + number) for number in range(3))))


@rows.of(FUNCTIONAL + "experiment-dry-run-analysis")
def a_dry_run_that_fails_does_not_count(it):
    it.apply(manifest(FUNCTIONAL + "experiment-dry-run-analysis"))
    name = "experiment-with-dry-run"
    run = it.until_run("Successful")
    assert run["status"]["dryRunSummary"] == {"count": 1, "failed": 1}, run["status"]
    assert run["status"].get("runSummary", {}).get("count", 0) == 0, run["status"]
    result = run["status"]["metricResults"][0]
    assert result["dryRun"] and result["phase"] == "Failed", result
    assert result["message"] == "Metric assessed Failed due to failed (1) > failureLimit (0)", result
    it.until_experiment(name, "Successful")
    assert not it.all("services"), "its container has no port"


@rows.of(FUNCTIONAL + "experiment-measurement-retention-analysis")
def two_measurements_are_kept(it):
    it.apply(manifest(FUNCTIONAL + "experiment-measurement-retention-analysis", ("interval: 3s", "interval: 1s")))
    it.until_experiment("experiment-with-mr", "Successful")
    run = it.until(lambda: next(run for run in it.runs() if "completedAt" in run["status"]), "its run has ended")
    result = run["status"]["metricResults"][0]
    # A Job that was under way when the time was over has proven nothing.
    assert result["successful"] >= 3 and result["count"] - result.get("inconclusive", 0) == result["successful"], result
    assert len(result["measurements"]) == 2, result
    it.until(lambda: len(it.all("jobs")) <= 3, "Jobs of measurements that are forgotten are cleared away")


@rows.of(FAILURES + "experiment-error-template-missing")
def names_the_template_that_is_missing(it):
    it.apply(manifest(FAILURES + "experiment-error-template-missing"))
    status = it.until_experiment("experiment-error-template-missing", "Error")
    assert "does-not-exist" in status["message"] and "AnalysisTemplate verification failed" in status["message"], status
    assert not it.runs()
    it.until(lambda: all(each["spec"]["replicas"] == 0 or "scale-down-deadline" in each["metadata"]["annotations"]
                         for each in it.all("replicasets")), "what was begun is taken back")


@rows.of(FAILURES + "experiment-failed-analysis")
def fails_with_its_analysis(it):
    it.apply(manifest(FAILURES + "experiment-failed-analysis"))
    status = it.until_experiment("experiment-failed-analysis", "Failed")
    assert status["message"].startswith('Metric "test" assessed Failed due to failed (1) > failureLimit (0)'), status
    assert [(each["name"], each["phase"]) for each in status["analysisRuns"]] == [("bad-job", "Failed")], status
    waits_to_scale_down(it)


# Malformed ones

def refused(name, field):
    def is_refused_with_the_field_and_its_value(it):
        done = it.ask("apply", "-f", "-", *it.within(), text=manifest(FAILURES + name))
        assert done.returncode == 1 and "nothing was applied" in done.stderr, done
        assert f'{field}.resources.requests.memory: Invalid value: "invalid"' in done.stderr, done.stderr
        for kind in ("rollouts", "analysistemplates"):
            assert not it.all(kind)
    return is_refused_with_the_field_and_its_value


rows.of(FAILURES + "malformed-rollout")(refused("malformed-rollout", "spec.template.spec.containers[0]"))
for kind in ("analysistemplate", "clusteranalysistemplate"):
    rows.of(FAILURES + f"malformed-{kind}")(
        refused(f"malformed-{kind}", "spec.metrics[0].provider.job.spec.template.spec.containers[0]"))
