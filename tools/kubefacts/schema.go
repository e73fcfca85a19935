package main

import (
	"sort"
	"strings"
)

// derive reads a field's schema facts off its Go tags and markers, by the rules of openapi-gen. It is the only source
// for versions that are no longer served; for the others it is compared with the OpenAPI document.
func (b *builder) derive(pkg *Package, f *Field, g GoField) Schema {
	s := Schema{List: g.Doc.first("listType"), Keys: g.Doc.Values["listMapKey"], Patch: g.Patch, MergeKey: g.MergeKey}
	s.Map = g.Doc.first("mapType")
	if s.Map == "" {
		s.Map = g.Doc.first("structType")
	}
	s.Required = !f.Inline && (g.Doc.has("required") || !g.Doc.has("optional") && !strings.Contains(g.Omit, "e"))
	s.Default = g.Doc.first("default")
	if ref, ok := strings.CutPrefix(s.Default, "ref("); ok {
		s.Default = quote(b.gos[pkg.Go].constVals[strings.TrimSuffix(ref, ")")])
	}
	return s
}

// zeroDefault is the default openapi-gen writes for a field without one: the zero of a Go value that is always there.
func (b *builder) zeroDefault(pkg *Package, f *Field) string {
	pkg, typ := b.resolve(pkg, f.Type)
	if strings.HasPrefix(typ, "*") || strings.HasPrefix(typ, "[]") || strings.HasPrefix(typ, "{") {
		return ""
	}
	switch typ {
	case "bytes", "any":
		return ""
	case "string", "bool", "int32", "int64", "float64", "int":
		if f.Omit != "-" {
			return ""
		}
		return map[string]string{"string": `""`, "bool": "false"}[typ] + map[bool]string{true: "0"}[typ != "string" && typ != "bool"]
	}
	if m, _ := b.find(pkg, typ); m != nil && (m.Wrap || m.Codec != "") {
		return "" // openapi-gen knows these types by their own OpenAPI form
	}
	return "{}"
}

// resolve follows named strings and aliases to the type underneath, and the package its names are relative to;
// messages keep their name.
func (b *builder) resolve(pkg *Package, typ string) (*Package, string) {
	for {
		id, name := splitRef(pkg, typ)
		p := b.byID[id]
		if p == nil {
			return pkg, typ
		}
		next := ""
		for _, s := range p.Strings {
			if s.Name == name {
				return p, "string"
			}
		}
		for _, a := range p.Aliases {
			if a.Name == name {
				next = a.Type
			}
		}
		if next == "" {
			return pkg, typ
		}
		pkg, typ = p, next
	}
}

func splitRef(pkg *Package, typ string) (string, string) {
	if i := strings.LastIndex(typ, "."); i >= 0 {
		return typ[:i], typ[i+1:]
	}
	return pkg.ID, typ
}

func (b *builder) find(pkg *Package, typ string) (*Message, *Package) {
	id, name := splitRef(b.resolve(pkg, typ))
	p := b.byID[id]
	if p == nil {
		return nil, nil
	}
	for _, m := range p.Messages {
		if m.Name == name {
			return m, p
		}
	}
	return nil, nil
}

// schemas lets the OpenAPI document speak for every definition it has, and for structs that only appear inlined.
func (b *builder) schemas(t *Table) {
	known := map[string]bool{}
	for _, pkg := range t.Packages {
		for _, m := range pkg.Messages {
			name := pkg.OpenAPI + "." + m.Name
			known[name] = true
			def := b.openapi.Defs[name]
			if def == nil {
				continue
			}
			m.Schema = true
			if def.MapType != m.MapType {
				b.problem("%s.%s: map type %q in OpenAPI, %q in Go", pkg.ID, m.Name, def.MapType, m.MapType)
			}
			for _, u := range def.Unions {
				union := Union{Discriminator: u.Discriminator}
				for field, value := range u.Fields {
					union.Members = append(union.Members, Const{field, value})
				}
				sort.Slice(union.Members, func(i, j int) bool { return union.Members[i].Name < union.Members[j].Name })
				m.Unions = append(m.Unions, union)
			}
			if m.Codec == "" && !m.Wrap {
				seen := map[string]bool{}
				b.applyDef(pkg, m, def, seen, pkg.ID+"."+m.Name)
				for p := range def.Properties {
					if !seen[p] {
						b.problem("%s.%s: OpenAPI property %q has no Go field", pkg.ID, m.Name, p)
					}
				}
			}
		}
	}
	for name := range b.openapi.Defs {
		if !known[name] {
			b.problem("OpenAPI definition %s has no message", name)
		}
	}
}

func (b *builder) applyDef(pkg *Package, m *Message, def *Def, seen map[string]bool, where string) {
	for _, f := range m.Fields {
		if f.Inline {
			if inner, p := b.find(pkg, f.Type); inner != nil {
				b.applyDef(p, inner, def, seen, where)
			}
			continue
		}
		if def.Properties[f.JSON] == nil {
			b.problem("%s: field %q is not in OpenAPI", where, f.JSON)
			continue
		}
		seen[f.JSON] = true
		zero := b.zeroDefault(pkg, f)
		got := def.schema(f.JSON, zero)
		b.compare(pkg, where, f, got, zero)
		f.Schema = got
		b.implied(pkg, where+"."+f.JSON, f.Type, def.Properties[f.JSON])
	}
}

func (b *builder) compare(pkg *Package, where string, f *Field, got Schema, zero string) {
	want := f.Schema
	if want.Default == zero {
		want.Default = ""
	}
	if got.Required == want.Required && got.Default == want.Default && got.List == want.List && got.Map == want.Map &&
		got.Patch == want.Patch && got.MergeKey == want.MergeKey && strings.Join(got.Keys, ",") == strings.Join(want.Keys, ",") {
		b.derived++
		return
	}
	b.problem("%s.%s (%s, zero %q): OpenAPI %+v, Go %+v", where, f.JSON, f.Type, zero, got, want)
}

// dropUnused removes named types that no field refers to, unless they carry constants of an API package.
func (b *builder) dropUnused(t *Table) {
	used := map[string]bool{}
	mark := func(pkg *Package, typ string) {
		for _, name := range typeNames(typ) {
			id, n := splitRef(pkg, name)
			used[id+"."+n] = true
		}
	}
	for _, pkg := range t.Packages {
		for _, m := range pkg.Messages {
			for _, f := range m.Fields {
				mark(pkg, f.Type)
			}
		}
	}
	for round := 0; round < 3; round++ {
		for _, pkg := range t.Packages {
			for _, a := range pkg.Aliases {
				if used[pkg.ID+"."+a.Name] {
					mark(pkg, a.Type)
				}
			}
		}
	}
	for _, pkg := range t.Packages {
		strs, aliases := pkg.Strings, pkg.Aliases
		pkg.Strings, pkg.Aliases = nil, nil
		for _, s := range strs {
			if used[pkg.ID+"."+s.Name] || pkg.Group != "-" && len(s.Consts) > 0 {
				pkg.Strings = append(pkg.Strings, s)
			}
		}
		for _, a := range aliases {
			if used[pkg.ID+"."+a.Name] {
				pkg.Aliases = append(pkg.Aliases, a)
			}
		}
	}
}

// typeNames lists the names inside a type expression: "{ResourceName}[]core/v1.Pod" has two.
func typeNames(typ string) []string {
	var out []string
	for typ != "" {
		switch {
		case typ[0] == '*':
			typ = typ[1:]
		case strings.HasPrefix(typ, "[]"):
			typ = typ[2:]
		case typ[0] == '{':
			end := strings.IndexByte(typ, '}')
			if end > 1 {
				out = append(out, typ[1:end])
			}
			typ = typ[end+1:]
		default:
			return append(out, typ)
		}
	}
	return out
}
