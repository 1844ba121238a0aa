#!/usr/bin/env python3
"""Prometheus, VictoriaMetrics and Graphite themselves, asked by `slipway query` and judged by `slipway analyze`."""
import contextlib
import json
import time

import harness
import stores
from evidence import CANNOT_ASK, DONE, FAILED, INCONCLUSIVE, answer, slipway

STEP = 10
END = int(time.time() - 60) // STEP * STEP  # the newest point of every store; the youngest of all may not show yet
BEGIN = END - 1200


def level(at):
    return (at - BEGIN) / STEP


def known_series():
    return [stores.Series("queue_length", {"shop": "north", "quoted": 'a "b" \\c'}, stores.every(STEP, BEGIN, END, level)),
            stores.Series("queue_length", {"shop": "south"}, stores.every(STEP, BEGIN, END, 7.25)),
            stores.Series("requests_total", {"shop": "north"}, stores.every(STEP, BEGIN, END, lambda at: 3.0 * (at - BEGIN)))]


def known_paths():
    return [stores.Series("shop.north.queue", {}, stores.every(STEP, BEGIN, END, level)),
            stores.Series("shop.south.queue", {}, stores.every(STEP, BEGIN, END, 7.25))]


def query(provider, address, text, *words, code=DONE):
    return answer("query", "--provider", provider, "--address", address, *words, text, code=code)


def prometheus_protocol(address):
    """What every server that speaks it must answer."""
    one = query("prometheus", address, 'queue_length{shop="north"}', "--at", END)
    assert one == {"series": [{"labels": {"__name__": "queue_length", "shop": "north", "quoted": 'a "b" \\c'},
                               "points": [[END, level(END)]]}], "value": level(END)}, one
    assert query("prometheus", address, "sum(queue_length)", "--at", BEGIN + 600)["value"] == 60 + 7.25
    assert query("prometheus", address, "vector(2.5)")["value"] == 2.5

    both = query("prometheus", address, "queue_length", "--at", END, "--range", "5m", "--step", "1m")["series"]
    assert {series["labels"]["shop"]: series["points"] for series in both} == {
        "north": [[at, level(at)] for at in range(END - 300, END + 1, 60)],
        "south": [[at, 7.25] for at in range(END - 300, END + 1, 60)]}, both

    nothing = query("prometheus", address, "no_such_series", code=INCONCLUSIVE)
    assert nothing == {"series": [], "value": None}, nothing
    long_ago = query("prometheus", address, "queue_length", "--at", "2001-09-09T01:46:40Z", code=INCONCLUSIVE)
    assert long_ago["value"] is None

    out, said = slipway("query", "--provider", "prometheus", "--address", address, "sum(queue_length", code=CANNOT_ASK)
    assert out == "" and "parse" in said, (out, said)


def a_rate(address):
    found = query("prometheus", address, "rate(requests_total[5m])", "--at", END)["value"]
    assert abs(found - 3) < 1e-9, found


def prometheus_answers_queries():
    with filled_prometheus() as address:
        prometheus_protocol(address)
        a_rate(address)
        not_a_number = query("prometheus", address, "0 * sum(queue_length) / 0", "--at", END, code=INCONCLUSIVE)
        assert not_a_number["value"] is None and not_a_number["series"][0]["points"][0][1] == "NaN", not_a_number
        refused = query("prometheus", address, "queue_length", "--range", "10000h", "--step", "1s", code=CANNOT_ASK)
        assert "exceeded maximum resolution" in refused["error"]["message"], refused


def victoria_metrics_answers_queries():
    with filled_victoria_metrics() as address:
        prometheus_protocol(address)
        a_rate(address)


def graphite_answers_queries():
    with filled_graphite() as address:
        window = f"&from={END - 60}&until={END}"
        one = query("graphite", address, "target=shop.north.queue" + window)
        assert one["series"][0]["points"] == [[at, level(at)] for at in range(END - 50, END + 1, STEP)], one
        assert one["value"] == level(END)
        total = query("graphite", address, "target=sumSeries(shop.*.queue)" + window)
        assert total["value"] == level(END) + 7.25, total
        assert query("graphite", address, "target=shop.west.queue" + window, code=INCONCLUSIVE)["value"] is None
        old = query("graphite", address, f"target=shop.north.queue&from={BEGIN - 600}&until={BEGIN - 300}", code=INCONCLUSIVE)
        assert old["value"] is None, old
        out, said = slipway("query", "--provider", "graphite", "--address", address, "target=noSuch(shop)", code=CANNOT_ASK)
        assert out == "" and "400" in said and "unknown function: noSuch" in said, (out, said)


def verdicts(address, template, good, bad):
    """The template passes with one value of the argument `most` and fails with the other; both say what was measured."""
    with harness.scratch() as folder:
        file = folder / "check.yaml"
        file.write_text(template.replace("ADDRESS", address))
        results = []
        for most, phase, code in ((good, "Successful", DONE), (bad, "Failed", FAILED)):
            run = answer("analyze", "-f", file, "--arg", f"most={most}", code=code)
            assert run["phase"] == phase, run
            assert [metric["phase"] for metric in run["metrics"]] == [phase], run
            assert len(run["metrics"][0]["measurements"]) == 1, run
            results.append(json.loads(run["metrics"][0]["measurements"][0]["value"]))
        return results


ARGO = """
apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: queue}
spec:
  args: [{name: most}]
  metrics:
    - name: queue
      count: 1
      successCondition: "result[0] <= {{args.most}}"
      provider:
        %s
"""


def an_analysis_of_each_store_passes_and_fails_by_what_it_holds():
    prometheus = ARGO % 'prometheus: {address: ADDRESS, query: "sum(queue_length @ %d)"}' % END
    graphite = ARGO % f'graphite: {{address: ADDRESS, query: "target=shop.north.queue&from={END - 5}&until={END}"}}'
    total = level(END) + 7.25
    for filled, template, value in ((filled_prometheus, prometheus, total), (filled_victoria_metrics, prometheus, total),
                                    (filled_graphite, graphite, level(END))):
        with filled() as address:
            assert verdicts(address, template, 1000, 1) == [[value], [value]], filled.__name__


FLAGGER = """
apiVersion: flagger.app/v1beta1
kind: MetricTemplate
metadata: {name: queue, namespace: shop}
spec:
  provider: {type: TYPE, address: ADDRESS}
  query: |
    QUERY
---
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: north, namespace: shop}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: queue}
  analysis:
    interval: 10s
    threshold: 1
    iterations: 1
    metrics:
      - {name: queue, templateRef: {name: queue}, thresholdRange: {max: MOST}, interval: 1m}
"""


def a_metric_template_of_each_store_passes_and_fails_by_what_it_holds():
    series = f'queue_length{{shop="{{{{ name }}}}"}} @ {END}'
    path = f"target=shop.{{{{ name }}}}.{{{{ target }}}}&from={END - 5}&until={END}"
    for filled, kind, text in ((filled_prometheus, "prometheus", series), (filled_victoria_metrics, "prometheus", series),
                               (filled_graphite, "graphite", path)):
        with filled() as address, harness.scratch() as folder:
            for most, phase, code in ((level(END), "Successful", DONE), (level(END) - 1, "Failed", FAILED)):
                file = folder / "canary.yaml"
                file.write_text(FLAGGER.replace("TYPE", kind).replace("ADDRESS", address).replace("QUERY", text)
                                .replace("MOST", str(most)))
                run = answer("analyze", "-f", file, code=code)
                assert run["phase"] == phase, (kind, run)
                values = [json.loads(one["value"]) for one in run["metrics"][0]["measurements"]]
                assert values and all(value in (level(END), [level(END)]) for value in values), (kind, values)


def a_store_that_has_just_gone_is_an_error_that_names_it():
    with harness.scratch() as own, stores.victoria_metrics(own) as address:
        pass
    _, said = slipway("query", "--provider", "prometheus", "--address", address, "up", code=CANNOT_ASK)
    assert address.removeprefix("http://") in said, said


# Each store is started once for all tests.
running = contextlib.ExitStack()
addresses = {}


def once(name, start, what):
    @contextlib.contextmanager
    def filled():
        if name not in addresses:
            begin = time.monotonic()
            addresses[name] = running.enter_context(start(folder, what()))
            print(f"{name}: ready after {time.monotonic() - begin:.1f} s")
        yield addresses[name]

    filled.__name__ = name
    return filled


filled_prometheus = once("prometheus", stores.prometheus, known_series)
filled_victoria_metrics = once("victoria-metrics", stores.victoria_metrics, known_series)
filled_graphite = once("graphite", stores.graphite, known_paths)


with running:
    folder = running.enter_context(harness.scratch())
    harness.run([prometheus_answers_queries, victoria_metrics_answers_queries, graphite_answers_queries,
                 an_analysis_of_each_store_passes_and_fails_by_what_it_holds,
                 a_metric_template_of_each_store_passes_and_fails_by_what_it_holds,
                 a_store_that_has_just_gone_is_an_error_that_names_it])
