// Asks equality.Semantic.DeepEqual about pairs of objects that differ a little or only in their spelling, and writes
// its answers, one JSON object per line, for flyball/kube/equality_go_test.cpp.
package main

import (
	"bufio"
	"encoding/json"
	"math/rand"
	"os"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

var random = rand.New(rand.NewSource(20260402))

// Values that mean the same to Kubernetes, some of them, and some that do not.
var spellings = map[string][]any{
	"quantity": {"1", "1000m", 1, "1.0", "1e0", "1001m", "1Ki", "1024", "0", "0.0", "-1", "1k"},
	"time":     {"2026-01-01T10:00:00Z", "2026-01-01T12:00:00+02:00", "2026-01-01T10:00:01Z", nil},
	"list":     {nil, []any{}, []any{"a"}, []any{"a", "b"}, []any{"b", "a"}},
	"map":      {nil, map[string]any{}, map[string]any{"a": ""}, map[string]any{"a": "x"}, map[string]any{"b": "x", "a": "x"}},
	"port":     {80, "80", "http", 0, "", nil},
	"number":   {nil, 0, 1},
	"flag":     {nil, false, true},
	"text":     {nil, "", "x"},
	"object":   {nil, map[string]any{}},
}

// Where in a Pod and in a Deployment such a value stands.
var pod = map[string]string{
	"metadata/name": "text", "metadata/labels": "map", "metadata/annotations": "map", "metadata/finalizers": "list",
	"metadata/creationTimestamp": "time", "metadata/deletionTimestamp": "time", "metadata/generation": "number",
	"metadata/deletionGracePeriodSeconds": "number",
	"spec/nodeName":                       "text", "spec/nodeSelector": "map", "spec/hostNetwork": "flag", "spec/activeDeadlineSeconds": "number",
	"spec/terminationGracePeriodSeconds": "number", "spec/automountServiceAccountToken": "flag", "spec/priority": "number",
	"spec/securityContext": "object", "spec/affinity": "object", "spec/overhead/cpu": "quantity",
	"spec/containers/0/name": "text", "spec/containers/0/command": "list", "spec/containers/0/securityContext": "object",
	"spec/containers/0/resources": "object", "spec/containers/0/resources/limits/cpu": "quantity",
	"spec/containers/0/resources/requests/memory": "quantity", "spec/containers/0/livenessProbe/httpGet/port": "port",
	"spec/containers/0/ports/0/hostPort": "number", "spec/volumes/0/emptyDir": "object",
	"spec/volumes/0/emptyDir/sizeLimit": "quantity", "status/startTime": "time", "status/phase": "text",
}
var deployment = map[string]string{
	"spec/replicas": "number", "spec/paused": "flag", "spec/minReadySeconds": "number", "spec/selector/matchLabels": "map",
	"spec/strategy/rollingUpdate/maxSurge": "port", "spec/strategy/rollingUpdate/maxUnavailable": "port",
	"spec/strategy/rollingUpdate": "object", "spec/template/metadata/labels": "map", "spec/template/spec/hostPID": "flag",
	"spec/progressDeadlineSeconds": "number", "spec/revisionHistoryLimit": "number", "status/collisionCount": "number",
}

func set(in map[string]any, path []string, value any) {
	name := path[0]
	if len(path) == 1 {
		in[name] = value
		return
	}
	if path[1] == "0" {
		list, _ := in[name].([]any)
		if len(list) == 0 {
			list = []any{map[string]any{}}
			in[name] = list
		}
		set(list[0].(map[string]any), path[2:], value)
		return
	}
	next, _ := in[name].(map[string]any)
	if next == nil {
		next = map[string]any{}
		in[name] = next
	}
	set(next, path[1:], value)
}

func split(path string) (parts []string) {
	for start, i := 0, 0; i <= len(path); i++ {
		if i == len(path) || path[i] == '/' {
			parts = append(parts, path[start:i])
			start = i + 1
		}
	}
	return parts
}

func emit(out *bufio.Writer, kind string, a, b map[string]any, decode func([]byte) any) {
	first, _ := json.Marshal(a)
	second, _ := json.Marshal(b)
	line, _ := json.Marshal(map[string]any{
		"kind": kind, "a": a, "b": b, "equal": equality.Semantic.DeepEqual(decode(first), decode(second)),
	})
	out.Write(line)
	out.WriteByte('\n')
}

func pairs(out *bufio.Writer, kind string, places map[string]string, decode func([]byte) any) {
	paths := make([]string, 0, len(places))
	for path := range places {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	for _, path := range paths {
		// Two values at one place, and sometimes something else that both have.
		values := spellings[places[path]]
		for i := range values {
			for j := i; j < len(values); j++ {
				if len(values) > 6 && random.Intn(3) == 0 {
					continue
				}
				a, b := map[string]any{}, map[string]any{}
				if other := paths[random.Intn(len(paths))]; random.Intn(2) == 0 {
					shared := spellings[places[other]][random.Intn(len(spellings[places[other]]))]
					set(a, split(other), shared)
					set(b, split(other), shared)
				}
				if kind == "Deployment" {
					// A required sub-object: Go tells "null" from "{}" there, a plain C++ member cannot.
					set(a, split("spec/selector"), map[string]any{})
					set(b, split("spec/selector"), map[string]any{})
				}
				set(a, split(path), values[i])
				if values[j] != nil || random.Intn(2) == 0 {
					set(b, split(path), values[j])
				}
				emit(out, kind, a, b, decode)
			}
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	pairs(out, "Pod", pod, func(text []byte) any {
		into := &corev1.Pod{}
		must(json.Unmarshal(text, into))
		return into
	})
	pairs(out, "Deployment", deployment, func(text []byte) any {
		into := &appsv1.Deployment{}
		must(json.Unmarshal(text, into))
		return into
	})
}
