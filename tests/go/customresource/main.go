// Draws schemas and objects from a seed and prints what Kubernetes' own packages make of them, one JSON object per line:
// the object defaulted and pruned, what is wrong with it, and what is wrong with an update of it.
// flyball/apiserver/schema/schema_vectors_test.cpp compares.
package main

import (
	"bufio"
	"log"
	"math/rand"
	"os"
	"sort"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Vector is one line. Causes are sorted: field, message, reason.
type Vector struct {
	Schema   any        `json:"schema"`
	Old      any        `json:"old"`
	Object   any        `json:"object"`
	Stored   any        `json:"stored"` // the object, defaulted and pruned
	Unknown  []string   `json:"unknown,omitempty"`
	Wrong    [][]string `json:"wrong,omitempty"`
	WrongNow [][]string `json:"wrongNow,omitempty"` // as an update of Old
}

type drawer struct{ *rand.Rand }

func (r drawer) one(words ...string) string { return words[r.Intn(len(words))] }

var names = []string{"a", "b", "c", "d"}

// limits adds what can stand at the top of a schema and in anyOf and its like.
func (r drawer) limits(s map[string]any, kind string) {
	switch kind {
	case "string":
		switch r.Intn(7) {
		case 0:
			s["maxLength"] = r.Intn(3) + 1
		case 1:
			s["minLength"] = r.Intn(3)
		case 2:
			s["pattern"] = r.one("^a", "b$", "^[a-c]+$", "x|y")
		case 3:
			s["enum"] = []any{"a", r.one("b", "ab")}
		case 4:
			s["format"] = r.one("date", "ipv4", "byte", "uuid", "odd")
		}
	case "integer", "number":
		switch r.Intn(6) {
		case 0:
			s["minimum"] = r.Intn(4)
			s["exclusiveMinimum"] = r.Intn(2) == 0
		case 1:
			s["maximum"] = r.Intn(4) + 1
			s["exclusiveMaximum"] = r.Intn(2) == 0
		case 2:
			s["multipleOf"] = r.Intn(3) + 1
		case 3:
			s["enum"] = []any{1, 2}
		case 4:
			s["format"] = r.one("int32", "int64", "float", "double")
		}
	case "array":
		if r.Intn(3) == 0 {
			s[r.one("minItems", "maxItems")] = r.Intn(3)
		}
	case "object":
		if r.Intn(3) == 0 {
			s["required"] = []any{r.one(names...)}
		}
		if r.Intn(6) == 0 {
			s[r.one("minProperties", "maxProperties")] = r.Intn(3)
		}
	}
}

func (r drawer) branch(s map[string]any) any {
	kind, _ := s["type"].(string)
	b := map[string]any{}
	r.limits(b, kind)
	if properties, ok := s["properties"].(map[string]any); ok && r.Intn(2) == 0 {
		inner := map[string]any{}
		for _, name := range names {
			if p, ok := properties[name].(map[string]any); ok && r.Intn(2) == 0 {
				inner[name] = r.branch(p)
			}
		}
		b["properties"] = inner
	}
	return b
}

func (r drawer) schema(depth int) map[string]any {
	kinds := []string{"string", "integer", "number", "boolean", "object", "array"}
	kind := kinds[r.Intn(len(kinds))]
	if depth <= 0 {
		kind = kinds[r.Intn(4)]
	}
	if r.Intn(12) == 0 {
		s := map[string]any{"x-kubernetes-int-or-string": true}
		if r.Intn(2) == 0 {
			s["anyOf"] = []any{map[string]any{"type": "integer"}, map[string]any{"type": "string"}}
		}
		return s
	}
	s := map[string]any{"type": kind}
	r.limits(s, kind)
	if r.Intn(8) == 0 {
		s["nullable"] = true
	}
	switch kind {
	case "array":
		if r.Intn(3) == 0 {
			item := r.object(depth-1, 2)
			item["properties"].(map[string]any)["a"] = map[string]any{"type": "string"}
			s["items"] = item
			s["x-kubernetes-list-type"] = "map"
			s["x-kubernetes-list-map-keys"] = []any{"a"}
		} else {
			s["items"] = r.schema(depth - 1)
			if r.Intn(3) == 0 {
				s["x-kubernetes-list-type"] = r.one("set", "atomic")
			}
		}
	case "object":
		if r.Intn(3) == 0 {
			s["additionalProperties"] = r.schema(depth - 1)
		} else {
			for key, value := range r.object(depth, 3) {
				s[key] = value
			}
		}
		if r.Intn(6) == 0 {
			s["x-kubernetes-preserve-unknown-fields"] = true
		}
	case "string":
		if r.Intn(4) == 0 {
			s["default"] = r.one("a", "ab", "b")
		}
	case "integer":
		if r.Intn(4) == 0 {
			s["default"] = r.Intn(3)
		}
	}
	if r.Intn(6) == 0 {
		name := r.one("anyOf", "oneOf", "allOf")
		branches := []any{r.branch(s), r.branch(s)}
		if r.Intn(3) == 0 {
			branches = append(branches, r.branch(s))
		}
		s[name] = branches
	}
	if r.Intn(15) == 0 {
		s["not"] = r.branch(s)
	}
	return s
}

func (r drawer) object(depth, most int) map[string]any {
	properties := map[string]any{}
	for i := r.Intn(most) + 1; i > 0; i-- {
		properties[r.one(names...)] = r.schema(depth - 1)
	}
	return map[string]any{"type": "object", "properties": properties}
}

// value draws one that mostly fits the schema.
func (r drawer) value(s map[string]any, depth int) any {
	kind, _ := s["type"].(string)
	if s["x-kubernetes-int-or-string"] == true {
		kind = r.one("integer", "string")
	}
	if r.Intn(14) == 0 {
		kind = r.one("string", "integer", "boolean", "array", "object", "null", "number")
	}
	switch kind {
	case "string":
		return r.one("a", "b", "ab", "abc", "", "xy", "2026-01-02", "1.2.3.4", "é")
	case "integer":
		return r.Intn(6)
	case "number":
		return []any{0.5, 1.5, 2, 3.25, 1e10}[r.Intn(5)]
	case "boolean":
		return r.Intn(2) == 0
	case "array":
		items, ok := s["items"].(map[string]any)
		list := []any{}
		for i := r.Intn(3); i > 0; i-- {
			if ok {
				list = append(list, r.value(items, depth-1))
			} else {
				list = append(list, r.Intn(3))
			}
		}
		return list
	case "object":
		object := map[string]any{}
		properties, _ := s["properties"].(map[string]any)
		for _, name := range names {
			if p, ok := properties[name].(map[string]any); ok && r.Intn(4) > 0 {
				object[name] = r.value(p, depth-1)
			} else if additional, ok := s["additionalProperties"].(map[string]any); ok && r.Intn(2) == 0 {
				object[name] = r.value(additional, depth-1)
			} else if r.Intn(10) == 0 {
				object[name] = []any{"u", map[string]any{"v": 1}, []any{map[string]any{"w": 1}}}[r.Intn(3)]
			}
		}
		return object
	}
	return nil
}

// change gives a copy in which a few parts are drawn anew.
func (r drawer) change(s map[string]any, v any) any {
	if r.Intn(5) == 0 {
		return r.value(s, 2)
	}
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		properties, _ := s["properties"].(map[string]any)
		additional, _ := s["additionalProperties"].(map[string]any)
		for _, key := range append([]string{"spec"}, names...) {
			value, ok := v[key]
			if !ok {
				continue
			}
			out[key] = value
			if p, ok := properties[key].(map[string]any); ok && r.Intn(2) == 0 {
				out[key] = r.change(p, value)
			} else if additional != nil && r.Intn(3) == 0 {
				out[key] = r.change(additional, value)
			}
		}
		return out
	case []any:
		items, ok := s["items"].(map[string]any)
		out := append([]any{}, v...)
		if ok && r.Intn(2) == 0 {
			out = append(out, r.value(items, 1))
		} else if len(out) > 1 {
			out[0], out[1] = out[1], out[0]
		}
		return out
	}
	return v
}

func causes(errs field.ErrorList) [][]string {
	var out [][]string
	for _, err := range errs {
		out = append(out, []string{err.Field, err.ErrorBody(), string(err.Type)})
	}
	sort.Slice(out, func(i, j int) bool {
		for k := range out[i] {
			if out[i][k] != out[j][k] {
				return out[i][k] < out[j][k]
			}
		}
		return false
	})
	return out
}

func decode(text []byte, to any) {
	if err := json.Unmarshal(text, to); err != nil {
		log.Fatal(err)
	}
}

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		log.Fatal(err)
	}
	return text
}

func stored(s *structural.Structural, object any) (any, []string) {
	v := runtime.DeepCopyJSONValue(object)
	defaulting.PruneNonNullableNullsWithoutDefaults(v, s)
	defaulting.Default(v, s)
	return v, pruning.PruneWithOptions(v, s, true, structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
}

// run gives false for a schema that the API server would not take.
func run(schema, old, object map[string]any) (Vector, bool) {
	var props v1.JSONSchemaProps
	decode(encode(schema), &props)
	internal := &apiextensions.JSONSchemaProps{}
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, internal, nil); err != nil {
		log.Fatal(err)
	}
	s, err := structural.NewStructural(internal)
	if err != nil {
		log.Fatal(err)
	}
	if errs := structural.ValidateStructural(nil, s); len(errs) > 0 {
		return Vector{}, false
	}
	validator, _, err := validation.NewSchemaValidator(internal)
	if err != nil {
		log.Fatal(err)
	}
	var oldValue, newValue any
	decode(encode(old), &oldValue)
	decode(encode(object), &newValue)
	was, _ := stored(s, oldValue)
	now, unknown := stored(s, newValue)
	v := Vector{Schema: schema, Old: old, Object: object, Stored: now, Unknown: unknown}
	content := now.(map[string]any)
	lists := listtype.ValidateListSetsAndMaps(nil, s, content)
	v.Wrong = causes(append(validation.ValidateCustomResource(nil, content, validator), lists...))
	v.WrongNow = causes(validation.ValidateCustomResourceUpdate(nil, content, was, validator, validation.WithRatcheting(nil)))
	return v, true
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	r := drawer{rand.New(rand.NewSource(20261116))}
	for count := 0; count < 700; {
		spec := r.object(3, 3)
		schema := map[string]any{"type": "object", "properties": map[string]any{"spec": spec}}
		old := map[string]any{"spec": r.value(spec, 3)}
		object := map[string]any{"spec": r.change(spec, old["spec"])}
		v, ok := run(schema, old, object)
		text := encode(v)
		if !ok || len(text) > 1500 {
			continue
		}
		count++
		out.Write(append(text, '\n'))
	}
}
