package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"
)

// JSON to protobuf by table alone, in the exact bytes Go writes: fields by number, every value field even when it is
// zero, maps by key.

func putTag(out []byte, num, wireType int) []byte {
	return binary.AppendUvarint(out, uint64(num)<<3|uint64(wireType))
}

func putBytes(out []byte, num int, data []byte) []byte {
	out = putTag(out, num, 2)
	out = binary.AppendUvarint(out, uint64(len(data)))
	return append(out, data...)
}

func putInt(out []byte, num int, value int64) []byte {
	return binary.AppendUvarint(putTag(out, num, 0), uint64(value))
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func (x *Index) encode(id string, m *Message, in map[string]json.RawMessage) ([]byte, error) {
	fields := append([]*Field{}, m.Fields...)
	sort.Slice(fields, func(i, j int) bool { return fields[i].Num < fields[j].Num })
	var out []byte
	for _, f := range fields {
		if f.Num == 0 {
			continue
		}
		if f.Inline {
			inner, innerID := x.message(x.under(id, f.Type))
			data, err := x.encode(innerID, inner, in)
			if err != nil {
				return nil, err
			}
			out = putBytes(out, f.Num, data)
			continue
		}
		var err error
		if out, err = x.put(out, id, f.Num, f.Type, strings.TrimLeft(f.Wire, "[]{}"), in[f.JSON]); err != nil {
			return nil, fmt.Errorf("%s.%s: %v", m.Name, f.JSON, err)
		}
	}
	return out, nil
}

func (x *Index) put(out []byte, id string, num int, typ, wire string, raw json.RawMessage) ([]byte, error) {
	id, typ = x.under(id, typ)
	switch {
	case strings.HasPrefix(typ, "*"):
		if isNull(raw) {
			return out, nil
		}
		return x.put(out, id, num, typ[1:], wire, raw)
	case strings.HasPrefix(typ, "[]"):
		var list []json.RawMessage
		if err := unmarshal(raw, &list); err != nil {
			return nil, err
		}
		for _, item := range list {
			var err error
			if out, err = x.put(out, id, num, typ[2:], wire, item); err != nil {
				return nil, err
			}
		}
		return out, nil
	case strings.HasPrefix(typ, "{"):
		return x.putMap(out, id, num, typ[strings.IndexByte(typ, '}')+1:], wire, raw)
	}
	switch wire {
	case "string":
		var s string
		err := unmarshal(raw, &s)
		return putBytes(out, num, []byte(s)), err
	case "bytes":
		if isNull(raw) {
			return out, nil
		}
		var s string
		if err := unmarshal(raw, &s); err != nil {
			return nil, err
		}
		data, err := base64.StdEncoding.DecodeString(s)
		return putBytes(out, num, data), err
	case "bool":
		var b bool
		err := unmarshal(raw, &b)
		return putInt(out, num, map[bool]int64{true: 1}[b]), err
	case "int32", "int64":
		var n int64
		err := unmarshal(raw, &n)
		return putInt(out, num, n), err
	case "double":
		var d float64
		err := unmarshal(raw, &d)
		return binary.LittleEndian.AppendUint64(putTag(out, num, 1), math.Float64bits(d)), err
	}
	m, mid := x.message(id, typ)
	if m == nil {
		return nil, fmt.Errorf("no message %q", typ)
	}
	if m.Wrap && isNull(raw) {
		return out, nil
	}
	data, err := x.body(mid, m, raw)
	return putBytes(out, num, data), err
}

func unmarshal(raw json.RawMessage, into any) error {
	if isNull(raw) {
		return nil
	}
	return json.Unmarshal(raw, into)
}

func (x *Index) putMap(out []byte, id string, num int, typ, wire string, raw json.RawMessage) ([]byte, error) {
	var entries map[string]json.RawMessage
	if err := unmarshal(raw, &entries); err != nil {
		return nil, err
	}
	var keys []string
	for k := range entries {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		value := entries[k]
		if isNull(value) && x.wraps(id, typ) {
			value = json.RawMessage("[]") // a nil list inside a map is written, as an empty message
		}
		entry, err := x.put(putBytes(nil, 1, []byte(k)), id, 2, typ, wire, value)
		if err != nil {
			return nil, err
		}
		out = putBytes(out, num, entry)
	}
	return out, nil
}

func (x *Index) wraps(id, typ string) bool {
	m, _ := x.message(x.under(id, typ))
	return m != nil && m.Wrap
}

func (x *Index) body(id string, m *Message, raw json.RawMessage) ([]byte, error) {
	if m.Wrap {
		f := m.Fields[0]
		return x.put(nil, id, f.Num, f.Type, strings.TrimLeft(f.Wire, "[]{}"), raw)
	}
	if m.Codec != "" {
		return x.specialBody(id, m, raw)
	}
	var in map[string]json.RawMessage
	if err := unmarshal(raw, &in); err != nil {
		return nil, err
	}
	return x.encode(id, m, in)
}

func (x *Index) specialBody(id string, m *Message, raw json.RawMessage) ([]byte, error) {
	var text string
	isText := len(raw) > 0 && raw[0] == '"'
	if isText {
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, err
		}
	}
	isArray := len(raw) > 0 && raw[0] == '['
	switch m.Codec {
	case "Quantity":
		if !isText {
			text = string(raw)
		}
		if isNull(raw) {
			text = "0"
		}
		return putBytes(nil, 1, []byte(text)), nil
	case "IntOrString":
		if isText {
			return putBytes(putInt(putInt(nil, 1, 1), 2, 0), 3, []byte(text)), nil
		}
		n, _ := strconv.ParseInt(string(raw), 10, 32)
		return putBytes(putInt(putInt(nil, 1, 0), 2, n), 3, nil), nil
	case "Time", "MicroTime":
		if !isText {
			return nil, nil
		}
		t, err := time.Parse(time.RFC3339Nano, text)
		return putInt(putInt(nil, 1, t.Unix()), 2, int64(t.Nanosecond())), err
	case "Duration":
		d, err := time.ParseDuration(text)
		return putInt(nil, 1, int64(d)), err
	case "RawExtension", "FieldsV1", "JSON":
		if isNull(raw) {
			return nil, nil
		}
		var compact bytes.Buffer
		err := json.Compact(&compact, raw)
		return putBytes(nil, 1, compact.Bytes()), err
	case "JSONSchemaPropsOrBool":
		if len(raw) > 0 && raw[0] == '{' {
			return x.put(putInt(nil, 1, 1), id, 2, "JSONSchemaProps", "msg", raw)
		}
		return putInt(nil, 1, map[bool]int64{true: 1}[string(raw) == "true"]), nil
	case "JSONSchemaPropsOrArray":
		if isArray {
			return x.put(nil, id, 2, "[]JSONSchemaProps", "msg", raw)
		}
		return x.put(nil, id, 1, "*JSONSchemaProps", "msg", raw)
	case "JSONSchemaPropsOrStringArray":
		if isArray {
			return x.put(nil, id, 2, "[]string", "string", raw)
		}
		return x.put(nil, id, 1, "*JSONSchemaProps", "msg", raw)
	}
	return nil, fmt.Errorf("no codec %s", m.Codec)
}

// toProto gives an object the k8s envelope.
func (x *Index) toProto(text []byte, untyped string) ([]byte, error) {
	var in map[string]json.RawMessage
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, err
	}
	var head struct{ APIVersion, Kind string }
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, err
	}
	m, id, err := x.kind(head.APIVersion, head.Kind, untyped)
	if err != nil {
		return nil, err
	}
	body, err := x.encode(id, m, in)
	if err != nil {
		return nil, err
	}
	meta := putBytes(putBytes(nil, 1, []byte(head.APIVersion)), 2, []byte(head.Kind))
	out := putBytes(append([]byte{}, magic...), 1, meta)
	return putBytes(putBytes(putBytes(out, 2, body), 3, nil), 4, nil), nil
}
