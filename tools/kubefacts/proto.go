package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// ProtoFile is one generated.proto. These files are machine-made and regular, so a line at a time is enough; a line
// that is not understood is an error, not a guess.
type ProtoFile struct {
	Package  string
	Messages map[string][]ProtoField
}

func (p *ProtoFile) has(message string) bool { _, ok := p.Messages[message]; return ok }

type ProtoField struct {
	Name string
	Num  int
	Wire string // "string", "msg", with "[]" or "{}" in front
	Ref  string // full message name when Wire ends in msg
}

var (
	protoField = regexp.MustCompile(`^(optional|repeated|required) ([.\w]+) (\w+) = (\d+);$`)
	protoMap   = regexp.MustCompile(`^map<string, ([.\w]+)> (\w+) = (\d+);$`)
	protoMsg   = regexp.MustCompile(`^message (\w+) \{$`)
	protoSkip  = regexp.MustCompile(`^(syntax|import|option|reserved)\b.*;$`)
	protoPkg   = regexp.MustCompile(`^package ([.\w]+);$`)
)

var protoScalars = map[string]bool{"string": true, "bytes": true, "bool": true, "int32": true, "int64": true,
	"uint32": true, "uint64": true, "double": true, "float": true}

func readProto(path string) (*ProtoFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := &ProtoFile{Messages: map[string][]ProtoField{}}
	message, comment := "", false
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		switch {
		case comment:
			comment = !strings.HasSuffix(line, "*/")
		case strings.HasPrefix(line, "/*"):
			comment = !strings.HasSuffix(line, "*/")
		case line == "" || strings.HasPrefix(line, "//"):
		case protoSkip.MatchString(line):
		case protoPkg.MatchString(line):
			p.Package = protoPkg.FindStringSubmatch(line)[1]
		case protoMsg.MatchString(line):
			message = protoMsg.FindStringSubmatch(line)[1]
			p.Messages[message] = nil
		case line == "}":
			message = ""
		default:
			field, err := p.field(line)
			if err != nil || message == "" {
				return nil, fmt.Errorf("%s: line not understood: %q", path, line)
			}
			p.Messages[message] = append(p.Messages[message], field)
		}
	}
	return p, lines.Err()
}

func (p *ProtoFile) field(line string) (ProtoField, error) {
	prefix, typ, name, num := "", "", "", ""
	if m := protoField.FindStringSubmatch(line); m != nil {
		typ, name, num = m[2], m[3], m[4]
		if m[1] == "repeated" {
			prefix = "[]"
		}
	} else if m := protoMap.FindStringSubmatch(line); m != nil {
		prefix, typ, name, num = "{}", m[1], m[2], m[3]
	} else {
		return ProtoField{}, fmt.Errorf("no field")
	}
	n, err := strconv.Atoi(num)
	if protoScalars[typ] {
		return ProtoField{name, n, prefix + typ, ""}, err
	}
	ref := strings.TrimPrefix(typ, ".")
	if ref == typ {
		ref = p.Package + "." + typ
	}
	return ProtoField{name, n, prefix + "msg", ref}, err
}
