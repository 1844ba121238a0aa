#!/usr/bin/env python3
"""The commands as people and scripts use them: what is printed where, and the exit codes that are promised."""
import http.client
import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import time

import harness

DONE, FAILED, CANNOT_ASK, USAGE = 0, 1, 3, 64


def slipway(*words, server=None, stdin="", env=None, stdout=subprocess.PIPE):
    """The finished process; without a server there is none to be found."""
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent",
                   "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
    if server:
        environment["KUBECONFIG"] = str(server.folder / "kubeconfig")
    return subprocess.run([harness.slipway, *words], input=stdin, text=True, stdout=stdout,
                          stderr=subprocess.PIPE, env={**environment, **(env or {})}, timeout=60)


def expect(answer, code, *texts):
    said = (answer.stdout or "") + answer.stderr
    assert answer.returncode == code, f"{answer.args[1:]}: exit {answer.returncode}, not {code}: {said}"
    for text in texts:
        assert text in said, f"{answer.args[1:]}: no {text!r} in {said!r}"
    return answer.stdout


def config_map(name, labels="", namespace=""):
    return (f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n"
            + (f"  labels: {{{labels}}}\n" if labels else "") + (f"  namespace: {namespace}\n" if namespace else ""))


POD = """apiVersion: v1
kind: Pod
metadata: {name: talks}
spec: {restartPolicy: Never, containers: [{name: c, image: x, command: [/bin/sh, -c, 'echo hello; %s']}]}
"""


def words_that_make_no_sense_are_answered_with_what_would():
    for words, texts in {
        ("frob",): ['unknown command "frob"', "get", "apply"],
        ("aply", "-f", "x"): ['unknown command "aply"', 'did you mean "apply"?'],
        ("frob", "get", "pods"): ['unknown command "frob"'],
        ("help", "frob"): ['unknown command "frob"'],
        (): ["Usage: slipway", "serve"],
        ("get",): ["say what to show", "slipway get rollouts"],
        ("lint",): ["say what to check", "slipway lint web.yaml"],
        ("apply",): ["say what to apply", "-f"],
        ("wait", "pod", "a"): ["--for=delete"],
        ("completion",): ["slipway completion bash"],
        ("completion", "tcsh"): ["bash, zsh or fish"],
        ("serve", "--port", "99999"): ['"99999" is not a port', "0 to 65535"],
        ("serve", "--log-level", "loud"): ["debug, info, warning or error"],
        ("apply", "-f", "x", "-o", "wide"): ["json, yaml or name"],
        ("lint", "x", "-o", "name"): ["json or yaml"],
        ("judge", "-o", "wide"): ["json or yaml"],
        ("render", "--engine", "foo", "--text", "x"): ['"foo" is not known here', "go, flagger, pipecd or argo"],
        ("rollout", "get", "web", "-w", "-o", "json"): ["-w draws", "slipway get rollout web -w -o json"],
        ("rollout", "list", "-w", "-o", "yaml"): ["-w draws", "slipway get rollout -w -o json"],
        ("experiment", "get", "web", "-w", "-o", "json"): ["slipway get experiment web -w -o json"],
        ("experiment", "status", "web", "--timeout=-5s"): ["--timeout", '"-5s" is not a duration'],
        ("get", "pods", "--frob"): ["--frob", "slipway get --help"],
        ("-n", "shop", "lint", "x"): ["talks to none"],
        ("delete",): ["slipway delete rollout web"],
        ("delete", "cm", "a", "--timeout=5"): ["--timeout", '"5" is not a duration'],
        ("wait", "--for=delete", "cm", "a", "--timeout=5"): ["--timeout", '"5" is not a duration'],
        ("delete", "rollout"): ["names, a label selector with -l, or --all"],
        ("delete", "cm", "a", "-l", "x=y"): ["name cannot be provided when a selector is specified"],
        ("delete", "cm", "a", "--all"): ["name cannot be provided"],
        ("delete", "-f", "x", "-l", "x=y"): ["-f names the objects"],
        ("get", "cm", "a", "-l", "x=y"): ["name cannot be provided when a selector is specified"],
        ("get", "cm", "a", "-A"): ["a resource cannot be retrieved by name across all namespaces"],
        ("get", "cm,pods", "-w"): ["single resource type"],
        ("get", "cm", "a", "b", "-w"): ["watch is only supported"],
        ("get", "rollouts", "web/status"): ['"web/status" is no name', "write the name alone"],
        ("describe", "rollouts", "web/status"): ["write the name alone"],
        ("delete", "rollout/web/status"): ["write the name alone"],
        ("wait", "--for=delete", "cm", "a/b"): ["write the name alone"],
        ("logs", "web/log"): ['"web/log" is no Pod', "write the name alone"],
        ("logs", "pod/web/log"): ["write the name alone"],
        ("rollout", "get", "web/status"): ['"web/status" is no Rollout', "write the name alone"],
        ("rollout", "status", "experiment/web"): ["write the name alone"],
        ("rollout", "set", "image", "web/scale", "a=b"): ["write the name alone"],
        ("rollout", "terminate", "analysisrun", "a/b"): ["write the name alone"],
        ("experiment", "get", "rollout/web"): ['"rollout/web" is no Experiment', "write the name alone"],
        ("get", "cm", "-n", "a/b"): ["--namespace", '"a/b" is no namespace'],
        ("get", "cm", "--chunk-size", "-1"): ["--chunk-size", '"-1" is not a number of objects', "0 for all"],
        ("get", "cm", "--chunk-size", "many"): ["--chunk-size", '"many" is not a number of objects'],
        ("logs", "web", "--tail", "-5"): ["--tail", '"-5" is not a number of lines', "-1 for all"],
        ("rollout", "undo", "web", "--to-revision", "abc"): ["--to-revision", '"abc" is not a revision', "write its number"],
        ("apply", "-f", "x", "--dry-run=server"): ['--dry-run: "server" is neither true nor false', "write --dry-run alone"],
        ("get", "cm", "-o", "json", "-o", "yaml"): ["--output: given 2 times (json, yaml); give it once"],
    }.items():
        answer = slipway(*words)
        expect(answer, USAGE, *texts)
        assert answer.stdout == "", f"{words}: on stdout: {answer.stdout}"


def version_and_help_are_where_people_look():
    assert expect(slipway("--version"), DONE).startswith("slipway ")
    assert "Usage: slipway" in expect(slipway("help"), DONE)
    assert "--all-namespaces" in expect(slipway("help", "get"), DONE)
    assert "--all-namespaces" in expect(slipway("get", "--help"), DONE)


def what_could_not_be_read_is_an_answer_in_json_too():
    for words in (("lint", "/nowhere.yaml"), ("eval", "result > 1", "--result", "{bad")):
        answer = slipway(*words, "-o", "json")
        expect(answer, CANNOT_ASK, words[-1] if words[0] == "lint" else "--result")
        assert json.loads(answer.stdout)["error"]["message"], answer.stdout


def a_server_that_was_named_and_is_not_there_is_told_beside_the_version():
    with harness.scratch() as folder:
        assert expect(slipway("version", env={"HOME": str(folder)}), DONE).startswith("slipway ")
        for words in (("--kubeconfig", str(folder / "none")), ("--context", "none")):
            answer = slipway("version", "-o", "json", *words, env={"HOME": str(folder)})
            assert "client" in json.loads(expect(answer, CANNOT_ASK, "slipway: "))
    with harness.running("--memory") as server:
        assert "server  v" in expect(slipway("version", server=server), DONE)
        server.stop()
        assert expect(slipway("version", server=server), CANNOT_ASK, "slipway serve").startswith("slipway ")


def no_server_or_a_foreign_token_says_what_to_do():
    expect(slipway("get", "cm"), CANNOT_ASK, "slipway serve")
    expect(slipway("get", "cm", env={"HOME": ""}), CANNOT_ASK, "$HOME", "--kubeconfig")
    with harness.running("--memory") as server:
        text = (server.folder / "kubeconfig").read_text()
        other = server.folder / "other"
        other.write_text(text.replace(server.token(), "wrong"))
        for words in (("get", "cm"), ("apply", "-f", "-"), ("delete", "cm", "a")):
            expect(slipway("--kubeconfig", str(other), *words, stdin=config_map("a")), FAILED,
                   "does not know the credentials", "DIR/kubeconfig")
        server.stop()
        for words in (("get", "cm"), ("apply", "-f", "-"), ("delete", "cm", "a")):
            expect(slipway(*words, server=server, stdin=config_map("a")), CANNOT_ASK, "slipway serve")


def flags_of_the_server_may_stand_before_the_command():
    with harness.running("--memory") as server:
        kubeconfig = str(server.folder / "kubeconfig")
        expect(slipway("--kubeconfig", kubeconfig, "get", "namespaces"), DONE, "default")
        expect(slipway("--kubeconfig", kubeconfig, "-n", "shop", "get", "cm"), DONE, "in shop namespace")
        expect(slipway("--kubeconfig", kubeconfig, "-n", "shop", "get", "cm", "-n", "other"), DONE, "in other namespace")


def a_name_that_is_none_leads_nowhere():
    """Neither to the collection, nor to the namespace that would be above it."""
    with harness.running("--memory") as server:
        manifests = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\n" + config_map("a", namespace="shop")
        expect(slipway("apply", "-f", "-", server=server, stdin=manifests), DONE)
        for words in (("delete", "cm"), ("get", "cm"), ("describe", "cm"), ("get",), ("wait", "--for=delete", "cm")):
            expect(slipway("-n", "shop", *words, "", server=server), USAGE, "may not be empty")
        for words in (("rollout", "get"), ("rollout", "abort"), ("rollout", "status"), ("logs",), ("experiment", "get")):
            expect(slipway("-n", "shop", *words, "", server=server), FAILED, "may not be empty")
        for name in (".", ".."):
            for words in (("delete", "cm"), ("get", "cm"), ("logs",), ("rollout", "get")):
                expect(slipway("-n", "shop", *words, name, server=server), FAILED, f'"{name}" is no name')
            expect(slipway("-n", name, "delete", "cm", "a", server=server), FAILED, f'"{name}" is no name')
            expect(slipway("-n", name, "delete", "cm", "--all", server=server), FAILED, f'"{name}" is no name')
            for verb, why in (("delete", f'"{name}" is no name'), ("apply", "nothing was applied")):
                answer = slipway("-n", "shop", verb, "-f", "-", server=server, stdin=config_map(f"'{name}'"))
                expect(answer, FAILED, why)
        expect(slipway("-n", "shop", "get", "cm", "a", server=server), DONE)
        expect(slipway("get", "ns", "shop", server=server), DONE, "Active")


def the_address_it_is_asked_at_is_a_name_of_the_server():
    """A kubelet asks a Pod by its address; a browser that was led astray sends a foreign name."""
    own = "127.0.0.7"  # of this machine, and no name the server was given
    with harness.running("--memory", "--address", "0.0.0.0") as server:
        for host, status in ((f"{own}:{server.port}", 200), ("127.0.0.8", 403), ("evil.example", 403)):
            connection = http.client.HTTPConnection(own, server.port, timeout=30)
            connection.request("GET", "/livez", headers={"Host": host})
            answer = connection.getresponse()
            assert answer.status == status, f"{host}: {answer.status} {answer.read()}"
            connection.close()


def what_is_used_is_applied_before_what_uses_it():
    """An Experiment ends in Error when its template comes too late."""
    experiment = """apiVersion: argoproj.io/v1alpha1
kind: Experiment
metadata: {name: e}
spec:
  templates:
  - name: a
    replicas: 0
    selector: {matchLabels: {app: e}}
    template: {metadata: {labels: {app: e}}, spec: {containers: [{name: c, image: c}]}}
  analyses: [{name: check, templateName: later}]
"""
    template = """apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: later}
spec: {metrics: [{name: m, interval: 1h, provider: {web: {url: 'http://127.0.0.1:1/'}}}]}
"""
    with harness.running("--memory", "--no-workloads") as server, harness.scratch() as folder:
        (folder / "1.yaml").write_text(experiment)
        (folder / "2.yaml").write_text(template)
        answer = expect(slipway("apply", "-f", str(folder), server=server), DONE)
        assert answer.index("analysistemplate") < answer.index("experiment"), answer


def a_metric_that_can_never_be_judged_is_refused_before_it_is_measured():
    manifest = """apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: t}
spec:
  metrics:
  - name: m
    successCondition: result[0] <
    failureLimit: abc
    interval: -5s
    count: -1
    provider: {web: {url: 'http://127.0.0.1:1/'}}
"""
    with harness.running("--memory", "--no-workloads") as server, harness.scratch() as folder:
        path = folder / "l.yaml"
        path.write_text(manifest)
        wrong = [f"l.yaml:{line}: spec.metrics[0].{field}: " for line, field in (
            (7, "successCondition"), (8, "failureLimit"), (9, "interval"), (10, "count"))]
        expect(slipway("lint", str(path)), FAILED, *wrong)
        expect(slipway("apply", "-f", str(path), server=server), FAILED, *wrong, "4 mistakes; nothing was applied")
        expect(slipway("analyze", "-f", str(path)), CANNOT_ASK, "spec.metrics[0].")


def a_server_that_cannot_be_trusted_was_not_asked():
    """Exit 1 would say that it answered."""
    with harness.running("--memory") as server, harness.scratch() as folder:
        text = (server.folder / "kubeconfig").read_text()
        authority = re.search(r"certificate-authority-data: *(\S+)", text)[1]
        other = folder / "other"
        for wrong in (text.replace(authority, "Zm9v"), re.sub(r"certificate-authority-data:.*", "", text)):
            other.write_text(wrong)
            for words in (("get", "cm"), ("get", "cm", "-w"), ("delete", "cm", "a"), ("logs", "a")):
                expect(slipway("--kubeconfig", str(other), *words), CANNOT_ASK, str(other), "certificate-authority")
        other.write_text(re.sub(r"current-context:.*", "", text))
        expect(slipway("--kubeconfig", str(other), "get", "cm"), CANNOT_ASK, str(other), "--context", "slipway")
        expect(slipway("--kubeconfig", str(other), "--context", "nope", "get", "cm"), CANNOT_ASK, str(other),
               'no context "nope"', "there are: ")
    expect(slipway("serve", "--host", "a b"), USAGE, '"a b" is neither a name nor an address')


def images_that_cannot_be_read_are_told_at_once():
    with harness.scratch() as folder:
        images = folder / "images.yaml"
        serve = ("serve", "--memory", "--data", str(folder / "data"), "--port", "0", "--images", str(images))
        expect(slipway(*serve), CANNOT_ASK, "--images", str(images))
        for text in ("a: [", "a: {b: c}"):
            images.write_text(text)
            expect(slipway(*serve), CANNOT_ASK, "--images", str(images))


def crds_are_printed_or_written_where_the_user_says():
    with harness.scratch() as folder:
        printed = subprocess.run([os.path.abspath(harness.slipway), "crds"], cwd=folder, capture_output=True, text=True)
        assert printed.returncode == DONE and not list(folder.iterdir()), printed
        assert printed.stdout.count("kind: CustomResourceDefinition") == 6, printed.stdout[:500]
        written = expect(slipway("crds", str(folder / "made")), DONE).split()
        documents = [open(path).read() for path in written]
        assert "---\n".join(documents) == printed.stdout, "printed and written differ"


def deployed_crds_are_those_that_are_written():
    deployed = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy/crds"
    with harness.scratch() as folder:
        expect(slipway("crds", str(folder / "made")), DONE)
        kept, made = ({path.name: path.read_text() for path in where.iterdir()} for where in (deployed, folder / "made"))
        assert sorted(kept) == sorted(made), (sorted(kept), sorted(made))
        for name, text in made.items():
            assert kept[name] == text, f"deploy/crds/{name} is another; write it anew: slipway crds deploy/crds"


def a_closed_terminal_stops_the_server_as_asked():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup it is ignored, by all that is started
    with harness.running("--memory") as server:
        server.process.send_signal(signal.SIGHUP)
        assert server.process.wait(timeout=30 * harness.patience) == DONE


def apply_never_prints_a_secret():
    with harness.running("--memory") as server:
        for value, what in (("aHVudGVyMg==", "created"), ("Y29ycmVjdA==", "data.password: changed")):
            manifest = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: pw}}\ndata: {{password: {value}}}\n"
            answer = slipway("apply", "-f", "-", server=server, stdin=manifest)
            expect(answer, DONE, what)
            assert "aHVud" not in answer.stdout + answer.stderr and "Y29y" not in answer.stdout + answer.stderr


def what_apply_made_delete_takes_away_in_reverse():
    with harness.running("--memory") as server, harness.scratch() as folder:
        # Sorted by name, the namespace and the definition come before what is in and of them.
        (folder / "1.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n")
        (folder / "2.yaml").write_text(config_map("a", namespace="shop"))
        (folder / "3.yaml").write_text("""apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: toys.ex.io}
spec:
  group: ex.io
  names: {plural: toys, singular: toy, kind: Toy, listKind: ToyList, categories: [all]}
  scope: Namespaced
  versions:
  - {name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
""")
        (folder / "4.yaml").write_text("apiVersion: ex.io/v2\nkind: Toy\nmetadata: {name: t, namespace: shop}\n")
        expect(slipway("apply", "-f", str(folder), server=server), DONE, "toy.ex.io/t created")
        shown = expect(slipway("get", "all", "-n", "shop", "-o", "name", server=server), DONE)
        assert shown.count("toy.ex.io/t") == 1, f"listed once per version: {shown}"
        gone = expect(slipway("delete", "-f", str(folder), server=server), DONE)
        order = [line.split('"')[1] for line in gone.splitlines()]
        assert order == ["t", "a", "toys.ex.io", "shop"], order
        expect(slipway("delete", "-f", str(folder / "2.yaml"), server=server), FAILED, "not found")
        expect(slipway("delete", "-f", str(folder / "2.yaml"), "--ignore-not-found", server=server), DONE)


def a_delete_that_waits_too_long_names_what_it_waits_for():
    manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept, finalizers: [ex.io/b, ex.io/a]}\n"
    with harness.running("--memory") as server:
        expect(slipway("apply", "-f", "-", server=server, stdin=manifest), DONE)
        expect(slipway("delete", "cm", "kept", "--timeout=1s", server=server), FAILED,
               "timed out waiting for configmap/kept to go", "finalizers are still there: ex.io/b, ex.io/a")


def wait_ends_when_what_is_waited_for_is_there_or_the_time_is_over():
    with harness.running("--memory", "--no-workloads") as server:
        manifests = "---\n".join(map(config_map, ("going", "staying", "again")))
        expect(slipway("apply", "-f", "-", server=server, stdin=manifests), DONE)
        client, path = server.client(), "/api/v1/namespaces/default/configmaps"

        def meanwhile(change, *words):
            """The command while it waits in vain, then after the change."""
            environment = {"PATH": os.environ["PATH"], "KUBECONFIG": str(server.folder / "kubeconfig")}
            with subprocess.Popen([harness.slipway, "wait", *words, f"--timeout={60 * harness.patience}s"], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as waiting:
                try:
                    time.sleep(0.5 * harness.patience)
                    assert waiting.poll() is None, f"{words}: it did not wait: {waiting.communicate()}"
                    status, answer = change()
                    assert status in (200, 201), answer
                    said, complained = waiting.communicate(timeout=30 * harness.patience)
                finally:
                    waiting.kill()
            assert (waiting.returncode, complained) == (DONE, ""), (words, waiting.returncode, said, complained)
            return said

        for goal in ("delete", "condition=Ready", "jsonpath={.data.state}=done"):
            began = time.monotonic()
            late = slipway("wait", f"--for={goal}", "cm", "staying", "--timeout=1s", server=server)
            assert expect(late, FAILED, f"timed out waiting for {goal} on configmap/staying") == "", late
            assert time.monotonic() - began >= 1, "it gave up too early"

        assert meanwhile(lambda: client.send("DELETE", f"{path}/going"), "--for=delete", "cm", "going") == "configmap/going deleted\n"
        expect(slipway("wait", "--for=delete", "cm/going", "--timeout=1s", server=server), DONE, "configmap/going deleted")

        def delete_and_make_again():
            assert client.send("DELETE", f"{path}/again")[0] == 200
            return client.send("POST", path, config_map("again"), "application/yaml")

        assert meanwhile(delete_and_make_again, "--for=delete", "cm", "again") == "configmap/again deleted\n"

        def change(data):
            return lambda: client.send("PATCH", f"{path}/staying", {"data": data}, "application/merge-patch+json")

        met = "configmap/staying condition met\n"
        assert meanwhile(change({"state": "done"}), "--for=jsonpath={.data.state}=done", "cm/staying") == met
        assert meanwhile(change({"other": "any"}), "--for=jsonpath={.data.other}", "cm", "staying") == met
        assert meanwhile(lambda: client.send("POST", path, config_map("coming"), "application/yaml"),
                         "--for=create", "cm", "coming") == "configmap/coming condition met\n"
        expect(slipway("wait", "--for=jsonpath={.data.state}=done", "cm", "nosuch", "--timeout=1s", server=server), FAILED,
               '"nosuch" not found')


def what_is_found_is_printed_though_others_are_not_there():
    with harness.running("--memory") as server:
        expect(slipway("apply", "-f", "-", server=server, stdin=config_map("k1")), DONE)
        shown = slipway("get", "cm", "k1", "nosuch", "-o", "json", server=server)
        expect(shown, FAILED, '"nosuch" not found')
        assert [item["metadata"]["name"] for item in json.loads(shown.stdout)["items"]] == ["k1"], shown.stdout
        shown = slipway("get", "cm", "k1", "nosuch", "-o", "yaml", server=server)
        assert shown.returncode == FAILED and "name: k1" in shown.stdout, shown
        assert expect(slipway("get", "cm", "nosuch", "-o", "json", server=server), FAILED) == ""
        assert json.loads(expect(slipway("get", "cm", "k1", "-o", "json", server=server), DONE))["kind"] == "ConfigMap"
        expect(slipway("apply", "-f", "-", server=server, stdin=config_map("k2")), DONE)
        shown = slipway("describe", "cm", "k1", "nosuch", "k2", "nobody", server=server)
        expect(shown, FAILED, '"nosuch" not found', '"nobody" not found')
        assert re.findall(r"^Name: *(.*)$", shown.stdout, re.M) == ["k1", "k2"], shown.stdout


def what_is_no_stored_object_is_a_table_too():
    with harness.running("--memory") as server:
        expect(slipway("apply", "-f", "-", server=server, stdin=POD % "exec sleep 600"), DONE)  # usage is measured of what runs
        shown = harness.until(lambda: slipway("get", "nodes", server=server).stdout, "no node is shown")
        header, row = (line.split() for line in shown.splitlines())
        assert header == ["NAME", "CPU", "MEMORY", "WINDOW"] and row[0] == "slipway", shown
        expect(slipway("get", "nodes", "-w", server=server), FAILED, "does not allow this method")


def who_owns_which_field_is_shown_only_to_those_who_ask():
    rollout = """apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: c}]}}
  strategy: {canary: {}}
"""
    with harness.running("--memory", "--no-workloads") as server:
        for words in (("apply", "-f", "-", "-o", "json"), ("rollout", "get", "rollout/web", "-o", "json"),
                      ("rollout", "list", "-o", "yaml"), ("rollout", "pause", "rollouts.argoproj.io/web", "-o", "json"),
                      ("get", "rollouts", "-o", "json")):
            shown = expect(slipway(*words, server=server, stdin=rollout), DONE)
            assert "web" in shown and "managedFields" not in shown, f"{words}: {shown}"
        shown = expect(slipway("get", "rollout", "web", "-o", "json", "--show-managed-fields", server=server), DONE)
        assert "managedFields" in shown, shown


def delete_takes_only_what_was_chosen():
    with harness.running("--memory") as server:
        manifests = config_map("a", "tier: front") + "---\n" + config_map("b", "tier: back")
        expect(slipway("apply", "-f", "-", server=server, stdin=manifests), DONE)
        expect(slipway("delete", "cm", "b", "-l", "tier=front", server=server), USAGE)
        expect(slipway("delete", "cm", "-l", "tier=front", server=server), DONE, '"a" deleted')
        assert expect(slipway("get", "cm", "-o", "name", server=server), DONE) == "configmap/b\n"
        expect(slipway("delete", "cm", "--all", server=server), DONE, '"b" deleted')


def what_get_prints_can_be_applied():
    with harness.running("--memory") as server:
        manifests = config_map("a") + "---\n" + config_map("b")
        expect(slipway("apply", "-f", "-", server=server, stdin=manifests), DONE)
        listed = expect(slipway("get", "cm", "-o", "yaml", server=server), DONE)
        assert "kind: List" in listed
        expect(slipway("apply", "-f", "-", server=server, stdin=listed), DONE,
               "configmap/a unchanged", "configmap/b unchanged")
        expect(slipway("delete", "cm", "a", server=server), DONE)
        # Versions and uids are the server's; a user who applies a list takes them out.
        kept = "".join(line for line in listed.splitlines(True) if "resourceVersion" not in line and "uid" not in line)
        expect(slipway("apply", "-f", "-", server=server, stdin=kept), DONE,
               "configmap/a created", "configmap/b unchanged")


def a_mistake_inside_a_list_is_found_at_its_line():
    text = "apiVersion: v1\nkind: List\nitems:\n" + "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: a}\n  dta: {}\n"
    expect(slipway("lint", "-", stdin=text), FAILED, "-:7: items[0].dta: unknown field")
    expect(slipway("apply", "-f", "-", stdin=text), FAILED, "-:7: items[0].dta: unknown field", "nothing was applied")


def lint_says_the_place_once():
    answer = slipway("lint", "-", stdin="a: b\nc\n")
    expect(answer, FAILED)
    place, message = answer.stdout.split(" ", 1)
    assert place == "-:2:" or place == "-:3:", answer.stdout
    assert "line " not in message and "column" not in message, answer.stdout


def nothing_to_apply_is_a_failure():
    with harness.scratch() as folder:
        (folder / "empty.yaml").write_text("# nothing yet\n")
        for words, stdin in ((("-f", "-"), ""), (("-f", str(folder / "empty.yaml")), ""),
                             (("-f", "-"), "kind: List\napiVersion: v1\nitems: []\n")):
            expect(slipway("apply", *words, stdin=stdin), FAILED, "no objects passed to apply")
        expect(slipway("delete", "-f", str(folder / "none.yaml")), CANNOT_ASK, "none.yaml")


def a_manifest_of_another_namespace_is_refused():
    with harness.running("--memory") as server:
        manifest = config_map("a", namespace="shop")
        for command in ("apply", "delete"):
            expect(slipway(command, "-n", "other", "-f", "-", server=server, stdin=manifest), FAILED,
                   'the object is in namespace "shop", not in "other"; give -n shop')


def output_that_cannot_be_written_is_a_failure():
    with harness.running("--memory") as server, open("/dev/full", "w") as full:
        for words in (("get", "namespaces"), ("get", "namespaces", "-o", "json"), ("version", "--client"), ("--help",),
                      ("completion", "bash")):
            answer = slipway(*words, server=server, stdout=full)
            assert answer.returncode == CANNOT_ASK, f"{words}: exit {answer.returncode}"
            assert "cannot write the output" in answer.stderr, answer.stderr


def a_reader_that_is_gone_is_a_failure_and_no_crash():
    template = """apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: t}
spec: {metrics: [{name: m, consecutiveErrorLimit: 0, provider: {web: {url: 'http://127.0.0.1:1/'}}}]}
"""
    with harness.scratch() as folder:
        (folder / "t.yaml").write_text(template)
        analyze = ("analyze", "-f", str(folder / "t.yaml"))
        query = ("query", "--provider", "prometheus", "--address", "http://127.0.0.1:1", "up")
        for words in (analyze, (*analyze, "-o", "json"), query, (*query, "-o", "json")):
            reader, writer = os.pipe()
            os.close(reader)
            code = subprocess.run([harness.slipway, *words], stdout=writer, stderr=writer, timeout=60).returncode
            os.close(writer)
            assert code == CANNOT_ASK, f"{words}: exit {code}"


def what_the_server_refuses_is_one():
    with harness.running("--memory") as server:
        expect(slipway("get", "cm", "none", server=server), FAILED, "not found")
        expect(slipway("get", "cm", "-l", "a=b=c", server=server), FAILED)
        expect(slipway("get", "cm", "--field-selector", "spec.x=1", server=server), FAILED)
        expect(slipway("get", "frobs", server=server), FAILED, "frobs")


def watched(server, *words, lines, and_then=lambda: None):
    """What a watch prints on a terminal until there are that many lines."""
    own, terminal = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "KUBECONFIG": str(server.folder / "kubeconfig")}
    process = subprocess.Popen([harness.slipway, *words], stdout=terminal, stderr=terminal, env=environment)
    os.close(terminal)
    text, changed = b"", False
    deadline = time.monotonic() + 20
    try:
        while text.count(b"\n") < lines and time.monotonic() < deadline:
            if select.select([own], [], [], 0.2)[0]:
                text += os.read(own, 65536)
            elif text and not changed:  # what there was is shown
                changed = True
                and_then()
        while select.select([own], [], [], 0.5)[0]:
            text += os.read(own, 65536)
    finally:
        process.kill()
        process.wait()
        os.close(own)
    return text.decode().replace("\r\n", "\n").splitlines()


def a_watch_of_one_object_shows_it_once_and_then_its_changes():
    with harness.running("--memory") as server:
        expect(slipway("apply", "-f", "-", server=server, stdin=config_map("a")), DONE)
        change = lambda: slipway("apply", "-f", "-", server=server, stdin=config_map("a", "tier: x"))
        shown = watched(server, "get", "cm", "a", "-w", lines=3, and_then=change)
        assert [line.split()[0] for line in shown] == ["NAME", "a", "a"], shown
        expect(slipway("get", "cm", "none", "-w", server=server), FAILED, "not found")


def rows_of_a_watch_stand_under_their_columns():
    with harness.running("--memory") as server:
        expect(slipway("apply", "-f", "-", server=server, stdin=config_map("a-rather-long-name") + "---\n" + config_map("b")), DONE)
        change = lambda: slipway("apply", "-f", "-", server=server, stdin=config_map("b", "tier: x"))
        shown = watched(server, "get", "cm", "-w", lines=4, and_then=change)
        assert [line.split()[0] for line in shown] == ["NAME", "a-rather-long-name", "b", "b"], shown
        assert {line.index(word) for line, word in zip(shown, ("DATA", "0 ", "0 ", "0 "))} == {shown[0].index("DATA")}, shown


def a_stream_that_the_server_ends_is_a_failure():
    """Be it stopped or killed. A log that ends with its container is none."""
    for end in (signal.SIGTERM, signal.SIGKILL):
        with harness.running("--memory") as server:
            expect(slipway("apply", "-f", "-", server=server, stdin=POD % "exec sleep 600"), DONE)
            harness.until(lambda: "hello" in slipway("logs", "talks", server=server).stdout, "the Pod says nothing")
            environment = {**os.environ, "KUBECONFIG": str(server.folder / "kubeconfig")}
            streams = [subprocess.Popen([harness.slipway, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=environment) for words in (("get", "pods", "-w"), ("logs", "talks", "-f"))]
            assert [stream.stdout.readline().split()[0] for stream in streams] == ["NAME", "hello"]
            time.sleep(harness.patience)  # the watch begins after the list
            server.process.send_signal(end)
            for stream in streams:
                said = stream.communicate(timeout=30 * harness.patience)[1]
                assert stream.returncode == CANNOT_ASK, f"{stream.args[1:]}: exit {stream.returncode}: {said}"
                assert said.startswith("slipway: the server ended the stream\n"), f"{stream.args[1:]}: {said}"
    with harness.running("--memory") as server:
        expect(slipway("apply", "-f", "-", server=server, stdin=POD % "sleep 1"), DONE)
        harness.until(lambda: "hello" in slipway("logs", "talks", server=server).stdout, "the Pod says nothing")
        expect(slipway("logs", "talks", "-f", server=server), DONE, "hello")


def a_dumb_terminal_gets_no_colour():
    rollout = "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: web}\nspec:\n  replicas: 0\n" \
              "  selector: {matchLabels: {app: web}}\n  strategy: {canary: {}}\n" \
              "  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: c}]}}\n"
    with harness.running("--memory", "--no-workloads") as server:
        expect(slipway("apply", "-f", "-", server=server, stdin=rollout), DONE)
        for term, coloured in (("xterm", True), ("dumb", False)):
            own, terminal = pty.openpty()
            environment = {"PATH": os.environ["PATH"], "KUBECONFIG": str(server.folder / "kubeconfig"), "TERM": term}
            subprocess.run([harness.slipway, "rollout", "get", "web"], stdout=terminal, env=environment, check=True, timeout=60)
            text = os.read(own, 65536)
            os.close(terminal)
            os.close(own)
            assert (b"\x1b[" in text) == coloured, f"{term}: {text}"


def a_watch_in_json_is_one_object_after_another():
    with harness.running("--memory") as server:
        expect(slipway("apply", "-f", "-", server=server, stdin=config_map("a") + "---\n" + config_map("b")), DONE)
        environment = {**os.environ, "KUBECONFIG": str(server.folder / "kubeconfig")}
        for words, names in ((("get", "cm", "-w", "-o", "json"), ["a", "b"]), (("get", "cm", "b", "-w", "-o", "json"), ["b"]),
                             (("get", "cm", "-l", "x=z", "-w", "-o", "json"), [])):
            with subprocess.Popen([harness.slipway, *words], stdout=subprocess.PIPE, text=True, env=environment) as watch:
                try:
                    time.sleep(harness.patience)
                    expect(slipway("apply", "-f", "-", server=server, stdin=config_map("c", "x: z")), DONE)
                    time.sleep(harness.patience)
                finally:
                    watch.terminate()
                text, shown = watch.stdout.read(), []
            while text.strip():
                value, end = json.JSONDecoder().raw_decode(text)
                shown.append(value["metadata"]["name"])
                text = text[end:].lstrip()
            wanted = names + ([] if names == ["b"] else ["c"])
            assert shown == wanted, f"{words}: {shown}, not {wanted}"
            expect(slipway("delete", "cm", "c", server=server), DONE)
        with subprocess.Popen([harness.slipway, "get", "cm", "-w", "-o", "yaml"], stdout=subprocess.PIPE, text=True,
                              env=environment) as watch:
            time.sleep(harness.patience)
            watch.terminate()
            documents = watch.stdout.read().removeprefix("---\n").split("\n---\n")
        assert [re.search(r"^  name: (.*)$", each, re.M)[1] for each in documents] == ["a", "b"], documents


def a_watch_of_nothing_yet_begins_with_the_columns():
    with harness.running("--memory") as server:
        # Nothing is printed before there is an object, so the change is made from beside.
        process = subprocess.Popen([harness.slipway, "get", "cm", "-w"], stdout=subprocess.PIPE, text=True,
                                   env={"PATH": os.environ["PATH"], "KUBECONFIG": str(server.folder / "kubeconfig")})
        try:
            time.sleep(1)
            slipway("apply", "-f", "-", server=server, stdin=config_map("a"))
            assert process.stdout.readline().split()[0] == "NAME"
            assert process.stdout.readline().split()[0] == "a"
        finally:
            process.kill()
            process.wait()


def the_log_level_is_the_users():
    for arguments, env, shown in (((), {}, False), (("--log-level", "debug"), {}, True), ((), {"SLIPWAY_LOG": "debug"}, True)):
        with harness.scratch() as folder:
            server = harness.Server(folder / "data", "--memory", *arguments, prefix=["env", *(f"{k}={v}" for k, v in env.items())])
            server.start()
            try:
                server.client().send("GET", "/api/v1/namespaces")
            finally:
                server.stop()
            log = (folder / "data.log").read_text()
            assert ("debug server:" in log) == shown, log


def a_data_folder_that_others_can_change_is_refused():
    with harness.scratch() as folder:
        data = folder / "data"
        data.mkdir()
        data.chmod(0o777)
        answer = slipway("serve", "--data", str(data), "--port", "0")
        expect(answer, CANNOT_ASK, f"chmod 700 {data}")
        data.chmod(0o700)
        (data / "token").write_text("known\n")
        (data / "token").chmod(0o644)
        expect(slipway("serve", "--data", str(data), "--port", "0"), CANNOT_ASK, f"chmod 600 {data}/token")
    expect(slipway("serve", "--port", "0", env={"HOME": ""}), CANNOT_ASK, "$HOME", "--data")


def completion_offers_kinds_that_can_be_listed():
    script = expect(slipway("completion", "bash"), DONE)
    assert "rollouts" in script and "selfsubject" not in script
    offers = subprocess.run(["bash", "-c", script + '\nCOMP_WORDS=(slipway get -o ""); COMP_CWORD=3; _slipway; '
                                                    'echo "${COMPREPLY[@]}"'], capture_output=True, text=True)
    assert offers.stdout.split() == ["json", "yaml", "wide", "name"], offers.stdout + offers.stderr


harness.run([
    words_that_make_no_sense_are_answered_with_what_would, version_and_help_are_where_people_look,
    what_could_not_be_read_is_an_answer_in_json_too, a_server_that_was_named_and_is_not_there_is_told_beside_the_version,
    no_server_or_a_foreign_token_says_what_to_do, flags_of_the_server_may_stand_before_the_command,
    a_name_that_is_none_leads_nowhere, the_address_it_is_asked_at_is_a_name_of_the_server,
    what_is_used_is_applied_before_what_uses_it, a_metric_that_can_never_be_judged_is_refused_before_it_is_measured,
    a_server_that_cannot_be_trusted_was_not_asked, images_that_cannot_be_read_are_told_at_once,
    crds_are_printed_or_written_where_the_user_says, deployed_crds_are_those_that_are_written,
    a_closed_terminal_stops_the_server_as_asked,
    apply_never_prints_a_secret, what_apply_made_delete_takes_away_in_reverse,
    a_delete_that_waits_too_long_names_what_it_waits_for, wait_ends_when_what_is_waited_for_is_there_or_the_time_is_over,
    what_is_found_is_printed_though_others_are_not_there,
    what_is_no_stored_object_is_a_table_too, who_owns_which_field_is_shown_only_to_those_who_ask,
    delete_takes_only_what_was_chosen,
    what_get_prints_can_be_applied, a_mistake_inside_a_list_is_found_at_its_line, lint_says_the_place_once,
    nothing_to_apply_is_a_failure, a_manifest_of_another_namespace_is_refused,
    output_that_cannot_be_written_is_a_failure, a_reader_that_is_gone_is_a_failure_and_no_crash,
    what_the_server_refuses_is_one,
    a_watch_of_one_object_shows_it_once_and_then_its_changes, a_watch_of_nothing_yet_begins_with_the_columns,
    rows_of_a_watch_stand_under_their_columns, a_stream_that_the_server_ends_is_a_failure, a_dumb_terminal_gets_no_colour,
    a_watch_in_json_is_one_object_after_another,
    the_log_level_is_the_users, a_data_folder_that_others_can_change_is_refused,
    completion_offers_kinds_that_can_be_listed])
