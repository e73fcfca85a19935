package main

import (
	_ "embed"
	"strings"
)

//go:embed written.txt
var texts string

// written are the expressions of written.txt and some that no line can hold.
func written() []string {
	return append(lines(texts),
		"",
		"1 +\n  2",
		"1 +\n  x",
		"s ==\n'''a\nb'''",
		"\"\"\"tri'ple\"\"\" + 'x'",
		"// only a comment",
		"1 // trailing",
		"'a\tb'.size()",
		"\t1 + x",
		"'日本' + 1",
		"'日本語' == x",
		strings.Repeat("(", 100)+"1"+strings.Repeat(")", 100),
		strings.Repeat("(", 249)+"1"+strings.Repeat(")", 249),
		strings.Repeat("(", 250)+"1"+strings.Repeat(")", 250),
		"1"+strings.Repeat("+1", 247),
		"1"+strings.Repeat("+1", 248),
		"1"+strings.Repeat("+1", 249),
		"1"+strings.Repeat("+1", 250),
		"1"+strings.Repeat("+1", 251),
		"1"+strings.Repeat("*1", 250),
		"1"+strings.Repeat("+1*1", 130),
		"true"+strings.Repeat(" == true", 249),
		"true"+strings.Repeat(" == true", 250),
		"true"+strings.Repeat(" == true", 251),
		"("+"1"+strings.Repeat("+1", 249)+")",
		"(("+"1"+strings.Repeat("+1", 249)+"))",
		"self"+strings.Repeat(".a", 251),
		"self"+strings.Repeat(".a", 252),
		"(self"+strings.Repeat(".a", 250)+")",
		strings.Repeat("[", 251)+strings.Repeat("]", 251),
		strings.Repeat("!", 300)+"true",
		strings.Repeat("true ? 1 : ", 251)+"2",
		"true"+strings.Repeat("&&true", 400),
		"1"+strings.Repeat(" == 1", 3),
		"self"+strings.Repeat(".a", 248),
		"self"+strings.Repeat(".a", 249),
		"self"+strings.Repeat(".a", 250),
		"[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, a + b + c + d + e > 0)))))",
		"lists.range(1000).map(x, x * 2).filter(x, x % 3 == 0).size()",
		"'"+strings.Repeat("a", 1000)+"'.matches('"+strings.Repeat("a?", 40)+"')",
		"'"+strings.Repeat("x", 300)+"'.contains('"+strings.Repeat("x", 40)+"y')",
	)
}
