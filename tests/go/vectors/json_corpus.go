package main

import (
	"fmt"
	"math"
	"math/rand"
	"strconv"
	"strings"
)

var numbers = []string{
	"0", "-0", "0.0", "-0.0", "1", "-1", "1.0", "-1.0", "10", "1.5", "-1.5", "100.0", "0.1", "0.10", "1e0", "1e1",
	"1E1", "1e+1", "1e-1", "1e5", "1e6", "1e20", "1e21", "1e22", "123456789012345678901", "1e-5", "1e-6", "1e-7", "1e-9",
	"1e-10", "1e-100", "1e100", "1e308", "1.7976931348623157e308", "1.7976931348623159e308", "1e309", "-1e309", "1e400",
	"5e-324", "4.9e-324", "2.5e-324", "2.4e-324", "1e-323", "1e-400", "-1e-400", "2.2250738585072014e-308",
	"2.225073858507201e-308", "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740993.0",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "9223372036854775807.0",
	"18446744073709551615", "18446744073709551616", "99999999999999999999", "0.000001", "0.0000001", "0.00000123",
	"999999999999999900000", "999999999999999999999", "1000000000000000000000", "123456789.123456789", "3.141592653589793",
	"0.30000000000000004", "1.0000000000000002", "4503599627370496.5", "0e5", "0e400", "0.0e-400", "1e00", "1e-00", "1e+007",
	"1.", ".5", "+1", "01", "-01", "--1", "1e", "1e+", "0x10", "1_000", "Infinity", "NaN", "-", "-Infinity", "1.e5", "1.5.5",
	"\uff11", "1f", "1a", "0b1", "1e5.5", "- 1", "1 2", "00", "-00", "0.", "1,", "0e", "0e+", "0.e1", "2.e3", "1eE2", "9.e+",
}

var jsonDocuments = []string{
	"", " ", "\n", "null", "true", "false", " null ", "\t[\r\n]\t", "[]", "{}", "[[]]", "[{}]", `{"a":{}}`, `{"a":[]}`,
	`[1,2,3]`, `{"a":1,"b":2}`, `{"b":1,"a":2}`, `{"b":{"d":1,"c":2},"a":[{"z":1,"y":2}]}`, `{"":1}`, `{"":{"":[]}}`,
	`{"a":1,"a":2}`, `{"a":{"b":1},"a":{"c":2}}`, `{"a":[1],"a":null}`, `{"a":1,"A":2}`, `{"10":1,"9":2,"1":3}`,
	`{"\u0061":1,"a":2}`, `{"é":1,"e":2,"z":3,"\u00e0":4}`, `{"<b>":"<&>"}`, `[1,]`, `[,1]`, `[1 2]`, `{"a"}`, `{"a":}`,
	`{"a":1,}`, `{,}`, `{a:1}`, `{'a':1}`, `{"a":1 "b":2}`, `{"a" 1}`, `{1:1}`, `{null:1}`, `[`, `]`, `{`, `}`, `[[`, `[}`, `{]`,
	`{"a":[}`, `nul`, `nulll`, `tru`, `True`, `TRUE`, `NULL`, `None`, `undefined`, `[nul]`, `[true false]`, `truefalse`, `""`, `"a"`,
	`"a`, `a"`, `'a'`, `"a" "b"`, `"a",`, `{} {}`, `{}x`, `[]x`, `1x`, `null,`, `// c`, `[1/**/]`, `[1]//`, `#c`, "[1]\x00", "\x00",
	"\ufeff1", "\ufeff{}", "\u00a01", "1\u00a0", "[\v]", "[\f1]", "\u2028[]", `["a",true,null,1.5,{"b":[]}]`,
	`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","labels":{"x":"y"}},"spec":{"containers":[{"name":"c","ports":[{"containerPort":80}]}]}}`,
	"{\n  \"a\": [\n    1,\n    2\n  ]\n}\n", `{"a":1}` + "\n\n", `[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]`, `[-]`, `[1e]`, `{"a":-}`, `[""]`, `["",""]`,
	`{"a":"b","c":["d",{"e":null}]}`, `[0.1,1e21,1e-7,-0]`, `{"x":9223372036854775808}`, `{"x":1.0}`, `"\`, `"\"`, `"\\"`, `["a\"]`,
}

var stringBodies = []string{
	``, `a`, ` `, `\n`, `\t`, `\r`, `\b`, `\f`, `\/`, `/`, `\\`, `\"`, `\u0000`, `\u0001`, `\u001f`, `\u007f`, "\x7f", `\u0080`, `\u00e9`,
	`é`, `€`, `\u20ac`, `😀`, `\ud83d\ude00`, `\uD83D\uDE00`, `\ud83d`, `\ude00`, `\ud83d\ud83d`, `\ude00\ud83d`, `\ud83dx`, `\ud83d\n`, `\ud83d\u0041`,
	`a\ud800b`, `\udfff`, `\udbff\udfff`, `\ud800\udc00`, `\uffff`, `\ufffe`, `\ufeff`, "\ufeff", "\ufffd", "\uffff", `\u2028`, `\u2029`,
	"\u2028", "\u2029", "a\u2028b", "\u2027", "\u202a", `<`, `>`, `&`, `<script>&amp;</script>`, `\u003c`, `\u003E`, `'`, "`", `\'`, `\a`, `\v`, `\0`, `\x41`,
	`\u`, `\u1`, `\u12`, `\u123`, `\u123g`, `\uD83D\u`, `\U0001F600`, `\u+123`, `\u 123`, "a\nb", "a\tb", "a\rb", "\x00", "\x01", "\x1f", "\u0080",
	"\u0085", "\U0010ffff", "\U0001f468\u200d\U0001f469", "\xff", "\xfe", "\xc0\x80", "\xc3", "\xc3(", "\xe2\x82", "\xe2\x28\xa1", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x9f\x98",
	"\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "a\x80b", "\xe0\x80\x80", "\xf0\x80\x80\x80", `\u0022`, `\u005c`, `\u002f`, `a\u0000b`, `日本語`, `\u65e5本`, `\N`, `\ud83d\\ude00`,
}

// Deterministic: one seed, one order.
func jsonCorpus() []string {
	random := rand.New(rand.NewSource(20260101))
	cases := append([]string{}, jsonDocuments...)
	for _, n := range numbers {
		cases = append(cases, n, "["+n+"]", `{"n":`+n+`}`)
	}
	for _, s := range stringBodies {
		cases = append(cases, `"`+s+`"`, `{"`+s+`":"`+s+`"}`)
	}
	for c := range 128 {
		cases = append(cases, `"a`+string(rune(c))+`z"`, `"\`+string(rune(c))+`"`)
	}
	for range 250 {
		if f := math.Float64frombits(random.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
			cases = append(cases, strconv.FormatFloat(f, 'e', -1, 64))
		}
	}
	for range 150 {
		cases = append(cases, strconv.FormatFloat(random.NormFloat64()*math.Pow(10, float64(random.Intn(50)-25)), 'g', 17, 64))
	}
	for range 60 {
		cases = append(cases, strconv.FormatInt(int64(random.Uint64()), 10), strconv.FormatUint(random.Uint64(), 10))
	}
	for range 150 {
		cases = append(cases, randomJSON(random, 4))
	}
	return cases
}

func randomJSON(random *rand.Rand, depth int) string {
	kind := random.Intn(8)
	if depth == 0 {
		kind = random.Intn(6)
	}
	switch kind {
	case 0:
		return []string{"null", "true", "false"}[random.Intn(3)]
	case 1:
		return strconv.FormatInt(random.Int63n(1<<uint(1+random.Intn(62)))-random.Int63n(1000), 10)
	case 2:
		return strconv.FormatFloat(random.NormFloat64()*math.Pow(10, float64(random.Intn(30)-10)), 'g', -1, 64)
	case 3, 4, 5:
		return randomString(random)
	case 6:
		var parts []string
		for range random.Intn(4) {
			parts = append(parts, randomJSON(random, depth-1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	default:
		var parts []string
		for i := range random.Intn(4) {
			parts = append(parts, fmt.Sprintf(`"k%d%s:%s`, i, randomString(random)[1:], randomJSON(random, depth-1)))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
}

// A JSON string of the pieces that trip YAML and JSON writers.
func randomString(random *rand.Rand) string {
	pieces := []string{"a", "b", "Z", "1", "0", " ", " ", `\n`, `\n`, "-", ":", "#", "'", `\"`, `\\`, ",", "[", "]", "{", "}", "&", "*", "!", "|", ">", "%", "@",
		"`", "?", "=", "~", "<", ".", "_", "/", `\t`, `\r`, "é", "€", "😀", `\u2028`, `\u0085`, `\u0007`, `\ufeff`, `\u00a0`, "yes", "no", "null", "true", "0x1", "1e3", ": ", " #", "- "}
	var text strings.Builder
	for range random.Intn(7) {
		text.WriteString(pieces[random.Intn(len(pieces))])
	}
	return `"` + text.String() + `"`
}
