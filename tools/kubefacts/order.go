package main

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"strings"
)

// orderRules is tools/kubefacts/order.txt: the order in which people write YAML, where it is not Go's.
type orderRules struct {
	first []string            // names that come first in every message
	rules map[string][]string // by name or pattern: "core/v1.Container", "*.*Condition"
	names []string            // of the rules, in the file's order
	used  map[string]bool
}

func readOrder(file string) (*orderRules, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rules := &orderRules{rules: map[string][]string{}, used: map[string]bool{}}
	name := ""
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if head, tail, ok := strings.Cut(line, ":"); ok {
			name = strings.TrimSpace(head)
			line = tail
			if name != "first" && rules.rules[name] == nil {
				rules.names = append(rules.names, name)
				rules.rules[name] = []string{}
			}
		}
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case name == "":
			return nil, fmt.Errorf("%s: %q stands before any \"package.Message:\"", file, line)
		case name == "first":
			rules.first = append(rules.first, words...)
		default:
			rules.rules[name] = append(rules.rules[name], words...)
		}
	}
	return rules, lines.Err()
}

// rule finds what the file says about a message: its exact name, else the first pattern.
func (r *orderRules) rule(message string) (string, []string) {
	if rule, ok := r.rules[message]; ok {
		return message, rule
	}
	flat := strings.ReplaceAll(message, "/", ":")
	for _, name := range r.names {
		if ok, _ := path.Match(name, flat); ok {
			return name, r.rules[name]
		}
	}
	return "", nil
}

func (r *orderRules) apply(t *Table, b *builder) {
	for _, pkg := range t.Packages {
		for _, m := range pkg.Messages {
			if m.Codec == "" && !m.Wrap {
				r.order(pkg, m, b)
			}
		}
	}
	for _, name := range r.names {
		if !r.used[name] {
			b.problem("order.txt: %s names no message", name)
		}
	}
}

// flatten gives a message's fields with those of inlined messages in place, each in its own YAML order.
func (r *orderRules) flatten(pkg *Package, m *Message, b *builder) []*Field {
	var out []*Field
	for _, f := range m.Fields {
		if !f.Inline {
			out = append(out, f)
			continue
		}
		inner, p := b.find(pkg, f.Type)
		if inner == nil {
			continue
		}
		byName := map[string]*Field{}
		for _, g := range r.flatten(p, inner, b) {
			byName[g.JSON] = g
		}
		for _, name := range r.order(p, inner, b) {
			out = append(out, byName[name])
		}
	}
	return out
}

// order: what the rule of this message names, or else the names that come first everywhere and the required scalars;
// then Go's declaration order. It is kept in the message only when it says something new.
func (r *orderRules) order(pkg *Package, m *Message, b *builder) []string {
	fields := r.flatten(pkg, m, b)
	var names, out []string
	has, done := map[string]bool{}, map[string]bool{}
	for _, f := range fields {
		has[f.JSON] = true
		names = append(names, f.JSON)
	}
	take := func(name string) {
		if has[name] && !done[name] {
			done[name] = true
			out = append(out, name)
		}
	}
	key, rule := r.rule(pkg.ID + "." + m.Name)
	r.used[key] = true
	for _, name := range rule {
		if !has[name] && !strings.Contains(key, "*") {
			b.problem("order.txt: %s has no field %q", key, name)
		}
		take(name)
	}
	if rule == nil {
		for _, name := range r.first {
			take(name)
		}
		for _, f := range fields {
			if f.Schema.Required && (f.Wire == "string" || f.Wire == "int32" || f.Wire == "int64") {
				take(f.JSON)
			}
		}
	}
	for _, name := range names {
		take(name)
	}
	m.Order = nil
	if strings.Join(out, " ") != strings.Join(names, " ") {
		m.Order = out
	}
	return out
}
