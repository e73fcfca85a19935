package main

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// builder joins the sources into one Table.
type builder struct {
	dirs         map[string]string // module path -> directory
	gos          map[string]*GoPackage
	ids          map[string]string // Go import path -> package id
	byID         map[string]*Package
	openapi      *OpenAPI
	problems     []string
	impliedEqual int // schema facts that the table leaves out and the OpenAPI document confirms
	enumsEqual   int // fields whose enum the server's own schemas confirm
	derived      int // schema facts re-derived from Go markers and found equal to the OpenAPI document
}

func (b *builder) problem(format string, args ...any) {
	b.problems = append(b.problems, fmt.Sprintf(format, args...))
}

func build(dirs map[string]string, order *orderRules) (*Table, *builder, error) {
	b := &builder{dirs: dirs, gos: map[string]*GoPackage{}, ids: map[string]string{}, byID: map[string]*Package{}}
	kube := dirs["k8s.io/kubernetes"]
	var err error
	if b.openapi, err = readOpenAPI(filepath.Join(kube, "api/openapi-spec/v3")); err != nil {
		return nil, nil, err
	}
	protos := map[string]*ProtoFile{}
	paths := append([]string{}, extraPackages...)
	for module, dir := range dirs {
		if module == "k8s.io/kubernetes" {
			continue
		}
		err := filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
			if err != nil || d.Name() != "generated.proto" {
				return err
			}
			path := module + filepath.ToSlash(strings.TrimPrefix(filepath.Dir(file), dir))
			if skipPackages[path] {
				return nil
			}
			paths = append(paths, path)
			protos[path], err = readProto(file)
			return err
		})
		if err != nil {
			return nil, nil, err
		}
	}
	for _, path := range paths {
		module := strings.Join(strings.Split(path, "/")[:2], "/")
		if b.gos[path], err = readGo(filepath.Join(dirs[module], strings.TrimPrefix(path, module)), path); err != nil {
			return nil, nil, err
		}
		b.ids[path] = packageID(path)
	}
	for _, p := range b.gos {
		p.settle(b.gos)
	}
	t := &Table{}
	for _, path := range paths {
		pkg := &Package{ID: b.ids[path], Go: path, OpenAPI: openapiPrefix(path), Group: b.group(path), Version: "-"}
		if pkg.Group != "-" {
			pkg.Version = filepath.Base(path)
		}
		b.byID[pkg.ID] = pkg
		t.Packages = append(t.Packages, pkg)
	}
	sort.Slice(t.Packages, func(i, j int) bool { return t.Packages[i].ID < t.Packages[j].ID })
	for _, pkg := range t.Packages {
		b.fill(pkg, protos[pkg.Go])
	}
	b.dropUnused(t)
	b.schemas(t)
	order.apply(t, b)
	if err := b.discovery(t, filepath.Join(kube, "api/discovery")); err != nil {
		return nil, nil, err
	}
	if err := b.aggregated(t, filepath.Join(kube, "api/discovery")); err != nil {
		return nil, nil, err
	}
	b.leftOut(t)
	return t, b, b.enums(t, kube)
}

func (b *builder) group(path string) string {
	if strings.HasPrefix(path, "k8s.io/apimachinery/") && !strings.Contains(path, "/apis/") {
		return "-"
	}
	if g := b.gos[path].Group; g != "-" {
		return g
	}
	// The group name of apiextensions and apiregistration stands in the unversioned package above.
	dir := filepath.Dir(path)
	module := strings.Join(strings.Split(path, "/")[:2], "/")
	if p, err := readGo(filepath.Join(b.dirs[module], strings.TrimPrefix(dir, module)), dir); err == nil {
		return p.Group
	}
	return "-"
}

// typeName writes a Go type over the table's names; see "Type expressions" in docs/kube-facts.md. Names of the package
// itself stay bare, unless own says in whose name they are read.
func (b *builder) typeName(own string) func(ast.Expr, map[string]string) string {
	var name func(ast.Expr, map[string]string) string
	name = func(e ast.Expr, imports map[string]string) string {
		switch t := e.(type) {
		case *ast.Ident:
			if own != "" && ast.IsExported(t.Name) {
				return own + "." + t.Name
			}
			return t.Name
		case *ast.StarExpr:
			return "*" + name(t.X, imports)
		case *ast.ArrayType:
			if id, ok := t.Elt.(*ast.Ident); ok && id.Name == "byte" {
				return "bytes"
			}
			return "[]" + name(t.Elt, imports)
		case *ast.MapType:
			key := name(t.Key, imports)
			if key == "string" {
				key = ""
			}
			return "{" + key + "}" + name(t.Value, imports)
		case *ast.InterfaceType:
			return "any"
		case *ast.SelectorExpr:
			path := imports[t.X.(*ast.Ident).Name]
			if id, ok := b.ids[path]; ok {
				return id + "." + t.Sel.Name
			}
			return path + "." + t.Sel.Name
		}
		return "?"
	}
	return name
}

func (b *builder) fill(pkg *Package, proto *ProtoFile) {
	src := b.gos[pkg.Go]
	wanted := map[string]bool{}
	if proto != nil {
		pkg.Proto = proto.Package
		for name := range proto.Messages {
			wanted[name] = true
		}
	}
	delete(wanted, skipMessages[pkg.ID])
	for _, name := range noProtoMessages[pkg.ID] {
		wanted[name] = true
	}
	names := b.typeName("")
	seen := map[string]bool{}
	for _, name := range src.Order {
		typ := src.Types[name]
		if seen[name] {
			continue
		}
		seen[name] = true
		switch expr := typ.Expr.(type) {
		case *ast.Ident:
			if expr.Name == "string" && !typ.IsAlias {
				closed := typ.Doc.has("enum") || typ.Doc.has("k8s:enum")
				pkg.Strings = append(pkg.Strings, &StringType{name, closed, src.Consts[name]})
				continue
			}
		case *ast.StructType:
			if wanted[name] {
				pkg.Messages = append(pkg.Messages, b.message(pkg, src, typ, proto))
			}
			continue
		case *ast.InterfaceType, *ast.FuncType:
			continue
		}
		if wanted[name] {
			pkg.Messages = append(pkg.Messages, b.message(pkg, src, typ, proto))
			continue
		}
		pkg.Aliases = append(pkg.Aliases, &Alias{name, names(typ.Expr, typ.imports)})
	}
	for name := range wanted {
		if src.Types[name] == nil {
			b.problem("%s.%s: in generated.proto but not in the Go sources", pkg.ID, name)
		}
	}
}

func (b *builder) message(pkg *Package, src *GoPackage, typ *GoType, proto *ProtoFile) *Message {
	full := pkg.ID + "." + typ.Name
	m := &Message{Name: typ.Name, Codec: codecs[full], MapType: typ.Doc.first("structType"), Deprecated: typ.Doc.Deprecated}
	if src.OwnJSON[typ.Name] != (m.Codec != "") {
		b.problem("%s: MarshalJSON in Go is %v, codec in the table is %q", full, src.OwnJSON[typ.Name], m.Codec)
	}
	if src.Kinds[typ.Name] && pkg.ID != "meta/v1" && pkg.Group != "-" {
		m.Kind = strings.TrimPrefix(pkg.Group+"/"+pkg.Version, "/")
	}
	if pkg.ID == "meta/v1" {
		m.Kind = metaKinds[typ.Name]
	}
	life := src.Lifecycle[typ.Name]
	m.Introduced, m.DeprIn, m.Removed, m.Replaced = life["Introduced"], life["Deprecated"], life["Removed"], life["Replacement"]
	var wire []ProtoField
	if proto != nil {
		wire = proto.Messages[typ.Name]
	}
	if proto == nil || !proto.has(typ.Name) {
		m.NoProto = true
	}
	typ = b.structUnder(typ)
	if m.Codec != "" || !isStruct(typ) {
		b.protoOnly(pkg, m, typ, wire)
		return m
	}
	m.Fields = b.fields(pkg, full, typ, wire, m.NoProto)
	for _, f := range m.Fields {
		if f.JSON == "items" && m.Kind != "" {
			m.ListOf = strings.TrimLeft(f.Type, "[]*")
		}
	}
	return m
}

// structUnder follows "type X other.Struct" (a defined type, with a message of its own) to the struct it is made of.
func (b *builder) structUnder(typ *GoType) *GoType {
	sel, ok := typ.Expr.(*ast.SelectorExpr)
	if !ok {
		return typ
	}
	path := typ.imports[sel.X.(*ast.Ident).Name]
	other := b.gos[path]
	if other == nil || other.Types[sel.Sel.Name] == nil {
		return typ
	}
	under := *other.Types[sel.Sel.Name]
	under.home = b.ids[path]
	return &under
}

func isStruct(t *GoType) bool { _, ok := t.Expr.(*ast.StructType); return ok }

// protoOnly: the Go type is no plain struct (its own codec, or a slice that protobuf wraps), so its .proto speaks.
func (b *builder) protoOnly(pkg *Package, m *Message, typ *GoType, wire []ProtoField) {
	m.Wrap = !isStruct(typ)
	for _, w := range wire {
		f := &Field{JSON: w.Name, Num: w.Num, Wire: w.Wire, Type: strings.TrimSuffix(w.Wire, "msg"), Omit: "-", Go: upperFirst(w.Name), Proto: w.Name}
		if w.Ref != "" {
			f.Type += b.protoRef(pkg, w.Ref)
		}
		if m.Wrap {
			f.Type = b.typeName("")(typ.Expr, typ.imports)
		}
		m.Fields = append(m.Fields, f)
	}
	// In Go these members are pointers: the recursion ends there.
	if strings.HasPrefix(m.Codec, "JSONSchemaPropsOr") {
		for _, f := range m.Fields {
			if f.Type == "JSONSchemaProps" {
				f.Type = "*" + f.Type
			}
		}
	}
}

func (b *builder) protoRef(pkg *Package, full string) string {
	i := strings.LastIndex(full, ".")
	for _, p := range b.byID {
		if strings.ReplaceAll(strings.ReplaceAll(p.Go, "/", "."), "-", "_") == full[:i] {
			if p == pkg {
				return full[i+1:]
			}
			return p.ID + full[i:]
		}
	}
	return full
}

func (b *builder) fields(pkg *Package, full string, typ *GoType, wire []ProtoField, noProto bool) []*Field {
	byName, byNum := map[string]ProtoField{}, map[int]ProtoField{}
	for _, w := range wire {
		byName[w.Name], byNum[w.Num] = w, w
	}
	used := map[int]bool{}
	var out []*Field
	for _, g := range typ.fields(b.typeName(typ.home)) {
		if g.Ignored {
			continue
		}
		if g.NoJSONName {
			b.problem("%s.%s: no JSON name", full, g.Name)
		}
		f := &Field{JSON: g.JSON, Type: g.Type, Omit: g.Omit, Inline: g.Inline, Go: g.Name, Wire: "-",
			Gate: g.Doc.first("featureGate"), Depr: g.Doc.Deprecated}
		for _, name := range []string{"oneOf", "zeroOrOneOf"} {
			if g.Doc.has(name) {
				f.OneOf = g.Doc.first(name)
			}
		}
		if g.Doc.has("unionDiscriminator") {
			f.OneOf = "discriminator"
		}
		if g.Inline {
			f.JSON, f.Omit = "-", "-"
		}
		w, ok := byNum[g.Num]
		if ok {
			f.Num, f.Wire, f.Proto = w.Num, w.Wire, w.Name
			used[w.Num] = true
			if g.Proto != "" && g.Proto != w.Name {
				b.problem("%s.%s: protobuf tag says %s, generated.proto says %s", full, g.Name, g.Proto, w.Name)
			}
		} else if !noProto && !strings.HasSuffix(g.Type, "TypeMeta") {
			b.problem("%s.%s: JSON field %q has no protobuf field", full, g.Name, g.JSON)
		}
		f.Schema = b.derive(pkg, f, g)
		out = append(out, f)
	}
	for _, w := range wire {
		if !used[w.Num] {
			b.problem("%s: protobuf field %s = %d has no Go field", full, w.Name, w.Num)
		}
	}
	return out
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
