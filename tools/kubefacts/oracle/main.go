// Command oracle writes, with the real Kubernetes packages, every kind of their schemes as JSON and as protobuf: once
// empty and several times filled at random. The facts table must turn each into the other (kubefacts -golden DIR).
// The golden files of k8s.io/api have every field set and leave out lists and CRDs; these have what they do not.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"
)

func main() {
	out := flag.String("out", "", "directory for the files")
	rounds := flag.Int("rounds", 8, "random objects per kind, beside the empty one")
	flag.Parse()
	if err := run(*out, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run(out string, rounds int) error {
	scheme := runtime.NewScheme()
	for _, add := range schemes {
		if err := add(scheme); err != nil {
			return err
		}
	}
	asJSON := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{})
	asProto := protobuf.NewSerializer(scheme, scheme)
	kinds := 0
	for _, gvk := range kindsOf(scheme) {
		kinds++
		for round := 0; round <= rounds; round++ {
			obj, err := scheme.New(gvk)
			if err != nil {
				return err
			}
			if round > 0 {
				seed := int64(round)*1000003 + int64(kinds)
				filler(seed).Fill(obj)
				thin(reflect.ValueOf(obj).Elem(), rand.New(rand.NewSource(seed)))
			}
			obj.GetObjectKind().SetGroupVersionKind(gvk)
			if obj, err = again(obj, asProto); err != nil {
				return err
			}
			name := fmt.Sprintf("%d.%s.%s.%s", round, gvk.Group, gvk.Version, gvk.Kind)
			if err := write(out, name, obj, asJSON, asProto); err != nil {
				return fmt.Errorf("%s: %v", name, err)
			}
		}
	}
	fmt.Printf("oracle: %d kinds, %d objects\n", kinds, kinds*(rounds+1))
	return nil
}

// kindsOf leaves out internal versions, and all but one copy of the options kinds every group registers.
func kindsOf(scheme *runtime.Scheme) []schema.GroupVersionKind {
	var out []schema.GroupVersionKind
	for gvk, typ := range scheme.AllKnownTypes() {
		meta := typ.PkgPath() == reflect.TypeOf(metav1.Status{}).PkgPath()
		if gvk.Version == runtime.APIVersionInternal || meta && (gvk.Group != "" || gvk.Version != "v1") {
			continue
		}
		out = append(out, gvk)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].String() < out[j].String() })
	return out
}

// again sends an object through protobuf once: what is read back is what a server would have.
func again(obj runtime.Object, s runtime.Serializer) (runtime.Object, error) {
	gvk := obj.GetObjectKind().GroupVersionKind()
	var wire bytes.Buffer
	if err := s.Encode(obj, &wire); err != nil {
		return nil, err
	}
	if _, ok := obj.(*metav1.WatchEvent); ok { // has no type of its own in the envelope
		return obj, nil
	}
	back, _, err := s.Decode(wire.Bytes(), &gvk, nil)
	if err != nil {
		return nil, err
	}
	back.GetObjectKind().SetGroupVersionKind(gvk)
	return back, nil
}

func write(dir, name string, obj runtime.Object, asJSON, asProto runtime.Encoder) error {
	var text, wire bytes.Buffer
	if err := asJSON.Encode(obj, &text); err != nil {
		return err
	}
	if err := asProto.Encode(obj, &wire); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name+".json"), text.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+".pb"), wire.Bytes(), 0o644)
}

// filler sets about half of what may be unset. Not made, because JSON or protobuf cannot tell them apart: empty lists and
// maps from nil ones, a pointer to a zero time (JSON null) or to empty raw JSON from nil. The empty object of each kind has
// the zero values.
func filler(seed int64) *randfill.Filler {
	return randfill.NewWithSeed(seed).NilChance(0.5).NumElements(1, 2).MaxDepth(14).Funcs(
		func(t *metav1.TypeMeta, c randfill.Continue) {},
		func(t *metav1.Time, c randfill.Continue) {
			*t = metav1.Unix(c.Int63()%4102444800, 0)
		},
		func(t *metav1.MicroTime, c randfill.Continue) {
			*t = metav1.NewMicroTime(time.Unix(c.Int63()%4102444800, c.Int63()%1000000*1000))
		},
		func(d *metav1.Duration, c randfill.Continue) {
			d.Duration = time.Duration(c.Int63() % int64(1000*time.Hour))
		},
		func(q *resource.Quantity, c randfill.Continue) {
			formats := []resource.Format{resource.DecimalSI, resource.BinarySI, resource.DecimalExponent}
			*q = *resource.NewMilliQuantity(c.Int63()%1000000000, formats[c.Intn(3)])
			_ = q.String()
		},
		func(v *intstr.IntOrString, c randfill.Continue) {
			*v = intstr.FromInt32(c.Int31() - 1<<30)
			if c.Bool() {
				*v = intstr.FromString("10%")
			}
		},
		func(r *runtime.RawExtension, c randfill.Continue) {
			r.Raw = []byte(`{"apiVersion":"v1","kind":"X","a":[1,null,"b"]}`)
		},
		func(f *metav1.FieldsV1, c randfill.Continue) { f.Raw = []byte(`{"f:a":{".":{}}}`) },
		func(j *apiextensionsv1.JSON, c randfill.Continue) { j.Raw = []byte(`{"x":[1.5,true]}`) },
		func(j *apiextensionsv1beta1.JSON, c randfill.Continue) { j.Raw = []byte(`"text"`) },
		func(s *apiextensionsv1.JSONSchemaPropsOrBool, c randfill.Continue) {
			if s.Allows = c.Bool(); s.Allows && c.Bool() {
				s.Schema = &apiextensionsv1.JSONSchemaProps{Type: "string"}
			}
		},
		func(s *apiextensionsv1.JSONSchemaPropsOrArray, c randfill.Continue) {
			s.Schema = &apiextensionsv1.JSONSchemaProps{Type: "integer"}
			if c.Bool() {
				s.Schema, s.JSONSchemas = nil, []apiextensionsv1.JSONSchemaProps{{Type: "string"}, {Format: "int32"}}
			}
		},
		func(s *apiextensionsv1.JSONSchemaPropsOrStringArray, c randfill.Continue) {
			s.Schema = &apiextensionsv1.JSONSchemaProps{Type: "integer"}
			if c.Bool() {
				s.Schema, s.Property = nil, []string{"a", "b"}
			}
		},
		func(s *apiextensionsv1beta1.JSONSchemaPropsOrBool, c randfill.Continue) { s.Allows = c.Bool() },
		func(s *apiextensionsv1beta1.JSONSchemaPropsOrArray, c randfill.Continue) {
			s.JSONSchemas = []apiextensionsv1beta1.JSONSchemaProps{{Type: "string"}}
		},
		func(s *apiextensionsv1beta1.JSONSchemaPropsOrStringArray, c randfill.Continue) {
			s.Schema = &apiextensionsv1beta1.JSONSchemaProps{Type: "string"}
		},
	)
}

// thin sets some values back to zero, also behind pointers: whether a zero is written is what tells a value from a pointer.
func thin(v reflect.Value, r *rand.Rand) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			thin(v.Elem(), r)
		}
	case reflect.Slice:
		for i := 0; i < v.Len(); i++ {
			thin(v.Index(i), r)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			item := reflect.New(v.Type().Elem()).Elem()
			item.Set(v.MapIndex(key))
			thin(item, r)
			v.SetMapIndex(key, item)
		}
	case reflect.Struct:
		if v.CanAddr() && ownForm(v.Addr().Interface()) {
			return
		}
		for i := 0; i < v.NumField(); i++ {
			field := v.Field(i)
			if field.Kind() == reflect.Struct && r.Intn(8) == 0 {
				field.SetZero()
				continue
			}
			thin(field, r)
		}
	case reflect.Uint8: // part of a []byte
	default:
		if v.CanSet() && r.Intn(4) == 0 {
			v.SetZero()
		}
	}
}

// ownForm: types whose members do not stand for themselves.
func ownForm(p any) bool {
	switch p.(type) {
	case *metav1.Time, *metav1.MicroTime, *metav1.Duration, *resource.Quantity, *intstr.IntOrString, *runtime.RawExtension,
		*metav1.FieldsV1, *apiextensionsv1.JSON, *apiextensionsv1beta1.JSON,
		*apiextensionsv1.JSONSchemaPropsOrBool, *apiextensionsv1.JSONSchemaPropsOrArray, *apiextensionsv1.JSONSchemaPropsOrStringArray,
		*apiextensionsv1beta1.JSONSchemaPropsOrBool, *apiextensionsv1beta1.JSONSchemaPropsOrArray,
		*apiextensionsv1beta1.JSONSchemaPropsOrStringArray:
		return true
	}
	return false
}
