package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
)

var plainValue = regexp.MustCompile(`^[A-Za-z0-9_./:*()+-]+$`)

// quote is JSON without spaces, so that a value is always one word of its line.
func quote(s string) string {
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	return strings.ReplaceAll(strings.TrimSuffix(text.String(), "\n"), " ", `\u0020`)
}

func word(s string) string {
	if plainValue.MatchString(s) {
		return s
	}
	return quote(s)
}

type lineWriter struct{ w *bufio.Writer }

func (l lineWriter) put(indent int, words ...string) {
	l.w.WriteString(strings.Repeat(" ", indent))
	first := true
	for _, word := range words {
		if word == "" {
			continue
		}
		if !first {
			l.w.WriteByte(' ')
		}
		first = false
		l.w.WriteString(word)
	}
	l.w.WriteByte('\n')
}

func attr(name, value string) string {
	if value == "" {
		return ""
	}
	return name + "=" + value
}

func when(name string, on bool) string {
	if on {
		return name
	}
	return ""
}

func list(name string, values []string) string { return attr(name, strings.Join(values, ",")) }

func writeTable(out io.Writer, t *Table) error {
	l := lineWriter{bufio.NewWriter(out)}
	l.put(0, "# Facts about every built-in Kubernetes type. Made by tools/kubefacts/run; do not edit. Format: docs/kube-facts.md")
	l.put(0, "facts 1")
	l.put(0, "kubernetes", t.Kubernetes)
	for _, m := range t.Modules {
		l.put(0, "module", m)
	}
	for _, g := range t.Groups {
		l.group(g)
	}
	for _, p := range t.Packages {
		l.pkg(p)
	}
	return l.w.Flush()
}

func (l lineWriter) group(g *Group) {
	name := g.Name
	if name == "" {
		name = `""`
	}
	l.put(0, "group", name, list("versions", g.Versions))
	for _, r := range g.Resources {
		scope := "cluster"
		if r.Namespaced {
			scope = "namespaced"
		}
		l.put(1, "resource", r.Version, r.Name, r.Kind, scope, attr("apiVersion", r.KindVersion), attr("singular", r.Singular),
			list("short", r.Short), list("categories", r.Categories), list("verbs", r.Verbs), attr("delete", r.Deletes), attr("hash", r.Hash))
		for _, s := range r.Subs {
			l.put(2, "sub", s.Name, s.Kind, attr("apiVersion", s.KindVersion), list("verbs", s.Verbs), list("calls", s.Requests))
		}
	}
}

func (l lineWriter) pkg(p *Package) {
	group := p.Group
	if group == "" {
		group = `""`
	}
	l.put(0, "package", p.ID, attr("group", group), attr("version", p.Version), attr("go", p.Go), attr("proto", p.Proto), attr("openapi", p.OpenAPI))
	for _, s := range p.Strings {
		words := []string{"string", s.Name, when("closed", s.Closed)}
		for _, c := range s.Consts {
			words = append(words, c.Name+"="+word(c.Value))
		}
		l.put(1, words...)
	}
	for _, a := range p.Aliases {
		l.put(1, "alias", a.Name, a.Type)
	}
	for _, m := range p.Messages {
		l.message(m)
	}
}

func (l lineWriter) message(m *Message) {
	l.put(1, "message", m.Name, attr("kind", m.Kind), attr("listof", m.ListOf), attr("codec", m.Codec), when("wrap", m.Wrap),
		when("schema", m.Schema), when("noproto", m.NoProto), attr("map", m.MapType), when("deprecated", m.Deprecated),
		attr("introduced", m.Introduced), attr("deprecatedin", m.DeprIn), attr("removed", m.Removed), attr("replacement", m.Replaced))
	for _, f := range m.Fields {
		l.field(f)
	}
	for _, u := range m.Unions {
		words := []string{"u", orDash(u.Discriminator)}
		for _, c := range u.Members {
			words = append(words, c.Name+"="+word(c.Value))
		}
		l.put(2, words...)
	}
	if m.Order != nil {
		l.put(2, append([]string{"o"}, m.Order...)...)
	}
}

func (l lineWriter) field(f *Field) {
	s := f.Schema
	goName, proto := f.Go, f.Proto
	if !f.Inline && goName == upperFirst(f.JSON) {
		goName = ""
	}
	if proto == f.JSON || f.Num == 0 {
		proto = ""
	}
	l.put(2, "f", f.JSON, fmt.Sprint(f.Num), f.Wire, f.Type, f.Omit, when("inline", f.Inline), when("req", s.Required),
		attr("default", s.Default), attr("list", s.List), list("keys", s.Keys), attr("map", s.Map), attr("patch", s.Patch),
		attr("mergekey", s.MergeKey), attr("oneof", f.OneOf), attr("gate", f.Gate), when("deprecated", f.Depr),
		attr("go", goName), attr("proto", proto))
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
