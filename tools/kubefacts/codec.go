package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"
)

// Protobuf to JSON by table alone. This is the proof that the table holds enough for a table-driven codec; speed is not
// its concern. Go's rules that it follows stand in docs/kube-facts.md.

type chunk struct {
	number uint64 // of a varint or fixed64
	data   []byte // of a length-delimited field
}

func splitWire(data []byte) (map[int][]chunk, error) {
	out := map[int][]chunk{}
	for len(data) > 0 {
		tag, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, fmt.Errorf("bad tag")
		}
		data = data[n:]
		var c chunk
		switch tag & 7 {
		case 0:
			if c.number, n = binary.Uvarint(data); n <= 0 {
				return nil, fmt.Errorf("bad varint")
			}
			data = data[n:]
		case 1:
			c.number, data = binary.LittleEndian.Uint64(data), data[8:]
		case 2:
			size, n := binary.Uvarint(data)
			if n <= 0 || uint64(len(data)-n) < size {
				return nil, fmt.Errorf("bad length")
			}
			c.data, data = data[n:n+int(size)], data[n+int(size):]
		default:
			return nil, fmt.Errorf("wire type %d", tag&7)
		}
		out[int(tag>>3)] = append(out[int(tag>>3)], c)
	}
	return out, nil
}

// object is a JSON object under construction.
type object = map[string]any

func (x *Index) decode(id string, m *Message, data []byte, out object) error {
	wire, err := splitWire(data)
	if err != nil {
		return fmt.Errorf("%s: %v", m.Name, err)
	}
	known := map[int]bool{}
	for _, f := range m.Fields {
		known[f.Num] = true
		if f.Inline {
			if f.Num == 0 {
				continue // TypeMeta lives in the envelope
			}
			inner, innerID := x.message(x.under(id, f.Type))
			if err := x.decode(innerID, inner, last(wire[f.Num]).data, out); err != nil {
				return err
			}
			continue
		}
		if f.Num == 0 {
			return fmt.Errorf("%s.%s is not in protobuf", m.Name, f.JSON)
		}
		value, err := x.value(id, f.Type, strings.TrimLeft(f.Wire, "[]{}"), wire[f.Num])
		if err != nil {
			return fmt.Errorf("%s.%s: %v", m.Name, f.JSON, err)
		}
		if omitted(f.Omit, value) {
			continue
		}
		out[f.JSON] = value
	}
	for num := range wire {
		if !known[num] {
			return fmt.Errorf("%s: field %d is not in the table", m.Name, num)
		}
	}
	return nil
}

func last(chunks []chunk) chunk {
	if len(chunks) == 0 {
		return chunk{}
	}
	return chunks[len(chunks)-1]
}

// omitted: Go's omitempty leaves out zero scalars, nil pointers and empty slices and maps, but never a struct (zero is a
// struct value here only as nil: a Time that is not set).
func omitted(rule string, value any) bool {
	if rule == "-" {
		return false
	}
	switch v := value.(type) {
	case nil:
		return true
	case zeroTime:
		return strings.Contains(rule, "z")
	case string:
		return v == ""
	case bool:
		return !v
	case json.Number:
		return v == "0"
	case []any:
		return len(v) == 0
	case mapValue:
		return len(v) == 0
	}
	return false
}

type mapValue map[string]any // a Go map, as opposed to a struct
type zeroTime struct{}       // prints null, and is no empty value for omitempty
type pointee struct{ v any } // behind a pointer: never empty

func (zeroTime) MarshalJSON() ([]byte, error)  { return []byte("null"), nil }
func (p pointee) MarshalJSON() ([]byte, error) { return json.Marshal(p.v) }

func (x *Index) value(id, typ, wire string, chunks []chunk) (any, error) {
	id, typ = x.under(id, typ)
	switch {
	case strings.HasPrefix(typ, "*"):
		if len(chunks) == 0 {
			return nil, nil
		}
		v, err := x.value(id, typ[1:], wire, chunks)
		return pointee{v}, err
	case strings.HasPrefix(typ, "[]"):
		if len(chunks) == 0 {
			return nil, nil
		}
		list := []any{}
		for _, c := range chunks {
			v, err := x.value(id, typ[2:], wire, []chunk{c})
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case strings.HasPrefix(typ, "{"):
		if len(chunks) == 0 {
			return nil, nil
		}
		entries := mapValue{}
		for _, c := range chunks {
			entry, err := splitWire(c.data)
			if err != nil {
				return nil, err
			}
			v, err := x.value(id, typ[strings.IndexByte(typ, '}')+1:], wire, entry[2])
			if err != nil {
				return nil, err
			}
			entries[string(last(entry[1]).data)] = v
		}
		return entries, nil
	}
	c := last(chunks)
	switch wire {
	case "string":
		return string(c.data), nil
	case "bytes":
		if len(chunks) == 0 {
			return nil, nil
		}
		return base64.StdEncoding.EncodeToString(c.data), nil
	case "bool":
		return c.number != 0, nil
	case "int32", "int64":
		return json.Number(fmt.Sprint(int64(c.number))), nil
	case "double":
		text, _ := json.Marshal(math.Float64frombits(c.number))
		return json.Number(text), nil
	}
	m, mid := x.message(id, typ)
	if m == nil {
		return nil, fmt.Errorf("no message %q", typ)
	}
	if m.Codec != "" {
		return x.special(mid, m, c.data)
	}
	if m.Wrap {
		if len(chunks) == 0 {
			return nil, nil
		}
		inner, err := splitWire(c.data)
		if err != nil {
			return nil, err
		}
		f := m.Fields[0]
		v, err := x.value(mid, f.Type, strings.TrimLeft(f.Wire, "[]{}"), inner[f.Num])
		if v == nil {
			v = []any{}
		}
		return v, err
	}
	out := object{}
	return out, x.decode(mid, m, c.data, out)
}

// special is the JSON form of the types that bring their own.
func (x *Index) special(id string, m *Message, data []byte) (any, error) {
	wire, err := splitWire(data)
	if err != nil {
		return nil, err
	}
	first, second := last(wire[1]), last(wire[2])
	switch m.Codec {
	case "Quantity":
		if len(first.data) == 0 {
			return "0", nil
		}
		return string(first.data), nil
	case "IntOrString":
		if first.number == 1 {
			return string(last(wire[3]).data), nil
		}
		return pointee{json.Number(fmt.Sprint(int64(second.number)))}, nil
	case "Time", "MicroTime":
		if len(data) == 0 {
			return zeroTime{}, nil
		}
		layout := time.RFC3339
		if m.Codec == "MicroTime" {
			layout = "2006-01-02T15:04:05.000000Z07:00"
		}
		return time.Unix(int64(first.number), int64(int32(second.number))).UTC().Format(layout), nil
	case "Duration":
		return time.Duration(int64(first.number)).String(), nil
	case "RawExtension", "FieldsV1", "JSON":
		if len(first.data) == 0 {
			return pointee{nil}, nil
		}
		return json.RawMessage(first.data), nil
	case "JSONSchemaPropsOrBool":
		if wire[2] != nil {
			return x.value(id, "JSONSchemaProps", "msg", wire[2])
		}
		return pointee{first.number != 0}, nil
	case "JSONSchemaPropsOrArray":
		if wire[2] != nil {
			return x.value(id, "[]JSONSchemaProps", "msg", wire[2])
		}
		return x.value(id, "*JSONSchemaProps", "msg", wire[1])
	case "JSONSchemaPropsOrStringArray":
		if wire[2] != nil {
			return x.value(id, "[]string", "string", wire[2])
		}
		return x.value(id, "*JSONSchemaProps", "msg", wire[1])
	}
	return nil, fmt.Errorf("no codec %s", m.Codec)
}

var magic = []byte("k8s\x00")

// toJSON opens the k8s envelope and gives the object as JSON. A WatchEvent has no type in its envelope; then untyped
// names the kind.
func (x *Index) toJSON(data []byte, untyped string) ([]byte, error) {
	body, ok := bytes.CutPrefix(data, magic)
	if !ok {
		return nil, fmt.Errorf("no k8s envelope")
	}
	envelope, err := splitWire(body)
	if err != nil {
		return nil, err
	}
	meta, err := splitWire(last(envelope[1]).data)
	if err != nil {
		return nil, err
	}
	apiVersion, kind := string(last(meta[1]).data), string(last(meta[2]).data)
	m, id, err := x.kind(apiVersion, kind, untyped)
	if err != nil {
		return nil, err
	}
	out := object{}
	for _, f := range m.Fields {
		if f.Inline && f.Num == 0 {
			out["apiVersion"], out["kind"] = apiVersion, kind
		}
	}
	if err := x.decode(id, m, last(envelope[2]).data, out); err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

func (x *Index) kind(apiVersion, kind, untyped string) (*Message, string, error) {
	if kind == "" {
		kind = untyped
	}
	for _, v := range []string{apiVersion, "*"} {
		if name, ok := x.kinds[v+"."+kind]; ok {
			return x.messages[name], packageOf(name), nil
		}
	}
	return nil, "", fmt.Errorf("kind %s %s is not in the table", apiVersion, kind)
}
