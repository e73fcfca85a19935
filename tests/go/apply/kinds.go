package main

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/managedfields"
	applyconfigurations "k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

type kind struct {
	name     string
	group    string
	versions []string
	custom   managedfields.TypeConverter // of a custom resource
	reset    map[string]*fieldpath.Set   // by subresource
	body     func(r *rand.Rand, density float64) map[string]any
	status   func(r *rand.Rand) map[string]any
	count    int
	crowded  bool
}

func (k *kind) apiVersion(version string) string {
	return schema.GroupVersion{Group: k.group, Version: version}.String()
}

func (k *kind) identity(version string) map[string]any {
	return map[string]any{"apiVersion": k.apiVersion(version), "kind": k.name,
		"metadata": map[string]any{"name": "x", "namespace": "d"}}
}

func (k *kind) make(r *rand.Rand, version string, density float64) map[string]any {
	object := k.identity(version)
	metadata := object["metadata"].(map[string]any)
	some(r, density/2, metadata, "labels", words(r))
	some(r, density/3, metadata, "annotations", words(r))
	some(r, density/4, metadata, "finalizers", pick(r, "a.b/x", "a.b/y", "a.b/z"))
	if maybe(r, density/4) {
		metadata["ownerReferences"] = []any{map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "o", "uid": one(r, "1", "2")}}
	}
	for key, value := range k.body(r, density) {
		object[key] = value
	}
	return object
}

func (k *kind) empty(version string) runtime.Object {
	gvk := schema.GroupVersionKind{Group: k.group, Version: version, Kind: k.name}
	if k.custom != nil {
		object := &unstructured.Unstructured{}
		object.SetGroupVersionKind(gvk)
		return object
	}
	object, err := scheme.Scheme.New(gvk)
	check(err)
	return object
}

func (k *kind) decode(object map[string]any) runtime.Object {
	text, err := json.Marshal(object)
	check(err)
	if k.custom != nil {
		decoded := &unstructured.Unstructured{}
		check(decoded.UnmarshalJSON(text))
		return decoded
	}
	decoded, _, err := scheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
	check(err)
	return decoded
}

// As read again from storage, where built-in kinds are protobuf.
func (k *kind) stored(object runtime.Object) runtime.Object {
	if k.custom != nil {
		return k.in(k.decode(toMap(object)), k.versions[0])
	}
	format := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	var bytes bytes.Buffer
	check(format.Encode(object, &bytes))
	out, gvk, err := format.Decode(bytes.Bytes(), nil, nil)
	check(err)
	out.GetObjectKind().SetGroupVersionKind(*gvk)
	return out
}

// As the request's version sees it.
func (k *kind) in(object runtime.Object, version string) runtime.Object {
	out, err := k.converter().ConvertToVersion(object, schema.GroupVersion{Group: k.group, Version: version})
	check(err)
	return out
}

func (k *kind) converter() runtime.ObjectConvertor {
	if k.custom != nil {
		return renamer{k}
	}
	return scheme.Scheme
}

func (k *kind) manager(version, sub string) *managedfields.FieldManager {
	gv := schema.GroupVersion{Group: k.group, Version: version}
	gvk := gv.WithKind(k.name)
	reset := map[fieldpath.APIVersion]*fieldpath.Set{}
	if set, ok := k.reset[sub]; ok {
		for _, v := range k.versions {
			reset[fieldpath.APIVersion(k.apiVersion(v))] = set
		}
	}
	filter := fieldpath.NewExcludeFilterSetMap(reset)
	if k.custom != nil {
		f, err := managedfields.NewDefaultCRDFieldManager(k.custom, renamer{k}, scheme.Scheme, creater{k}, gvk, schema.GroupVersion{Group: k.group, Version: k.versions[0]}, sub, filter)
		check(err)
		return f
	}
	f, err := managedfields.NewDefaultFieldManager(applyconfigurations.NewTypeConverter(scheme.Scheme), scheme.Scheme, scheme.Scheme, scheme.Scheme, gvk, gv, sub, filter)
	check(err)
	return f
}

type creater struct{ k *kind }

func (c creater) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	return c.k.empty(gvk.Version), nil
}

// What a definition with conversion None does: another apiVersion.
type renamer struct{ k *kind }

func (n renamer) Convert(in, out, context any) error { panic("not used") }

func (n renamer) ConvertFieldLabel(schema.GroupVersionKind, string, string) (string, string, error) {
	panic("not used")
}

func (n renamer) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	gv := target.(schema.GroupVersion)
	known := false
	for _, v := range n.k.versions {
		known = known || v == gv.Version
	}
	if !known {
		return nil, runtime.NewNotRegisteredErrForKind("test", gv.WithKind(n.k.name))
	}
	out := in.(*unstructured.Unstructured).DeepCopy()
	out.SetAPIVersion(gv.String())
	return out, nil
}

func path(parts ...any) fieldpath.Path { return fieldpath.MakePathOrDie(parts...) }

// The schema of a definition, as its server completes it.
func definition(group, kindName string, versions map[string]string) managedfields.TypeConverter {
	models := map[string]*spec.Schema{}
	var objectMeta spec.Schema
	check(json.Unmarshal([]byte(objectMetaSchema), &objectMeta))
	models["io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"] = &objectMeta
	for version, text := range versions {
		var model spec.Schema
		check(json.Unmarshal([]byte(text), &model))
		model.SetProperty("apiVersion", *spec.StringProperty())
		model.SetProperty("kind", *spec.StringProperty())
		model.SetProperty("metadata", *spec.RefSchema("#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"))
		embed(&model)
		model.AddExtension("x-kubernetes-group-version-kind", []any{map[string]any{"group": group, "version": version, "kind": kindName}})
		models["com.example."+version+"."+kindName] = &model
	}
	converter, err := managedfields.NewTypeConverter(models, false)
	check(err)
	return converter
}

func embed(s *spec.Schema) {
	for name := range s.Properties {
		property := s.Properties[name]
		embed(&property)
		s.Properties[name] = property
	}
	if embedded, _ := s.Extensions.GetBool("x-kubernetes-embedded-resource"); embedded {
		s.SetProperty("apiVersion", *spec.StringProperty())
		s.SetProperty("kind", *spec.StringProperty())
		s.SetProperty("metadata", *spec.RefSchema("#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"))
	}
}

const objectMetaSchema = `{"type":"object","properties":{
"annotations":{"type":"object","additionalProperties":{"type":"string"}},
"creationTimestamp":{"type":"string","format":"date-time"},
"deletionGracePeriodSeconds":{"type":"integer","format":"int64"},
"deletionTimestamp":{"type":"string","format":"date-time"},
"finalizers":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
"generateName":{"type":"string"},"generation":{"type":"integer","format":"int64"},
"labels":{"type":"object","additionalProperties":{"type":"string"}},
"managedFields":{"type":"array","items":{"type":"object"},"x-kubernetes-list-type":"atomic"},
"name":{"type":"string"},"namespace":{"type":"string"},
"ownerReferences":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["uid"],
 "items":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"apiVersion":{"type":"string","default":""},"blockOwnerDeletion":{"type":"boolean"},"controller":{"type":"boolean"},"kind":{"type":"string","default":""},"name":{"type":"string","default":""},"uid":{"type":"string","default":""}}}},
"resourceVersion":{"type":"string"},"selfLink":{"type":"string"},"uid":{"type":"string"}}}`

// The second version owns its tags as a whole.
var gadgetSchemas = map[string]string{
	"v1": gadgetSchema,
	"v2": strings.Replace(gadgetSchema, `"x-kubernetes-list-type":"set"},
 "parts"`, `"x-kubernetes-list-type":"atomic"},
 "parts"`, 1),
}

const gadgetSchema = `{"type":"object","properties":{
"spec":{"type":"object","properties":{
 "size":{"type":"integer"},
 "tags":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
 "parts":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name","zone"],
  "items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"zone":{"type":"string","default":"a"},
   "count":{"type":"integer"},"colors":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"}}}},
 "ranks":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["rank"],
  "items":{"type":"object","properties":{"rank":{"type":"integer"},"title":{"type":"string"}}}},
 "steps":{"type":"array","items":{"type":"object","properties":{"run":{"type":"string"}}}},
 "rgb":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"r":{"type":"integer"},"g":{"type":"integer"}}},
 "notes":{"type":"object","additionalProperties":{"type":"string"}},
 "groups":{"type":"object","additionalProperties":{"type":"object","properties":{"min":{"type":"integer"},"max":{"type":"integer"}}}},
 "port":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]},
 "blob":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
 "any":{"x-kubernetes-preserve-unknown-fields":true},
 "child":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},
 "nested":{"type":"object","properties":{"deep":{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}}}}}
}},
"status":{"type":"object","properties":{"phase":{"type":"string"},
 "conditions":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["type"],
  "items":{"type":"object","properties":{"type":{"type":"string"},"status":{"type":"string"}}}}}}
}}`
