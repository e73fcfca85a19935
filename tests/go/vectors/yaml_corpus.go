package main

import (
	"encoding/json"
	"math/rand"
	"strings"
)

// Scalars that YAML 1.1, YAML 1.2 and people disagree about.
var scalars = []string{
	"y", "Y", "yes", "Yes", "YES", "yEs", "n", "N", "no", "No", "NO", "nO", "true", "True", "TRUE", "tRUE", "false", "False", "FALSE",
	"on", "On", "ON", "oN", "off", "Off", "OFF", "~", "null", "Null", "NULL", "nULL", "nil", "None", "0", "-0", "+0", "1", "-1", "+1", "12345",
	"007", "0777", "-0777", "08", "09", "0o7", "0o777", "0O7", "0o8", "-0o7", "0x1F", "0xff", "0XFF", "-0x10", "+0x10", "0xG", "0x", "0b101", "0B101", "-0b11",
	"+0b11", "0b", "0b2", "0b-1", "0b+1", "1_000", "1__0", "_1", "1_", "-_1", "0x_ff", "0_7", "1_000.5", "9223372036854775807", "9223372036854775808",
	"-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "0xffffffffffffffff", "0x10000000000000000", "+18446744073709551615",
	"1.0", "1.5", "-1.5", "+1.5", ".5", "-.5", "+.5", "1.", "1.e3", "1e3", "1E3", "1e+3", "1e-3", "1e400", "-1e400", "1e-400", "1e", "e3", "1.5e3", "6.02e23", "1e20", "1e21",
	"123456789.125", "0.1", "0.0000001", "100000.0", "1000000.0", "3.14159265358979", "-0.0", "1e18", "123456789012345678.0", ".inf", ".Inf", ".INF", "-.inf", "+.inf", ".nan", ".NaN", ".NAN", ".iNf", "inf", "nan",
	"NaN", "-.nan", ".", "..", "-", "+", "+-1", "1-1", "1.2.3", "1:30", "190:20:30", "1:30.5", "12:00", "2026-01-01", "2026-1-2", "2026-13-01", "2026-01-01T00:00:00Z",
	"2026-01-01 10:00:00", "2026-01-01t1:2:3.5+01:00", "2001-12-14 21:59:43.10 -5", "20260101", "1.5_0", ".5_0", "._5", "1e1_0", "=", "<<", "a", "a b", "a:b", "a#b", "-a", "?a", ":a", "a,b", "a/b:1.2", "1.2.3.4", "10Mi",
	"0.5Gi", "100m", "1e3Mi", "0xyz", "1a", "12e", "1 2", "é", "日本", "a'b", `a"b`, `a\nb`, "$(VAR)", "{{x}}", "a]b", "x}", "-1-", "+a", "--", "---a", "=1", "<<<", "~a", "null1", "yes1", "trueish", "o", "f", "t", "0.", "00", "0_", "1__", "0e0", "00.5", "01.5", "08.5", "0777.0",
	"9007199254740993", "1e-7", "2.5e-8", "5e-324", "1.7976931348623157e308",
}

var yamlDocuments = []string{
	"", "\n", "# only a comment\n", "---\n", "--- \n...\n", "---\na: 1\n", "a: 1\n---\n", "a: 1\n...\n", "--- a\n", "---\n- 1\n", "--- # c\na: 1\n", "%YAML 1.1\n---\na: 1\n", "\ufeffa: 1\n",
	"a: 1", "a: 1\nb: 2\n", "a:\n  b:\n    c: 1\n", "a:\n- 1\n- 2\n", "a:\n  - 1\n  - 2\n", "- a\n- b\n", "- - 1\n  - 2\n- 3\n", "- a: 1\n  b: 2\n- c: 3\n", "-\n  a: 1\n", "- \n- 1\n", "-\n- 1\n", "a:\nb: 1\n", "a:\n\n\nb: 1\n",
	"a: # c\n  b: 1 # d\n# e\nc: 2\n", "a: b # c\n", "a: b#c\n", "a: 'b # c'\n", "a : 1\n", "a:  1\n", "a:\t1\n", "a: \t1\n", "a:1\n", "a\n", "a b\n", "a\nb\n", "a\n  b\n", "a: b\n  c\n", "a: b\n  c\n\n  d\n", "a: b\nc\n", "a: b: c\n", "a: b:c\n", "a: - b\n", "- a: - b\n", "a: 'b': c\n",
	"a:\n\tb: 1\n", "\ta: 1\n", "a:\n  b: 1\n\tc: 2\n", "-\ta\n", "- \ta\n", "a: 1\t\n", "a: 1 \t# c\n", "a: [\n\t1,\n\t2]\n", "a: |\n\tx\n", "a: \"b\n\tc\"\n", "a:\n  b\n\tc\n", "\t\na: 1\n", "a: 1\n\t\n", "a: 1\n\t# c\n",
	"a:\n  b: 1\n c: 2\n", "a: 1\n  b: 2\n", "a:\n    b: 1\n  c: 2\n", " a: 1\n b: 2\n", " a: 1\nb: 2\n", "- 1\n - 2\n", "- 1\n-2\n", "-1\n-2\n", "a:\n- b\nc: 1\n", "a:\n- b\n  c: 1\n", "a:\n- b: 1\n   c: 2\n", "a:\n  - b\n - c\n", "a:\n  - b\n- c\n",
	"[]", "{}", "[ ]", "{ }", "[1, 2]", "[1, 2,]", "[1,,2]", "[,1]", "[1 2]", "[1", "1]", "{a: 1}", "{a: 1, b: 2}", "{a: 1,}", "{,}", "{a}", "{a, b: 1}", "{a:1}", "{\"a\":1}", "{'a':1}", "{a: }", "{a: , b: 2}", "{: 1}", "{a: 1", "a: 1}", "[a: 1]", "[a: 1, b: 2]", "[? a : 1]", "{? a : 1}", "{[1]: 2}", "{{a: 1}: 2}", "[[1, 2], [3]]", "[{a: 1}, {b: 2}]", "{a: [1, {b: 2}]}",
	"[\n1,\n2\n]\n", "{\n  a: 1,\n  b: 2\n}\n", "a: [\n  1,\n  2\n]\n", "a: [1,\n2]\n", "a: {b: 1,\n  c: 2}\n", "[a, 'b', \"c\"]", "[a b, c d]", "[a, # c\n b]", "[http://x]", "{u: http://x}", "{a: b:c}", "[a:b]", "[-1, - 1]", "[-]", "{a: -}", "[~, null, ]", "{a: ~}", "[\"a\": 1]", "{\"a\" : 1}", "{\"a\":\"b\",\"c\":[1,2.5,null,true]}", "{\"a\": \"\\u00e9\\n\"}", "{\"a\": \"\\/\"}",
	"''", "\"\"", "' '", "'a'", "\"a\"", "'it''s'", "\"a\\\"b\"", "'a\\nb'", "\"a\\nb\"", "'a\nb'", "'a\n\nb'", "\"a\nb\"", "\"a\\\n  b\"", "\"a  \n  b\"", "'a  \n  b'", "\"a\n\n\nb\"", "'  a  '", "\"\\ta\"", "\"\\x41\\u00e9\\U0001F600\"", "\"\\0\\a\\b\\e\\f\\v\\r\\N\\_\\L\\P\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\\q\"", "\"\\x4\"", "\"\\xZZ\"", "\"\\U00110000\"", "\"\\'\"", "\"\\ \"", "\"\\\t\"", "'a", "\"a", "'a' b", "\"a\" \"b\"", "a: 'b' c\n", "a: \"b\"c\n", "'a': 1\n", "\"a\": 1\n", "'a b': 1\n", "\"a\\nb\": 1\n", "'a\n b': 1\n", "\"a\": \"b\"\n", "? \"a\"\n: 1\n",
	"a: |\n  x\n", "a: |\n  x\n  y\n", "a: |-\n  x\n", "a: |+\n  x\n\n", "a: |\n  x\n\n\n", "a: |+\n  x\n\n\nb: 1\n", "a: |-\n  x\n\nb: 1\n", "a: |\n\n  x\n", "a: |\n  x\n   y\n  z\n", "a: |2\n   x\n  y\n", "a: |2-\n   x\n", "a: |-2\n   x\n", "a: |1\n x\n", "a: |0\n x\n", "a: |10\n x\n", "a: |x\n y\n", "a: | # c\n  x\n", "a: |#c\n  x\n", "a: |\nb: 1\n", "a: |", "a: |\n", "a: |-\n", "a: |+\n", "a: |+\n\n", "|\n x\n", "|\nx\n", "|\n  x\n y\n", "- |\n  x\n- y\n", "- |\n x\n", "- a: |\n    x\n  b: 1\n", "a: |\n  # not a comment\n  x\n", "a: |\n  x\n # c\n", "a: |\n  x\n# c\nb: 1\n", "a: |\n  x: y\n  - z\n", "a: |\n  x\n  \n  y\n", "a: |\n  x\n    \n  y\n", "a: |\n    \n  x\n", "a: |\n  x\n---\n", "a: |\n  x", "a: |\n  x\r\n  y\r\n", "a: |\n  \tx\n",
	"a: >\n  x\n  y\n", "a: >-\n  x\n  y\n", "a: >+\n  x\n\n", "a: >\n  x\n\n  y\n", "a: >\n  x\n   y\n  z\n", "a: >\n\n  x\n", "a: >\n  x\n\n   y\n\n  z\n", "a: >\n  x\n  - y\n  - z\n", "a: >2\n   x\n", ">\n x\n y\n", "a: >-\n\n\n  x\n  y\n\n\n", "a: >\n  x  \n  y\n",
	"a: &x 1\nb: *x\n", "a: &x {b: 1}\nc: *x\n", "a: &x [1, 2]\nb: [*x, *x]\n", "a: &x\n  b: 1\nc: *x\n", "a: *x\n", "a: &x 1\nb: &x 2\nc: *x\n", "&x a: *x\n", "&x a: 1\nb: *x\n", "a: &x b\n*x : 1\n", "a: &x [*x]\n", "&x [1, *x]", "a: &x\nb: *x\n", "a: & 1\n", "a: *\n", "a: &x &y 1\n", "a: &x *y\n", "- &a a\n- &b *a\n", "a: &x-y_1 1\nb: *x-y_1\n", "[&x a, *x]", "{a: &x 1, b: *x}", "a: &x !!str 1\nb: *x\n", "a: !!str &x 1\nb: *x\n", "a: &x.y 1\n", "a: &x: 1\n", "&x\na: 1\n", "--- &x\na: 1\n",
	"a: &x {b: 1}\nc:\n  <<: *x\n", "a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n", "a: &x {b: 1}\nc:\n  b: 2\n  <<: *x\n", "a: &x {b: 1}\nd: &y {b: 2, e: 3}\nc:\n  <<: [*x, *y]\n", "a:\n  <<: {b: 1}\n", "a:\n  <<: [{b: 1}, {b: 2, c: 3}]\n", "a:\n  <<: 1\n", "a:\n  <<: [1]\n", "a: &x 1\nb:\n  <<: *x\n", "a:\n  '<<': 1\n", "a:\n  \"<<\": {b: 1}\n", "a:\n  !!merge <<: {b: 1}\n", "a:\n  !!str <<: {b: 1}\n", "a: &x {<<: {b: 1}, c: 2}\nd: {<<: *x, c: 3}\n", "{<<: {a: 1}, <<: {b: 2}}", "a:\n  <<: null\n", "a:\n  <<:\n", "[<<]", "a: <<\n", "a: &l [{b: 1}]\nc: {<<: *l}\n", "a: &x {b: {c: 1}}\nd: {<<: *x, b: {e: 1}}\n",
	"!!str 1", "!!str yes", "!!str", "!!str ''", "!!str null", "!!int 1", "!!int '1'", "!!int a", "!!int 1.0", "!!int", "!!float 1", "!!float 1.5", "!!float '1'", "!!float a", "!!float 18446744073709551615", "!!bool yes", "!!bool 'yes'", "!!bool 1", "!!null ''", "!!null", "!!null null", "!!null a", "!!binary aGVsbG8=", "!!binary aGVsbG8", "!!binary '!'", "!!binary |\n aGVs\n bG8=\n", "!!binary /w==", "!!binary ''", "!!timestamp 2026-01-01", "!!timestamp a", "!!timestamp 1", "!!timestamp '2026-01-01'", "!!map {a: 1}", "!!seq [1]", "!!map [1]", "!!seq {a: 1}", "!!set {a, b}", "!!omap [a: 1]", "!foo 1", "!foo bar", "!foo {a: 1}", "!foo [1]", "!<tag:yaml.org,2002:str> 1", "!<tag:yaml.org,2002:int> '1'", "!<x> 1", "! 1", "! '1'", "! a", "!!foo 1", "!e!x 1", "%TAG !e! tag:yaml.org,2002:\n---\n!e!str 1\n", "a: !!str 1\n", "!!str a: 1\n", "!!int '1': 1\n", "!!str 1: 1\n", "!!binary YQ==: 1\n", "a: !!str\nb: 1\n", "- !!str 1\n- !!int '2'\n", "[!!str 1, !!str 2]", "a: !!str &x 1\n", "a: !!str !!int 1\n", "a: !foo\n", "!!float .5", "!!str .inf", "!!int 0x1f", "!!bool true", "!!str ~",
	"1: a\n", "1.5: a\n", "true: a\n", "yes: a\n", "null: a\n", "~: a\n", ": a\n", "'': a\n", "[1]: a\n", "{a: 1}: b\n", "? a\n: b\n", "? a\n", "? [1]\n: b\n", "? |\n  a\n: b\n", "? a\n? b\n", "0x10: a\n", "1e3: a\n", "100000: a\n", "1e20: a\n", "1000000.5: a\n", "3.14159265358979: a\n", "1e40: a\n", ".inf: a\n", "-.inf: a\n", ".nan: a\n", "18446744073709551615: a\n", "2026-01-01: a\n", "0777: a\n", "-0: a\n", "-0.0: a\n", "0.1: a\n", "16777217.0: a\n", "1e-5: a\n", "a: 1\na: 2\n", "{a: 1, a: 2}", "a:\n  b: 1\n  b: 2\n", "a: 1\n'a': 2\n", "- a: 1\n  a: 2\n",
	"a: @b\n", "a: `b\n", "a: %b\n", "%a\n", "@a\n", "a: ,b\n", "a: ]\n", "a: }\n", "a: [b]c\n", "a: {b}c\n", "a: 'b\n", "a: \"b\n", "a: *\n", "a: !\n", "a: >\n", "a: ?\n", "a: -\n", "a: :\n", "a: ::\n", "a: b:\n", "a: :b\n", "a: ?b\n", "a: -b\n", "a: #b\n", "a: b # c: d\n", "a:: b\n", "a: b - c\n", "a - b: c\n", "a, b: c\n", "a]b: c\n", "?a: b\n", "-a: b\n", ":a: b\n", "a?: b\n", "a b c: d e f\n", "{{ x }}", "a: {{ x }}\n", "a: '{{ x }}'\n", "$a: b\n", "a/b: c\n", "a.b/c: d\n", "a: b,c\n", "a: b]c\n", "a: !b c\n", "...\n", "...\na: 1\n", "a: 1\n... b\n", "---a\n", "a: ---\n", "a: --- b\n", "a: \"---\"\n", "- ---\n", "a: ...\n",
	"a: \x00b\n", "a: \x01b\n", "a: \x7fb\n", "a: \xff\n", "a: \"\x01\"\n", "a: \ufeffb\n", "a: \u0085b\n", "a: b\u2028c\n", "a: \"b\u2028c\"\n", "a: \uffffb\n", "a: \u00a0b\n", "é: ü\n", "a: 😀\n", "'日本': 語\n", "a: b\rc: d\r", "a: b\r\nc: d\r\n", "a: 'b\r\n  c'\r\n", "\r\na: 1\r\n", "a:\r\n- 1\r\n- 2\r\n",
	"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  labels: {app: web, \"on\": \"yes\"}\ndata:\n  key: |\n    line 1\n      line 2\n\n    line 4\n  other: \"a: b\"\n  n: \"010\"\n",
	"apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: 3\n  template:\n    spec:\n      containers:\n      - name: web\n        image: nginx:1.25\n        args: [\"--port\", \"80\", -v]\n        ports:\n        - containerPort: 80\n        env:\n        - {name: A, value: \"1\"}\n        resources: {limits: {cpu: 500m, memory: 1Gi}}\n",
	"a:\n  - b:\n      - c:\n          - d\n", "- - - - a\n", "- - a\n  - b\n- - c\n", "a:\n- - 1\n  - 2\n- - 3\n", "a:\n-\n  - 1\n", "a:\n - b: 1\n   c: 2\n - d\n", "a:\n  - - 1\n    - - 2\n", "-\n -\n  - a\n",
	"a: very long plain text\n  that goes on\n  and on: no\n", "a: very long plain text\n  that goes on\n  and on\n", "a:\n  very long\n  text\nb: 1\n", "a:\n  'quoted\n  text'\n", "a: !!str\n  text\n", "a: &x\n  text\n", "a:\n\n  b\n", "a: b\n\n\nc: d\n", "a: b # c\n  d\n", "a\n# c\n", "a\n# c\nb\n", "- a\n  b\n- c\n", "a:\n  # c\n  b: 1\n  # d\n", "a:\n# c\n  b: 1\n", "a:\n  - 1\n# c\n  - 2\n",
}

func yamlCorpus() []string {
	cases := append([]string{}, yamlDocuments...)
	for _, s := range scalars {
		cases = append(cases, s+"\n", "k: "+s+"\n", "["+s+"]", s+": v\n", "- "+s+"\n")
	}
	for _, in := range valueCorpus()[:200] {
		cases = append(cases, in)
	}
	// Just inside and far outside what aliases may expand to.
	cases = append(cases, laughs(3), laughs(9))
	return cases
}

func laughs(levels int) string {
	text := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i <= levels; i++ {
		last := "*a" + string(rune('0'+i-1))
		text += "a" + string(rune('0'+i)) + ": &a" + string(rune('0'+i)) + " [" + strings.Repeat(last+", ", 8) + last + "]\n"
	}
	return text
}

var strings_ = []string{
	"", " ", "  ", "a", " a", "a ", " a ", "a b", "\n", "\n\n", "\n\n\n", "a\n", "a\n\n", "\na", "\n\na\n", "a\nb", "a\nb\n", "a\nb\n\n", "a\n\nb", " a\nb", "a\n b", "a \nb", "a\nb ", "a\n ", " \n", "\n ", " \na", "\n a", "a\n\n b\n", "a\n  b\n c\n",
	"a\tb", "\ta", "a\t", "\t", "a\n\tb", "\ta\nb", "a\rb", "a\r\nb", "\r", "\r\n", "a: b", "a:b", "a:", ":a", ": a", ":", "::", "a #b", "a#b", "#a", "#", "- a", "-a", "-", "--", "---", "--- a", "---a", "...", "... a", "...a", "? a", "?a", "?",
	"!a", "!", "&a", "&", "*a", "*", "|", "|a", ">", ">a", "'", "''", "'a'", "a'b", "\"", "\"a\"", "a\"b", "%a", "%", "@a", "`a", ",a", ",", "a,b", "[a", "[", "]", "a]", "{a", "{", "}", "{}", "[]", "a{b}", "{{ x }}", "\\", "a\\b", "\\n", "=", "<<", "<", "a<b>&c", "$(A)", "a\u00a0b",
	"\u0085", "a\u0085b", "a\u2028b", "a\u2029b", "a\nb\u2028c", "\ufeff", "a\ufeffb", "\ufffd", "\uffff", "\x00", "\x01", "\x07\x08\x0b\x0c\x1b", "\x7f", "\u0080", "\u009f", "é", "日本語", "😀", "a😀b", "a\n😀", "é\nü\n", "\ue000", "key: |\n  x\n", "- a\n- b\n", "#!/bin/sh\necho hi\n", "a\n# b\n", "{\"a\": 1}\n", "\n---\n", "---\na\n", "a\n...\n", "x\n\n\n\ny\n",
}

// JSON texts to be written as YAML.
func valueCorpus() []string {
	random := rand.New(rand.NewSource(20260102))
	var cases []string
	add := func(value any) {
		text, err := json.Marshal(value)
		must(err)
		cases = append(cases, string(text))
	}
	for _, s := range strings_ {
		add(map[string]any{"k": s})
	}
	for _, s := range scalars {
		add([]any{s})
	}
	for _, s := range strings_ {
		add(map[string]any{s: 1})
	}
	for _, s := range []string{"a\nb", " a\nb\n", "\n", "a", "yes", "a: b"} {
		add(s)
		add([]any{s, s})
		add([]any{[]any{s}, map[string]any{"a": s, "b": s}})
		add(map[string]any{"a": map[string]any{"b": []any{s}, "c": s}})
		add(map[string]any{s: map[string]any{s: []any{1, map[string]any{s: s}}}})
	}
	long := strings.Repeat("word ", 40) + "end"
	add(long)
	add([]any{long, map[string]any{"é": strings.Repeat("é  ü ", 40), "j": []any{strings.Repeat("ü ", 60), strings.Repeat("# x ", 60)}}})
	add(map[string]any{"a": map[string]any{"b": strings.Repeat("it's  ", 40) + "x", "c": strings.Repeat("\t 😀  ", 30) + "x"}})
	add(map[string]any{strings.Repeat("k ", 60): strings.Repeat("v ", 60), strings.Repeat("k ", 70): strings.Repeat("v - ", 60)})
	add(strings.Repeat(long, 3) + "\n" + long)
	add(map[string]any{"k": long, "j": strings.Repeat("x", 300), "i": strings.Repeat("it's ", 40), "h": strings.Repeat("a: b ", 40) + "\t"})
	for _, n := range []int{127, 128, 129, 200} {
		add(map[string]any{strings.Repeat("k", n): 1})
		add(map[string]any{strings.Repeat("k", n): map[string]any{"a": 1, "b": []any{1, 2}}})
		add([]any{map[string]any{strings.Repeat("k", n): []any{1, map[string]any{"a": 1}}, "z": 1}})
	}
	cases = append(cases,
		`null`, `true`, `0`, `-1`, `1.5`, `""`, `[]`, `{}`, `[[]]`, `[{}]`, `{"a":[]}`, `{"a":{}}`, `{"a":null}`, `[null,true,false]`, `[[1,2],[3,[4]]]`, `[{"a":1,"b":2},{"c":3}]`,
		`{"a":[1,2],"b":{"c":[{"d":1}]}}`, `{"a":[[1],[2,3]]}`, `[[{"a":1,"b":[1]}]]`, `{"a":[{"b":[{"c":1,"d":[2]}]}]}`, `[1,-1,0.5,1e21,1e20,1e-7,123456.5,1234567.5,100000.0,1000000.0,1e6,1.0,-0.0,1e300,5e-324,0.0001,0.00001]`,
		`[9223372036854775807,9223372036854775808,18446744073709551615,18446744073709551616,-9223372036854775808,-9223372036854775809]`,
		`{"a10":1,"a2":2,"a1":3,"a":4,"A":5,"B":6,"b":7,"_":8,"1":9,"10":10,"2":11,"a-b":12,"a.b":13,"a/b":14,"aB":15,"ab":16}`, `{"a01":1,"a1":2,"a001":3,"a10":4,"a100":5,"a11":6,"x0":7,"x00":8}`, `{"true":1,"1.5":2,"null":3,"~":4,"y":5,"é":6,"z":7}`,
		`{"v1.10":1,"v1.9":2,"v1":3,"v1.10.1":4,"-a":5,"-1":6}`,
	)
	for range 150 {
		if text := randomJSON(random, 4); text[0] == '{' || text[0] == '[' {
			cases = append(cases, text)
		}
	}
	return cases
}
