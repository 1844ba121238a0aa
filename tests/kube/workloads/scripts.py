"""What is done to workloads, on both sides alike. Each function is a script with a namespace of its own."""
import time

from play import calm, complete, condition, ended, gone, number
from pod_templates import TEMPLATES


def template(app, image, **pod):
    return {"metadata": {"labels": {"app": app}},
            "spec": {"terminationGracePeriodSeconds": 2, "containers": [{"name": "main", "image": image}], **pod}}


def deployment(image="web:v1", replicas=3, name="web", **spec):
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "labels": {"app": name}},
            "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": name}}, "template": template(name, image),
                     **spec}}


def replica_set(replicas, name="web", **spec):
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": name},
            "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": name}}, "template": template(name, "web:v1"),
                     **spec}}


def rolling(surge, unavailable):
    return {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": surge, "maxUnavailable": unavailable}}


def set_image(play, image, name="web"):
    play.kubectl("set", "image", f"deployment/{name}", f"main={image}")


def sized(replicas):
    return lambda now: complete(now) and all(one["spec"]["replicas"] == replicas for one in now["deployments"])


def scale(play):
    play.create(deployment())
    play.kubectl("rollout", "status", "deployment/web", last_line=True)
    play.step("create 3")
    play.kubectl("scale", "deployment/web", "--replicas=5")
    play.step("scale to 5", sized(5))
    play.kubectl("scale", "deployment/web", "--replicas=2")
    play.step("scale to 2", sized(2))
    pod = play.pods()[0]["metadata"]["name"]
    play.api.send("DELETE", play.path("pods", pod))
    play.step("delete a Pod", lambda now: sized(2)(now) and pod not in str(now["pods"]))
    play.kubectl("scale", "deployment/web", "--replicas=0")
    play.step("scale to 0", sized(0))
    play.kubectl("scale", "deployment/web", "--replicas=1")
    play.step("scale to 1", sized(1))
    play.kubectl("describe", "deployment/web", "--show-events=false")
    play.patch("deployments", "web", {"metadata": {"annotations": {"team": "blue"}}, "spec": {"minReadySeconds": 1}})
    play.step("annotate", lambda now: sized(1)(now) and now["replicasets"][0]["spec"].get("minReadySeconds") == 1)
    play.kubectl("delete", "deployment/web")
    play.step("delete", gone)


def update(play):
    play.create(deployment(strategy=rolling(1, 0)))
    play.step("create")
    play.kubectl("annotate", "deployment/web", "kubernetes.io/change-cause=two")
    set_image(play, "web:v2")
    play.kubectl("rollout", "status", "deployment/web", last_line=True)
    play.step("one at a time", complete)
    play.patch("deployments", "web", {"spec": {"strategy": rolling("0%", "34%")}})
    set_image(play, "web:v3")
    play.kubectl("rollout", "status", "deployment/web", last_line=True)
    play.step("percents", complete)
    play.kubectl("rollout", "history", "deployment/web")
    play.kubectl("rollout", "undo", "deployment/web")
    play.kubectl("rollout", "status", "deployment/web", last_line=True)
    play.step("undo", complete)
    play.kubectl("rollout", "undo", "deployment/web", "--to-revision=1")
    play.kubectl("rollout", "status", "deployment/web", last_line=True)
    play.kubectl("rollout", "history", "deployment/web")
    play.kubectl("rollout", "history", "deployment/web", "--revision=4")
    play.step("undo to a revision", complete)
    play.kubectl("rollout", "undo", "deployment/web", "--to-revision=99")
    play.step("undo to none", complete)


def restart(play):
    play.create(deployment(replicas=2))
    play.step("create")
    play.kubectl("rollout", "restart", "deployment/web")
    play.kubectl("rollout", "status", "deployment/web", last_line=True)
    play.step("restart", complete)


def late(now):
    return all(condition(one, "Progressing").get("reason") == "ProgressDeadlineExceeded" for one in now["deployments"])


def stuck(play):
    play.create(deployment(replicas=4, progressDeadlineSeconds=3, strategy=rolling(2, 0)))
    play.step("create")
    set_image(play, "none:v2")
    play.kubectl("rollout", "status", "deployment/web", last_line=True)
    play.step("deadline", lambda now: calm(now) and late(now))
    play.kubectl("scale", "deployment/web", "--replicas=8")
    play.step("scaled in proportion", lambda now: calm(now) and late(now) and sum(
        one["spec"]["replicas"] for one in now["replicasets"]) == 10 and number(now["deployments"][0], "status", "availableReplicas") == 7)
    set_image(play, "none:v3")
    play.step("another that is bad", lambda now: calm(now) and late(now) and len(now["replicasets"]) == 3)
    play.kubectl("rollout", "undo", "deployment/web", "--to-revision=1")
    play.step("undo", complete)


def paused(play):
    def nothing_new(now):
        return calm(now) and len(now["replicasets"]) == 1
    play.create(deployment(replicas=2))
    play.step("create")
    play.kubectl("rollout", "pause", "deployment/web")
    play.step("pause", calm)
    set_image(play, "web:v2")
    play.step("an image while paused", nothing_new)
    play.kubectl("scale", "deployment/web", "--replicas=3")
    play.step("scaled while paused", lambda now: nothing_new(now) and number(now["deployments"][0], "status", "availableReplicas") == 3)
    play.kubectl("rollout", "undo", "deployment/web")
    play.kubectl("rollout", "restart", "deployment/web")
    play.kubectl("rollout", "resume", "deployment/web")
    play.kubectl("rollout", "resume", "deployment/web")
    play.step("resume", lambda now: complete(now) and len(now["replicasets"]) == 2)


def recreate(play):
    play.create(deployment(replicas=2, strategy={"type": "Recreate"}))
    play.step("create")
    set_image(play, "web:v2")
    play.step("another", lambda now: complete(now) and len(now["replicasets"]) == 2)
    play.kubectl("rollout", "undo", "deployment/web")
    play.step("undo", lambda now: complete(now) and now["deployments"][0]["metadata"]["annotations"]
              ["deployment.kubernetes.io/revision"] == "3")
    play.patch("deployments", "web", {"spec": {"progressDeadlineSeconds": 2, "template": {"spec": {
        "containers": [{"name": "main", "image": "none:v3"}]}}}})
    play.step("one that is bad", lambda now: calm(now) and late(now))


def history(play):
    play.create(deployment(replicas=1, revisionHistoryLimit=1))
    play.step("create")
    set_image(play, "web:v2")
    play.step("second", lambda now: complete(now) and len(now["replicasets"]) == 2)
    set_image(play, "web:v3")

    def latest(revision, sets):
        return lambda now: (complete(now) and len(now["replicasets"]) == sets and now["deployments"][0]["metadata"]
                            ["annotations"]["deployment.kubernetes.io/revision"] == revision)
    play.step("third", latest("3", 2))
    play.kubectl("rollout", "history", "deployment/web")
    play.patch("deployments", "web", {"spec": {"revisionHistoryLimit": 0}})
    play.step("none kept", latest("3", 1))
    play.kubectl("rollout", "undo", "deployment/web")
    play.step("nothing to undo", latest("3", 1))


def ready(count):
    return lambda now: calm(now) and all(number(one, "status", "readyReplicas") == count for one in now["replicasets"])


def claims(play):
    orphan = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "orphan", "labels": {"app": "web", "own": "yes"}},
              "spec": template("web", "web:v1")["spec"]}
    play.create(orphan)
    play.step("an orphan", lambda now: calm(now) and len(now["pods"]) == 1)
    time.sleep(1)  # a busy kube-controller-manager hears of the ReplicaSet before the Pod, and makes one too many
    play.create(replica_set(2))
    play.step("an orphan is adopted", ready(2))
    play.patch("pods", "orphan", {"metadata": {"labels": {"app": "other"}}})
    play.step("a stranger is let go", lambda now: ready(2)(now) and len(now["pods"]) == 3)
    play.kubectl("describe", "replicaset/web", "--show-events=false")
    # Of three Pods so young it is chance which one has to go, unless somebody says.
    play.patch("pods", "orphan", {"metadata": {"labels": {"app": "web"}, "annotations": {
        "controller.kubernetes.io/pod-deletion-cost": "-5"}}})
    play.step("and comes back", lambda now: ready(2)(now) and len(now["pods"]) == 2)
    play.patch("replicasets", "web", {"spec": {"minReadySeconds": 600}})
    play.step("not yet available", lambda now: ready(2)(now) and number(now["replicasets"][0], "status", "availableReplicas") == 0)
    play.patch("replicasets", "web", {"spec": {"minReadySeconds": 1}})
    play.step("available", lambda now: ready(2)(now) and number(now["replicasets"][0], "status", "availableReplicas") == 2)
    play.kubectl("delete", "replicaset/web", "--cascade=orphan")
    play.step("Pods are left", lambda now: calm(now) and not now["replicasets"])
    play.create(replica_set(1))
    play.step("and taken over", lambda now: calm(now) and len(now["pods"]) == 1)
    play.kubectl("delete", "replicaset/web", "--cascade=foreground")
    play.step("delete", gone)


def orphans(play):
    def count(deployments):
        return lambda now: complete(now) and len(now["deployments"]) == deployments
    play.create(deployment(replicas=2))
    play.step("create")
    set_image(play, "web:v2")
    play.step("update", lambda now: complete(now) and len(now["replicasets"]) == 2)
    play.kubectl("delete", "deployment/web", "--cascade=orphan")
    play.step("sets are left", count(0))
    play.create(deployment("web:v2", replicas=2))
    play.step("and taken over", count(1))
    play.kubectl("rollout", "undo", "deployment/web")
    play.step("with their history", lambda now: complete(now) and now["deployments"][0]["metadata"]["annotations"]
              ["deployment.kubernetes.io/revision"] == "3")
    play.kubectl("delete", "deployment/web", "--cascade=foreground")
    play.step("delete", gone)


def templates(play):
    """Of every kind of field, for the hashes: nothing is run."""
    for name, pod in TEMPLATES.items():
        made = deployment(replicas=0, name=name)
        labels = {**made["spec"]["template"]["metadata"]["labels"], **pod.get("labels", {})}
        made["spec"]["template"] = {"metadata": {"labels": labels, **pod.get("metadata", {})},
                                    "spec": {"containers": [{"name": "main", "image": "web:v1", **pod.get("container", {})}],
                                             **pod.get("spec", {})}}
        play.create(made)
    play.step("hashes", lambda now: calm(now) and len(now["replicasets"]) == len(TEMPLATES))


def endpoints(now, kind="ready"):
    """How many addresses slices hold."""
    return sum(1 for one in now["endpointslices"] for endpoint in one.get("endpoints") or []
               if endpoint["conditions"][kind] is True)


def services(play):
    def service(name, **spec):
        return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name, "labels": {"own": name}},
                "spec": {"selector": {"app": "web"}, "ports": [{"name": "http", "port": 80, "targetPort": "main"},
                                                               {"name": "admin", "port": 81, "targetPort": 9000}], **spec}}
    web = deployment(replicas=2)
    container = web["spec"]["template"]["spec"]["containers"][0]
    container["ports"] = [{"name": "main", "containerPort": 8080}]
    play.create(service("before"))
    play.step("nobody there", lambda now: len(now["endpointslices"]) == 1 and len(now["endpoints"]) == 1)
    play.create(web)
    play.create(service("headless", clusterIP="None"))
    play.create(service("all", publishNotReadyAddresses=True, ports=[{"port": 80}]))
    play.create(service("missing", ports=[{"port": 80, "targetPort": "missing"}]))
    play.create(service("unselective", selector=None))
    play.step("ready", lambda now: complete(now) and endpoints(now) == 8 and len(now["endpoints"]) == 4)
    play.create(replica_set(1, "sick"))
    play.step("another app", lambda now: calm(now) and all(number(one, "status", "readyReplicas") for one in now["replicasets"]))
    # For its next Pod.
    play.patch("replicasets", "sick", {"spec": {"template": {"spec": {"containers": [
        {"name": "main", "image": "web:v1", "readinessProbe": {"exec": {"command": ["false"]}}}]}}}})
    for name in ("before", "all"):
        play.patch("services", name, {"spec": {"selector": {"app": "sick"}}})
    play.step("another selector", lambda now: calm(now) and endpoints(now) == 6)
    for pod in play.pods():
        if pod["metadata"]["labels"]["app"] == "sick":
            play.api.send("DELETE", play.path("pods", pod["metadata"]["name"]))
    play.step("unready", lambda now: calm(now) and endpoints(now, "serving") == 4 and endpoints(now) == 5)
    play.kubectl("scale", "deployment/web", "--replicas=0")
    play.step("gone", lambda now: sized(0)(now) and endpoints(now) == 1)
    play.kubectl("delete", "service", "before", "headless", "all", "missing", "unselective")
    play.step("delete", lambda now: calm(now) and not now["services"] and not now["endpointslices"] and not now["endpoints"])


def job(name, image, restart="Never", **spec):
    pod = template(name, image, restartPolicy=restart)
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": {"template": pod, **spec}}


def jobs_that_end(play):
    play.create(job("ok", "ok:1"))
    play.create(job("many", "ok:1", parallelism=3, completions=5))
    play.create(job("indexed", "ok:1", completionMode="Indexed", parallelism=2, completions=3))
    play.create(job("queue", "ok:1", parallelism=2))
    play.create(job("none", "ok:1", completions=0))
    play.create(job("brief", "ok:1", ttlSecondsAfterFinished=1))
    play.step("succeed", lambda now: ended(now) and "brief" not in str(now["jobs"]))
    play.kubectl("describe", "jobs", "--show-events=false")
    play.kubectl("delete", "job", "ok", "many")
    play.step("delete", lambda now: len(now["jobs"]) == 3 and len(now["pods"]) == 5)


def jobs_that_fail(play):
    play.create(job("no-retry", "fail:1", backoffLimit=0))
    play.create(job("retry", "fail:1", backoffLimit=1))
    play.create(job("in-place", "fail:1", restart="OnFailure", backoffLimit=1))
    play.create(job("deadline", "run:1", activeDeadlineSeconds=2))
    play.create(job("policy", "odd:1", podFailurePolicy={"rules": [
        {"action": "FailJob", "onExitCodes": {"operator": "In", "values": [42]}}]}))
    play.step("fail", ended)


def active(count, suspended=False):
    return lambda now: (not any("deletionTimestamp" in one["metadata"] for one in now["pods"])
                        and len(now["pods"]) == number(now["jobs"][0], "status", "active") == count
                        and number(now["jobs"][0], "status", "ready") == count
                        and number(now["jobs"][0], "status", "terminating") == 0
                        and (condition(now["jobs"][0], "Suspended").get("status") == "True") == suspended)


def jobs_that_wait(play):
    play.create(job("work", "run:1", suspend=True, parallelism=2))
    play.step("suspended", active(0, True))
    play.patch("jobs", "work", {"spec": {"suspend": False}})
    play.step("resumed", active(2))
    play.patch("jobs", "work", {"spec": {"parallelism": 3}})
    play.step("one more", active(3))
    play.patch("jobs", "work", {"spec": {"parallelism": 1}})
    play.step("two less", active(1))
    play.patch("jobs", "work", {"spec": {"suspend": True}})
    play.step("suspended again", active(0, True))
    play.patch("jobs", "work", {"spec": {"suspend": False}})
    play.step("resumed again", active(1))
    play.kubectl("delete", "job", "work")
    play.step("delete", gone)


def lost_pods(play):
    """A Job's Pod that somebody deletes has failed; the next comes after the back-off."""
    play.create(job("work", "run:1", backoffLimit=3))
    play.step("create", active(1))
    lost = play.pods()[0]["metadata"]["name"]
    play.api.send("DELETE", play.path("pods", lost))
    play.step("another", lambda now: active(1)(now) and lost not in str(now["pods"]))
    play.kubectl("delete", "job", "work", "--cascade=orphan")
    play.step("its Pod is left", lambda now: not now["jobs"] and all("finalizers" not in one["metadata"] for one in now["pods"]))


SCRIPTS = (scale, update, restart, stuck, paused, recreate, history, claims, orphans, templates, services, jobs_that_end,
           jobs_that_fail, jobs_that_wait, lost_pods)
