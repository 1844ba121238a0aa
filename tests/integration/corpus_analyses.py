"""Rollouts of the corpus that are analysed."""
import json

import corpus
import harness
from corpus import FUNCTIONAL, HASH, deployed, job, manifest, rows, seconds, template


def last_measurement(run):
    return run["status"]["metricResults"][0]["measurements"][-1]


@rows.of(FUNCTIONAL + "rollout-background-analysis-inconclusive")
def an_inconclusive_background_analysis_pauses_it(it):
    name = "rollout-background-analysis-inconclusive"
    it.apply(template("web-background-inconclusive", {
        "name": "web", "interval": "1s", "inconclusiveLimit": 3, "successCondition": "result.Status == 999",
        "failureCondition": "result.Status == -1", "provider": {"web": {"url": it.answers.url("/dns")}}}))
    deployed(it, name, manifest(FUNCTIONAL + name, ("duration: 30s", "duration: " + seconds(15))))
    it.update(name)
    it.until_phase(name, "Paused")
    run = it.until_run("Inconclusive", rollout_type="Background")
    message = 'Metric "web" assessed Inconclusive due to inconclusive (4) > inconclusiveLimit (3)'
    assert run["status"]["message"].startswith(message), run
    it.until_phase(name, "Paused", "InconclusiveAnalysisRun")
    it.stays(16 * harness.patience, lambda: it.state(name)[0] == "Paused", "it is paused, although the pause of its step is over")
    assert it.state(name)[1] == "InconclusiveAnalysisRun", it.state(name)
    assert len(it.runs()) == 1, it.runs()


@rows.of(FUNCTIONAL + "rollout-background-invalid-job")
def a_job_that_cannot_start_is_inconclusive(it):
    name = "rollout-background-invalid-job"
    it.apply(template("invalid-image-job", job("invalid-image-job-metric", "", count=1)))
    it.apply(manifest(FUNCTIONAL + "analysistemplate-long-running-job"))
    # Here nobody tries for a while to fetch an image: without this, it would be paused before its step is reached.
    late = ("- templateName: invalid-image-job\n", "- templateName: invalid-image-job\n        startingStep: 1\n")
    deployed(it, name, manifest(FUNCTIONAL + name, late))
    it.update(name)
    it.until_phase(name, "Paused", "InconclusiveAnalysisRun")
    background = it.until_run("Inconclusive", rollout_type="Background")
    measurement = last_measurement(background)
    assert measurement["phase"] == "Inconclusive" and "alpine:3.8" in measurement["message"], measurement
    assert len(it.runs()) == 2
    inline = it.until_run("Running", rollout_type="Step")
    # The job of the step is still at it. It is ended with the update, and has proven nothing.
    it.rollout("abort", name)
    it.until_phase(name, "Degraded", "RolloutAborted")
    ended = it.until_run("Inconclusive", rollout_type="Step")
    assert ended["metadata"]["name"] == inline["metadata"]["name"], ended
    measurement = last_measurement(ended)
    assert (measurement["phase"], measurement["message"]) == ("Inconclusive", "Metric Terminated"), measurement
    uid = ended["metadata"]["uid"]
    it.until(lambda: not any(each["metadata"]["name"].startswith(uid) for each in it.all("jobs") + it.pods()), "its Job is gone")


def fails_at_the_deadline(kind):
    def a_job_beyond_its_deadline_fails_it(it):
        name = f"rollout-{kind}-long-running-job-deadline"
        it.apply(template("long-running-job-deadline", job("long-running-job-deadline-metric", "sleep 6000", count=1,
                                                           spec={"activeDeadlineSeconds": 3})))
        deployed(it, name, manifest(FUNCTIONAL + name))
        it.update(name)
        status = it.until_phase(name, "Degraded", "RolloutAborted: Rollout aborted update to revision 2")
        word = "Background" if kind == "background" else "Step-based"
        assert f"{word} analysis phase error/failed" in status["message"], status["message"]
        assert len(it.runs()) == 1, it.runs()
        run = it.until_run("Failed")
        assert run["status"]["metricResults"][0]["phase"] == last_measurement(run)["phase"] == "Failed", run
        assert "deadline" in last_measurement(run)["message"], run
        it.until(lambda: it.sizes(1, 2) == (1, 0), "the first version is back alone")
    return a_job_beyond_its_deadline_fails_it


for kind in ("background", "inline"):
    rows.of(FUNCTIONAL + f"rollout-{kind}-long-running-job-deadline")(fails_at_the_deadline(kind))


@rows.of(FUNCTIONAL + "rollout-inline-multiple-analysis")
def all_metrics_of_a_step_must_pass(it):
    name = "rollout-inline-analysis"
    it.apply(manifest(FUNCTIONAL + "analysistemplate-multiple-job"))
    deployed(it, name, manifest(FUNCTIONAL + "rollout-inline-multiple-analysis"))
    it.update(name)
    it.until_phase(name, "Paused", "CanaryPauseStep")
    assert not it.runs(), "its step is not reached"
    it.promote(name)
    it.until(lambda: it.runs()[0]["status"]["metricResults"][0]["phase"] == "Successful", "one metric has passed")
    assert it.runs()[0]["status"]["phase"] == "Running", "the other one waits for its initialDelay"
    run = it.until_run("Successful", rollout_type="Step", step_index="2")
    results = {each["name"]: each for each in run["status"]["metricResults"]}
    assert {each: results[each]["phase"] for each in results} == {"sleep-job": "Successful", "sleep-job-rep": "Successful"}, results
    measured = results["sleep-job"]["measurements"][0]["startedAt"]
    assert corpus.seconds_between(run["status"]["startedAt"], measured) >= 10, (run["status"], measured)
    it.until_phase(name, "Healthy")
    assert len(it.runs()) == 1 and it.stable_is(name, 2)


@rows.of(FUNCTIONAL + "rollout-degraded-inline-multiple-analysis")
def one_metric_of_a_step_that_fails_ends_it(it):
    name = "rollout-inline-analysis"
    it.apply(template("multiple-job-fail", job("sleep-job", "exit 0", count=1, initialDelay="10000s"),
                      job("sleep-job-rep", "exit 1", count=2, interval="1s", failureLimit=1)))
    deployed(it, name, manifest(FUNCTIONAL + "rollout-degraded-inline-multiple-analysis"))
    it.update(name)
    it.until_phase(name, "Paused", "CanaryPauseStep")
    it.promote(name)
    it.until_phase(name, "Progressing")
    run = it.until_run("Failed", rollout_type="Step")
    assert run["status"]["message"].startswith('Metric "sleep-job-rep" assessed Failed due to failed (2) > failureLimit (1)'), run
    it.until_phase(name, "Degraded", "RolloutAborted: Rollout aborted update to revision 2: Step-based analysis phase error/failed")
    assert it.stable_is(name, 1)


def takes_its_address_from_a_secret(file, name, counted, *changes):
    def takes_arguments_and_a_secret(it):
        deployed(it, name, manifest(FUNCTIONAL + file, secret_of(it), *changes))
        it.update(name)
        it.until_phase(name, "Paused", "CanaryPauseStep")
        assert len(it.runs()) == 1
        run = it.runs()[0]
        assert run["status"]["phase"] == "Successful", run["status"]
        result = run["status"]["metricResults"][0]
        assert (result["count"], result["successful"]) == (counted, counted), result
        assert result["measurements"][-1]["value"] == '"It worked!"', result
        assert it.answers.url("") not in json.dumps(run), f"the secret is told: {run}"
        it.promote(name)
        it.until_phase(name, "Healthy")
        assert it.stable_is(name, 2)
    return takes_arguments_and_a_secret


def secret_of(it):
    """The address in it is somewhere in the internet: another one."""
    old = next(line.split()[1] for line in manifest(FUNCTIONAL + "rollout-secret").splitlines() if "secretUrl: " in line)
    return old, it.answers.secret("/message")


rows.of(FUNCTIONAL + "rollout-secret")(takes_its_address_from_a_secret("rollout-secret", "rollout-secret", 2, ('"5s"', '"1s"')))
rows.of(FUNCTIONAL + "rollout-secret-withArgs")(
    takes_its_address_from_a_secret("rollout-secret-withArgs", "rollout-secret", 3, ('"5s"', '"1s"')))


@rows.of(FUNCTIONAL + "rollout-bg-analysis-withArgs")
def a_background_analysis_ends_with_the_update(it):
    name = "rollout-bg-analysis"
    deployed(it, name, manifest(FUNCTIONAL + "rollout-bg-analysis-withArgs", secret_of(it), ('"10s"', '"1s"')))
    it.update(name)
    it.until_phase(name, "Paused", "CanaryPauseStep")
    run = it.until(lambda: next(run for run in it.runs() if run["status"]["metricResults"][0]["successful"] >= 2), "it measures")
    assert run["status"]["phase"] == "Running" and run["metadata"]["labels"]["rollout-type"] == "Background", run
    it.promote(name)
    it.until_phase(name, "Healthy")
    run = it.until_run("Successful", rollout_type="Background")
    assert run["spec"]["terminate"] and len(it.runs()) == 1, run


def measured_in_the_background(it, text, **analysis):
    it.apply(text)
    analysis = {"templates": [{"templateName": "web-background"}], **analysis}
    deployed(it, "web", own_rollout("web", {"canary": {"steps": [{"setWeight": 10}, {"pause": {}}], "analysis": analysis}}))
    it.update("web")
    it.until_phase("web", "Paused", "CanaryPauseStep")
    run = it.until(lambda: next(run for run in it.runs() if run["status"]["metricResults"][0]["successful"] >= 2), "it measures")
    assert run["status"]["phase"] == "Running", run
    it.promote("web")
    it.until_phase("web", "Healthy")
    return it.until_run("Successful", rollout_type="Background")


TOKEN = [("  metrics:\n", "    - name: token\n      valueFrom: {secretKeyRef: {name: reader, key: token}}\n  metrics:\n"),
         ("insecure: true\n", 'insecure: true\n        headers: [{key: Authorization, value: "Bearer {{args.token}}"}]\n')]


@rows.of(FUNCTIONAL + "analysistemplate-web-background")
def measures_the_version_of_the_api_server(it):
    """Here, unlike in most clusters, one must sign in to ask for it."""
    token = it.server.token("view-token")
    it.apply(json.dumps({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "reader"}, "stringData": {"token": token}}))
    text = manifest(FUNCTIONAL + "analysistemplate-web-background", ("interval: 5s", "interval: 1s"), *TOKEN)
    run = measured_in_the_background(it, text)
    assert json.loads(last_measurement(run)["value"])["major"] == "1" and token not in json.dumps(run), run


@rows.of(FUNCTIONAL + "analysistemplate-web-background")
def measures_a_service_by_its_name(it):
    it.apply(json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "version", "labels": {"app": "version"}},
                         "spec": {"containers": [{"name": "main", "image": "version:1"}]}}))
    it.apply(json.dumps({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "version"},
                         "spec": {"selector": {"app": "version"}, "ports": [{"name": "http", "port": 80, "targetPort": 8080}]}}))
    it.until(lambda: any(each["type"] == "Ready" and each["status"] == "True"
                         for each in it.one("pods", "version")["status"]["conditions"]), "it is ready")
    text = manifest(FUNCTIONAL + "analysistemplate-web-background", ("interval: 5s", "interval: 1s"))
    for address in ("http://version/version", f"http://version.{it.namespace}.svc.cluster.local/version"):
        run = measured_in_the_background(it, text, args=[{"name": "url-val", "value": address}])
        assert json.loads(last_measurement(run)["value"]) == {"major": "1"}, run
        it.ask("delete", "rollout", "web", *it.within())
        it.until(lambda: not it.all("rollouts") and not it.runs(), "it is gone")


def own_rollout(name, strategy, **spec):
    container = {"name": "main", "image": "nginx:1.19-alpine"}
    return json.dumps({"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": {"name": name},
                       "spec": {"replicas": 1, "selector": {"matchLabels": {"app": name}}, "strategy": strategy, **spec,
                                "template": {"metadata": {"labels": {"app": name}}, "spec": {"containers": [container]}}}})


@rows.of(FUNCTIONAL + "analysistemplate-sleep-job")
def its_exit_code_decides_before_and_after_promotion(it):
    it.apply(manifest(FUNCTIONAL + "analysistemplate-sleep-job"))
    it.apply(json.dumps({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "shop"},
                         "spec": {"selector": {"app": "shop"}, "ports": [{"port": 8080}]}}))

    def strategy(before, after):
        def analysis(code):
            return {"templates": [{"templateName": "sleep-job"}], "args": [
                {"name": "duration", "value": "1"}, {"name": "exit-code", "value": str(code)},
                {"name": "rev", "valueFrom": {"fieldRef": {"fieldPath": "metadata.annotations['rollout.argoproj.io/revision']"}}}]}
        return {"blueGreen": {"activeService": "shop", "prePromotionAnalysis": analysis(before),
                              "postPromotionAnalysis": analysis(after)}}

    def active():
        return it.one("services", "shop")["spec"]["selector"][HASH]

    deployed(it, "shop", own_rollout("shop", strategy(0, 0)))
    it.update("shop", "nginx:good")
    it.until_phase("shop", "Healthy")
    assert {run["metadata"]["labels"]["rollout-type"]: run["status"]["phase"] for run in it.runs()} == {
        "PrePromotion": "Successful", "PostPromotion": "Successful"}, it.runs()
    assert {job["spec"]["template"]["metadata"]["labels"]["rev"] for job in it.all("jobs")} == {"2"}
    good = active()
    for before, after, word in ((1, 0, "pre"), (0, 1, "post")):
        it.client.send("PATCH", it.path("rollouts", "shop"), {"spec": {"strategy": strategy(before, after)}},
                       "application/merge-patch+json")
        it.update("shop", f"nginx:bad-{word}")
        it.until_phase("shop", "Degraded", f"Blue/green {word}-promotion analysis phase error/failed")
        it.until(lambda: active() == good, "the good version has the traffic")
