package main

import (
	"go/ast"
	"reflect"
	"strconv"
	"strings"
)

// GoField is one struct field with its tags taken apart.
type GoField struct {
	Name, JSON, Type    string
	Omit                string
	Inline              bool
	Num                 int
	Proto               string
	Patch, MergeKey     string
	Doc                 Markers
	Ignored, NoJSONName bool
}

func (t *GoType) fields(typeName func(ast.Expr, map[string]string) string) []GoField {
	st, ok := t.Expr.(*ast.StructType)
	if !ok {
		return nil
	}
	var out []GoField
	for _, f := range st.Fields.List {
		tag := reflect.StructTag("")
		if f.Tag != nil {
			text, _ := strconv.Unquote(f.Tag.Value)
			tag = reflect.StructTag(text)
		}
		typ := typeName(f.Type, t.imports)
		names := []string{typ[strings.LastIndex(typ, ".")+1:]}
		if len(f.Names) > 0 {
			names = nil
			for _, n := range f.Names {
				names = append(names, n.Name)
			}
		}
		for _, name := range names {
			out = append(out, oneField(name, typ, tag, markers(f.Doc, f.Comment), len(f.Names) == 0))
		}
	}
	return out
}

func oneField(name, typ string, tag reflect.StructTag, doc Markers, embedded bool) GoField {
	g := GoField{Name: name, Type: typ, Doc: doc, Omit: "-", Patch: tag.Get("patchStrategy"), MergeKey: tag.Get("patchMergeKey")}
	parts := strings.Split(tag.Get("json"), ",")
	g.JSON = parts[0]
	for _, opt := range parts[1:] {
		switch opt {
		case "omitempty":
			g.Omit = strings.TrimPrefix(g.Omit, "-") + "e"
		case "omitzero":
			g.Omit = strings.TrimPrefix(g.Omit, "-") + "z"
		case "inline":
			g.Inline = true
		}
	}
	g.Inline = g.Inline || embedded && g.JSON == ""
	g.Ignored = g.JSON == "-"
	g.NoJSONName = g.JSON == "" && !g.Inline
	if g.NoJSONName {
		g.JSON = name
	}
	for i, part := range strings.Split(tag.Get("protobuf"), ",") {
		if i == 1 {
			g.Num, _ = strconv.Atoi(part)
		}
		if v, ok := strings.CutPrefix(part, "name="); ok {
			g.Proto = v
		}
	}
	return g
}
