package main

// The facts table in memory. The extractor fills it from the modules (scan_*.go), write.go prints it, read.go reads it
// back; the checks and the golden codec use only what read.go returns, so they prove what the text holds.

type Table struct {
	Kubernetes string
	Modules    []string // "k8s.io/api v0.36.3"
	Packages   []*Package
	Groups     []*Group
}

type Package struct {
	ID       string // "core/v1": the name references use, and the path of the C++ header
	Go       string // import path
	Proto    string // "" when the package has no generated.proto
	OpenAPI  string // prefix of its definitions' names
	Group    string // API group, "-" when the package serves none
	Version  string
	Strings  []*StringType
	Aliases  []*Alias
	Messages []*Message
}

// StringType is a named string: an enum when it has constants, closed when the schema lists them.
type StringType struct {
	Name   string
	Closed bool
	Consts []Const
}

type Const struct{ Name, Value string }

// Alias is a named slice, map or other type that is no message of its own.
type Alias struct{ Name, Type string }

type Message struct {
	Name       string
	Kind       string // apiVersion it is registered under, "*" for every group version, "" for none
	ListOf     string // item type of a list kind
	Schema     bool   // has an OpenAPI definition of its own
	NoProto    bool
	Codec      string // JSON (and sometimes protobuf) form is hand-made
	Wrap       bool   // a named Go slice that protobuf wraps into a message, field 1
	MapType    string
	Deprecated bool
	Introduced string
	DeprIn     string
	Removed    string
	Replaced   string
	Unions     []Union
	Fields     []*Field
	Order      []string // YAML order of the flattened JSON names, only when it differs from Fields
}

type Union struct {
	Discriminator string
	Members       []Const // JSON field name, discriminator value
}

type Field struct {
	JSON   string // "-" for an inlined field
	Num    int    // 0: not in the protobuf message
	Wire   string // protobuf type: "string", "[]int32", "{}msg"; "-" when Num is 0
	Type   string // Go type expression over table names: "*[]core/v1.Pod"
	Omit   string // "-", "e" omitempty, "z" omitzero, "ez"
	Inline bool
	Go     string
	Proto  string
	Schema Schema
	OneOf  string
	Gate   string
	Depr   bool
}

// Schema is what the OpenAPI document says about a field.
type Schema struct {
	Required bool
	Default  string // JSON; "" when none, or when it is the zero value that the Go type implies
	List     string
	Keys     []string
	Map      string
	Patch    string
	MergeKey string
}

type Group struct {
	Name      string // "" is core
	Versions  []string
	Resources []*Resource
}

type Resource struct {
	Version, Name, Kind, KindVersion, Singular string // KindVersion: "" means the group version that serves it
	Namespaced                                 bool
	Short, Categories, Verbs                   []string
	Hash                                       string
	Deletes                                    string // what DELETE answers: "object" or "status"
	Subs                                       []*Sub
}

type Sub struct {
	Name, Kind, KindVersion string // as in Resource
	Verbs                   []string
	Requests                []string // "POST:policy/v1.Eviction": body and answer per HTTP method, where the OpenAPI paths name them
}
