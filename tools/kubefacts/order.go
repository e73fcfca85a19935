package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// orderRules is tools/kubefacts/order.txt: the order in which people write YAML, where it is not Go's.
type orderRules struct {
	first []string            // names that come first in every message
	exact map[string][]string // "core/v1.Container" or "*.Container"
	used  map[string]bool
}

func readOrder(path string) (*orderRules, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rules := &orderRules{exact: map[string][]string{}, used: map[string]bool{}}
	name := ""
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if head, tail, ok := strings.Cut(line, ":"); ok {
			name = strings.TrimSpace(head)
			line = tail
		}
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case name == "":
			return nil, fmt.Errorf("%s: %q stands before any \"package.Message:\"", path, line)
		case name == "first":
			rules.first = append(rules.first, words...)
		default:
			rules.exact[name] = append(rules.exact[name], words...)
		}
	}
	return rules, lines.Err()
}

func (r *orderRules) apply(t *Table, b *builder) {
	for _, pkg := range t.Packages {
		for _, m := range pkg.Messages {
			if m.Codec != "" || m.Wrap {
				continue
			}
			declared := b.flatten(pkg, m)
			var names []string
			for _, f := range declared {
				names = append(names, f.JSON)
			}
			ordered := r.order(pkg, m, declared, b)
			if strings.Join(ordered, " ") != strings.Join(names, " ") {
				m.Order = ordered
			}
		}
	}
	for name := range r.exact {
		if !r.used[name] {
			b.problem("order.txt: %s names no message", name)
		}
	}
}

func (b *builder) flatten(pkg *Package, m *Message) []*Field {
	var out []*Field
	for _, f := range m.Fields {
		if !f.Inline {
			out = append(out, f)
			continue
		}
		if inner, p := b.find(pkg, f.Type); inner != nil {
			out = append(out, b.flatten(p, inner)...)
		}
	}
	return out
}

// order: what the rule of this message names, then the names that come first everywhere, then required scalars, then
// Go's declaration order.
func (r *orderRules) order(pkg *Package, m *Message, fields []*Field, b *builder) []string {
	var out []string
	has, done := map[string]bool{}, map[string]bool{}
	for _, f := range fields {
		has[f.JSON] = true
	}
	take := func(name string) {
		if has[name] && !done[name] {
			done[name] = true
			out = append(out, name)
		}
	}
	for _, key := range []string{pkg.ID + "." + m.Name, "*." + m.Name} {
		rule, ok := r.exact[key]
		if !ok {
			continue
		}
		r.used[key] = true
		for _, name := range rule {
			if !has[name] && !strings.HasPrefix(key, "*") {
				b.problem("order.txt: %s has no field %q", key, name)
			}
			take(name)
		}
		break
	}
	if len(out) == 0 {
		for _, name := range r.first {
			take(name)
		}
		for _, f := range fields {
			if f.Schema.Required && (strings.HasSuffix(f.Wire, "string") || strings.HasPrefix(f.Wire, "int")) && !strings.HasPrefix(f.Wire, "[") {
				take(f.JSON)
			}
		}
	}
	for _, f := range fields {
		take(f.JSON)
	}
	return out
}
