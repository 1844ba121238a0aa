package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"sort"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

type managedKind struct {
	gvk    schema.GroupVersionKind
	schema string // empty: nobody described it
	make   func(*rand.Rand) object
	status [][]string // what a write of the status resets
}

var managedKinds = []managedKind{
	{schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, "io.k8s.api.apps.v1.Deployment", deployment,
		[][]string{{"spec"}, {"metadata", "labels"}}},
	{schema.GroupVersionKind{Version: "v1", Kind: "Service"}, "io.k8s.api.core.v1.Service", service, [][]string{{"spec"}}},
	{schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, "io.k8s.api.core.v1.Pod", pod,
		[][]string{{"spec"}, {"metadata", "deletionTimestamp"}, {"metadata", "ownerReferences"}}},
	{schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, "io.k8s.api.core.v1.ConfigMap", configMap, nil},
	{schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}, "", widget, [][]string{{"spec"}}},
}

// Objects nobody described convert to themselves.
type plain struct{ gvk schema.GroupVersionKind }

func (p plain) New(schema.GroupVersionKind) (runtime.Object, error) {
	out := &unstructured.Unstructured{Object: object{}}
	out.SetGroupVersionKind(p.gvk)
	return out, nil
}
func (p plain) Default(runtime.Object)                     {}
func (p plain) Convert(in, out, context interface{}) error { return errors.New("not needed") }
func (p plain) ConvertFieldLabel(schema.GroupVersionKind, string, string) (string, string, error) {
	return "", "", errors.New("not needed")
}
func (p plain) ConvertToVersion(in runtime.Object, _ runtime.GroupVersioner) (runtime.Object, error) {
	return in.DeepCopyObject(), nil
}

func (k managedKind) native() bool { return k.schema != "" }

func (k managedKind) fresh() runtime.Object {
	if !k.native() {
		return must1(plain{k.gvk}.New(k.gvk))
	}
	return must1(scheme.Scheme.New(k.gvk))
}

func (k managedKind) typed(from object) runtime.Object {
	if !k.native() {
		return &unstructured.Unstructured{Object: wholeNumbers(copyOf(from)).(object)}
	}
	out := k.fresh()
	must(json.Unmarshal(must1(json.Marshal(from)), out))
	return out
}

// As the API server's decoder reads custom resources: numbers without a fraction are integers.
func wholeNumbers(value any) any {
	switch typed := value.(type) {
	case object:
		for key := range typed {
			typed[key] = wholeNumbers(typed[key])
		}
	case []any:
		for i := range typed {
			typed[i] = wholeNumbers(typed[i])
		}
	case float64:
		if typed == float64(int64(typed)) {
			return int64(typed)
		}
	}
	return value
}

func (k managedKind) manager(subresource string) *managedfields.FieldManager {
	reset := map[fieldpath.APIVersion]*fieldpath.Set{}
	paths := [][]string{{"status"}}
	if subresource != "" {
		paths = k.status
	}
	if k.status != nil {
		set := fieldpath.NewSet()
		for _, path := range paths {
			parts := []any{}
			for _, part := range path {
				parts = append(parts, part)
			}
			set.Insert(fieldpath.MakePathOrDie(parts...))
		}
		reset[fieldpath.APIVersion(k.gvk.GroupVersion().String())] = set
	}
	filters := fieldpath.NewExcludeFilterSetMap(reset)
	if !k.native() {
		p := plain{k.gvk}
		return must1(managedfields.NewDefaultCRDFieldManager(managedfields.NewDeducedTypeConverter(), p, p, p, k.gvk, k.gvk.GroupVersion(), subresource, filters))
	}
	return must1(managedfields.NewDefaultFieldManager(applyconfigurations.NewTypeConverter(scheme.Scheme), scheme.Scheme, scheme.Scheme, scheme.Scheme,
		k.gvk, k.gvk.GroupVersion(), subresource, filters))
}

func encoded(from runtime.Object) object {
	return decode(must1(json.Marshal(from))).(object)
}

// settle gives entries written just now the time of the step, so that a second run writes the same.
func settle(from object, at string) object {
	managed, _, _ := unstructured.NestedSlice(from, "metadata", "managedFields")
	for _, entry := range managed {
		if text, ok := entry.(object)["time"].(string); ok && must1(time.Parse(time.RFC3339, text)).Year() >= 2025 {
			entry.(object)["time"] = at
		}
	}
	if managed != nil {
		must(unstructured.SetNestedSlice(from, managed, "metadata", "managedFields"))
	}
	return from
}

func failure(err error) object {
	out := object{"message": err.Error()}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		out["code"] = status.Status().Code
		if details := status.Status().Details; details != nil {
			causes := []string{}
			for _, cause := range details.Causes {
				causes = append(causes, string(cause.Type)+"|"+cause.Message+"|"+cause.Field)
			}
			sort.Strings(causes)
			out["causes"] = causes
		}
	}
	return out
}

// part keeps some of a configuration, as appliers do who care for some fields only.
func part(r *rand.Rand, from object) object {
	for _, key := range []string{"spec", "data", "status"} {
		if chance(r, 20) {
			delete(from, key)
		}
	}
	if spec, ok := from["spec"].(object); ok {
		for _, key := range []string{"selector", "strategy", "replicas", "ports", "size", "tags"} {
			if chance(r, 25) {
				delete(spec, key)
			}
		}
	}
	return from
}

func (k managedKind) step(r *rand.Rand, live object, n int) object {
	at := time.Date(2020, 1, 1, 0, n, 0, 0, time.UTC).Format(time.RFC3339)
	one := object{"now": at}
	liveTyped := k.fresh()
	if live != nil {
		liveTyped = k.typed(live)
	}
	subresource := ""
	if live != nil && k.status != nil && chance(r, 15) {
		subresource = "status"
	}
	one["subresource"] = subresource
	fields := k.manager(subresource)
	if chance(r, 50) {
		manager, force := pick(r, "kubectl", "argo", "flux"), chance(r, 40)
		config := part(r, k.make(r))
		if chance(r, 5) {
			config["metadata"].(object)["managedFields"] = []any{}
		}
		if chance(r, 5) {
			config["spec"] = pick(r, object{"replicas": "many"}, object{"bogus": 1}, object{"template": 3}, object{"paused": "no"}, object{"ports": object{}},
				object{"containers": []any{object{"name": 5}}}, object{"containers": []any{object{"image": "x"}}},
				object{"containers": []any{object{"name": "a"}, object{"name": "a"}}}, object{"ports": []any{object{"port": object{"x": []any{1, "y"}}}}})
		}
		one["apply"], one["manager"], one["force"] = config, manager, force
		result, err := fields.Apply(liveTyped, &unstructured.Unstructured{Object: copyOf(config)}, manager, force)
		if err != nil {
			one["error"] = failure(err)
		} else {
			one["result"] = settle(encoded(result), at)
		}
		return one
	}
	next := k.make(r)
	if live != nil {
		if chance(r, 30) {
			next = copyOf(live)
			maybe(r, 50, next["metadata"].(object), "labels", textMap(r, "app", "more"))
			if spec, ok := next["spec"].(object); ok && k.native() {
				maybe(r, 50, spec, "replicas", pick(r, 1, 2))
			}
		}
		metadata := next["metadata"].(object)
		metadata["uid"] = "uid"
		switch r.Intn(12) {
		case 0:
			metadata["managedFields"] = []any{}
		case 1:
			metadata["managedFields"] = []any{object{}}
		case 2:
			metadata["managedFields"] = []any{object{"manager": "mine", "operation": "Update", "apiVersion": k.gvk.GroupVersion().String(), "fieldsType": "FieldsV1",
				"time": "2019-01-01T00:00:00Z", "fieldsV1": object{"f:metadata": object{"f:labels": object{"f:app": object{}}}}}}
		case 3:
			metadata["managedFields"] = []any{object{"manager": "broken", "operation": "Write"}}
		}
	}
	manager := pick(r, "kubectl-edit", "ctl", "hpa", "kubectl-client-side-apply", fmt.Sprint("m", r.Intn(20)))
	if manager == "kubectl-client-side-apply" {
		last := copyOf(next)
		delete(last, "status")
		for _, key := range []string{"uid", "managedFields", "annotations"} {
			delete(last["metadata"].(object), key)
		}
		if _, ok := next["metadata"].(object)["annotations"].(object); !ok {
			next["metadata"].(object)["annotations"] = object{}
		}
		next["metadata"].(object)["annotations"].(object)["kubectl.kubernetes.io/last-applied-configuration"] = string(must1(json.Marshal(last)))
	}
	nextTyped := k.typed(next)
	sent := encoded(nextTyped)
	if managed, ok := next["metadata"].(object)["managedFields"]; ok {
		sent["metadata"].(object)["managedFields"] = managed // Go leaves an empty list out, and that list means something
	}
	one["update"], one["manager"] = sent, manager
	return k.updated(one, settle(encoded(fields.UpdateNoErrors(liveTyped, nextTyped, manager)), at))
}

func (k managedKind) scale(r *rand.Rand, live object, n int) object {
	at := time.Date(2020, 1, 1, 0, n, 0, 0, time.UTC).Format(time.RFC3339)
	manager := pick(r, "kubectl", "hpa")
	next := copyOf(live)
	if chance(r, 70) {
		next["spec"].(object)["replicas"] = pick(r, 0, 1, 4)
	}
	one := object{"now": at, "subresource": "scale", "manager": manager, "update": encoded(k.typed(next))}
	accessor := must1(meta.Accessor(k.typed(live)))
	handler := managedfields.NewScaleHandler(accessor.GetManagedFields(), k.gvk.GroupVersion(),
		managedfields.ResourcePathMappings{k.gvk.GroupVersion().String(): fieldpath.MakePathOrDie("spec", "replicas")})
	gvk := schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
	fields := must1(managedfields.NewDefaultFieldManager(managedfields.NewDeducedTypeConverter(), scheme.Scheme, scheme.Scheme, scheme.Scheme,
		gvk, gvk.GroupVersion(), "scale", nil))
	scaleOf := func(from object) *autoscalingv1.Scale {
		out := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Name: "web", UID: "uid"}}
		out.SetGroupVersionKind(gvk)
		if replicas, ok := from["spec"].(object)["replicas"]; ok {
			var number int32
			must(json.Unmarshal(must1(json.Marshal(replicas)), &number))
			out.Spec.Replicas = number
		}
		return out
	}
	before, after := scaleOf(live), scaleOf(next)
	before.ManagedFields = must1(handler.ToSubresource())
	updated := fields.UpdateNoErrors(before, after, manager).(*autoscalingv1.Scale)
	result := k.typed(next)
	must1(meta.Accessor(result)).SetManagedFields(must1(handler.ToParent(updated.ManagedFields)))
	return k.updated(one, settle(encoded(result), at))
}

// updated notes the outcome of an update: the object is as it was sent, so its managedFields say it all.
func (k managedKind) updated(one, result object) object {
	one["managed"] = result["metadata"].(object)["managedFields"]
	one["live"] = result
	return one
}

// Each case is the life of one object: every step starts from what the last one left, with a uid.
func managedCases(r *rand.Rand) (cases []object) {
	for round := 0; round < 40; round++ {
		kind := managedKinds[round%len(managedKinds)]
		steps := []any{}
		var live object
		for n := 0; n < 16; n++ {
			var one object
			if kind.gvk.Kind == "Deployment" && live != nil && live["spec"] != nil && chance(r, 20) {
				one = kind.scale(r, live, n)
			} else {
				one = kind.step(r, live, n)
			}
			steps = append(steps, one)
			result, ok := one["result"].(object)
			if !ok {
				result, ok = one["live"].(object)
				delete(one, "live")
			}
			if !ok {
				continue
			}
			live = copyOf(result)
			live["metadata"].(object)["uid"] = "uid"
		}
		cases = append(cases, object{"schema": kind.schema, "group": kind.gvk.Group, "version": kind.gvk.Version, "kind": kind.gvk.Kind,
			"status": kind.status != nil, "steps": steps})
	}
	return cases
}
