package main

import (
	"fmt"
	"io"
	"regexp"
	"sort"
	"strings"
)

// What a C++ generator must know beyond the lines of the table: cycles, the include graph, names C++ cannot take.

// memberOf lists the messages a message holds; byValue leaves out what stands behind a pointer, slice or map.
func (x *Index) memberOf(name string, byValue bool) []string {
	id := packageOf(name)
	var out []string
	for _, f := range x.messages[name].Fields {
		fid, typ := x.under(id, f.Type)
		for isExpr(typ) {
			if byValue {
				break
			}
			names := typeNames(typ)
			fid, typ = x.under(fid, names[len(names)-1])
		}
		if q := full(fid, typ); x.messages[q] != nil {
			out = append(out, q)
		}
	}
	return out
}

func (x *Index) messageNames() []string {
	var names []string
	for name := range x.messages {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// reaches: can a walk that leaves from come to the target?
func (x *Index) reaches(from, target string, byValue bool) bool {
	seen := map[string]bool{}
	var walk func(string) bool
	walk = func(name string) bool {
		for _, next := range x.memberOf(name, byValue) {
			if next == target {
				return true
			}
			if !seen[next] {
				seen[next] = true
				if walk(next) {
					return true
				}
			}
		}
		return false
	}
	return walk(from)
}

func (c *checker) valueCycle() string {
	for _, name := range c.messageNames() {
		if c.reaches(name, name, true) {
			return name
		}
	}
	return ""
}

// includes: package -> packages its types refer to.
func (x *Index) includes() map[string][]string {
	out := map[string][]string{}
	for id, p := range x.packages {
		set := map[string]bool{}
		add := func(typ string) {
			for _, name := range typeNames(typ) {
				if strings.Contains(name, ".") {
					set[packageOf(name)] = true
				}
			}
		}
		for _, m := range p.Messages {
			for _, f := range m.Fields {
				add(f.Type)
			}
		}
		for _, a := range p.Aliases {
			add(a.Type)
		}
		delete(set, id)
		for other := range set {
			out[id] = append(out[id], other)
		}
		sort.Strings(out[id])
	}
	return out
}

func (c *checker) packageCycle() string {
	graph := c.includes()
	state := map[string]int{}
	var walk func(id string, path []string) string
	walk = func(id string, path []string) string {
		path = append(path, id)
		if state[id] == 1 {
			return strings.Join(path, " > ")
		}
		if state[id] == 2 {
			return ""
		}
		state[id] = 1
		for _, next := range graph[id] {
			if cycle := walk(next, path); cycle != "" {
				return cycle
			}
		}
		state[id] = 2
		return ""
	}
	for id := range graph {
		if cycle := walk(id, nil); cycle != "" {
			return cycle
		}
	}
	return ""
}

var cppKeywords = strings.Fields(`alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t
	char16_t char32_t class compl concept const consteval constexpr constinit const_cast continue co_await co_return
	co_yield decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto
	if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
	register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template
	this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
	xor_eq major minor errno linux unix stdin stdout stderr NULL EOF signbit`)

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func cppReport(out io.Writer, t *Table) {
	x := newIndex(t)
	graph := x.includes()
	fmt.Fprintln(out, "includes:")
	var ids []string
	for id := range x.packages {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	for _, id := range ids {
		fmt.Fprintf(out, "  %s: %s\n", id, strings.Join(graph[id], " "))
	}
	keyword := map[string]bool{}
	for _, k := range cppKeywords {
		keyword[k] = true
	}
	keywords, odd, recursive, homes := map[string][]string{}, map[string][]string{}, []string{}, map[string][]string{}
	sameAsType, caseClash := []string{}, []string{}
	for _, name := range x.messageNames() {
		m, id := x.messages[name], packageOf(name)
		homes[m.Name] = append(homes[m.Name], id)
		if x.reaches(name, name, false) {
			recursive = append(recursive, name)
		}
		for _, f := range m.Fields {
			switch {
			case f.Inline || m.Codec != "" || m.Wrap:
			case keyword[f.JSON]:
				keywords[f.JSON] = append(keywords[f.JSON], name)
			case !identifier.MatchString(f.JSON):
				odd[f.JSON] = append(odd[f.JSON], name)
			}
			if f.JSON == m.Name {
				sameAsType = append(sameAsType, name)
			}
			for _, tn := range typeNames(f.Type) {
				if tn == f.JSON && builtinTypes[tn] == "" {
					caseClash = append(caseClash, name+"."+f.JSON)
				}
			}
		}
	}
	put := func(title string, by map[string][]string, show bool) {
		var keys []string
		for k := range by {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		fmt.Fprintf(out, "%s:\n", title)
		for _, k := range keys {
			if show {
				fmt.Fprintf(out, "  %s: %s\n", k, strings.Join(by[k], " "))
			} else {
				fmt.Fprintf(out, "  %s: %d\n", k, len(by[k]))
			}
		}
	}
	put("field names that are C++ keywords or macros of the C library", keywords, true)
	put("field names that are no identifiers", odd, true)
	fmt.Fprintf(out, "recursive messages: %s\n", strings.Join(recursive, " "))
	fmt.Fprintf(out, "field named like its own message: %s\n", strings.Join(sameAsType, " "))
	fmt.Fprintf(out, "field named like its type: %s\n", strings.Join(caseClash, " "))
	clash := map[string][]string{}
	for name, in := range homes {
		groups := map[string]bool{}
		for _, id := range in {
			groups[strings.Split(id, "/")[0]] = true
		}
		if len(groups) > 1 {
			clash[name] = in
		}
	}
	put("message names that several groups use", clash, true)
}
