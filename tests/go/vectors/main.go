// Records what Go makes of JSON and YAML, so that Flyball's readers and writers can be held against it.
//
//	vectors write DIR     writes go_json_vectors.jsonl and go_yaml_vectors.jsonl
//	vectors check FILE    reads what Flyball wrote: every line's "yaml" must mean its "json" to Go
//
// The output depends on nothing but this program and its pinned modules.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"unicode/utf8"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// One line of a vector file. An input that is not UTF-8 goes into In64.
type vector struct {
	Kind  string  `json:"kind"`
	In    *string `json:"in,omitempty"`
	In64  string  `json:"in64,omitempty"`
	Out   *string `json:"out,omitempty"`
	Error bool    `json:"error,omitempty"`
}

// What Kubernetes holds after decoding JSON, written again: int64 where it fits, float64 otherwise.
func throughJSON(in []byte) ([]byte, error) {
	var value any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(in, &value); err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

func throughYAML(in []byte) ([]byte, error) {
	out, err := yaml.YAMLToJSON(in)
	if err != nil {
		return nil, err
	}
	return throughJSON(out)
}

// What yaml.Marshal gives for the value that Kubernetes holds.
func writeYAML(in []byte) ([]byte, error) {
	out, err := throughJSON(in)
	if err != nil {
		return nil, err
	}
	return yaml.JSONToYAML(out)
}

func record(kind, in string, convert func([]byte) ([]byte, error)) vector {
	v := vector{Kind: kind}
	if utf8.ValidString(in) {
		v.In = &in
	} else {
		v.In64 = base64.StdEncoding.EncodeToString([]byte(in))
	}
	out, err := convert([]byte(in))
	if err != nil {
		v.Error = true
	} else {
		text := string(out)
		v.Out = &text
	}
	return v
}

func save(path string, vectors []vector) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	seen := map[string]bool{}
	count := 0
	for _, v := range vectors {
		name := v.Kind + v.In64
		if v.In != nil {
			name += *v.In
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		count++
		must(encoder.Encode(v))
	}
	must(os.WriteFile(path, buffer.Bytes(), 0o644))
	fmt.Printf("%s: %d cases, %d bytes\n", filepath.Base(path), count, buffer.Len())
}

func write(dir string) {
	var jsons, yamls []vector
	for _, in := range jsonCorpus() {
		jsons = append(jsons, record("json", in, throughJSON))
	}
	for _, in := range yamlCorpus() {
		yamls = append(yamls, record("read", in, throughYAML))
	}
	for _, in := range valueCorpus() {
		yamls = append(yamls, record("write", in, writeYAML))
	}
	save(filepath.Join(dir, "go_json_vectors.jsonl"), jsons)
	save(filepath.Join(dir, "go_yaml_vectors.jsonl"), yamls)
}

// Compares as values: numbers may be spelled differently.
func same(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	return reflect.DeepEqual(x, y)
}

func check(path string) {
	file, err := os.Open(path)
	must(err)
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<26)
	passed, failed := 0, 0
	for scanner.Scan() {
		var line struct{ JSON, YAML string }
		must(json.Unmarshal(scanner.Bytes(), &line))
		got, err := yaml.YAMLToJSON([]byte(line.YAML))
		if err == nil && same(got, []byte(line.JSON)) {
			passed++
			continue
		}
		failed++
		fmt.Printf("Go reads this YAML of ours differently:\n%s\n  value: %s\n  Go:    %s %v\n", line.YAML, line.JSON, got, err)
	}
	must(scanner.Err())
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed != 0 || passed == 0 {
		os.Exit(1)
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "vectors:", err)
		os.Exit(1)
	}
}

func main() {
	switch {
	case len(os.Args) == 3 && os.Args[1] == "write":
		write(os.Args[2])
	case len(os.Args) == 3 && os.Args[1] == "check":
		check(os.Args[2])
	default:
		fmt.Fprintln(os.Stderr, "usage: vectors write DIR | vectors check FILE")
		os.Exit(2)
	}
}
