package main

import "strings"

// implied: the facts the table leaves out because they follow from a field's type (schema type, format, reference, the
// defaults of items) must be what the OpenAPI document says.
func (b *builder) implied(pkg *Package, where, typ string, p *Prop) {
	typ = strings.TrimPrefix(typ, "*")
	pkg, typ = b.resolve(pkg, typ)
	want := func(schemaType, format string) {
		if p.Type != schemaType || p.Format != format {
			b.problem("%s: OpenAPI type %q format %q, the table implies %q %q", where, p.Type, p.Format, schemaType, format)
		}
		b.impliedEqual++
	}
	switch {
	case strings.HasPrefix(typ, "[]"):
		want("array", "")
		b.item(pkg, where+"[]", typ[2:], p.Items)
		return
	case strings.HasPrefix(typ, "{"):
		want("object", "")
		b.item(pkg, where+"{}", typ[strings.IndexByte(typ, '}')+1:], p.Values)
		return
	}
	switch typ {
	case "string":
		want("string", "")
	case "bool":
		want("boolean", "")
	case "int32", "int64":
		want("integer", typ)
	case "float64":
		want("number", "double")
	case "bytes":
		want("string", "byte")
	case "any":
		want("object", "")
	default:
		b.impliedMessage(pkg, where, typ, p)
	}
}

func (b *builder) impliedMessage(pkg *Package, where, typ string, p *Prop) {
	m, home := b.find(pkg, typ)
	if m == nil {
		b.problem("%s: no message %s", where, typ)
		return
	}
	if m.Wrap {
		b.implied(home, where, m.Fields[0].Type, p)
		return
	}
	ref := p.Ref
	if len(p.AllOf) == 1 {
		ref = p.AllOf[0].Ref
	}
	if got, want := strings.TrimPrefix(ref, "#/components/schemas/"), home.OpenAPI+"."+m.Name; got != want {
		b.problem("%s: OpenAPI refers to %q, the table implies %q", where, got, want)
	}
	b.impliedEqual++
}

// item: a list's item or a map's value is always there, so it has the zero default of its type.
func (b *builder) item(pkg *Package, where, typ string, p *Prop) {
	if p == nil {
		b.problem("%s: OpenAPI has no items", where)
		return
	}
	if zero := b.zeroDefault(pkg, &Field{Type: typ, Omit: "-"}); zero != string(p.Default) {
		b.problem("%s: OpenAPI default %q, the table implies %q", where, p.Default, zero)
	}
	b.implied(pkg, where, typ, p)
}
