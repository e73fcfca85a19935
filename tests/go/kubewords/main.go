// Asks Kubernetes' own packages and writes their answers, one JSON object per line, for flyball/kube/go_agrees_test.cpp.
// Every line has a "t" that says which question it is; "err" stands instead of the answer where Go refuses.
package main

import (
	"bufio"
	"encoding/json"
	"math/rand"
	"os"
)

type row = map[string]any

var (
	out    = bufio.NewWriter(os.Stdout)
	random = rand.New(rand.NewSource(20260401))
)

func emit(r row) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r); err != nil {
		panic(err)
	}
}

func pick(from []string) string { return from[random.Intn(len(from))] }

// A string of up to `max` characters out of `alphabet`.
func text(alphabet string, max int) string {
	runes := []rune(alphabet)
	result := ""
	for n := random.Intn(max + 1); n > 0; n-- {
		result += string(runes[random.Intn(len(runes))])
	}
	return result
}

func main() {
	quantities()
	selectors()
	fieldSelectors()
	names()
	durations()
	times()
	intOrStrings()
	groupVersions()
	out.Flush()
}
