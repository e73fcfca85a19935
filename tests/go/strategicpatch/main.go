// Draws objects of a few kinds and patches of them from a seed, runs them through Kubernetes' own strategicpatch, and
// prints what it makes of them, one JSON object per line: flyball/apiserver/strategic_vectors_test.cpp compares.
//
// Go walks its maps in another order every time. A pair whose outcome depends on it is left out.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"math/rand"
	"os"
	"reflect"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// Vector is one line. Exactly one of Result, Error and Panic is set.
type Vector struct {
	Kind   string          `json:"kind"`
	Object json.RawMessage `json:"object"`
	Patch  json.RawMessage `json:"patch"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
	Panic  bool            `json:"panic,omitempty"`
}

func once(kind string, object, patch []byte, schema any) (v Vector) {
	v = Vector{Kind: kind, Object: object, Patch: patch}
	defer func() {
		if recover() != nil {
			v.Panic = true
		}
	}()
	result, err := strategicpatch.StrategicMergePatch(object, patch, schema)
	if err != nil {
		v.Error = err.Error()
	} else {
		v.Result = result
	}
	return v
}

// run gives false when the outcome is not always the same.
func run(kind string, object, patch []byte, schema any) (Vector, bool) {
	first := once(kind, object, patch, schema)
	for i := 0; i < 40; i++ {
		if !reflect.DeepEqual(first, once(kind, object, patch, schema)) {
			return first, false
		}
	}
	return first, true
}

type drawer struct{ *rand.Rand }

func (r drawer) one(words ...string) string { return words[r.Intn(len(words))] }

type member struct {
	name     string
	typ      reflect.Type
	strategy string
	key      string
}

func members(t reflect.Type) (all []member) {
	for i := 0; i < t.NumField(); i++ {
		field := t.Field(i)
		tag := strings.Split(field.Tag.Get("json"), ",")
		if tag[0] == "-" {
			continue
		}
		if field.Anonymous && tag[0] == "" {
			all = append(all, members(field.Type)...)
			continue
		}
		all = append(all, member{tag[0], field.Type, field.Tag.Get("patchStrategy"), field.Tag.Get("patchMergeKey")})
	}
	return all
}

// pick gives a few members, those that strategic merge knows something of first.
func (r drawer) pick(t reflect.Type, most int) []member {
	var special, rest []member
	for _, m := range members(t) {
		if m.name == "managedFields" || m.typ == reflect.TypeOf(metav1.FieldsV1{}) {
			continue
		}
		if m.strategy != "" || m.name == "template" || m.name == "metadata" || m.name == "spec" || m.name == "status" {
			special = append(special, m)
		} else {
			rest = append(rest, m)
		}
	}
	var picked []member
	for _, from := range [][]member{special, special, rest} {
		if len(from) > 0 && len(picked) < most && r.Intn(5) > 0 {
			m := from[r.Intn(len(from))]
			known := false
			for _, other := range picked {
				known = known || other.name == m.name
			}
			if !known {
				picked = append(picked, m)
			}
		}
	}
	return picked
}

func (r drawer) scalar(t reflect.Type) any {
	switch t {
	case reflect.TypeOf(resource.Quantity{}):
		return r.one("1", "500m", "2Gi")
	case reflect.TypeOf(metav1.Time{}), reflect.TypeOf(metav1.MicroTime{}):
		return r.one("2026-01-01T00:00:00Z", "2026-02-03T04:05:06Z")
	case reflect.TypeOf(intstr.IntOrString{}):
		if r.Intn(2) == 0 {
			return r.Intn(3) + 80
		}
		return r.one("http", "25%")
	case reflect.TypeOf(runtime.RawExtension{}):
		return map[string]any{"x": r.Intn(3)}
	}
	switch t.Kind() {
	case reflect.Bool:
		return r.Intn(2) == 0
	case reflect.Int32, reflect.Int64, reflect.Int, reflect.Uint8:
		return r.Intn(4)
	case reflect.Float64:
		return 0.5 + float64(r.Intn(2))
	case reflect.Slice: // bytes
		return "aGk="
	}
	return r.one("a", "b", "c", "d")
}

func isScalar(t reflect.Type) bool {
	switch t {
	case reflect.TypeOf(resource.Quantity{}), reflect.TypeOf(metav1.Time{}), reflect.TypeOf(metav1.MicroTime{}),
		reflect.TypeOf(intstr.IntOrString{}), reflect.TypeOf(runtime.RawExtension{}):
		return true
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return false
	case reflect.Slice:
		return t.Elem().Kind() == reflect.Uint8
	}
	return true
}

// value draws one; patches also hold nulls, directives and, rarely, mistakes.
func (r drawer) value(t reflect.Type, m member, depth int, patch bool) any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if patch && r.Intn(60) == 0 {
		return []any{nil, "a", 1, []any{}, map[string]any{"a": "b"}, []any{"a"}, []any{nil}, []any{[]any{}}}[r.Intn(8)]
	}
	if isScalar(t) || depth <= 0 {
		if isScalar(t) {
			return r.scalar(t)
		}
		if t.Kind() == reflect.Slice {
			return []any{}
		}
		return map[string]any{}
	}
	switch t.Kind() {
	case reflect.Map:
		object := map[string]any{}
		for i := r.Intn(3); i >= 0; i-- {
			object[r.one("a", "b", "c")] = r.value(t.Elem(), member{}, depth-1, patch)
			if patch && r.Intn(4) == 0 {
				object[r.one("a", "b", "c")] = nil
			}
		}
		return object
	case reflect.Slice:
		return r.list(t.Elem(), m, depth, patch)
	}
	return r.object(t, depth, patch)
}

func (r drawer) list(t reflect.Type, m member, depth int, patch bool) any {
	items := []any{}
	used := map[string]bool{}
	for i := r.Intn(4); i >= 0; i-- {
		item := r.value(t, member{}, depth-1, patch)
		object, isObject := item.(map[string]any)
		text := ""
		if isObject && m.key != "" {
			key := r.one("a", "b", "c", "d")
			object[m.key] = key
			if field, ok := keyType(t, m.key); ok && field.Kind() == reflect.Int32 {
				object[m.key] = int(key[0] - 'a' + 80)
			}
			text = key
			if patch && r.Intn(40) == 0 {
				delete(object, m.key)
			}
			if patch && r.Intn(6) == 0 {
				object["$patch"] = r.one("delete", "delete", "delete", "replace")
			}
			if patch && r.Intn(80) == 0 {
				object["$patch"] = []any{"merge", "odd", 1, nil}[r.Intn(4)]
			}
		} else {
			encoded, _ := json.Marshal(item)
			text = string(encoded)
		}
		if used[text] && !(patch && r.Intn(6) == 0) {
			continue
		}
		used[text] = true
		items = append(items, item)
	}
	return items
}

func keyType(t reflect.Type, key string) (reflect.Type, bool) {
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	for _, m := range members(t) {
		if m.name == key {
			return m.typ, true
		}
	}
	return nil, false
}

func (r drawer) object(t reflect.Type, depth int, patch bool) map[string]any {
	object := map[string]any{}
	for _, m := range r.pick(t, 3) {
		object[m.name] = r.value(m.typ, m, depth-1, patch)
		if !patch {
			continue
		}
		if r.Intn(12) == 0 {
			object[m.name] = nil
		}
		r.direct(object, t, m)
	}
	if patch && r.Intn(25) == 0 {
		object["$patch"] = r.one("replace", "delete", "merge")
	}
	if patch && r.Intn(15) == 0 {
		r.retain(object, t)
	}
	return object
}

func (r drawer) retain(object map[string]any, t reflect.Type) {
	keys := []any{}
	for name, value := range object {
		if !strings.HasPrefix(name, "$") && value != nil {
			keys = append(keys, name)
		}
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i].(string) < keys[j].(string) })
	if all := members(t); len(all) > 0 {
		keys = append(keys, all[r.Intn(len(all))].name)
	}
	if r.Intn(10) == 0 {
		keys = keys[1:]
	}
	object["$retainKeys"] = keys
	if r.Intn(20) == 0 {
		object["$retainKeys"] = "a"
	}
}

// direct adds directives for a list.
func (r drawer) direct(object map[string]any, t reflect.Type, m member) {
	if m.typ.Kind() != reflect.Slice && r.Intn(60) > 0 {
		return
	}
	primitive := m.key == ""
	if primitive && r.Intn(3) == 0 {
		object["$deleteFromPrimitiveList/"+m.name] = []any{r.one("a", "b"), r.one("c", "d")}
		if r.Intn(2) == 0 {
			delete(object, m.name)
		}
		if r.Intn(30) == 0 {
			object["$deleteFromPrimitiveList"] = []any{"a"}
		}
	}
	if r.Intn(3) > 0 {
		return
	}
	words := []string{"a", "b", "c", "d"}
	r.Shuffle(4, func(i, j int) { words[i], words[j] = words[j], words[i] })
	order := []any{}
	add := func(word string) {
		if primitive {
			order = append(order, word)
		} else if field, ok := keyType(m.typ.Elem(), m.key); ok && field.Kind() == reflect.Int32 {
			order = append(order, map[string]any{m.key: int(word[0] - 'a' + 80)})
		} else {
			order = append(order, map[string]any{m.key: word})
		}
	}
	for _, word := range words[:r.Intn(5)] {
		add(word)
	}
	// Mostly the items of the patch in their own order, as kubectl sends them.
	if items, ok := object[m.name].([]any); ok && r.Intn(5) > 0 {
		order = []any{}
		for _, item := range items {
			if entry, ok := item.(map[string]any); ok && !primitive {
				if entry["$patch"] == nil && entry[m.key] != nil {
					order = append(order, map[string]any{m.key: entry[m.key]})
				}
			} else {
				order = append(order, item)
			}
			if r.Intn(3) == 0 {
				add(words[0])
			}
		}
	}
	if r.Intn(6) == 0 {
		delete(object, m.name)
	}
	object["$setElementOrder/"+m.name] = order
	if r.Intn(50) == 0 {
		object["$setElementOrder/"+m.name] = r.one("a", "b")
	}
	if r.Intn(60) == 0 {
		object[r.one("$setElementOrder", "$setElementOrder/odd", "$setElementOrders/"+m.name)] = []any{"a"}
	}
}

func main() {
	kinds := []struct {
		kind  string
		typ   any
		depth int
	}{
		{"Deployment", appsv1.Deployment{}, 8}, {"Pod", corev1.Pod{}, 6}, {"Pod", corev1.Pod{}, 5},
		{"Service", corev1.Service{}, 5}, {"ServiceAccount", corev1.ServiceAccount{}, 4},
		{"ConfigMap", corev1.ConfigMap{}, 4},
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	r := drawer{rand.New(rand.NewSource(20261116))}
	for count := 0; count < 900; {
		k := kinds[count%len(kinds)]
		object, err := json.Marshal(r.object(reflect.TypeOf(k.typ), k.depth, false))
		if err != nil {
			log.Fatal(err)
		}
		patch, err := json.Marshal(r.object(reflect.TypeOf(k.typ), k.depth, true))
		if err != nil {
			log.Fatal(err)
		}
		if len(object)+len(patch) < 60 || len(object)+len(patch) > 1200 {
			continue
		}
		v, stable := run(k.kind, object, patch, k.typ)
		if !stable {
			continue
		}
		count++
		if err := encoder.Encode(v); err != nil {
			log.Fatal(err)
		}
	}
}
