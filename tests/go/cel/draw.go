package main

import (
	"fmt"
	"math/rand"
	"strings"
)

// drawer makes expressions of a wanted type, now and then of another one.
type drawer struct{ *rand.Rand }

func (r drawer) one(words ...string) string { return words[r.Intn(len(words))] }

func (r drawer) expression() string {
	return r.of(r.one("int", "uint", "double", "string", "bool", "bool", "bool", "list", "strings", "map", "time", "duration", "bytes", "dyn", "optional"), 3)
}

func (r drawer) of(kind string, depth int) string {
	if r.Intn(40) == 0 { // a mistake
		kind = r.one("int", "uint", "double", "string", "bool", "list", "strings", "map", "time", "duration", "bytes", "dyn", "optional")
	}
	if depth <= 0 {
		return r.leaf(kind)
	}
	x := func(kind string) string { return r.of(kind, depth-1-r.Intn(2)) }
	switch kind {
	case "int":
		switch r.Intn(12) {
		case 0, 1:
			return fmt.Sprintf("(%s %s %s)", x("int"), r.one("+", "-", "*", "/", "%"), x("int"))
		case 2:
			return fmt.Sprintf("size(%s)", x(r.one("string", "list", "map", "bytes", "strings")))
		case 3:
			return fmt.Sprintf("%s.size()", x(r.one("string", "list", "strings")))
		case 4:
			return fmt.Sprintf("int(%s)", x(r.one("double", "uint", "string", "time", "duration", "int")))
		case 5:
			return fmt.Sprintf("%s[%s]", x("list"), r.one("0", "1", "5", "i", "-1", "1+1"))
		case 6:
			return fmt.Sprintf("%s.indexOf(%s)", x("string"), x("string"))
		case 7:
			return fmt.Sprintf("(%s ? %s : %s)", x("bool"), x("int"), x("int"))
		case 8:
			return fmt.Sprintf("%s.%s()", x("list"), r.one("sum", "min", "max"))
		case 9:
			return fmt.Sprintf("%s.%s(%s)", x("time"), r.one("getFullYear", "getMonth", "getHours", "getDayOfWeek", "getMilliseconds", "getDate", "getDayOfYear"), r.one("", "", "'UTC'", "'+02:30'", "'-08:00'"))
		case 10:
			return fmt.Sprintf("%s.%s()", x("duration"), r.one("getHours", "getMinutes", "getSeconds", "getMilliseconds"))
		default:
			return "-" + x("int")
		}
	case "uint":
		switch r.Intn(3) {
		case 0:
			return fmt.Sprintf("(%s %s %s)", x("uint"), r.one("+", "-", "*", "/", "%"), x("uint"))
		case 1:
			return fmt.Sprintf("uint(%s)", x(r.one("int", "double", "string")))
		}
	case "double":
		switch r.Intn(4) {
		case 0:
			return fmt.Sprintf("(%s %s %s)", x("double"), r.one("+", "-", "*", "/"), x("double"))
		case 1:
			return fmt.Sprintf("double(%s)", x(r.one("int", "uint", "string")))
		case 2:
			return fmt.Sprintf("[%s, %s].%s()", x("double"), x("double"), r.one("sum", "min", "max"))
		}
	case "string":
		switch r.Intn(12) {
		case 0, 1:
			return fmt.Sprintf("(%s + %s)", x("string"), x("string"))
		case 2:
			return fmt.Sprintf("string(%s)", x(r.one("int", "uint", "double", "bool", "time", "duration", "bytes", "string")))
		case 3:
			return fmt.Sprintf("%s.%s()", x("string"), r.one("upperAscii", "lowerAscii", "trim"))
		case 4:
			return fmt.Sprintf("%s.substring(%s)", x("string"), r.one("0", "1", "2, 4", "9", "-1", "3, 1", "i"))
		case 5:
			return fmt.Sprintf("%s.replace(%s, %s%s)", x("string"), x("string"), x("string"), r.one("", ", 1", ", -1"))
		case 6:
			return fmt.Sprintf("%s.join(%s)", x("strings"), r.one("", "','", "s"))
		case 7:
			return fmt.Sprintf("%s.charAt(%s)", x("string"), x("int"))
		case 8:
			return fmt.Sprintf("%s.find(%s)", x("string"), r.one("'[a-z]+'", "'l+'", "'(o|l)+?'", "'^h'", "s"))
		case 9:
			return fmt.Sprintf("'%s'.format([%s])", r.one("%s", "<%s>", "%d", "%s and %%", "%x", "%.2f"), x(r.one("string", "int", "bool", "list", "double", "uint", "map")))
		case 10:
			return fmt.Sprintf("(%s ? %s : %s)", x("bool"), x("string"), x("string"))
		case 11:
			return fmt.Sprintf("%s[0]", x("strings"))
		}
	case "bool":
		switch r.Intn(18) {
		case 0, 1:
			return fmt.Sprintf("(%s %s %s)", x("bool"), r.one("&&", "||"), x("bool"))
		case 2:
			return "!" + x("bool")
		case 3, 4:
			kind := r.one("int", "uint", "double", "string", "bool", "time", "duration", "bytes")
			return fmt.Sprintf("(%s %s %s)", x(kind), r.one("<", "<=", ">", ">=", "==", "!="), x(kind))
		case 5:
			return fmt.Sprintf("(%s %s %s)", x(r.one("int", "uint", "double")), r.one("<", "<=", ">", ">="), x(r.one("int", "uint", "double")))
		case 6:
			kind := r.one("list", "strings", "map", "dyn", "optional")
			return fmt.Sprintf("(%s %s %s)", x(kind), r.one("==", "!="), x(kind))
		case 7:
			return fmt.Sprintf("(%s in %s)", x("int"), x("list"))
		case 8:
			return fmt.Sprintf("(%s in %s)", x("string"), x(r.one("map", "strings", "dyn")))
		case 9:
			return fmt.Sprintf("%s.%s(%s)", x("string"), r.one("contains", "startsWith", "endsWith"), x("string"))
		case 10:
			return fmt.Sprintf("%s.matches(%s)", x("string"), r.one("'^[a-z]+$'", "'l+'", "'w.r'", "s"))
		case 11:
			return fmt.Sprintf("%s.%s(e, e %s %s)", x("list"), r.one("all", "exists", "exists_one"), r.one("<", ">", "=="), x("int"))
		case 12:
			return fmt.Sprintf("%s.%s(k, v, k < v)", x("list"), r.one("all", "exists", "existsOne"))
		case 13:
			return fmt.Sprintf("has(self.%s)", r.one("name", "missing", "labels.app", "labels.none", "nested.a.b", "nested.x.b", "ports"))
		case 14:
			return fmt.Sprintf("sets.%s(%s, %s)", r.one("contains", "intersects", "equivalent"), x("list"), x("list"))
		case 15:
			return fmt.Sprintf("%s.isSorted()", x("list"))
		case 16:
			return fmt.Sprintf("%s.hasValue()", x("optional"))
		case 17:
			return fmt.Sprintf("(type(%s) == %s)", x(r.one("int", "string", "list", "dyn", "time")), r.one("int", "string", "list", "map", "google.protobuf.Timestamp"))
		}
	case "list":
		switch r.Intn(10) {
		case 0, 1:
			return fmt.Sprintf("[%s, %s]", x("int"), x("int"))
		case 2:
			return fmt.Sprintf("(%s + %s)", x("list"), x("list"))
		case 3:
			return fmt.Sprintf("%s.map(e, e %s %s)", x("list"), r.one("+", "*", "-", "/"), x("int"))
		case 4:
			return fmt.Sprintf("%s.filter(e, e %s %s)", x("list"), r.one("<", ">", "!="), x("int"))
		case 5:
			return fmt.Sprintf("%s.%s()", x("list"), r.one("sort", "reverse", "distinct"))
		case 6:
			return fmt.Sprintf("%s.slice(%s)", x("list"), r.one("0, 1", "0, 2", "1, 5", "2, 1", "-1, 1"))
		case 7:
			return fmt.Sprintf("%s.transformList(k, v, k + v)", x("list"))
		case 8:
			return fmt.Sprintf("[%s, ?%s]", x("int"), r.one("optional.none()", "optional.of(4)", "m[?'one']"))
		}
	case "strings":
		switch r.Intn(6) {
		case 0:
			return fmt.Sprintf("[%s, %s]", x("string"), x("string"))
		case 1:
			return fmt.Sprintf("%s.split(%s%s)", x("string"), r.one("' '", "'l'", "''", "s"), r.one("", ", 2", ", 0", ", -1"))
		case 2:
			return fmt.Sprintf("%s.map(e, e + %s)", x("strings"), x("string"))
		case 3:
			return fmt.Sprintf("%s.filter(e, e != %s)", x("strings"), x("string"))
		case 4:
			return fmt.Sprintf("%s.findAll(%s)", x("string"), r.one("'[a-z]+'", "'l'", "'x*'", "'o|l', 2"))
		}
	case "map":
		switch r.Intn(5) {
		case 0:
			return fmt.Sprintf("{%s: %s}", x("string"), x("int"))
		case 1:
			return fmt.Sprintf("{'x': %s, ?'y': %s}", x("int"), r.one("optional.none()", "optional.of(4)", "m[?'one']"))
		case 2:
			return fmt.Sprintf("%s.transformMap(k, v, v %s %s)", x(r.one("list", "map")), r.one("+", "-"), x("int"))
		case 3:
			return fmt.Sprintf("m.transformMapEntry(k, v, {k + %s: v})", x("string"))
		}
	case "time":
		switch r.Intn(4) {
		case 0:
			return fmt.Sprintf("(%s %s %s)", x("time"), r.one("+", "-"), x("duration"))
		case 1:
			return fmt.Sprintf("timestamp(%s)", x(r.one("int", "string", "time")))
		}
	case "duration":
		switch r.Intn(4) {
		case 0:
			return fmt.Sprintf("(%s %s %s)", x("duration"), r.one("+", "-"), x("duration"))
		case 1:
			return fmt.Sprintf("(%s - %s)", x("time"), x("time"))
		case 2:
			return fmt.Sprintf("duration(%s)", x(r.one("string", "duration")))
		}
	case "bytes":
		switch r.Intn(3) {
		case 0:
			return fmt.Sprintf("(%s + %s)", x("bytes"), x("bytes"))
		case 1:
			return fmt.Sprintf("bytes(%s)", x("string"))
		}
	case "dyn":
		switch r.Intn(7) {
		case 0:
			return fmt.Sprintf("dyn(%s)", x(r.one("int", "string", "bool", "list", "map", "double", "uint", "time")))
		case 1:
			return fmt.Sprintf("(%s %s %s)", x("dyn"), r.one("+", "-", "*", "/", "%"), x("dyn"))
		case 2:
			return fmt.Sprintf("self.ports.map(p, p.%s)", r.one("port", "name", "missing", "port + 1"))
		case 3:
			return fmt.Sprintf("self[%s]", x("string"))
		case 4:
			return fmt.Sprintf("ld[%s]", r.one("0", "1", "2", "3", "4", "9", "i"))
		case 5:
			return fmt.Sprintf("%s.%s", x("dyn"), r.one("a", "app", "name", "port"))
		}
	case "optional":
		switch r.Intn(8) {
		case 0:
			return fmt.Sprintf("optional.of(%s)", x("int"))
		case 1:
			return fmt.Sprintf("optional.ofNonZeroValue(%s)", x("int"))
		case 2:
			return fmt.Sprintf("%s[?%s]", x("list"), x("int"))
		case 3:
			return fmt.Sprintf("%s[?%s]", x("map"), x("string"))
		case 4:
			return fmt.Sprintf("%s.optMap(o, o + %s)", x("optional"), x("int"))
		case 5:
			return fmt.Sprintf("%s.or(%s)", x("optional"), x("optional"))
		case 6:
			return fmt.Sprintf("%s.optFlatMap(o, [o][?%s])", x("optional"), r.one("0", "1"))
		}
	}
	return r.leaf(kind)
}

func (r drawer) leaf(kind string) string {
	switch kind {
	case "int":
		return r.one("i", "0", "1", "2", "-1", "3", "42", "9223372036854775807", "-9223372036854775808", "l[1]", "m.one", "a.b", "m['one']", "optional.of(3).value()", "optional.none().orValue(8)")
	case "uint":
		return r.one("u", "0u", "1u", "3u", "18446744073709551615u", "0x1Fu")
	case "double":
		return r.one("d", "0.0", "1.5", "-2.25", "1e3", "1e100", "0.1", "1e6", "123456789.125")
	case "string":
		return r.one("s", "'a'", "''", "'b'", "'hello'", "\"x y\"", "'7'", "'wörld'", "'1h30m'", "'2023-01-02T03:04:05Z'", "'one'", "string(i)", "r'\\d'", "'2.5'", "'true'")
	case "bool":
		return r.one("b", "true", "false", "i > 3", "s == 'x'", "1/0 > 0", "self.on", "self.missing == 1", "'a' in m")
	case "list":
		return r.one("l", "[]", "[1, 2, 3]", "[3, 2, 1]", "[i]", "[1, 1, 2]", "self.items", "lists.range(3)")
	case "strings":
		return r.one("ls", "['a', 'b']", "[s]", "['']", "[]")
	case "map":
		return r.one("m", "{}", "{'a': 1}", "{'one': i}", "{s: 2}", "{'x': 1, 'one': 2}")
	case "time":
		return r.one("ts", "timestamp('2023-01-02T03:04:05Z')", "timestamp('1999-12-31T23:59:59.999+01:00')", "timestamp(0)", "timestamp('9999-12-31T23:59:59Z')", "timestamp('0001-01-01T00:00:00Z')")
	case "duration":
		return r.one("dur", "duration('1h')", "duration('-1.5s')", "duration('24h')", "duration('1ms')", "duration('292y')", "duration('2540400h')")
	case "bytes":
		return r.one("by", "b'abc'", "b''", "b'\\x00\\377'", "bytes(s)")
	case "optional":
		return r.one("optional.none()", "optional.of(1)", "m[?'one']", "m[?'two']", "m.?one", "m.?two", "l[?1]", "l[?9]", "l.first()", "l.last()", "optional.ofNonZeroValue(0)")
	}
	return r.one("self.name", "self.replicas", "self.ratio", "self.labels.app", "self.labels", "self.nested.a.b.c", "self.nested.a", "self.missing", "self.items[1]", "self.ports[0].port", "self.ports[7]", "self.none", "md.k", "md.z", "self['name']", "ld[2]", "dyn(1)", "dyn('a')", "dyn(2.0)", "dyn([1])", "self.?name", "self.?missing.?more", "dyn(u)")
}

func lines(text string) []string {
	out := []string{}
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}
