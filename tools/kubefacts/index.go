package main

import "strings"

// Index finds things in a table that was read back from its text.
type Index struct {
	packages map[string]*Package
	messages map[string]*Message // "core/v1.Pod"
	aliases  map[string]*Alias
	strings  map[string]*StringType
	kinds    map[string]string // "apps/v1.Deployment" (apiVersion.Kind) -> message
}

var builtinTypes = map[string]string{ // Go type -> protobuf type
	"string": "string", "bool": "bool", "int32": "int32", "int64": "int64", "int": "int64", "uint32": "uint32",
	"float64": "double", "bytes": "bytes", "any": "-",
}

func newIndex(t *Table) *Index {
	x := &Index{map[string]*Package{}, map[string]*Message{}, map[string]*Alias{}, map[string]*StringType{}, map[string]string{}}
	for _, p := range t.Packages {
		x.packages[p.ID] = p
		for _, m := range p.Messages {
			x.messages[p.ID+"."+m.Name] = m
			if m.Kind != "" {
				x.kinds[m.Kind+"."+m.Name] = p.ID + "." + m.Name
			}
		}
		for _, a := range p.Aliases {
			x.aliases[p.ID+"."+a.Name] = a
		}
		for _, s := range p.Strings {
			x.strings[p.ID+"."+s.Name] = s
		}
	}
	return x
}

// full qualifies a name of package id.
func full(id, name string) string {
	if strings.Contains(name, ".") {
		return name
	}
	return id + "." + name
}

func packageOf(name string) string { return name[:strings.LastIndex(name, ".")] }

// under follows aliases and named strings. The answer is an expression relative to the package id it returns.
func (x *Index) under(id, typ string) (string, string) {
	for {
		if isExpr(typ) || builtinTypes[typ] != "" {
			return id, typ
		}
		name := full(id, typ)
		if x.strings[name] != nil {
			return id, "string"
		}
		a := x.aliases[name]
		if a == nil {
			return id, typ
		}
		id, typ = packageOf(name), a.Type
	}
}

func isExpr(typ string) bool {
	return strings.HasPrefix(typ, "*") || strings.HasPrefix(typ, "[]") || strings.HasPrefix(typ, "{")
}

func (x *Index) message(id, typ string) (*Message, string) {
	name := full(id, typ)
	return x.messages[name], packageOf(name)
}
