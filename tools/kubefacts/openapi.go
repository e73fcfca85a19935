package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// OpenAPI is the union of every published OpenAPI v3 document: definitions and paths.
type OpenAPI struct {
	Defs  map[string]*Def
	Paths map[string]map[string]Operation
}

type Def struct {
	Properties map[string]*Prop `json:"properties"`
	Required   []string         `json:"required"`
	MapType    string           `json:"x-kubernetes-map-type"`
	Unions     []struct {
		Discriminator string            `json:"discriminator"`
		Fields        map[string]string `json:"fields-to-discriminateBy"`
	} `json:"x-kubernetes-unions"`
	GVKs []struct{ Group, Version, Kind string } `json:"x-kubernetes-group-version-kind"`
}

type Prop struct {
	Type     string          `json:"type"`
	Format   string          `json:"format"`
	Default  json.RawMessage `json:"default"`
	Enum     []string        `json:"enum"`
	List     string          `json:"x-kubernetes-list-type"`
	Keys     []string        `json:"x-kubernetes-list-map-keys"`
	Map      string          `json:"x-kubernetes-map-type"`
	Patch    string          `json:"x-kubernetes-patch-strategy"`
	MergeKey string          `json:"x-kubernetes-patch-merge-key"`
	Ref      string          `json:"$ref"`
	AllOf    []Prop          `json:"allOf"`
	Items    *Prop           `json:"items"`
	Values   *Prop           `json:"additionalProperties"`
}

type content map[string]struct {
	Schema struct {
		Ref  string `json:"$ref"`
		Type string `json:"type"`
	} `json:"schema"`
}

type Operation struct {
	Request   struct{ Content content } `json:"requestBody"`
	Responses map[string]struct{ Content content }
}

func readOpenAPI(dir string) (*OpenAPI, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	sort.Strings(files)
	all := &OpenAPI{Defs: map[string]*Def{}, Paths: map[string]map[string]Operation{}}
	for _, file := range files {
		var doc struct {
			Components struct{ Schemas map[string]*Def }
			Paths      map[string]map[string]json.RawMessage
		}
		if err := readJSON(file, &doc); err != nil {
			return nil, err
		}
		for name, def := range doc.Components.Schemas {
			all.Defs[name] = def
		}
		for path, methods := range doc.Paths {
			all.Paths[path] = map[string]Operation{}
			for method, raw := range methods {
				var op Operation
				if json.Unmarshal(raw, &op) == nil {
					all.Paths[path][strings.ToUpper(method)] = op
				}
			}
		}
	}
	return all, nil
}

func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// schema gives the facts of one property; the zero default that the Go type implies is left out.
func (d *Def) schema(name, zero string) Schema {
	p := d.Properties[name]
	s := Schema{List: p.List, Keys: p.Keys, Map: p.Map, Patch: p.Patch, MergeKey: p.MergeKey}
	for _, r := range d.Required {
		s.Required = s.Required || r == name
	}
	if value := string(p.Default); value != zero {
		s.Default = value
	}
	return s
}

func (c content) ref() string {
	for _, kind := range []string{"application/json", "*/*"} {
		if s := c[kind].Schema; s.Ref != "" {
			return strings.TrimPrefix(s.Ref, "#/components/schemas/")
		}
	}
	return ""
}

func (o Operation) response() string {
	for _, code := range []string{"200", "201", "202"} {
		if ref := o.Responses[code].Content.ref(); ref != "" {
			return ref
		}
	}
	return ""
}
