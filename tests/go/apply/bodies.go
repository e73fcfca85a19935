package main

import (
	"math/rand"

	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

func maybe(r *rand.Rand, p float64) bool { return r.Float64() < p }

func one[T any](r *rand.Rand, values ...T) T { return values[r.Intn(len(values))] }

func some(r *rand.Rand, p float64, to map[string]any, key string, value any) {
	if maybe(r, p) {
		to[key] = value
	}
}

func words(r *rand.Rand) map[string]any {
	out := map[string]any{}
	for _, key := range []string{"a", "b", "c/d"} {
		some(r, 0.5, out, key, one(r, "1", "2"))
	}
	return out
}

// Some of them, in some order.
func pick(r *rand.Rand, values ...string) []any {
	out := []any{}
	for _, i := range r.Perm(len(values)) {
		if maybe(r, 0.5) {
			out = append(out, values[i])
		}
	}
	return out
}

// Numbers as the decoder of unstructured objects has them.
func numbers(value any) any {
	switch v := value.(type) {
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	case int:
		return int64(v)
	case map[string]any:
		for key := range v {
			v[key] = numbers(v[key])
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	}
	return value
}

// Makes something of it null or empty, wrong or double: what clients send when they should not.
func spoil(r *rand.Rand, object map[string]any) {
	if r.Intn(2) == 0 {
		mistype(r, object)
		return
	}
	for _, part := range []string{"spec", "data"} {
		body, ok := object[part].(map[string]any)
		if !ok || len(body) == 0 {
			continue
		}
		for _, key := range []string{"replicas", "strategy", "tags", "size", "parts", "ports", "a", "volumes", "notes", "nested", "blob", "type", "rgb"} {
			value, ok := body[key]
			if !ok || r.Intn(2) == 0 {
				continue
			}
			switch list, isList := value.([]any); {
			case isList && len(list) > 0 && r.Intn(2) == 0:
				body[key] = append(list, list[0])
			case r.Intn(3) == 0:
				body[key] = map[string]any{}
			default:
				body[key] = nil
			}
			return
		}
		if r.Intn(3) == 0 {
			object[part] = map[string]any{"unheardOf": 1} // alone: of several mistakes Go names a random few
			return
		}
	}
}

// One value of a form that it may not have.
func mistype(r *rand.Rand, object map[string]any) {
	metadata := object["metadata"].(map[string]any)
	wrong := one[any](r, 1, 1.5, "x", true, []any{1, "x"}, map[string]any{"k": nil})
	switch r.Intn(5) {
	case 0:
		metadata["labels"] = wrong
	case 1:
		metadata["labels"] = map[string]any{"a": wrong}
	case 2:
		metadata["finalizers"] = []any{"f", wrong}
	case 3:
		metadata["ownerReferences"] = one[any](r, wrong, []any{wrong}, []any{map[string]any{}}, []any{nil})
	default:
		if _, ok := object["spec"].(map[string]any); !ok {
			return
		}
		// Alone: of several mistakes Go names a random few.
		object["spec"] = map[string]any{one(r, "replicas", "hostNetwork", "size", "parts", "port", "type", "ranks", "rgb"): wrong}
		if r.Intn(3) == 0 {
			object["spec"] = map[string]any{"ranks": []any{map[string]any{"title": "no rank"}}}
		}
	}
}

func podSpec(r *rand.Rand, density float64) map[string]any {
	spec := map[string]any{}
	containers := []any{}
	for _, name := range pick(r, "a", "b") {
		containers = append(containers, container(r, name.(string), density))
	}
	if len(containers) > 0 || density > 0.5 {
		spec["containers"] = containers
	}
	some(r, density/3, spec, "nodeSelector", words(r))
	if maybe(r, density/2) {
		volumes := []any{}
		for _, name := range pick(r, "v", "w") {
			volumes = append(volumes, map[string]any{"name": name, one(r, "emptyDir", "configMap"): map[string]any{}})
		}
		spec["volumes"] = volumes
	}
	if maybe(r, density/3) {
		spec["tolerations"] = []any{map[string]any{"key": one(r, "k", "l")}}
	}
	if maybe(r, density/4) {
		spec["topologySpreadConstraints"] = []any{map[string]any{"maxSkew": 1 + r.Intn(2), "topologyKey": one(r, "h", "z"), "whenUnsatisfiable": "DoNotSchedule"}}
	}
	if maybe(r, density/4) {
		spec["hostAliases"] = []any{map[string]any{"ip": "1.2.3.4", "hostnames": pick(r, "h", "i")}}
	}
	some(r, density/4, spec, "hostNetwork", one(r, true, false))
	some(r, density/4, spec, "securityContext", one(r, map[string]any{}, map[string]any{"runAsUser": 1}))
	return spec
}

func container(r *rand.Rand, name string, density float64) map[string]any {
	c := map[string]any{"name": name}
	some(r, density, c, "image", one(r, "i:1", "i:2"))
	some(r, density/3, c, "args", pick(r, "x", "y"))
	if maybe(r, density/2) {
		ports := []any{}
		for _, port := range []int{80, 81} {
			if maybe(r, 0.6) {
				p := map[string]any{"containerPort": port}
				some(r, 0.3, p, "protocol", one(r, "TCP", "UDP"))
				some(r, 0.3, p, "name", one(r, "p", "q"))
				ports = append(ports, p)
			}
		}
		if len(ports) > 0 && maybe(r, 0.1) {
			ports = append(ports, map[string]any{"containerPort": 80, "name": "again"})
		}
		c["ports"] = ports
	}
	if maybe(r, density/2) {
		env := []any{}
		for _, name := range pick(r, "A", "B") {
			e := map[string]any{"name": name, "value": one(r, "1", "2")}
			if maybe(r, 0.2) {
				e = map[string]any{"name": name, "valueFrom": map[string]any{"fieldRef": map[string]any{"fieldPath": "spec.nodeName"}}}
			}
			env = append(env, e)
		}
		c["env"] = env
	}
	if maybe(r, density/3) {
		c["resources"] = map[string]any{"limits": map[string]any{one(r, "cpu", "memory"): one(r, "1", "2")}}
	}
	if maybe(r, density/4) {
		c["livenessProbe"] = map[string]any{"httpGet": map[string]any{"port": one[any](r, 80, "p")}}
	}
	return c
}

func conditions(r *rand.Rand, extra map[string]any) []any {
	out := []any{}
	for _, kind := range pick(r, "Ready", "Good") {
		c := map[string]any{"type": kind, "status": one(r, "True", "False")}
		for key, value := range extra {
			c[key] = value
		}
		out = append(out, c)
	}
	return out
}

func deployment(r *rand.Rand, density float64) map[string]any {
	spec := map[string]any{}
	some(r, density, spec, "replicas", r.Intn(3))
	some(r, density, spec, "selector", map[string]any{"matchLabels": words(r)})
	if maybe(r, density) {
		template := map[string]any{"spec": podSpec(r, density)}
		some(r, 0.5, template, "metadata", map[string]any{"labels": words(r)})
		spec["template"] = template
	}
	if maybe(r, density/2) {
		spec["strategy"] = map[string]any{"type": "RollingUpdate", "rollingUpdate": map[string]any{"maxSurge": one[any](r, 1, "25%")}}
	}
	return map[string]any{"spec": spec}
}

func gadget(r *rand.Rand, density float64) map[string]any {
	spec := map[string]any{}
	some(r, density, spec, "size", r.Intn(3))
	some(r, density, spec, "tags", pick(r, "x", "y", "z"))
	if maybe(r, density) {
		parts := []any{}
		for _, name := range pick(r, "p", "q", "r") {
			part := map[string]any{"name": name}
			some(r, 0.3, part, "zone", one(r, "a", "b"))
			some(r, 0.6, part, "count", r.Intn(3))
			some(r, 0.3, part, "colors", pick(r, "red", "blue"))
			parts = append(parts, part)
		}
		spec["parts"] = parts
	}
	if maybe(r, density/3) {
		spec["ranks"] = []any{map[string]any{"rank": one(r, 1, 2, 7000000), "title": one(r, "t", "u")}}
	}
	some(r, density/3, spec, "steps", []any{map[string]any{"run": one(r, "s", "t")}})
	some(r, density/3, spec, "rgb", map[string]any{one(r, "r", "g"): r.Intn(3)})
	some(r, density/2, spec, "notes", words(r))
	if maybe(r, density/3) {
		spec["groups"] = map[string]any{one(r, "g", "h"): map[string]any{one(r, "min", "max"): r.Intn(2)}}
	}
	some(r, density/3, spec, "port", one[any](r, 80, "http"))
	some(r, density/3, spec, "blob", one(r, map[string]any{"k": one[any](r, 1, "s", nil, []any{1}, map[string]any{"z": 1})}, words(r)))
	some(r, density/3, spec, "any", one[any](r, 1, "s", nil, []any{1}, map[string]any{"z": 1}, map[string]any{}))
	if maybe(r, density/4) {
		spec["child"] = map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": one(r, "c", "d"), "finalizers": pick(r, "f", "g")}, "more": 1}
	}
	some(r, density/3, spec, "nested", map[string]any{"deep": map[string]any{one(r, "x", "y"): r.Intn(2)}})
	return map[string]any{"spec": spec}
}

func kinds() []*kind {
	status := fieldpath.NewSet(path("status"))
	return []*kind{
		{name: "Deployment", group: "apps", versions: []string{"v1"}, count: 60, body: deployment,
			reset: map[string]*fieldpath.Set{"": status, "status": fieldpath.NewSet(path("spec"), path("metadata", "labels"))},
			status: func(r *rand.Rand) map[string]any {
				return map[string]any{"replicas": r.Intn(3), "conditions": conditions(r, map[string]any{"reason": one(r, "A", "B")})}
			}},
		{name: "Pod", versions: []string{"v1"}, count: 50,
			reset: map[string]*fieldpath.Set{"": status, "status": fieldpath.NewSet(path("spec"), path("metadata", "deletionTimestamp"), path("metadata", "ownerReferences"))},
			body: func(r *rand.Rand, density float64) map[string]any {
				return map[string]any{"spec": podSpec(r, density)}
			},
			status: func(r *rand.Rand) map[string]any {
				return map[string]any{"phase": one(r, "Running", "Pending"), "conditions": conditions(r, nil), "podIPs": []any{map[string]any{"ip": one(r, "10.0.0.1", "10.0.0.2")}}}
			}},
		{name: "Service", versions: []string{"v1"}, count: 40,
			reset: map[string]*fieldpath.Set{"": status, "status": fieldpath.NewSet(path("spec"))},
			body: func(r *rand.Rand, density float64) map[string]any {
				spec := map[string]any{}
				if maybe(r, density) {
					ports := []any{}
					for _, name := range pick(r, "http", "dns") {
						p := map[string]any{"port": one(r, 80, 53), "name": name}
						some(r, 0.5, p, "protocol", one(r, "TCP", "UDP"))
						some(r, 0.5, p, "targetPort", one[any](r, 8080, "web"))
						ports = append(ports, p)
					}
					spec["ports"] = ports
				}
				some(r, density, spec, "selector", words(r))
				some(r, density/2, spec, "type", one(r, "ClusterIP", "NodePort"))
				some(r, density/3, spec, "externalIPs", pick(r, "1.1.1.1", "2.2.2.2"))
				some(r, density/3, spec, "sessionAffinityConfig", map[string]any{"clientIP": map[string]any{"timeoutSeconds": 1 + r.Intn(2)}})
				return map[string]any{"spec": spec}
			},
			status: func(r *rand.Rand) map[string]any {
				return map[string]any{"loadBalancer": map[string]any{"ingress": []any{map[string]any{"ip": one(r, "1.1.1.1", "2.2.2.2")}}}}
			}},
		{name: "ConfigMap", versions: []string{"v1"}, count: 40, crowded: true,
			body: func(r *rand.Rand, density float64) map[string]any {
				out := map[string]any{}
				some(r, density+0.2, out, "data", words(r))
				some(r, density/3, out, "binaryData", map[string]any{"z": one(r, "AA==", "AQ==")})
				some(r, density/4, out, "immutable", false)
				return out
			}},
		{name: "Gadget", group: "example.com", versions: []string{"v1", "v2"}, count: 90, crowded: true, body: gadget,
			custom: definition("example.com", "Gadget", gadgetSchemas),
			reset:  map[string]*fieldpath.Set{"": status, "status": fieldpath.NewSet(path("metadata"), path("spec"))},
			status: func(r *rand.Rand) map[string]any {
				return map[string]any{"phase": one(r, "A", "B"), "conditions": conditions(r, nil)}
			}},
		{name: "Loose", group: "example.com", versions: []string{"v1"}, count: 30, body: gadget,
			custom: managedfields.NewDeducedTypeConverter()},
	}
}
