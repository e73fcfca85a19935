// Runs a corpus of documents and patches through the library kube-apiserver uses and prints what it makes of them,
// one JSON object per line: the recorded vectors that flyball/json/patch_vectors_test.cpp compares ours with.
//
//	go run . ../../data > ../../data/go_patch_vectors.jsonl
//
// The corpus is our own tables (json_patch.json, merge_patch.json, wrong_patches.json) and cases drawn from a seed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

// Vector is one line. Exactly one of Result, Error and Panic is set.
type Vector struct {
	Kind   string          `json:"kind"` // apply, merge or create
	Doc    json.RawMessage `json:"doc"`
	Patch  json.RawMessage `json:"patch"` // for create: the document to reach
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
	Panic  bool            `json:"panic,omitempty"`
}

func run(kind string, doc, patch json.RawMessage) (v Vector) {
	v = Vector{Kind: kind, Doc: doc, Patch: patch}
	defer func() {
		if recover() != nil {
			v.Panic = true
		}
	}()
	var result []byte
	var err error
	switch kind {
	case "apply":
		var operations jsonpatch.Patch
		if operations, err = jsonpatch.DecodePatch(patch); err == nil {
			result, err = operations.Apply(doc)
		}
	case "merge":
		result, err = jsonpatch.MergePatch(doc, patch)
	case "create":
		result, err = jsonpatch.CreateMergePatch(doc, patch)
	}
	if err != nil {
		v.Error = err.Error()
	} else {
		v.Result = result
	}
	return v
}

var keys = []string{"a", "b", "c", "0", "x/y", "t~", ""}

type drawer struct{ *rand.Rand }

func (r drawer) key() string { return keys[r.Intn(len(keys))] }

func (r drawer) scalar(nulls bool) any {
	switch r.Intn(6) {
	case 0:
		return r.Intn(4)
	case 1:
		return []string{"", "one", "é<&>", "two"}[r.Intn(4)]
	case 2:
		return r.Intn(2) == 0
	case 3:
		return float64(r.Intn(8)) / 4
	case 4:
		return int64(1)<<40 + int64(r.Intn(3))
	}
	if nulls {
		return nil
	}
	return -r.Intn(300)
}

func (r drawer) value(depth int, nulls bool) any {
	shape := r.Intn(5)
	switch {
	case depth > 0 && shape < 2:
		object := map[string]any{}
		for i := r.Intn(4); i > 0; i-- {
			object[r.key()] = r.value(depth-1, nulls)
		}
		return object
	case depth > 0 && shape == 2:
		array := []any{}
		for i := r.Intn(4); i > 0; i-- {
			array = append(array, r.value(depth-1, nulls))
		}
		return array
	}
	return r.scalar(nulls)
}

func (r drawer) document(nulls bool) any {
	object := map[string]any{}
	for i := 1 + r.Intn(5); i > 0; i-- {
		object[r.key()] = r.value(3, nulls)
	}
	if r.Intn(12) == 0 {
		return []any{object, r.value(2, nulls), r.value(2, nulls)}
	}
	return object
}

func escape(key string) string {
	out := ""
	for _, c := range key {
		switch c {
		case '~':
			out += "~0"
		case '/':
			out += "~1"
		default:
			out += string(c)
		}
	}
	return out
}

// A path that mostly exists in the value, with something unusual at its end now and then.
func (r drawer) path(value any) string {
	path := ""
	for {
		stop := path != "" && r.Intn(3) == 0
		switch at := value.(type) {
		case map[string]any:
			if len(at) == 0 || stop || r.Intn(8) == 0 {
				if r.Intn(2) == 0 {
					path += "/" + escape(r.key())
				}
				return path
			}
			known := []string{}
			for _, key := range keys {
				if _, ok := at[key]; ok {
					known = append(known, key)
				}
			}
			key := known[r.Intn(len(known))]
			path += "/" + escape(key)
			value = at[key]
		case []any:
			if len(at) == 0 || stop || r.Intn(4) == 0 {
				odd := []string{"-", "-1", "-2", "-9", "0", "1", "01", "+1", "9", "x", "", "1e0", strconv.Itoa(len(at)),
					"-" + strconv.Itoa(len(at)), "-" + strconv.Itoa(len(at)+1)}
				return path + "/" + odd[r.Intn(len(odd))]
			}
			index := r.Intn(len(at))
			path += "/" + strconv.Itoa(index)
			value = at[index]
		default:
			if r.Intn(10) == 0 {
				path += "/" + escape(r.key())
			}
			return path
		}
	}
}

func at(value any, path string) any {
	operations := fmt.Sprintf(`[{"op":"copy","from":%s,"path":"/found"}]`, mustJSON(path))
	object := run("apply", mustJSON(value), json.RawMessage(operations))
	var found map[string]any
	if json.Unmarshal(object.Result, &found) != nil {
		return nil
	}
	return found["found"]
}

func (r drawer) operation(doc any) map[string]any {
	operation := map[string]any{
		"op":   []string{"add", "remove", "replace", "move", "copy", "test", "test"}[r.Intn(7)],
		"path": r.path(doc),
	}
	switch operation["op"] {
	case "move", "copy":
		operation["from"] = r.path(doc)
	case "test":
		operation["value"] = r.value(1, true)
		if r.Intn(4) != 0 {
			operation["value"] = at(doc, operation["path"].(string))
		}
	case "add", "replace":
		operation["value"] = r.value(2, true)
	}
	switch r.Intn(60) {
	case 0:
		delete(operation, "value")
	case 1:
		delete(operation, "from")
	case 2:
		operation["op"] = []any{"merge", "ADD", nil, 1}[r.Intn(4)]
	case 3:
		operation["path"] = []any{nil, 1, "/t~", "/a~2b"}[r.Intn(4)]
	}
	return operation
}

func mustJSON(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		log.Fatal(err)
	}
	return text
}

type row struct {
	Doc   json.RawMessage `json:"doc"`
	Patch json.RawMessage `json:"patch"`
}

func table(folder, name string) []row {
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		log.Fatal(err)
	}
	var rows []row
	if err := json.Unmarshal(text, &rows); err != nil {
		log.Fatalf("%s: %v", name, err)
	}
	return rows
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	seen := map[string]bool{}
	record := func(kind string, doc, patch json.RawMessage) {
		if line := mustJSON(run(kind, doc, patch)); !seen[string(line)] {
			seen[string(line)] = true
			fmt.Fprintf(out, "%s\n", line)
		}
	}
	folder := os.Args[1]
	for _, name := range []string{"json_patch.json", "wrong_patches.json"} {
		for _, row := range table(folder, name) {
			record("apply", row.Doc, row.Patch)
		}
	}
	for _, row := range table(folder, "merge_patch.json") {
		record("merge", row.Doc, row.Patch)
	}

	r := drawer{rand.New(rand.NewSource(6902))}
	for i := 0; i < 900; i++ {
		doc := r.document(true)
		operations := []any{}
		for n := 1 + r.Intn(3); n > 0; n-- {
			operations = append(operations, r.operation(doc))
		}
		record("apply", mustJSON(doc), mustJSON(operations))
	}
	for i := 0; i < 300; i++ {
		record("merge", mustJSON(r.document(true)), mustJSON(r.document(true)))
	}
	for i := 0; i < 300; i++ {
		nulls := i%5 == 0
		from := r.document(nulls)
		to := r.document(nulls)
		if r.Intn(2) == 0 { // mostly alike
			json.Unmarshal(mustJSON(from), &to)
			if object, ok := to.(map[string]any); ok {
				object[r.key()] = r.value(2, nulls)
				delete(object, r.key())
			}
		}
		record("create", mustJSON(from), mustJSON(to))
	}
}
