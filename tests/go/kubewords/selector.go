package main

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
)

var labelSets = []labels.Set{
	{},
	{"a": "b"},
	{"a": "x", "c": "d", "g": ""},
	{"app": "web", "tier": "cache", "example.com/team": "one", "n": "5"},
	{"a": "", "e": "y", "n": "-3"},
	{"app": "db", "in": "notin", "n": "9223372036854775808", "f": "z"},
	{"a": "b", "c": "d", "e": "x", "f": "y", "h": "1", "i": "6", "j": "2"},
}

var selectorEdges = []string{
	"", " ", "\t\n", "a", "!a", "! a", "a=b", "a==b", "a!=b", "a = b", " a=b ", "a=", "a==", "a!=", "a=b,c=d", "c=d,a=b",
	"a in (b)", "a in (b,c)", "a in (c,b,c)", "a in (,)", "a in ()", "a in (b,)", "a in (,b)", "a in (b,,c)", "a notin (b)",
	"a notin (b,x)", "a notin ()", "in", "in in (in)", "in=notin", "notin notin (notin)", "a in(b)", "a in (b) ,c",
	"a=b,c!=d,e in (x,y),f notin (z),!g,h,i>5,j<3", "n>4", "n<6", "n>5", "n<-2", "n>-5", "n>x", "n>", "n<", "n > 4", "n>4,n<6",
	"a=b,", ",a=b", ",", ",,", "a,,b", "a b", "a=b c", "a=b=c", "a=(b)", "a in", "a in b", "a in (", "a in (b", "a in (b,",
	"a in (b c)", "a in ((b)", "a in (b))", "a in (=)", "a notin", "(a)", "a)", "!", "!!a", "!a=b", "!a in (b)", "a!b", "a!",
	"a=!b", "a=>b", "a<=b", "a>=5", "a===b", "a!==b", "=b", "==b", "!=b", ">5", "a>5,", "a&b", "a=b&c", "a*=b", "*", "-a=b",
	"a-=b", "a=-b", "a=b-", "/a=b", "a/=b", "A.com/a", "example.com/a=b", "example.com/a/b=c", "example.com/=b", "a=b/c",
	"a in (b/c,-d)", "a in (b/c,b/c)", "é=b", "a=é", "a=\"b\"", "\"a\"=b", "a='b'", "a=b\\", "a\\=b", "a=b\x00", "\x00", "a\x00b", "a=\x00b",
	"a\x01=b", "x in (foo,,baz),y,z notin ()", "a gt 5", "a lt 5", "a exists", "a=1,a=2", "a!=1,a,!a", "a in (1),a in (0)",
	"n>9223372036854775807", "n>9223372036854775808", "n>+5", "n<007", "😀=b", "a=\u00a0b", "a=\u200bb",
	strings.Repeat("a", 63) + "=b", strings.Repeat("a", 64) + "=b", "a=" + strings.Repeat("b", 63), "a=" + strings.Repeat("b", 64),
	strings.Repeat("a", 254) + "/a=b",
}

func selector(in string) {
	r := row{"t": "selector", "in": in}
	s, err := labels.Parse(in)
	if err != nil {
		r["err"] = err.Error()
	} else {
		r["out"] = s.String()
		matches := []bool{}
		for _, set := range labelSets {
			matches = append(matches, s.Matches(set))
		}
		r["matches"] = matches
		if value, found := s.RequiresExactMatch("a"); found {
			r["exact_a"] = value
		}
	}
	emit(r)
}

func expressions(in metav1.LabelSelector) {
	r := row{"t": "expressions", "in": in}
	s, err := metav1.LabelSelectorAsSelector(&in)
	if err != nil {
		r["err"] = err.Error()
	} else {
		r["out"] = s.String()
	}
	emit(r)
}

func randomRequirement() string {
	key := pick([]string{"a", "c", "e", "n", "app", "in", "example.com/team", "x y", "bad*", text("ab-./_", 5)})
	value := func() string { return pick([]string{"b", "d", "x", "", "5", "-3", "web", "notin", text("ab-._9", 6)}) }
	space := func() string { return pick([]string{"", "", "", " ", "\t"}) }
	switch random.Intn(8) {
	case 0:
		return key
	case 1:
		return "!" + space() + key
	case 2, 3, 4:
		return key + space() + pick([]string{"=", "==", "!=", ">", "<", "=!", "<>"}) + space() + value()
	default:
		values := []string{}
		for n := random.Intn(5); n > 0; n-- {
			values = append(values, space()+value()+space())
		}
		return key + " " + pick([]string{"in", "notin", "in", "notin", "IN"}) + space() +
			pick([]string{"(", "(", "(", "(", "(", ""}) + strings.Join(values, ",") + pick([]string{")", ")", ")", ")", ")", ""})
	}
}

func selectors() {
	emit(row{"t": "label_sets", "sets": labelSets})
	for _, in := range selectorEdges {
		selector(in)
	}
	for i := 0; i < 350; i++ {
		terms := []string{}
		for n := 1 + random.Intn(4); n > 0; n-- {
			terms = append(terms, randomRequirement())
		}
		selector(strings.Join(terms, pick([]string{",", ",", ",", ", ", " , "})))
	}
	for i := 0; i < 60; i++ {
		selector(text("ab=!(),<> in", 10))
	}
	type e = metav1.LabelSelectorRequirement
	for _, in := range []metav1.LabelSelector{
		{},
		{MatchLabels: map[string]string{"b": "2", "a": "1"}},
		{MatchLabels: map[string]string{"a": "1"}, MatchExpressions: []e{{Key: "a", Operator: "In", Values: []string{"2", "1"}}}},
		{MatchExpressions: []e{{Key: "z", Operator: "Exists"}, {Key: "b", Operator: "DoesNotExist"}}},
		{MatchExpressions: []e{{Key: "z", Operator: "NotIn", Values: []string{"q", "p", "p"}}}},
		{MatchExpressions: []e{{Key: "z", Operator: "In"}}},
		{MatchExpressions: []e{{Key: "z", Operator: "NotIn", Values: []string{}}}},
		{MatchExpressions: []e{{Key: "z", Operator: "Exists", Values: []string{"a", "<b>"}}}},
		{MatchExpressions: []e{{Key: "z", Operator: "DoesNotExist", Values: []string{""}}}},
		{MatchExpressions: []e{{Key: "z!", Operator: "In", Values: []string{"-a", "b-"}}}},
		{MatchExpressions: []e{{Key: "z!", Operator: "Exists", Values: []string{"-a", "-a"}}}},
		{MatchExpressions: []e{{Key: "z", Operator: "Gt", Values: []string{"1"}}}},
		{MatchExpressions: []e{{Key: "z", Operator: "in", Values: []string{"1"}}}},
		{MatchExpressions: []e{{Key: "z", Operator: "", Values: nil}}},
		{MatchLabels: map[string]string{"a/b/c": "1"}},
		{MatchLabels: map[string]string{"": "1"}},
		{MatchLabels: map[string]string{"a": "b c"}},
		{MatchLabels: map[string]string{"a": "\t\"\\\x7f\u0085"}},
	} {
		expressions(in)
	}
}

var fieldSets = []fields.Set{
	{},
	{"a": "b"},
	{"metadata.name": "web", "spec.nodeName": "", "status.phase": "Running"},
	{"a": "x,y=z\\", "c": "d"},
}

var fieldEdges = []string{
	"", ",", ",,", "a", "a=b", "a==b", "a!=b", "a=", "a!=", "=", "!=", "==", "=b", "a=b,c=d", "c=d,a=b", "a=b,a=b", "a=b,a!=b",
	`a=x\,y\=z\\`, `a=x\,y`, `a=\=`, `a=\\`, `a=\`, `a=\x`, `a=\é`, `a=\😀`, "a=b=c", "a===b", "a!==b", "a=!b", "a!b", "a!b=c",
	"metadata.name=web", "metadata.name=web,status.phase!=Pending", "spec.nodeName=", "spec.nodeName!=", " a=b", "a=b ", "a = b",
	`a\,b=c`, `a\=b=c`, `\=b`, `a=b\,c=d`, `a,b=c`, "é=ü", "a=b,", ",a=b", "a=b,,c=d", "=,a=b", "a=\u00a0",
}

func fieldSelector(in string) {
	r := row{"t": "field_selector", "in": in}
	s, err := fields.ParseSelector(in)
	if err != nil {
		r["err"] = err.Error()
	} else {
		r["out"] = s.String()
		matches := []bool{}
		for _, set := range fieldSets {
			matches = append(matches, s.Matches(set))
		}
		r["matches"] = matches
		if value, found := s.RequiresExactMatch("a"); found {
			r["exact_a"] = value
		}
	}
	emit(r)
}

func fieldSelectors() {
	emit(row{"t": "field_sets", "sets": fieldSets})
	for _, in := range fieldEdges {
		fieldSelector(in)
	}
	for i := 0; i < 150; i++ {
		fieldSelector(text(`aabc==!,\d.`, 12))
	}
}
