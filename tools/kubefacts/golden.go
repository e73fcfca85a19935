package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
)

// goldenAll turns every golden .pb into JSON and every golden .json into protobuf, and compares: JSON by value,
// protobuf byte for byte.
func goldenAll(t *Table, dir string, verbose bool) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.pb"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no golden files in %s: %v", dir, err)
	}
	sort.Strings(files)
	x := newIndex(t)
	toJSON, toProto := 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".pb")
		kind := name[strings.LastIndex(name, ".")+1:]
		pb, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(strings.TrimSuffix(file, ".pb") + ".json")
		if err != nil {
			return err
		}
		if err := goldenJSON(x, kind, pb, text); err != nil {
			fmt.Printf("golden %s: protobuf to JSON: %v\n", name, err)
		} else {
			toJSON++
		}
		if err := goldenProto(x, kind, text, pb); err != nil {
			fmt.Printf("golden %s: JSON to protobuf: %v\n", name, err)
		} else {
			toProto++
		}
		if verbose {
			fmt.Println("golden", name)
		}
	}
	fmt.Printf("golden: %d files; protobuf to JSON %d equal by value, JSON to protobuf %d equal by byte\n", len(files), toJSON, toProto)
	if toJSON != len(files) || toProto != len(files) {
		return fmt.Errorf("golden files differ")
	}
	return nil
}

func goldenJSON(x *Index, kind string, pb, want []byte) error {
	got, err := x.toJSON(pb, kind)
	if err != nil {
		return err
	}
	var a, b any
	if err := decodeNumbers(got, &a); err != nil {
		return err
	}
	if err := decodeNumbers(want, &b); err != nil {
		return err
	}
	return diff("", a, b)
}

func goldenProto(x *Index, kind string, text, want []byte) error {
	got, err := x.toProto(text, kind)
	if err != nil {
		return err
	}
	if bytes.Equal(got, want) {
		return nil
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	return fmt.Errorf("byte %d of %d (made %d): want %q, made %q", i, len(want), len(got), clip(want, i), clip(got, i))
}

func clip(b []byte, at int) []byte { return b[max(0, min(at-10, len(b))):min(at+20, len(b))] }

func decodeNumbers(text []byte, into *any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

// diff names the first place where two JSON values differ.
func diff(path string, got, want any) error {
	if g, ok := got.(map[string]any); ok {
		if w, ok := want.(map[string]any); ok {
			for k := range w {
				if _, ok := g[k]; !ok {
					return fmt.Errorf("%s.%s is missing, want %v", path, k, w[k])
				}
			}
			for k := range g {
				if _, ok := w[k]; !ok {
					return fmt.Errorf("%s.%s is %v, want nothing", path, k, g[k])
				}
				if err := diff(path+"."+k, g[k], w[k]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if g, ok := got.([]any); ok {
		if w, ok := want.([]any); ok && len(g) == len(w) {
			for i := range g {
				if err := diff(fmt.Sprintf("%s[%d]", path, i), g[i], w[i]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("%s is %v, want %v", path, got, want)
	}
	return nil
}
