// The codecs of k8s.io/api on the Pod of tests/data: one line "name nanoseconds" each, the best of several runs.
//
//	go_codec POD.json                    the times
//	go_codec POD.json json|protobuf      the Pod, decoded and encoded again: proof that everybody does the same work
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	kjson "sigs.k8s.io/json"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "codec:", err)
		os.Exit(1)
	}
}

// best runs f for about a fifth of a second, seven times: the least time of one call, in nanoseconds.
func best(f func()) float64 {
	f()
	calls := 1
	for {
		start := time.Now()
		for i := 0; i < calls; i++ {
			f()
		}
		if time.Since(start) > 200*time.Millisecond {
			break
		}
		calls *= 2
	}
	least := time.Duration(1 << 62)
	for run := 0; run < 7; run++ {
		start := time.Now()
		for i := 0; i < calls; i++ {
			f()
		}
		least = min(least, time.Since(start))
	}
	return float64(least.Nanoseconds()) / float64(calls)
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	must(err)
	pod := &corev1.Pod{}
	must(json.Unmarshal(text, pod))

	scheme := runtime.NewScheme()
	must(corev1.AddToScheme(scheme))
	serializer := protobuf.NewSerializer(scheme, scheme)
	var buffer bytes.Buffer
	must(serializer.Encode(pod, &buffer))
	sealed := buffer.Bytes()
	kind := schema.GroupVersionKind{Version: "v1", Kind: "Pod"}

	if len(os.Args) > 2 {
		encoded := sealed
		if os.Args[2] == "json" {
			encoded, err = json.Marshal(pod)
			must(err)
		}
		_, err = os.Stdout.Write(encoded)
		must(err)
		return
	}

	show := func(name string, time float64) { fmt.Printf("%s %.0f\n", name, time) }
	// The standard library's decoder and the one that client-go uses: the faster one counts.
	show("json_decode_pod", min(
		best(func() { must(json.Unmarshal(text, &corev1.Pod{})) }),
		best(func() { must(kjson.UnmarshalCaseSensitivePreserveInts(text, &corev1.Pod{})) })))
	show("json_encode_pod", best(func() {
		_, err := json.Marshal(pod)
		must(err)
	}))
	show("protobuf_decode_pod", best(func() {
		_, _, err := serializer.Decode(sealed, &kind, &corev1.Pod{})
		must(err)
	}))
	show("protobuf_encode_pod", best(func() {
		var to bytes.Buffer
		must(serializer.Encode(pod, &to))
	}))
	show("copy_pod", best(func() { pod.DeepCopy() }))
}
