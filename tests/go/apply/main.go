// Runs Kubernetes' own field managers over random sequences of creates, updates, applies and status writes by several
// managers, and writes what becomes of the object and its owners after each step, one sequence per line, for
// flyball/apiserver/merge/go_vectors_test.cpp.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"reflect"
	"sort"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// What one step did. `mf` are the owners after it; a number stands for the entry at that place after the step before.
type step struct {
	Op      string         `json:"op"` // create, update, apply, force, drift
	Manager string         `json:"manager,omitempty"`
	Sub     string         `json:"sub,omitempty"`
	Version string         `json:"version,omitempty"`
	Owners  string         `json:"owners,omitempty"` // which managedFields an update brings along
	In      map[string]any `json:"in,omitempty"`     // what is written, or
	Change  map[string]any `json:"change,omitempty"` // the merge patch that makes it of the object before
	Out     map[string]any `json:"out,omitempty"`    // what an apply made, or
	Became  map[string]any `json:"became,omitempty"` // the merge patch that leads there
	Mf      []any          `json:"mf,omitempty"`
	Error   string         `json:"error,omitempty"`
	Causes  [][]string     `json:"causes,omitempty"`
}

type sequence struct {
	Kind  string `json:"kind"`
	Steps []step `json:"steps"`
}

var epoch = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
var started = time.Now().Add(-time.Minute)

func stamp(i int) metav1.Time { return metav1.NewTime(epoch.Add(time.Duration(i) * time.Minute)) }

// The managers take the time from the clock; it becomes that of the step, which sorts the same.
func restamp(object runtime.Object, i int) {
	accessor, _ := meta.Accessor(object)
	entries := accessor.GetManagedFields()
	for j := range entries {
		if entries[j].Time != nil && entries[j].Time.After(started) {
			now := stamp(i)
			entries[j].Time = &now
		}
	}
	accessor.SetManagedFields(entries)
}

func toMap(object runtime.Object) map[string]any {
	text, err := json.Marshal(object)
	check(err)
	var out map[string]any
	check(json.Unmarshal(text, &out))
	return out
}

func without(object map[string]any) map[string]any {
	if metadata, ok := object["metadata"].(map[string]any); ok {
		delete(metadata, "managedFields")
	}
	return object
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func clone(value map[string]any) map[string]any {
	text, err := json.Marshal(value)
	check(err)
	out := map[string]any{}
	check(json.Unmarshal(text, &out))
	return out
}

// The merge patch from one object to another; none when it cannot say it.
func difference(from, to map[string]any) map[string]any {
	patch := diff(from, to)
	if reflect.DeepEqual(patched(clone(from), patch), to) {
		return patch
	}
	return nil
}

func diff(from, to map[string]any) map[string]any {
	patch := map[string]any{}
	for key := range from {
		if _, ok := to[key]; !ok {
			patch[key] = nil
		}
	}
	for key, value := range to {
		old, ok := from[key]
		oldMap, isOldMap := old.(map[string]any)
		newMap, isNewMap := value.(map[string]any)
		if ok && isOldMap && isNewMap {
			if inner := diff(oldMap, newMap); len(inner) > 0 {
				patch[key] = inner
			}
		} else if !ok || !reflect.DeepEqual(old, value) {
			patch[key] = value
		}
	}
	return patch
}

func patched(to, patch map[string]any) map[string]any {
	for key, value := range patch {
		inner, isMap := value.(map[string]any)
		switch {
		case value == nil:
			delete(to, key)
		case isMap:
			old, _ := to[key].(map[string]any)
			if old == nil {
				old = map[string]any{}
			}
			to[key] = patched(old, inner)
		default:
			to[key] = value
		}
	}
	return to
}

type runner struct {
	r       *rand.Rand
	k       *kind
	live    runtime.Object
	entries []any
	last    map[string]map[string]any // what each manager applied last
}

func (n *runner) manager() string {
	return []string{"alice", "bob", "carol", "kubectl"}[n.r.Intn(4)]
}

func (n *runner) encodeOwners() []any {
	accessor, _ := meta.Accessor(n.live)
	var now []any
	for _, entry := range accessor.GetManagedFields() {
		text, err := json.Marshal(entry)
		check(err)
		var value map[string]any
		check(json.Unmarshal(text, &value))
		// As text: its order counts.
		value["fieldsV1"] = string(entry.FieldsV1.GetRawBytes())
		delete(value, "fieldsType")
		now = append(now, value)
	}
	short := make([]any, len(now))
	for i, entry := range now {
		short[i] = entry
		for j, old := range n.entries {
			if reflect.DeepEqual(entry, old) {
				short[i] = j
			}
		}
	}
	n.entries = now
	return short
}

// The managedFields that come with an update.
func (n *runner) bring(next runtime.Object) string {
	accessor, _ := meta.Accessor(next)
	old, _ := meta.Accessor(n.live)
	entries := old.GetManagedFields()
	switch c := n.r.Intn(20); {
	case c < 10:
		accessor.SetManagedFields(entries)
		return "same"
	case c < 18 || len(entries) == 0:
		accessor.SetManagedFields(nil)
		return ""
	case c == 18:
		accessor.SetManagedFields(entries[1:])
		if len(entries) == 1 {
			return "none"
		}
		return "rest"
	default:
		accessor.SetManagedFields([]metav1.ManagedFieldsEntry{{}})
		return "blank"
	}
}

func (n *runner) update(i int, op string, manager, sub, version string) step {
	s := step{Op: op, Manager: manager, Sub: sub, Version: version}
	f := n.k.manager(version, sub)
	var next map[string]any
	live := n.live
	if op == "create" {
		next = n.k.make(n.r, version, 0.7)
		live = n.k.empty(version)
	} else {
		next = without(toMap(n.live))
		if sub == "status" {
			if fresh := n.k.status(n.r); fresh != nil {
				next["status"] = fresh
			}
		} else {
			n.change(next, version)
		}
	}
	object := n.k.decode(next)
	if op != "create" {
		s.Owners = n.bring(object)
	}
	s.In = without(toMap(object))
	if op != "create" {
		if s.Change = difference(without(toMap(n.live)), s.In); s.Change != nil {
			s.In = nil
		}
	}
	object = f.UpdateNoErrors(n.k.in(live, version), object, manager)
	restamp(object, i)
	n.settle(object)
	s.Mf = n.encodeOwners()
	return s
}

func (n *runner) settle(object runtime.Object) {
	accessor, _ := meta.Accessor(object)
	accessor.SetUID("u")
	n.live = n.k.stored(object)
}

// A client changes something, or several things, of what it read.
func (n *runner) change(next map[string]any, version string) {
	fresh := n.k.make(n.r, version, 0.6)
	if n.r.Intn(4) == 0 {
		annotate(next, fresh)
	}
	for _, part := range []string{"spec", "data", "metadata", "binaryData"} {
		from, ok := fresh[part].(map[string]any)
		if !ok || n.r.Intn(5) < 2 {
			continue
		}
		to, ok := next[part].(map[string]any)
		if !ok {
			next[part] = from
			continue
		}
		keys := make([]string, 0, len(from))
		for key := range from {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for _, key := range keys {
			switch {
			case part == "metadata" && (key == "name" || key == "namespace"):
			case n.r.Intn(3) == 0:
				to[key] = from[key]
			case n.r.Intn(6) == 0 && key != "template" && key != "selector" && key != "containers":
				delete(to, key)
			}
		}
	}
}

func annotate(next, applied map[string]any) {
	text, err := json.Marshal(applied)
	check(err)
	metadata := next["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	if annotations == nil {
		annotations = map[string]any{}
	}
	annotations[lastApplied] = string(text)
	metadata["annotations"] = annotations
}

func (n *runner) apply(i int, manager, sub, version string, force bool) step {
	s := step{Op: "apply", Manager: manager, Sub: sub, Version: version}
	if force {
		s.Op = "force"
	}
	applied := n.k.make(n.r, version, 0.35)
	if sub == "status" {
		applied = n.k.identity(version)
		applied["status"] = n.k.status(n.r)
	} else if old, ok := n.last[manager]; ok && n.r.Intn(2) == 0 {
		applied = clone(old)
		applied["apiVersion"] = n.k.apiVersion(version)
		n.change(applied, version)
	}
	if n.r.Intn(8) == 0 {
		spoil(n.r, applied)
	}
	if n.r.Intn(10) == 0 && n.live != nil {
		// The same as it is, by somebody else.
		applied = n.k.identity(version)
		live := toMap(n.live)
		for _, part := range []string{"spec", "data"} {
			if value, ok := live[part]; ok {
				applied[part] = value
			}
		}
	}
	s.In = clone(applied)
	live := n.live
	if live == nil {
		live = n.k.empty(version)
	}
	patch := &unstructured.Unstructured{Object: numbers(applied).(map[string]any)}
	object, err := n.k.manager(version, sub).Apply(n.k.in(live, version), patch, manager, force)
	if err != nil {
		s.Error = err.Error()
		if head, rest, several := strings.Cut(s.Error, "errors:\n"); several {
			lines := strings.Split(rest, "\n") // in a random order
			sort.Strings(lines)
			s.Error = head + "errors:\n" + strings.Join(lines, "\n")
		}
		if status, ok := err.(*errors.StatusError); ok && status.ErrStatus.Details != nil {
			for _, cause := range status.ErrStatus.Details.Causes {
				s.Causes = append(s.Causes, []string{cause.Message, cause.Field})
			}
			sort.Slice(s.Causes, func(a, b int) bool {
				return fmt.Sprint(s.Causes[a]) < fmt.Sprint(s.Causes[b])
			})
		}
		return s
	}
	if sub == "" {
		n.last[manager] = applied
	}
	restamp(object, i)
	before := map[string]any{}
	if n.live != nil {
		before = without(toMap(n.live))
	}
	n.settle(object)
	s.Out = without(toMap(n.live))
	if s.Became = difference(before, s.Out); s.Became != nil {
		s.Out = nil
	}
	s.Mf = n.encodeOwners()
	return s
}

// The server itself sets or takes something, as defaulting and admission do: it is nobody's.
func (n *runner) drift() step {
	s := step{Op: "drift"}
	before := without(toMap(n.live))
	raw := toMap(n.live)
	fresh := n.k.make(n.r, n.k.versions[0], 0.5)
	for _, part := range []string{"spec", "data"} {
		from, _ := fresh[part].(map[string]any)
		to, _ := raw[part].(map[string]any)
		if from == nil || to == nil {
			continue
		}
		fill(n.r, to, from)
	}
	n.live = n.k.stored(n.k.decode(raw))
	s.In = without(toMap(n.live))
	if s.Change = difference(before, s.In); s.Change != nil {
		s.In = nil
	}
	return s
}

func fill(r *rand.Rand, to, from map[string]any) {
	keys := make([]string, 0, len(from))
	for key := range from {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		inner, isMap := from[key].(map[string]any)
		old, wasMap := to[key].(map[string]any)
		switch {
		case isMap && wasMap:
			fill(r, old, inner)
		case r.Intn(2) == 0:
			to[key] = from[key]
		}
	}
}

func (n *runner) next(i int) step {
	version := n.k.versions[n.r.Intn(len(n.k.versions))]
	if i == 0 && n.r.Intn(3) > 0 {
		return n.update(i, "create", n.manager(), "", version)
	}
	if n.live == nil {
		return n.apply(i, n.manager(), "", version, false)
	}
	switch c := n.r.Intn(22); {
	case c >= 20:
		return n.drift()
	case c < 5:
		return n.update(i, "update", n.manager(), "", version)
	case c < 8 && n.k.status != nil:
		return n.update(i, "update", n.manager(), "status", version)
	case c < 9 && n.k.status != nil:
		return n.apply(i, n.manager(), "status", version, n.r.Intn(2) == 0)
	default:
		return n.apply(i, n.manager(), "", version, n.r.Intn(3) == 0)
	}
}

func run(k *kind, seed int64, length int) sequence {
	n := &runner{r: rand.New(rand.NewSource(seed)), k: k, last: map[string]map[string]any{}}
	s := sequence{Kind: k.name}
	for i := 0; i < length; i++ {
		s.Steps = append(s.Steps, n.next(i))
	}
	return s
}

// More updaters than an object keeps.
func crowd(k *kind, seed int64) sequence {
	n := &runner{r: rand.New(rand.NewSource(seed)), k: k, last: map[string]map[string]any{}}
	s := sequence{Kind: k.name}
	s.Steps = append(s.Steps, n.update(0, "create", "zero", "", k.versions[0]))
	for i := 1; i < 16; i++ {
		version := k.versions[n.r.Intn(len(k.versions))]
		s.Steps = append(s.Steps, n.update(i, "update", fmt.Sprintf("m%d", n.r.Intn(30)), "", version))
	}
	return s
}

func main() {
	if len(os.Args) > 1 {
		writeTypes(os.Args[1])
		return
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	schemas := map[string]json.RawMessage{}
	for version, text := range gadgetSchemas {
		schemas[version] = json.RawMessage(text)
	}
	check(encoder.Encode(map[string]any{"gadget": schemas}))
	for i := 0; i < 40; i++ {
		check(encoder.Encode(map[string]any{"scale": scale(rand.New(rand.NewSource(int64(i))))}))
	}
	seed := int64(20261116)
	for _, k := range kinds() {
		for i := 0; i < k.count; i++ {
			seed++
			check(encoder.Encode(run(k, seed, 7)))
		}
		if k.crowded {
			seed++
			check(encoder.Encode(crowd(k, seed)))
		}
	}
}
