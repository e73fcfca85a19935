package main

import (
	"path/filepath"
	"strings"
)

// What the extractor has to be told, because no published file states it in a form that can be read.

// Packages without a .proto of their own that hold types the others refer to.
var extraPackages = []string{"k8s.io/apimachinery/pkg/types", "k8s.io/apimachinery/pkg/version"}

// Messages of extra packages, and the Go structs of meta/v1 that have no protobuf form.
var noProtoMessages = map[string][]string{
	"apimachinery/version": {"Info"},
	"meta/v1":              {"Table", "TableColumnDefinition", "TableRow", "TableRowCondition"},
}

// A helper for command line flags; no API type refers to it.
var skipMessages = map[string]string{"apimachinery/resource": "QuantityValue"}

var skipPackages = map[string]bool{
	"k8s.io/apimachinery/pkg/apis/testapigroup/v1": true, // test types
	"k8s.io/apimachinery/pkg/runtime/schema":       true, // empty
}

// Codecs: types whose JSON form is hand-made in Go. The value names the rule in docs/kube-facts.md.
var codecs = map[string]string{
	"apimachinery/resource.Quantity":    "Quantity",
	"apimachinery/intstr.IntOrString":   "IntOrString",
	"apimachinery/runtime.RawExtension": "RawExtension",
	"apimachinery/runtime.Unknown":      "Unknown",
	"meta/v1.Time":                      "Time",
	"meta/v1.MicroTime":                 "MicroTime",
	"meta/v1.Duration":                  "Duration",
	"meta/v1.FieldsV1":                  "FieldsV1",
	"meta/v1.GroupVersion":              "GroupVersion",
}

func init() {
	for _, v := range []string{"v1", "v1beta1"} {
		for _, n := range []string{"JSON", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrArray", "JSONSchemaPropsOrStringArray"} {
			codecs["apiextensions/"+v+"."+n] = n
		}
	}
}

// metaKinds: meta/v1 registers its kinds by code, not by a list that can be read.
var metaKinds = map[string]string{
	"Status": "v1", "APIVersions": "v1", "APIGroupList": "v1", "APIGroup": "v1", "APIResourceList": "v1",
	"WatchEvent": "*", "ListOptions": "*", "GetOptions": "*", "DeleteOptions": "*", "CreateOptions": "*",
	"UpdateOptions": "*", "PatchOptions": "*",
	"Table": "meta.k8s.io/v1", "TableOptions": "meta.k8s.io/v1", "PartialObjectMetadata": "meta.k8s.io/v1",
	"PartialObjectMetadataList": "meta.k8s.io/v1",
}

func packageID(path string) string {
	for _, prefix := range []string{"k8s.io/api/", "k8s.io/apimachinery/pkg/apis/", "k8s.io/apiextensions-apiserver/pkg/apis/",
		"k8s.io/kube-aggregator/pkg/apis/"} {
		if id, ok := strings.CutPrefix(path, prefix); ok {
			return id
		}
	}
	return "apimachinery/" + filepath.Base(path)
}

func openapiPrefix(path string) string {
	host, rest, _ := strings.Cut(path, "/")
	parts := strings.Split(host, ".")
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, ".") + "." + strings.ReplaceAll(rest, "/", ".")
}
