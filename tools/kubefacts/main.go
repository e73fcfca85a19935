// Command kubefacts writes the facts table of every built-in Kubernetes type; see docs/kube-facts.md.
//
//	kubefacts -dirs dirs.txt -out v1.36.txt    extract (dirs.txt: "module version directory" a line)
//	kubefacts -table v1.36.txt -check          check a table's own consistency, print counts
//	kubefacts -table v1.36.txt -cpp            print what a C++ generator must know
//	kubefacts -table v1.36.txt -golden DIR     transcode the golden files of k8s.io/api, using only the table
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"sort"
	"strings"
)

func main() {
	dirs := flag.String("dirs", "", "file with \"module version directory\" lines")
	order := flag.String("order", "order.txt", "YAML order rules")
	exceptions := flag.String("exceptions", "exceptions.txt", "findings that are known, with their reason")
	out := flag.String("out", "", "write the table here")
	table := flag.String("table", "", "read this table")
	check := flag.Bool("check", false, "check the table")
	golden := flag.String("golden", "", "directory of golden json/pb pairs")
	cpp := flag.Bool("cpp", false, "print what a C++ generator must know")
	verbose := flag.Bool("v", false, "name every golden file that passes")
	flag.Parse()
	if err := run(*dirs, *order, *exceptions, *out, *table, *check, *golden, *verbose, *cpp); err != nil {
		fmt.Fprintln(os.Stderr, "kubefacts:", err)
		os.Exit(1)
	}
}

func run(dirs, order, exceptions, out, table string, check bool, golden string, verbose, cpp bool) error {
	if dirs != "" {
		if err := extract(dirs, order, exceptions, out); err != nil {
			return err
		}
		table = out
	}
	if table == "" {
		return fmt.Errorf("nothing to do: give -dirs and -out, or -table")
	}
	data, err := os.ReadFile(table)
	if err != nil {
		return err
	}
	t, err := readTable(bytes.NewReader(data))
	if err != nil {
		return err
	}
	var again bytes.Buffer
	if err := writeTable(&again, t); err != nil {
		return err
	}
	if !bytes.Equal(again.Bytes(), data) {
		return fmt.Errorf("%s: reading and writing the table changes it", table)
	}
	if check {
		if err := checkTable(t, len(data)); err != nil {
			return err
		}
	}
	if cpp {
		cppReport(os.Stdout, t)
	}
	if golden != "" {
		return goldenAll(t, golden, verbose)
	}
	return nil
}

func extract(dirsFile, orderFile, exceptionsFile, out string) error {
	data, err := os.ReadFile(dirsFile)
	if err != nil {
		return err
	}
	dirs := map[string]string{}
	var modules []string
	kubernetes := ""
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		words := strings.Fields(line)
		if len(words) != 3 {
			return fmt.Errorf("%s: want \"module version directory\", found %q", dirsFile, line)
		}
		dirs[words[0]] = words[2]
		modules = append(modules, words[0]+" "+words[1])
		if words[0] == "k8s.io/kubernetes" {
			kubernetes = words[1]
		}
	}
	rules, err := readOrder(orderFile)
	if err != nil {
		return err
	}
	t, b, err := build(dirs, rules)
	if err != nil {
		return err
	}
	t.Kubernetes, t.Modules = kubernetes, modules
	if err := b.report(exceptionsFile); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := writeTable(&text, t); err != nil {
		return err
	}
	return os.WriteFile(out, text.Bytes(), 0o644)
}

// report: every finding must stand in the exceptions file, and every exception must still be found.
func (b *builder) report(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, line := range strings.Split(string(data), "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			known[line] = true
		}
	}
	sort.Strings(b.problems)
	fresh, excepted := 0, map[string]bool{}
	for _, p := range b.problems {
		if known[p] {
			excepted[p] = true
			continue
		}
		fresh++
		fmt.Fprintln(os.Stderr, "finding:", p)
	}
	for p := range known {
		if !excepted[p] {
			fresh++
			fmt.Fprintln(os.Stderr, "exception no longer found:", p)
		}
	}
	fmt.Printf("sources: %d fields say the same in Go markers and in OpenAPI, %d implied facts hold, %d enums the same in Go constants and in the server's schemas; "+
		"%d known exceptions\n", b.derived, b.impliedEqual, b.enumsEqual, len(excepted))
	if fresh > 0 {
		return fmt.Errorf("%d findings; fix them, or write them with their reason into %s", fresh, file)
	}
	return nil
}
