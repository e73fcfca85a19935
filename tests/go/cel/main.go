// Compiles and evaluates expressions with the real cel-go in the environment of the real kube-apiserver and prints what
// comes out, one JSON object per line: flyball/cel/vectors_test.cpp compares.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"math/rand"
	"os"
	"sort"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

type Vector struct {
	Expression string  `json:"e"`
	Compile    string  `json:"c,omitempty"` // what the compiler says
	Plan       string  `json:"p,omitempty"` // what constant folding says
	Value      *string `json:"v,omitempty"`
	Error      string  `json:"x,omitempty"` // what went wrong when it ran
	Type       string  `json:"t,omitempty"`
	Cost       uint64  `json:"k,omitempty"`
}

const document = `{
  "name": "web", "replicas": 3, "ratio": 0.5, "on": true, "none": null,
  "labels": {"app": "web", "tier": "front-end"},
  "ports": [{"name": "http", "port": 80}, {"name": "https", "port": 443}],
  "items": [1, 2, 3], "empty": [], "nested": {"a": {"b": {"c": "deep"}}},
  "when": "2024-02-29T12:30:45.5Z", "quantity": "1.5Gi", "text": "héllo wörld", "address": "10.0.0.1"
}`

func fromJSON(text string) any {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		log.Fatal(err)
	}
	return numbers(value)
}

func numbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, _ := v.Float64()
		return f
	case map[string]any:
		for key, member := range v {
			v[key] = numbers(member)
		}
	case []any:
		for i, element := range v {
			v[i] = numbers(element)
		}
	}
	return value
}

func text(value ref.Val) string {
	switch v := value.(type) {
	case *types.Optional:
		if !v.HasValue() {
			return "optional.none()"
		}
		return "optional.of(" + text(v.GetValue()) + ")"
	case traits.Lister:
		parts := []string{}
		for i := types.Int(0); i < v.Size().(types.Int); i++ {
			parts = append(parts, text(v.Get(i)))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case traits.Mapper:
		parts := []string{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			parts = append(parts, text(key)+": "+text(v.Get(key)))
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case apiservercel.Quantity:
		return v.Quantity.String()
	case *apiservercel.Quantity:
		return v.Quantity.String()
	case apiservercel.URL:
		return v.URL.String()
	case apiservercel.IP:
		return v.Addr.String()
	case apiservercel.CIDR:
		return v.Prefix.String()
	case apiservercel.Semver:
		return v.Version.String()
	case apiservercel.Format:
		return v.Name
	}
	return types.Format(value)
}

func main() {
	base := environment.MustBaseEnvSet(version.MajorMinor(1, 36))
	stored, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			cel.Variable("self", cel.DynType),
			cel.Variable("i", cel.IntType), cel.Variable("u", cel.UintType), cel.Variable("d", cel.DoubleType),
			cel.Variable("b", cel.BoolType), cel.Variable("s", cel.StringType), cel.Variable("by", cel.BytesType),
			cel.Variable("l", cel.ListType(cel.IntType)), cel.Variable("ls", cel.ListType(cel.StringType)),
			cel.Variable("ld", cel.ListType(cel.DynType)),
			cel.Variable("m", cel.MapType(cel.StringType, cel.IntType)),
			cel.Variable("md", cel.MapType(cel.StringType, cel.DynType)),
			cel.Variable("ts", cel.TimestampType), cel.Variable("dur", cel.DurationType),
			cel.Variable("unset", cel.StringType), cel.Variable("a.b", cel.IntType),
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	env, err := stored.Env(environment.StoredExpressions)
	if err != nil {
		log.Fatal(err)
	}
	_ = library.CostEstimator{}
	self := fromJSON(document)
	inputs := map[string]any{
		"self": self, "i": int64(5), "u": uint64(7), "d": 2.5, "b": true, "s": "hello wörld", "by": []byte("abc\x00\xff"),
		"l": []int64{3, 1, 2}, "ls": []string{"b", "a", "c"}, "ld": []any{int64(1), "two", 3.5, nil, true},
		"m": map[string]int64{"one": 1}, "md": map[string]any{"k": "v"}, "a.b": int64(42),
		"ts":  types.String("2024-02-29T12:30:45.5Z").ConvertToType(types.TimestampType),
		"dur": types.String("90m30.5s").ConvertToType(types.DurationType),
	}
	one := func(expression string) (v Vector) {
		defer func() {
			if recover() != nil { // cel-go itself fell over: there is no answer to agree with
				v = Vector{}
			}
		}()
		v = Vector{Expression: expression}
		ast, issues := env.Compile(expression)
		if issues.Err() != nil {
			v.Compile = issues.Err().Error()
			return v
		}
		v.Type = cel.FormatCELType(ast.OutputType())
		program, err := env.Program(ast)
		if err != nil {
			v.Plan = err.Error()
			return v
		}
		out, details, err := program.Eval(inputs)
		if details != nil && details.ActualCost() != nil {
			v.Cost = *details.ActualCost()
		}
		if err != nil {
			if strings.HasPrefix(err.Error(), "internal error") { // a panic inside cel-go
				return Vector{}
			}
			v.Error = err.Error()
			return v
		}
		shown := text(out)
		v.Value = &shown
		return v
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	seen := map[string]bool{}
	r := drawer{rand.New(rand.NewSource(20261118))}
	expressions := append([]string{}, written()...)
	for i := 0; i < 2200; i++ {
		expressions = append(expressions, r.expression())
	}
	for _, expression := range expressions {
		if seen[expression] {
			continue
		}
		seen[expression] = true
		first := one(expression)
		recorded, _ := json.Marshal(first)
		stable := true
		for i := 0; i < 6 && stable; i++ { // Go walks maps in any order: what depends on it is no answer
			again, _ := json.Marshal(one(expression))
			stable = string(again) == string(recorded)
		}
		if !stable || first == (Vector{}) {
			continue
		}
		if err := encoder.Encode(first); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Fprintln(os.Stderr, len(seen), "expressions")
}
