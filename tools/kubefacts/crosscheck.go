package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// Second opinions: facts that another published file states too must agree.

// enums: the OpenAPI documents are published without enums, but the server's own schemas (a Go file) have them.
func (b *builder) enums(t *Table, kube string) error {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(kube, "pkg/generated/openapi/zz_generated.openapi.go"), nil,
		parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	served := map[string]map[string]string{} // function -> property -> values
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "schema_") {
			served[f.Name.Name] = propertyEnums(f)
		}
	}
	for _, pkg := range t.Packages {
		parts := strings.Split(strings.ReplaceAll(pkg.Go, ".", ""), "/")
		prefix := "schema_" + strings.Join(parts[max(0, len(parts)-4):], "_") + "_"
		for _, m := range pkg.Messages {
			props, ok := served[prefix+m.Name]
			if !ok || m.Codec != "" || m.Wrap {
				continue
			}
			for _, f := range m.Fields {
				if want, got := props[f.JSON], b.enumOf(pkg, f.Type); !f.Inline && want != got {
					b.problem("%s.%s.%s: server enum %q, table %q", pkg.ID, m.Name, f.JSON, want, got)
				} else if want != "" {
					b.enumsEqual++
				}
			}
		}
	}
	return nil
}

// enumOf: the values of the closed string type inside a field's type, sorted as the server lists them.
func (b *builder) enumOf(pkg *Package, typ string) string {
	names := typeNames(typ)
	id, name := splitRef(pkg, names[len(names)-1])
	p := b.byID[id]
	if p == nil {
		return ""
	}
	for _, a := range p.Aliases {
		if a.Name == name {
			return b.enumOf(p, a.Type)
		}
	}
	for _, s := range p.Strings {
		if s.Name == name && s.Closed {
			set := map[string]bool{}
			for _, c := range s.Consts {
				set[c.Value] = true
			}
			return joinSet(set)
		}
	}
	return ""
}

func joinSet(set map[string]bool) string {
	var values []string
	for v := range set {
		values = append(values, v)
	}
	sort.Strings(values)
	return strings.Join(values, ",")
}

func propertyEnums(f *ast.FuncDecl) map[string]string {
	out := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if id, ok := kv.Key.(*ast.Ident); !ok || id.Name != "Properties" {
			return true
		}
		for _, e := range kv.Value.(*ast.CompositeLit).Elts {
			prop := e.(*ast.KeyValueExpr)
			name, _ := strconv.Unquote(prop.Key.(*ast.BasicLit).Value)
			out[name] = enumIn(prop.Value)
		}
		return false
	})
	return out
}

func enumIn(n ast.Expr) string {
	set := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		if id, ok := kv.Key.(*ast.Ident); !ok || id.Name != "Enum" {
			return true
		}
		for _, v := range kv.Value.(*ast.CompositeLit).Elts {
			if lit, ok := v.(*ast.BasicLit); ok {
				text, _ := strconv.Unquote(lit.Value)
				set[text] = true
			}
		}
		return false
	})
	return joinSet(set)
}

// leftOut: an exported struct with JSON names, in an API package, that is no message of the table.
func (b *builder) leftOut(t *Table) {
	for _, pkg := range t.Packages {
		if pkg.Group == "-" {
			continue
		}
		have := map[string]bool{}
		for _, m := range pkg.Messages {
			have[m.Name] = true
		}
		for _, name := range b.gos[pkg.Go].Order {
			typ := b.gos[pkg.Go].Types[name]
			if have[name] || !isStruct(typ) {
				continue
			}
			for _, f := range typ.fields(b.typeName("")) {
				if f.JSON != "" && !f.NoJSONName && !f.Ignored {
					b.problem("%s.%s: a Go struct with JSON names, but no message", pkg.ID, name)
					break
				}
			}
		}
	}
}

// aggregated: the aggregated discovery document must say the same as the plain ones (it leaves out the core group).
func (b *builder) aggregated(t *Table, dir string) error {
	type kind struct{ Group, Version, Kind string }
	var doc struct {
		Items []struct {
			Metadata struct{ Name string }
			Versions []struct {
				Version   string
				Resources []struct {
					Resource, Scope, SingularResource string
					ResponseKind                      kind
					Verbs, ShortNames, Categories     []string
					Subresources                      []struct {
						Subresource  string
						ResponseKind kind
						Verbs        []string
					}
				}
			}
		}
	}
	if err := readJSON(filepath.Join(dir, "aggregated_v2.json"), &doc); err != nil {
		return err
	}
	apiVersion := func(k kind) string {
		if k.Version == "" {
			return ""
		}
		return k.Group + "/" + k.Version
	}
	want, got := map[string]bool{}, map[string]bool{}
	say := func(set map[string]bool, parts ...string) { set[strings.Join(parts, " ")] = true }
	words := func(list []string) string { sort.Strings(list); return strings.Join(list, ",") }
	for _, g := range doc.Items {
		for _, v := range g.Versions {
			for _, r := range v.Resources {
				say(want, g.Metadata.Name, v.Version, r.Resource, strings.ToLower(r.Scope), apiVersion(r.ResponseKind), r.ResponseKind.Kind,
					r.SingularResource, words(r.Verbs), words(r.ShortNames), words(r.Categories))
				for _, s := range r.Subresources {
					say(want, g.Metadata.Name, v.Version, r.Resource, s.Subresource, apiVersion(s.ResponseKind), s.ResponseKind.Kind, words(s.Verbs))
				}
			}
		}
	}
	for _, g := range t.Groups[1:] {
		for _, r := range g.Resources {
			scope := map[bool]string{true: "namespaced", false: "cluster"}[r.Namespaced]
			say(got, g.Name, r.Version, r.Name, scope, r.KindVersion, r.Kind, r.Singular, words(r.Verbs),
				words(append([]string{}, r.Short...)), words(append([]string{}, r.Categories...)))
			for _, s := range r.Subs {
				say(got, g.Name, r.Version, r.Name, s.Name, s.KindVersion, s.Kind, words(s.Verbs))
			}
		}
	}
	for line := range want {
		if !got[line] {
			b.problem("aggregated discovery says %q, the plain documents do not", line)
		}
	}
	for line := range got {
		if !want[line] {
			b.problem("plain discovery says %q, the aggregated document does not", line)
		}
	}
	return nil
}
