// The codecs of k8s.io/api on the Pod of tests/data: one line "name nanoseconds" each, the best of several runs.
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
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "codec:", err)
		os.Exit(1)
	}
}

// best runs f for about a fifth of a second, seven times, and prints the least time of one call.
func best(name string, f func()) {
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
	fmt.Printf("%s %.0f\n", name, float64(least.Nanoseconds())/float64(calls))
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

	best("json_decode_pod", func() { must(json.Unmarshal(text, &corev1.Pod{})) })
	best("json_encode_pod", func() {
		_, err := json.Marshal(pod)
		must(err)
	})
	best("protobuf_decode_pod", func() {
		_, _, err := serializer.Decode(sealed, &kind, &corev1.Pod{})
		must(err)
	})
	best("protobuf_encode_pod", func() {
		var to bytes.Buffer
		must(serializer.Encode(pod, &to))
	})
	best("copy_pod", func() { pod.DeepCopy() })
}
