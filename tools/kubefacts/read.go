package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// reader parses the table's text. Each line is words; the first says what the line is, and it belongs to the last
// group, resource, package or message above it.
type reader struct {
	t *Table
	g *Group
	r *Resource
	p *Package
	m *Message
}

func readTable(in io.Reader) (*Table, error) {
	r := &reader{t: &Table{}}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		if err := r.line(strings.Fields(line)); err != nil {
			return nil, fmt.Errorf("line %d: %v: %q", n, err, line)
		}
	}
	return r.t, lines.Err()
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// attrs takes "name=value" words and bare flags (value "").
func attrs(words []string) map[string]string {
	out := map[string]string{}
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		out[name] = value
	}
	return out
}

func has(a map[string]string, name string) bool { _, ok := a[name]; return ok }

func unword(s string) string {
	if strings.HasPrefix(s, `"`) {
		var text string
		if json.Unmarshal([]byte(s), &text) == nil {
			return text
		}
	}
	return s
}

func consts(words []string) []Const {
	var out []Const
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		out = append(out, Const{name, unword(value)})
	}
	return out
}

func (r *reader) line(w []string) error {
	need := map[string]int{"facts": 2, "kubernetes": 2, "module": 3, "group": 2, "resource": 5, "sub": 3, "package": 2,
		"string": 2, "alias": 3, "message": 2, "f": 6, "u": 2, "o": 2}
	if len(w) == 0 || need[w[0]] == 0 || len(w) < need[w[0]] {
		return fmt.Errorf("line not understood")
	}
	a := attrs(w[need[w[0]]:])
	switch w[0] {
	case "facts":
		if w[1] != "1" {
			return fmt.Errorf("format %s is not 1", w[1])
		}
	case "kubernetes":
		r.t.Kubernetes = w[1]
	case "module":
		r.t.Modules = append(r.t.Modules, w[1]+" "+w[2])
	case "group":
		r.g = &Group{Name: unword(w[1]), Versions: split(a["versions"])}
		r.t.Groups = append(r.t.Groups, r.g)
	case "resource":
		r.r = &Resource{Version: w[1], Name: w[2], Kind: w[3], Namespaced: w[4] == "namespaced", KindVersion: a["apiVersion"],
			Singular: a["singular"], Short: split(a["short"]), Categories: split(a["categories"]), Verbs: split(a["verbs"]),
			Deletes: a["delete"], Hash: a["hash"]}
		r.g.Resources = append(r.g.Resources, r.r)
	case "sub":
		r.r.Subs = append(r.r.Subs, &Sub{Name: w[1], Kind: w[2], KindVersion: a["apiVersion"], Verbs: split(a["verbs"]), Requests: split(a["calls"])})
	case "package":
		r.p = &Package{ID: w[1], Group: unword(a["group"]), Version: a["version"], Go: a["go"], Proto: a["proto"], OpenAPI: a["openapi"]}
		r.t.Packages = append(r.t.Packages, r.p)
	case "string":
		s := &StringType{Name: w[1]}
		rest := w[2:]
		if len(rest) > 0 && rest[0] == "closed" {
			s.Closed, rest = true, rest[1:]
		}
		s.Consts = consts(rest)
		r.p.Strings = append(r.p.Strings, s)
	case "alias":
		r.p.Aliases = append(r.p.Aliases, &Alias{w[1], w[2]})
	case "message":
		r.m = &Message{Name: w[1], Kind: a["kind"], ListOf: a["listof"], Codec: a["codec"], Wrap: has(a, "wrap"), Schema: has(a, "schema"),
			NoProto: has(a, "noproto"), MapType: a["map"], Deprecated: has(a, "deprecated"), Introduced: a["introduced"],
			DeprIn: a["deprecatedin"], Removed: a["removed"], Replaced: a["replacement"]}
		r.p.Messages = append(r.p.Messages, r.m)
	case "f":
		return r.field(w, a)
	case "u":
		u := Union{Members: consts(w[2:])}
		if w[1] != "-" {
			u.Discriminator = w[1]
		}
		r.m.Unions = append(r.m.Unions, u)
	case "o":
		r.m.Order = w[1:]
	}
	return nil
}

func (r *reader) field(w []string, a map[string]string) error {
	num, err := strconv.Atoi(w[2])
	if err != nil {
		return err
	}
	f := &Field{JSON: w[1], Num: num, Wire: w[3], Type: w[4], Omit: w[5], Inline: has(a, "inline"), Go: a["go"], Proto: a["proto"],
		OneOf: a["oneof"], Gate: a["gate"], Depr: has(a, "deprecated"),
		Schema: Schema{Required: has(a, "req"), Default: a["default"], List: a["list"], Keys: split(a["keys"]), Map: a["map"],
			Patch: a["patch"], MergeKey: a["mergekey"]}}
	if f.Go == "" {
		f.Go = upperFirst(f.JSON)
	}
	if f.Proto == "" {
		f.Proto = f.JSON
	}
	r.m.Fields = append(r.m.Fields, f)
	return nil
}
