package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

// How every built-in kind merges, by the OpenAPI documents of a release: a line of kinds, each with the number of its
// type and an empty object, then the types. A type is "s", "n", "b" or "u" (string, numeric, boolean, any scalar), "any",
// "whole", the number of another type, {"l": atomic|set|keys, "d": defaults of the keys, "t"} or
// {"f": fields, "t": others, "a": atomic}.
type typeTable struct {
	schema *schema.Schema
	number map[string]int
	names  []string
}

func (t *typeTable) of(name string) any {
	switch name {
	case "__untyped_atomic_":
		return "whole"
	case "__untyped_deduced_":
		return "any"
	}
	if _, ok := t.number[name]; !ok {
		t.number[name] = len(t.names)
		t.names = append(t.names, name)
	}
	return t.number[name]
}

func (t *typeTable) ref(r schema.TypeRef) any {
	if r.NamedType == nil {
		return t.atom(r.Inlined)
	}
	if r.ElementRelationship == nil {
		return t.of(*r.NamedType)
	}
	resolved, _ := t.schema.Resolve(r)
	return t.atom(resolved)
}

// Of the keys, in their order; null for none.
func (t *typeTable) defaults(list *schema.List) []any {
	item, _ := t.schema.Resolve(list.ElementType)
	out := []any{}
	for _, key := range list.Keys {
		field, _ := item.Map.FindField(key)
		out = append(out, field.Default)
	}
	return out
}

func (t *typeTable) atom(a schema.Atom) any {
	switch {
	case a.Scalar != nil && a.Map != nil:
		if a.Map.ElementRelationship == schema.Atomic {
			return "whole"
		}
		return "any"
	case a.Scalar != nil:
		return string((*a.Scalar)[0])
	case a.List != nil:
		out := map[string]any{"t": t.ref(a.List.ElementType), "l": "atomic"}
		if a.List.ElementRelationship == schema.Associative {
			out["l"] = "set"
			if len(a.List.Keys) > 0 {
				out["l"] = strings.Join(a.List.Keys, ",")
				out["d"] = t.defaults(a.List)
			}
		}
		return out
	case a.Map != nil:
		fields := map[string]any{}
		slices.SortFunc(a.Map.Fields, func(a, b schema.StructField) int { return strings.Compare(a.Name, b.Name) })
		for _, field := range a.Map.Fields {
			fields[field.Name] = t.ref(field.Type)
		}
		out := map[string]any{}
		if len(fields) > 0 {
			out["f"] = fields
		}
		if a.Map.ElementType != (schema.TypeRef{}) {
			out["t"] = t.ref(a.Map.ElementType)
		}
		if a.Map.ElementRelationship == schema.Atomic {
			out["a"] = true
		}
		return out
	}
	return nil
}

func writeTypes(folder string) {
	models := map[string]*spec.Schema{}
	files, err := filepath.Glob(folder + "/*.json")
	check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		var document struct {
			Components struct {
				Schemas map[string]*spec.Schema `json:"schemas"`
			} `json:"components"`
		}
		check(json.Unmarshal(text, &document))
		for name, model := range document.Components.Schemas {
			models[name] = model
		}
	}
	made, err := schemaconv.ToSchemaFromOpenAPI(models, false)
	check(err)
	table := &typeTable{schema: made, number: map[string]int{}}
	kinds := map[string]any{}
	names := make([]string, 0, len(models))
	for name := range models {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		gvks, _ := models[name].Extensions["x-kubernetes-group-version-kind"].([]any)
		metadata := models[name].Properties["metadata"]
		if len(gvks) != 1 || len(metadata.AllOf) == 0 {
			continue
		}
		gvk := gvks[0].(map[string]any)
		group, version, kind := gvk["group"].(string), gvk["version"].(string), gvk["kind"].(string)
		entry := []any{table.of(name)}
		// And an object of it in which nothing is set.
		if empty, err := scheme.Scheme.New(runtimeschema.GroupVersionKind{Group: group, Version: version, Kind: kind}); err == nil {
			entry = append(entry, empty)
		}
		kinds[strings.TrimPrefix(group+"/"+version, "/")+" "+kind] = entry
	}
	encoder := json.NewEncoder(os.Stdout)
	check(encoder.Encode(kinds))
	for i := 0; i < len(table.names); i++ {
		def, _ := made.FindNamedType(table.names[i])
		check(encoder.Encode([]any{strings.TrimPrefix(table.names[i], "io.k8s."), table.atom(def.Atom)}))
	}
}
