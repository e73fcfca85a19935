package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// GoPackage is what the Go sources of one package say: types in declaration order, constants, registered kinds,
// lifecycle functions and which types bring their own JSON form.
type GoPackage struct {
	Path      string
	Group     string
	Order     []string
	Types     map[string]*GoType
	Consts    map[string][]Const // by named type
	constVals map[string]string  // by constant name
	consts    []constRef
	Kinds     map[string]bool
	OwnJSON   map[string]bool
	Lifecycle map[string]map[string]string // type -> Introduced, Deprecated, Removed, Replacement
}

type GoType struct {
	Name    string
	Expr    ast.Expr
	IsAlias bool // type X = Y
	Doc     Markers
	imports map[string]string
	home    string // package id its bare names belong to, when that is not the package it is used in
}

// Markers are the "+name=value" comments of a declaration; the prose is dropped.
type Markers struct {
	Values     map[string][]string
	Deprecated bool
}

func (m Markers) first(name string) string {
	if v := m.Values[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

func (m Markers) has(name string) bool { return m.Values[name] != nil }

func markers(groups ...*ast.CommentGroup) Markers {
	m := Markers{Values: map[string][]string{}}
	for _, g := range groups {
		if g == nil {
			continue
		}
		for _, line := range strings.Split(g.Text(), "\n") {
			line = strings.TrimSpace(line)
			upper := strings.ToUpper(line)
			if strings.HasPrefix(upper, "DEPRECATED:") || strings.HasPrefix(upper, "DEPRECATED.") {
				m.Deprecated = true
			}
			if !strings.HasPrefix(line, "+") {
				continue
			}
			name, value, _ := strings.Cut(line[1:], "=")
			m.Values[name] = append(m.Values[name], strings.TrimSpace(value))
		}
	}
	return m
}

func readGo(dir, path string) (*GoPackage, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no Go files in %s: %v", dir, err)
	}
	sort.Strings(names)
	p := &GoPackage{Path: path, Group: "-", Types: map[string]*GoType{}, Consts: map[string][]Const{},
		constVals: map[string]string{}, Kinds: map[string]bool{}, OwnJSON: map[string]bool{},
		Lifecycle: map[string]map[string]string{}}
	for _, name := range names {
		base := filepath.Base(name)
		generated := strings.HasPrefix(base, "zz_") && base != "zz_generated.prerelease-lifecycle.go"
		if strings.HasSuffix(base, "_test.go") || base == "generated.pb.go" || generated || base == "fieldsv1_string.go" {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.scan(file)
	}
	if group, ok := p.constVals["GroupName"]; ok {
		p.Group = group
	}
	return p, nil
}

func (p *GoPackage) scan(file *ast.File) {
	imports := map[string]string{}
	for _, imp := range file.Imports {
		path, _ := strconv.Unquote(imp.Path.Value)
		name := filepath.Base(path)
		if imp.Name != nil {
			name = imp.Name.Name
		}
		imports[name] = path
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.GenDecl:
			p.scanGen(d, imports)
		case *ast.FuncDecl:
			p.scanFunc(d)
		}
	}
}

func (p *GoPackage) scanGen(d *ast.GenDecl, imports map[string]string) {
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if !s.Name.IsExported() {
				continue
			}
			doc := s.Doc
			if doc == nil {
				doc = d.Doc
			}
			p.Order = append(p.Order, s.Name.Name)
			p.Types[s.Name.Name] = &GoType{s.Name.Name, s.Type, s.Assign.IsValid(), markers(doc), imports, ""}
		case *ast.ValueSpec:
			if d.Tok == token.CONST {
				p.scanConst(s, imports)
			}
		}
	}
}

func (p *GoPackage) scanConst(s *ast.ValueSpec, imports map[string]string) {
	for i, name := range s.Names {
		if i >= len(s.Values) {
			continue
		}
		typ, value := s.Type, s.Values[i]
		if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 1 { // const X = Type("x")
			typ, value = call.Fun, call.Args[0]
		}
		c := constRef{name: name.Name}
		if id, ok := typ.(*ast.Ident); ok {
			c.typ = id.Name
		}
		switch v := value.(type) {
		case *ast.BasicLit:
			if v.Kind != token.STRING {
				continue
			}
			text, _ := strconv.Unquote(v.Value)
			p.constVals[name.Name] = text
		case *ast.Ident:
			c.path, c.ref = p.Path, v.Name
		case *ast.SelectorExpr:
			c.path, c.ref = imports[v.X.(*ast.Ident).Name], v.Sel.Name
		default:
			continue
		}
		p.consts = append(p.consts, c)
	}
}

// constRef is a string constant; path and ref name the constant it copies.
type constRef struct{ name, typ, path, ref string }

// settle gives every named type its constants, once all packages are read.
func (p *GoPackage) settle(all map[string]*GoPackage) {
	for _, c := range p.consts {
		value, ok := p.constVals[c.name]
		if other := all[c.path]; !ok && other != nil {
			value, ok = other.constVals[c.ref]
		}
		if ok && c.typ != "" && ast.IsExported(c.name) {
			p.Consts[c.typ] = append(p.Consts[c.typ], Const{c.name, value})
		}
	}
}

func (p *GoPackage) scanFunc(d *ast.FuncDecl) {
	if d.Recv != nil {
		recv := d.Recv.List[0].Type
		if star, ok := recv.(*ast.StarExpr); ok {
			recv = star.X
		}
		id, ok := recv.(*ast.Ident)
		if !ok {
			return
		}
		if d.Name.Name == "MarshalJSON" {
			p.OwnJSON[id.Name] = true
		}
		if what, ok := strings.CutPrefix(d.Name.Name, "APILifecycle"); ok {
			p.lifecycle(id.Name, what, d.Body)
		}
		return
	}
	ast.Inspect(d, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || !strings.HasPrefix(sel.Sel.Name, "AddKnownType") {
			return true
		}
		for _, arg := range call.Args {
			if ref, ok := arg.(*ast.UnaryExpr); ok {
				if lit, ok := ref.X.(*ast.CompositeLit); ok {
					if id, ok := lit.Type.(*ast.Ident); ok {
						p.Kinds[id.Name] = true
					}
				}
			}
		}
		return true
	})
}

func (p *GoPackage) lifecycle(typ, what string, body *ast.BlockStmt) {
	ret, ok := body.List[0].(*ast.ReturnStmt)
	if !ok {
		return
	}
	var parts []string
	for _, r := range ret.Results {
		switch v := r.(type) {
		case *ast.BasicLit:
			parts = append(parts, v.Value)
		case *ast.CompositeLit:
			for _, e := range v.Elts {
				text, _ := strconv.Unquote(e.(*ast.KeyValueExpr).Value.(*ast.BasicLit).Value)
				parts = append(parts, text)
			}
		}
	}
	if p.Lifecycle[typ] == nil {
		p.Lifecycle[typ] = map[string]string{}
	}
	sep := "."
	if what == "Replacement" { // group, version, kind
		sep = "/"
	}
	p.Lifecycle[typ][what] = strings.Join(parts, sep)
}
