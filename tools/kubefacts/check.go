package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

// checker proves that a table is whole, by its text alone: what it names exists, and what it says twice agrees.
type checker struct {
	*Index
	t        *Table
	problems []string
}

func (c *checker) problem(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

func checkTable(t *Table, size int) error {
	c := &checker{Index: newIndex(t), t: t}
	var n struct{ packages, messages, fields, kinds, lists, strings, closed, consts, aliases, resources, subs, groups, versions int }
	for _, p := range t.Packages {
		n.packages++
		n.strings += len(p.Strings)
		n.aliases += len(p.Aliases)
		for _, s := range p.Strings {
			n.consts += len(s.Consts)
			if s.Closed {
				n.closed++
			}
		}
		for _, a := range p.Aliases {
			c.references(p.ID, p.ID+"."+a.Name, a.Type)
		}
		for _, m := range p.Messages {
			n.messages++
			n.fields += len(m.Fields)
			if m.Kind != "" {
				n.kinds++
			}
			if m.ListOf != "" {
				n.lists++
			}
			c.message(p, m)
		}
	}
	for _, g := range t.Groups {
		n.groups++
		n.versions += len(g.Versions)
		for _, r := range g.Resources {
			n.resources++
			n.subs += len(r.Subs)
			c.resource(g, r)
		}
	}
	if cycle := c.valueCycle(); cycle != "" {
		c.problem("%s contains itself by value", cycle)
	}
	if cycle := c.packageCycle(); cycle != "" {
		c.problem("packages refer to each other in a circle: %s", cycle)
	}
	for _, p := range c.problems {
		fmt.Fprintln(os.Stderr, "table:", p)
	}
	fmt.Printf("table: %d bytes; %d packages, %d messages (%d kinds, %d of them lists), %d fields; %d named strings (%d closed) "+
		"with %d constants, %d aliases; %d groups, %d versions, %d resources, %d subresources\n", size, n.packages, n.messages,
		n.kinds, n.lists, n.fields, n.strings, n.closed, n.consts, n.aliases, n.groups, n.versions, n.resources, n.subs)
	if len(c.problems) > 0 {
		return fmt.Errorf("%d problems in the table", len(c.problems))
	}
	return nil
}

func (c *checker) references(id, where, typ string) {
	for _, name := range typeNames(typ) {
		q := full(id, name)
		if builtinTypes[name] == "" && c.messages[q] == nil && c.aliases[q] == nil && c.strings[q] == nil {
			c.problem("%s: type %q is not in the table", where, name)
		}
	}
}

func (c *checker) message(p *Package, m *Message) {
	where := p.ID + "." + m.Name
	numbers := map[int]bool{}
	for _, f := range m.Fields {
		at := where + "." + f.JSON
		c.references(p.ID, at, f.Type)
		if f.Num == 0 && !m.NoProto && !(f.Inline && strings.HasSuffix(f.Type, "TypeMeta")) {
			c.problem("%s: no protobuf number", at)
		}
		if f.Num != 0 && numbers[f.Num] {
			c.problem("%s: protobuf number %d is taken", at, f.Num)
		}
		numbers[f.Num] = true
		if want := c.wire(p.ID, f.Type); f.Num != 0 && f.Wire != want {
			c.problem("%s: protobuf type %s, but Go type %s would be %s", at, f.Wire, f.Type, want)
		}
		c.field(p.ID, at, f)
	}
	if m.ListOf != "" {
		if item, _ := c.Index.message(p.ID, m.ListOf); item == nil {
			c.problem("%s: list of %s, which is not in the table", where, m.ListOf)
		}
	}
	names := c.flat(p.ID, m)
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			c.problem("%s: JSON name %q twice", where, name)
		}
		seen[name] = true
	}
	if m.Order != nil && !sameSet(m.Order, names) {
		c.problem("%s: order line and fields differ", where)
	}
	for _, u := range m.Unions {
		for _, member := range append([]Const{{u.Discriminator, ""}}, u.Members...) {
			if member.Name != "" && !seen[member.Name] {
				c.problem("%s: union names %q, which is no field", where, member.Name)
			}
		}
	}
}

// field: what a schema fact names must exist in the type it speaks of.
func (c *checker) field(id, at string, f *Field) {
	if f.Schema.Default != "" && !json.Valid([]byte(f.Schema.Default)) {
		c.problem("%s: default %s is not JSON", at, f.Schema.Default)
	}
	if (f.Schema.List == "map") != (len(f.Schema.Keys) > 0) {
		c.problem("%s: list=%s with keys %v", at, f.Schema.List, f.Schema.Keys)
	}
	keys := f.Schema.Keys
	if f.Schema.MergeKey != "" {
		keys = append(append([]string{}, keys...), f.Schema.MergeKey)
	}
	if len(keys) == 0 {
		return
	}
	itemID, typ := c.under(id, f.Type)
	itemID, typ = c.under(itemID, strings.TrimPrefix(typ, "[]"))
	item, mid := c.Index.message(itemID, typ)
	if item == nil {
		c.problem("%s: keys on a list of %s", at, typ)
		return
	}
	names := map[string]bool{}
	for _, name := range c.flat(mid, item) {
		names[name] = true
	}
	for _, key := range keys {
		if !names[key] {
			c.problem("%s: key %q is no field of %s", at, key, item.Name)
		}
	}
}

// wire is the protobuf type a Go type must have.
func (c *checker) wire(id, typ string) string {
	id, typ = c.under(id, typ)
	switch {
	case strings.HasPrefix(typ, "*"):
		return c.wire(id, typ[1:])
	case strings.HasPrefix(typ, "[]"):
		return "[]" + c.wire(id, typ[2:])
	case strings.HasPrefix(typ, "{"):
		return "{}" + c.wire(id, typ[strings.IndexByte(typ, '}')+1:])
	case builtinTypes[typ] != "":
		return builtinTypes[typ]
	}
	return "msg"
}

func (c *checker) flat(id string, m *Message) []string {
	var out []string
	for _, f := range m.Fields {
		if !f.Inline {
			out = append(out, f.JSON)
			continue
		}
		if inner, innerID := c.Index.message(c.under(id, f.Type)); inner != nil {
			out = append(out, c.flat(innerID, inner)...)
		}
	}
	return out
}

func (c *checker) resource(g *Group, r *Resource) {
	own := strings.TrimPrefix(g.Name+"/"+r.Version, "/")
	find := func(apiVersion, kind, what string) {
		if apiVersion == "" {
			apiVersion = own
		}
		if c.kinds[apiVersion+"."+kind] == "" {
			c.problem("%s %s: kind %s %s is no message", own, what, apiVersion, kind)
		}
	}
	find(r.KindVersion, r.Kind, r.Name)
	for _, verb := range r.Verbs {
		if verb == "list" {
			find(r.KindVersion, r.Kind+"List", r.Name)
		}
	}
	for _, s := range r.Subs {
		find(s.KindVersion, s.Kind, r.Name+"/"+s.Name)
		for _, call := range s.Requests {
			_, types, _ := strings.Cut(call, ":")
			for _, name := range strings.Split(types, ">") {
				if name != "" && c.messages[name] == nil {
					c.problem("%s %s/%s: %s is no message", own, r.Name, s.Name, name)
				}
			}
		}
	}
}

func sameSet(a, b []string) bool {
	x, y := append([]string{}, a...), append([]string{}, b...)
	sort.Strings(x)
	sort.Strings(y)
	return strings.Join(x, " ") == strings.Join(y, " ")
}
