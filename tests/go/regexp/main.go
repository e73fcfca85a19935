// Draws patterns and texts from a seed and prints what Go's regexp makes of them, one JSON object per line:
// flyball/cel/regex_vectors_test.cpp compares.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"math/rand"
	"os"
	"regexp"
	"strings"
)

type Vector struct {
	Pattern string          `json:"pattern"`
	Error   string          `json:"error,omitempty"`
	Texts   map[string][][]int `json:"texts,omitempty"`
}

type drawer struct{ *rand.Rand }

func (r drawer) one(words ...string) string { return words[r.Intn(len(words))] }

func (r drawer) atom(depth int) string {
	switch r.Intn(14) {
	case 0, 1, 2, 3:
		return r.one("a", "b", "c", "-", "1", "ab", " ", "é")
	case 4:
		return r.one(".", "^", "$", `\b`, `\B`, `\A`, `\z`)
	case 5:
		return r.one(`\d`, `\w`, `\s`, `\D`, `\W`, `\S`, `\.`, `\-`, `\x61`, `\x{e9}`, `\n`, `\Qa.b\E`, `\141`)
	case 6, 7:
		return r.one("[a-c]", "[^a]", "[-a]", "[a-]", `[\d_]`, "[[:alpha:]]", "[[:^digit:]x]", "[]a]", `[\]b]`, "[^a-c1]", `[\W]`, "[a-zA-Z0-9]")
	case 8:
		if depth > 0 {
			return r.one("(?:", "(", "(?i:", "(?P<n>", "(?s:", "(?m:") + r.pattern(depth-1) + ")"
		}
	case 9:
		return r.one("(?i)", "(?s)", "(?im)", "(?-i)")
	case 10:
		if r.Intn(2) == 0 { // mistakes
			return r.one("[a", "(", ")", "*", `\y`, "[z-a]", "(?=a)", "(?<!a)", "a**", "a{1001}", "a{2,1}", "[[:foo:]]", `\p{Foo}`,
				"(?P<1a", "(?i", `[a\`, `\8`, "(?P<>a)", "a{3}{4}", `\x{110000}`, `\xg`, "(a{100}){11}")
		}
		return r.one("{", "}", "]", "a{,2}", "{a}")
	}
	return r.one("a", "b", "1")
}

func (r drawer) pattern(depth int) string {
	out := ""
	for i := 1 + r.Intn(3); i > 0; i-- {
		atom := r.atom(depth)
		out += atom
		if r.Intn(3) == 0 {
			out += r.one("*", "+", "?", "*?", "{2}", "{1,2}", "{0,1}", "{2,}", "+?")
		}
	}
	if depth > 0 && r.Intn(5) == 0 {
		out += "|" + r.pattern(depth-1)
	}
	return out
}

func (r drawer) text() string {
	var out strings.Builder
	for i := r.Intn(6); i > 0; i-- {
		out.WriteString(r.one("a", "b", "c", "A", "B", "1", "_", "-", " ", "\n", "é", ".", "x"))
	}
	return out.String()
}

func main() {
	fixed := []string{`^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|a)$`, `\`, "a|", "|a", "()", "(?:)", "", "^$",
		"^([0-9a-f]{8}-?){2}$", `^(\d+[smh])+$`, "a{0}", "(a|b)*c", "(a*)*", "((a+)+)+$"}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	r := drawer{rand.New(rand.NewSource(20261116))}
	for i := 0; i < 900; i++ {
		v := Vector{Pattern: r.pattern(2)}
		if i < len(fixed) {
			v.Pattern = fixed[i]
		}
		re, err := regexp.Compile(v.Pattern)
		if err != nil {
			v.Error = err.Error()
		} else {
			v.Texts = map[string][][]int{}
			for j := 0; j < 6; j++ {
				text := r.text()
				v.Texts[text] = re.FindAllStringIndex(text, -1)
			}
		}
		if err := encoder.Encode(v); err != nil {
			log.Fatal(err)
		}
	}
}
