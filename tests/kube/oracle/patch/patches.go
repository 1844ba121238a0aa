package main

import (
	"encoding/json"
	"math/rand"
	"reflect"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

var pointers = []string{"/a", "/b", "/list/0", "/list/1", "/list/-", "/list/-1", "/list/9", "/list/-9", "/list/x", "/list/01", "/map/k",
	"/map/new", "/map/deep/z", "/missing/k", "/map", "/list", "", "/", "/x~1y", "/t~0u", "/nil", "/nil/k", "a", "/a/b"}

func jsonDocument(r *rand.Rand) object {
	return object{"a": pick[any](r, 1, "s", true), "list": []any{1, "two", object{"k": 1}}[:1+r.Intn(3)],
		"map": object{"k": pick[any](r, "v", 2), "deep": object{"z": []any{}}}, "x/y": 1, "t~u": 2, "nil": nil}
}

func jsonPatchCases(r *rand.Rand) (cases []object) {
	for len(cases) < 400 {
		document := jsonDocument(r)
		patch := []any{}
		for i := 0; i <= r.Intn(3); i++ {
			op := object{"op": pick(r, "add", "remove", "replace", "move", "copy", "test", "test", "bogus"), "path": pick(r, pointers...)}
			switch op["op"] {
			case "move", "copy":
				op["from"] = pick(r, pointers...)
			case "add", "replace", "test":
				op["value"] = pick[any](r, 1, "s", true, "v", 2, nil, object{"k": 1}, []any{1}, document["map"], document["list"])
			}
			patch = append(patch, op)
		}
		text, err := json.Marshal(patch)
		must(err)
		body, err := json.Marshal(document)
		must(err)
		one := guarded(func() object {
			out := object{"document": document, "patch": patch}
			decoded, err := jsonpatch.DecodePatch(text)
			must(err)
			result, err := decoded.Apply(body)
			if err != nil {
				out["error"] = err.Error()
			} else {
				out["result"] = decode(result)
			}
			return out
		})
		if one != nil {
			cases = append(cases, one)
		}
	}
	return cases
}

func mergeValue(r *rand.Rand, depth int) any {
	if depth == 0 || chance(r, 40) {
		return pick[any](r, 1, "s", nil, true, []any{1, nil, object{"n": nil, "m": 1}}, object{})
	}
	out := object{}
	for _, key := range []string{"a", "b", "c"} {
		if chance(r, 60) {
			out[key] = mergeValue(r, depth-1)
		}
	}
	return out
}

func mergePatchCases(r *rand.Rand) (cases []object) {
	for len(cases) < 300 {
		document, ok1 := mergeValue(r, 3).(object)
		patch, ok2 := mergeValue(r, 3).(object)
		if !ok1 || !ok2 {
			continue
		}
		body, err := json.Marshal(document)
		must(err)
		text, err := json.Marshal(patch)
		must(err)
		result, err := jsonpatch.MergePatch(body, text)
		must(err)
		cases = append(cases, object{"document": document, "patch": patch, "result": decode(result)})
	}
	return cases
}

type kindOf struct {
	make   func(*rand.Rand) object
	typed  any
	schema string
}

var strategicKinds = []kindOf{
	{deployment, &appsv1.Deployment{}, "io.k8s.api.apps.v1.Deployment"},
	{service, &corev1.Service{}, "io.k8s.api.core.v1.Service"},
	{pod, &corev1.Pod{}, "io.k8s.api.core.v1.Pod"},
	{configMap, &corev1.ConfigMap{}, "io.k8s.api.core.v1.ConfigMap"},
}

// Patches that clients write by hand, right and wrong.
var writtenPatches = []string{
	`{"spec":{"template":{"spec":{"containers":[{"name":"web","$patch":"delete"}]}}}}`,
	`{"spec":{"template":{"spec":{"containers":[{"$patch":"replace"},{"name":"only","image":"x"}]}}}}`,
	`{"spec":{"template":{"spec":{"containers":[{"image":"x"}]}}}}`,
	`{"spec":{"template":{"spec":{"containers":[{"$patch":"delete","image":"x"}]}}}}`,
	`{"spec":{"template":{"spec":{"containers":[{"$patch":"merge","name":"web"}]}}}}`,
	`{"spec":{"template":{"spec":{"containers":[{"$patch":"bogus","name":"web"}]}}}}`,
	`{"spec":{"template":{"spec":{"$patch":"delete"}}}}`,
	`{"spec":{"template":{"$patch":"replace","spec":{"containers":[{"name":"n"}]}}}}`,
	`{"spec":{"template":{"$patch":"bogus"}}}`,
	`{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}`,
	`{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate","rollingUpdate":null}}}`,
	`{"spec":{"strategy":{"$retainKeys":["type"],"rollingUpdate":{"maxSurge":1}}}}`,
	`{"spec":{"strategy":{"$retainKeys":"type"}}}`,
	`{"spec":{"strategy":null}}`,
	`{"spec":{"template":{"spec":{"volumes":[{"name":"data","$retainKeys":["name","hostPath"],"hostPath":{"path":"/x"}}]}}}}`,
	`{"metadata":{"finalizers":["x/new"]}}`,
	`{"metadata":{"$deleteFromPrimitiveList/finalizers":["x/a"]}}`,
	`{"metadata":{"$deleteFromPrimitiveList":["x/a"]}}`,
	`{"metadata":{"$setElementOrder/finalizers":["x/c","x/a"],"finalizers":["x/c"]}}`,
	`{"metadata":{"$setElementOrder/finalizers":["x/a"],"finalizers":["x/c"]}}`,
	`{"metadata":{"$setElementOrder":["x/a"]}}`,
	`{"metadata":{"$setElementOrder/finalizers":"x"}}`,
	`{"metadata":{"labels":{"app":null,"new":"1"}}}`,
	`{"metadata":{"labels":null}}`,
	`{"metadata":{"labels":{"$patch":"replace","only":"1"}}}`,
	`{"metadata":{"ownerReferences":[{"uid":"u1","$patch":"delete"}]}}`,
	`{"metadata":{"ownerReferences":[{"uid":"u9","apiVersion":"v1","kind":"Node","name":"n"}]}}`,
	`{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"db"},{"name":"web"},{"name":"side"}]}}}}`,
	`{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"new"},{"name":"web"}],"containers":[{"name":"new","image":"x"}]}}}}`,
	`{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"nam":"new"}],"containers":[{"name":"new","image":"x"}]}}}}`,
	`{"spec":{"template":{"spec":{"containers":[{"name":"web","env":[{"name":"B","value":"9"},{"name":"Z","value":"8"}]}]}}}}`,
	`{"spec":{"template":{"spec":{"containers":[{"name":"web","args":["a","b"],"resources":{"limits":{"cpu":null,"x":"1"}}}]}}}}`,
	`{"spec":{"template":{"spec":{"tolerations":[{"key":"z"}],"nodeSelector":{"disk":null}}}}}`,
	`{"spec":{"ports":[{"port":80,"nodePort":30000}]}}`,
	`{"spec":{"ports":[{"port":80,"$patch":"delete"}]}}`,
	`{"spec":{"selector":{"app":"z"}}}`,
	`{"spec":{"containers":"x"}}`,
	`{"spec":{"containers":[["x"]]}}`,
	`{"spec":{"containers":["x"]}}`,
	`{"spec":[1]}`,
	`{"spec":null}`,
	`{"data":{"a":null,"z":"1"}}`,
	`{"Spec":{"x":1},"unknown":{"y":null,"z":[{"$patch":"delete"},1]}}`,
	`{}`,
}

// asStored is the document as the API server holds it when a patch comes: decoded into Go's struct and written again.
func asStored(kind kindOf, document object) object {
	typed := reflect.New(reflect.TypeOf(kind.typed).Elem()).Interface()
	must(json.Unmarshal(must1(json.Marshal(document)), typed))
	return decode(must1(json.Marshal(typed))).(object)
}

func strategicCases(r *rand.Rand) (cases []object) {
	add := func(kind kindOf, document, patch object) {
		document = asStored(kind, document)
		one := guarded(func() object {
			out := object{"schema": kind.schema, "document": copyOf(document), "patch": copyOf(patch)}
			result, err := strategicpatch.StrategicMergeMapPatch(copyOf(document), copyOf(patch), kind.typed)
			if err != nil {
				out["error"] = err.Error()
			} else {
				out["result"] = result
			}
			return out
		})
		// Go prints maps of several wrong things in no order.
		if one != nil && !strings.Contains(string(must1(json.Marshal(one))), "0x") {
			cases = append(cases, one)
		}
	}
	for _, text := range writtenPatches {
		for _, kind := range strategicKinds {
			for i := 0; i < 2; i++ {
				add(kind, kind.make(r), decode([]byte(text)).(object))
			}
		}
	}
	for len(cases) < 600 {
		kind := strategicKinds[r.Intn(len(strategicKinds))]
		from, to, live := kind.make(r), kind.make(r), kind.make(r)
		if chance(r, 40) {
			live = from
		}
		patch, err := strategicpatch.CreateTwoWayMergePatch(must1(json.Marshal(from)), must1(json.Marshal(to)), kind.typed)
		if err != nil {
			continue
		}
		add(kind, live, decode(patch).(object))
	}
	return cases
}

func must1[T any](value T, err error) T {
	must(err)
	return value
}
