package main

import (
	"fmt"
	"math/rand"
)

func chance(r *rand.Rand, percent int) bool { return r.Intn(100) < percent }

func pick[T any](r *rand.Rand, from ...T) T { return from[r.Intn(len(from))] }

func textMap(r *rand.Rand, keys ...string) object {
	out := object{}
	for _, key := range keys {
		if chance(r, 50) {
			out[key] = pick(r, "one", "two", "three")
		}
	}
	return out
}

func shuffled(r *rand.Rand, names ...string) []string {
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	return names[:r.Intn(len(names)+1)]
}

func maybe(r *rand.Rand, percent int, into object, key string, value any) {
	if chance(r, percent) {
		into[key] = value
	}
}

func container(r *rand.Rand, name string) object {
	out := object{"name": name, "image": pick(r, "web:1", "web:2", "db:1")}
	if chance(r, 50) {
		env := []any{}
		for _, variable := range shuffled(r, "A", "B", "C") {
			env = append(env, object{"name": variable, "value": pick(r, "1", "2", "x<y")})
		}
		out["env"] = env
	}
	if chance(r, 50) {
		ports := []any{}
		for _, port := range shuffled(r, "80", "8080", "443", "9") {
			var number int
			fmt.Sscan(port, &number)
			one := object{"containerPort": number}
			maybe(r, 60, one, "protocol", pick(r, "TCP", "UDP"))
			maybe(r, 40, one, "name", "p"+port)
			ports = append(ports, one)
		}
		out["ports"] = ports
	}
	maybe(r, 30, out, "args", []any{pick(r, "-v", "-q"), "x"})
	maybe(r, 30, out, "resources", object{"limits": object{"cpu": pick(r, "1", "500m"), "memory": pick(r, "1Gi", "64Mi")}})
	if chance(r, 20) {
		out["livenessProbe"] = object{"httpGet": object{"path": pick(r, "/a", "/b"), "port": pick[any](r, 80, "http")}}
	}
	if chance(r, 30) {
		mounts := []any{}
		for _, volume := range shuffled(r, "data", "conf") {
			mounts = append(mounts, object{"name": volume, "mountPath": "/" + volume})
		}
		out["volumeMounts"] = mounts
	}
	return out
}

func podSpec(r *rand.Rand) object {
	containers := []any{container(r, "web")}
	for _, name := range shuffled(r, "side", "db") {
		containers = append(containers, container(r, name))
	}
	if chance(r, 30) {
		r.Shuffle(len(containers), func(i, j int) { containers[i], containers[j] = containers[j], containers[i] })
	}
	out := object{"containers": containers}
	if chance(r, 50) {
		volumes := []any{}
		for _, name := range shuffled(r, "data", "conf") {
			if chance(r, 50) {
				volumes = append(volumes, object{"name": name, "emptyDir": object{}})
			} else {
				volumes = append(volumes, object{"name": name, "configMap": object{"name": pick(r, "c1", "c2")}})
			}
		}
		out["volumes"] = volumes
	}
	maybe(r, 40, out, "nodeSelector", textMap(r, "disk", "zone"))
	maybe(r, 30, out, "tolerations", []any{object{"key": pick(r, "a", "b"), "operator": "Exists"}})
	maybe(r, 30, out, "imagePullSecrets", []any{object{"name": pick(r, "s1", "s2")}})
	maybe(r, 30, out, "terminationGracePeriodSeconds", pick(r, 5, 30))
	maybe(r, 30, out, "securityContext", object{"runAsUser": pick(r, 1, 1000)})
	return out
}

func metadata(r *rand.Rand, name string) object {
	out := object{"name": name, "namespace": "default"}
	maybe(r, 60, out, "labels", textMap(r, "app", "tier", "team"))
	maybe(r, 50, out, "annotations", textMap(r, "note", "why", "a.b/c"))
	if chance(r, 30) {
		finalizers := []any{}
		for _, name := range shuffled(r, "x/a", "x/b", "x/c") {
			finalizers = append(finalizers, name)
		}
		out["finalizers"] = finalizers
	}
	if chance(r, 20) {
		owners := []any{}
		for _, uid := range shuffled(r, "u1", "u2") {
			owners = append(owners, object{"apiVersion": "v1", "kind": "Node", "name": "n", "uid": uid})
		}
		out["ownerReferences"] = owners
	}
	return out
}

func deployment(r *rand.Rand) object {
	spec := object{
		"selector": object{"matchLabels": object{"app": pick(r, "web", "api")}},
		"template": object{"metadata": object{"labels": textMap(r, "app", "tier")}, "spec": podSpec(r)},
	}
	maybe(r, 60, spec, "replicas", pick(r, 0, 1, 3))
	maybe(r, 30, spec, "paused", true)
	if chance(r, 50) {
		if chance(r, 50) {
			spec["strategy"] = object{"type": "Recreate"}
		} else {
			spec["strategy"] = object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": pick[any](r, 1, "25%")}}
		}
	}
	out := object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata(r, "web"), "spec": spec}
	if chance(r, 25) {
		out["status"] = object{"replicas": pick(r, 1, 2), "conditions": []any{
			object{"type": pick(r, "Available", "Progressing"), "status": pick(r, "True", "False")}}}
	}
	return out
}

func service(r *rand.Rand) object {
	ports := []any{}
	for _, port := range shuffled(r, "80", "443", "53") {
		var number int
		fmt.Sscan(port, &number)
		one := object{"port": number, "name": "p" + port}
		maybe(r, 70, one, "protocol", pick(r, "TCP", "UDP"))
		maybe(r, 50, one, "targetPort", pick[any](r, 8080, "http"))
		ports = append(ports, one)
	}
	spec := object{"ports": ports}
	maybe(r, 60, spec, "selector", textMap(r, "app", "tier"))
	maybe(r, 50, spec, "type", pick(r, "ClusterIP", "NodePort"))
	return object{"apiVersion": "v1", "kind": "Service", "metadata": metadata(r, "web"), "spec": spec}
}

func configMap(r *rand.Rand) object {
	out := object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata(r, "conf")}
	maybe(r, 80, out, "data", textMap(r, "a", "b", "c", "d"))
	maybe(r, 20, out, "immutable", pick(r, true, false))
	return out
}

func pod(r *rand.Rand) object {
	return object{"apiVersion": "v1", "kind": "Pod", "metadata": metadata(r, "web"), "spec": podSpec(r)}
}

// A kind nobody described.
func widget(r *rand.Rand) object {
	spec := object{"size": pick[any](r, 1, 2.5, "big"), "tags": []any{pick(r, "a", "b")}}
	maybe(r, 50, spec, "shape", pick[any](r, object{"sides": pick(r, 3, 4)}, "round", nil, []any{1}))
	maybe(r, 50, spec, "extra", object{})
	maybe(r, 50, spec, "opts", textMap(r, "x", "y"))
	return object{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata(r, "w"), "spec": spec}
}
