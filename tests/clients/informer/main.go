// An ordinary client-go program: informers of a built-in kind and of a custom resource, in every flavour (typed,
// dynamic, metadata), a fixed sequence of writes, and on stdout every event and object they saw.
//
//	go run . <kubeconfig>
//
// Each write waits until every informer it concerns has told about it, so the output is the same every time. What no
// two servers have in common (versions, uids, times) is compared here and not printed.
package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/util/retry"
)

const (
	namespace = "informer"
	patience  = 30 * time.Second // against hangs: nothing waits that long
)

var (
	widgets     = schema.GroupVersionResource{Group: "informer.example.com", Version: "v1", Resource: "widgets"}
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	configMaps  = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "informer:", err)
		os.Exit(1)
	}
}

func must1[T any](value T, err error) T {
	must(err)
	return value
}

// program holds the clients and what the informers have told.
type program struct {
	ctx     context.Context
	typed   kubernetes.Interface
	dynamic dynamic.Interface
	meta    metadata.Interface
	told    chan string
}

// follow reports every event of an informer under its name.
func (p *program) follow(name string, informer cache.SharedIndexInformer) {
	must1(informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(object any, initial bool) {
			word := "added"
			if initial {
				word = "added (initial)"
			}
			p.told <- fmt.Sprintf("%s: %s %s", name, word, describe(object))
		},
		UpdateFunc: func(before, after any) {
			p.told <- fmt.Sprintf("%s: updated %s -> %s", name, describe(before), describe(after))
		},
		DeleteFunc: func(object any) {
			if unknown, ok := object.(cache.DeletedFinalStateUnknown); ok {
				object = unknown.Obj
			}
			p.told <- fmt.Sprintf("%s: deleted %s", name, describe(object))
		},
	}))
}

// expect takes that many reports and prints them, sorted: informers do not wait for each other.
func (p *program) expect(step string, count int) {
	fmt.Println("==", step)
	lines := make([]string, 0, count)
	for range count {
		select {
		case line := <-p.told:
			lines = append(lines, line)
		case <-time.After(patience):
			must(fmt.Errorf("%s: waited for %d reports, got %v", step, count, lines))
		}
	}
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
}

func describe(object any) string {
	accessor := must1(meta.Accessor(object))
	text := accessor.GetNamespace() + "/" + accessor.GetName()
	if len(accessor.GetLabels()) > 0 {
		text += fmt.Sprint(" labels=", accessor.GetLabels())
	}
	if accessor.GetDeletionTimestamp() != nil {
		text += " deleting"
	}
	switch typed := object.(type) {
	case *corev1.ConfigMap:
		text += fmt.Sprint(" data=", typed.Data)
	case *unstructured.Unstructured:
		text += fmt.Sprint(" generation=", typed.GetGeneration(), " spec=", typed.Object["spec"])
		if status, ok := typed.Object["status"]; ok {
			text += fmt.Sprint(" status=", status)
		}
	}
	return text
}

func configMap(name string, data map[string]string, labels map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}, Data: data}
}

func widget(name string, size int64) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "informer.example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"name": name}, "spec": map[string]any{"size": size},
	}}
}

// define makes the custom resource and waits until it is served.
func (p *program) define() {
	object := func(properties map[string]any) map[string]any {
		return map[string]any{"type": "object", "properties": properties}
	}
	number := map[string]any{"type": "integer"}
	version := map[string]any{
		"name": "v1", "served": true, "storage": true,
		"subresources": map[string]any{"status": map[string]any{}},
		"schema": map[string]any{"openAPIV3Schema": object(map[string]any{
			"spec": object(map[string]any{"size": number}), "status": object(map[string]any{"ready": number}),
		})},
	}
	must1(p.dynamic.Resource(definitions).Create(p.ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "widgets.informer.example.com"},
		"spec": map[string]any{
			"group": "informer.example.com", "scope": "Namespaced",
			"names":    map[string]any{"kind": "Widget", "plural": "widgets", "shortNames": []any{"wd"}},
			"versions": []any{version},
		},
	}}, metav1.CreateOptions{}))
	deadline := time.Now().Add(patience)
	for {
		_, err := p.dynamic.Resource(widgets).Namespace(namespace).List(p.ctx, metav1.ListOptions{})
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			must(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (p *program) discover(client discovery.DiscoveryInterface) {
	fmt.Println("== discovery")
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
	for _, kind := range []schema.GroupKind{{Kind: "ConfigMap"}, {Group: "apps", Kind: "Deployment"}, {Group: "informer.example.com", Kind: "Widget"}} {
		mapping := must1(mapper.RESTMapping(kind))
		fmt.Println(kind, "is", mapping.Resource, mapping.Scope.Name())
	}
}

func main() {
	if len(os.Args) != 2 {
		must(fmt.Errorf("usage: informer <kubeconfig>"))
	}
	config := must1(clientcmd.BuildConfigFromFlags("", os.Args[1]))
	config.UserAgent = "informer/1.0"
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	p := &program{ctx: ctx, typed: kubernetes.NewForConfigOrDie(config), dynamic: dynamic.NewForConfigOrDie(config),
		meta: metadata.NewForConfigOrDie(config), told: make(chan string, 100)}

	must1(p.typed.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{}))
	p.define()
	p.discover(p.typed.Discovery())
	p.run()
}

// run is the scenario.
func (p *program) run() {
	ctx := p.ctx
	maps := p.typed.CoreV1().ConfigMaps(namespace)
	toys := p.dynamic.Resource(widgets).Namespace(namespace)

	must1(maps.Create(ctx, configMap("old", map[string]string{"x": "1"}, map[string]string{"watch": "me"}), metav1.CreateOptions{}))
	must1(toys.Create(ctx, widget("old", 1), metav1.CreateOptions{}))

	typed := informers.NewSharedInformerFactoryWithOptions(p.typed, 0, informers.WithNamespace(namespace))
	selected := informers.NewSharedInformerFactoryWithOptions(p.typed, 0, informers.WithNamespace(namespace),
		informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = "watch=me" }))
	custom := dynamicinformer.NewFilteredDynamicSharedInformerFactory(p.dynamic, 0, namespace, nil)
	light := metadatainformer.NewFilteredSharedInformerFactory(p.meta, 0, namespace, nil)
	p.follow("typed", typed.Core().V1().ConfigMaps().Informer())
	p.follow("selected", selected.Core().V1().ConfigMaps().Informer())
	p.follow("dynamic", custom.ForResource(widgets).Informer())
	p.follow("metadata", light.ForResource(configMaps).Informer())
	for _, factory := range []interface{ Start(<-chan struct{}) }{typed, selected, custom, light} {
		factory.Start(ctx.Done())
	}
	p.expect("what was there", 4)

	created := must1(maps.Create(ctx, configMap("a", map[string]string{"x": "1"}, nil), metav1.CreateOptions{}))
	p.expect("create", 2)

	created.Data["x"] = "2"
	updated := must1(maps.Update(ctx, created, metav1.UpdateOptions{}))
	p.expect("update", 2)

	_, err := maps.Update(ctx, created, metav1.UpdateOptions{})
	fmt.Println("== stale update\nconflict:", apierrors.IsConflict(err), err)

	must(retry.RetryOnConflict(retry.DefaultRetry, func() error {
		current := must1(maps.Get(ctx, "a", metav1.GetOptions{}))
		current.Labels = map[string]string{"watch": "me"}
		_, err := maps.Update(ctx, current, metav1.UpdateOptions{})
		return err
	}))
	p.expect("it comes to match the selector", 3)

	must1(maps.Patch(ctx, "a", types.StrategicMergePatchType, []byte(`{"metadata":{"labels":{"watch":"others"}}}`), metav1.PatchOptions{}))
	p.expect("it ceases to match", 3)

	same := must1(maps.Patch(ctx, "a", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{}))
	fmt.Println("== a patch that changes nothing\nnew version:", same.ResourceVersion != must1(maps.Get(ctx, "a", metav1.GetOptions{})).ResourceVersion)

	apply := corev1apply.ConfigMap("a", namespace).WithData(map[string]string{"x": "3", "y": "1"})
	_, err = maps.Apply(ctx, apply, metav1.ApplyOptions{FieldManager: "applier"})
	fmt.Println("== apply\nconflict:", apierrors.IsConflict(err), err)
	must1(maps.Apply(ctx, apply, metav1.ApplyOptions{FieldManager: "applier", Force: true}))
	p.expect("apply with force", 2)

	must1(toys.Create(ctx, widget("b", 1), metav1.CreateOptions{}))
	p.expect("create a custom resource", 1)
	must1(toys.Patch(ctx, "b", types.MergePatchType, []byte(`{"spec":{"size":2}}`), metav1.PatchOptions{}))
	p.expect("patch it", 1)
	must1(toys.Patch(ctx, "b", types.MergePatchType, []byte(`{"status":{"ready":1}}`), metav1.PatchOptions{}, "status"))
	p.expect("patch its status", 1)
	must1(toys.Patch(ctx, "b", types.MergePatchType, []byte(`{"metadata":{"finalizers":["example.com/hold"]}}`), metav1.PatchOptions{}))
	p.expect("add a finalizer", 1)
	must(toys.Delete(ctx, "b", metav1.DeleteOptions{}))
	p.expect("delete, held by the finalizer", 1)
	must1(toys.Patch(ctx, "b", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{}))
	p.expect("remove the finalizer", 1)

	must(maps.Delete(ctx, "a", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &updated.UID}}))
	p.expect("delete", 2)
	err = maps.Delete(ctx, "a", metav1.DeleteOptions{})
	fmt.Println("== delete again\nnot found:", apierrors.IsNotFound(err), err)

	for _, name := range []string{"p1", "p2", "p3", "p4", "p5"} {
		must1(maps.Create(ctx, configMap(name, nil, nil), metav1.CreateOptions{}))
	}
	p.expect("five more", 10)
	p.page()

	for _, object := range must1(typed.Core().V1().ConfigMaps().Lister().List(labels.Everything())) {
		p.told <- fmt.Sprint("typed: ", describe(object), " as stored: ", must1(maps.Get(ctx, object.Name, metav1.GetOptions{})).ResourceVersion == object.ResourceVersion)
	}
	for _, object := range must1(custom.ForResource(widgets).Lister().List(labels.Everything())) {
		p.told <- "dynamic: " + describe(object.(runtime.Object))
	}
	p.expect("what they hold", 7)

	must(maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	p.expect("delete all", 13)
}

// page lists in pages of two.
func (p *program) page() {
	fmt.Println("== pages")
	requests := 0
	list := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		requests++
		return p.typed.CoreV1().ConfigMaps(namespace).List(ctx, options)
	})
	list.PageSize = 2
	must(list.EachListItem(p.ctx, metav1.ListOptions{}, func(object runtime.Object) error {
		fmt.Println(describe(object))
		return nil
	}))
	fmt.Println("requests:", requests)
}
