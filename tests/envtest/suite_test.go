// A suite as Go teams write them: a control plane by envtest, definitions from a folder, a manager with leader election,
// users with roles. Nothing in it knows whose kube-apiserver it has.
package envtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

var (
	environment *envtest.Environment
	config      *rest.Config
	admin       client.Client
	widgetKind  = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}
)

func TestMain(m *testing.M) {
	log.SetLogger(zap.New(zap.WriteTo(os.Stderr), zap.Level(nil)))
	environment = &envtest.Environment{
		CRDDirectoryPaths:     []string{filepath.Join("crds")},
		ErrorIfCRDPathMissing: true,
	}
	var err error
	if config, err = environment.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "the control plane does not start:", err)
		os.Exit(1)
	}
	if admin, err = client.New(config, client.Options{Scheme: scheme.Scheme}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := environment.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "the control plane does not stop:", err)
		code = 1
	}
	os.Exit(code)
}

func newNamespace(t *testing.T) string {
	t.Helper()
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "suite-"}}
	if err := admin.Create(t.Context(), space); err != nil {
		t.Fatal(err)
	}
	return space.Name
}

func widget(space, name string, spec map[string]any) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	object.SetGroupVersionKind(widgetKind)
	object.SetNamespace(space)
	object.SetName(name)
	return object
}

func eventually(t *testing.T, what string, condition func(context.Context) (bool, error)) {
	t.Helper()
	if err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, time.Minute, true, condition); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func TestDefinitionsDefaultAndValidate(t *testing.T) {
	space := newNamespace(t)
	good := widget(space, "good", map[string]any{"size": int64(3)})
	if err := admin.Create(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	if colour, _, _ := unstructured.NestedString(good.Object, "spec", "colour"); colour != "red" {
		t.Errorf("colour: expected the default red, found %q", colour)
	}
	for name, spec := range map[string]map[string]any{
		"big":     {"size": int64(11)},
		"missing": {},
		"colour":  {"size": int64(1), "colour": "pink"},
	} {
		if err := admin.Create(t.Context(), widget(space, name, spec)); !apierrors.IsInvalid(err) {
			t.Errorf("%s: expected Invalid, found %v", name, err)
		}
	}
}

func TestNothingIsThereThatNobodyMade(t *testing.T) {
	space := newNamespace(t)
	var accounts corev1.ServiceAccountList
	if err := admin.List(t.Context(), &accounts, client.InNamespace(space)); err != nil {
		t.Fatal(err)
	}
	if len(accounts.Items) != 0 {
		t.Errorf("expected no controllers, found %d service accounts", len(accounts.Items))
	}
	// Without a garbage collector an orphan stays.
	owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: space, Name: "owner"}}
	if err := admin.Create(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: space, Name: "child"}}
	if err := controllerutil.SetControllerReference(owner, child, scheme.Scheme); err != nil {
		t.Fatal(err)
	}
	if err := admin.Create(t.Context(), child); err != nil {
		t.Fatal(err)
	}
	if err := admin.Delete(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	if err := admin.Get(t.Context(), client.ObjectKeyFromObject(child), child); err != nil {
		t.Errorf("the child should be there: %v", err)
	}
}

func TestUsersMayWhatTheirRolesSay(t *testing.T) {
	space := newNamespace(t)
	user, err := environment.AddUser(envtest.User{Name: "ann", Groups: []string{"readers"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ann, err := client.New(user.Config(), client.Options{Scheme: scheme.Scheme})
	if err != nil {
		t.Fatal(err)
	}
	var maps corev1.ConfigMapList
	if err := ann.List(t.Context(), &maps, client.InNamespace(space)); !apierrors.IsForbidden(err) {
		t.Fatalf("expected Forbidden, found %v", err)
	}
	role := &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Namespace: space, Name: "readers"},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"list"}}},
	}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Namespace: space, Name: "readers"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "readers"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "Group", Name: "readers"}},
	}
	for _, object := range []client.Object{role, binding} {
		if err := admin.Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "ann may list", func(ctx context.Context) (bool, error) {
		return ann.List(ctx, &maps, client.InNamespace(space)) == nil, nil
	})
	if err := ann.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: space, Name: "x"}}); !apierrors.IsForbidden(err) {
		t.Errorf("expected Forbidden, found %v", err)
	}
}

// The reconciler of the tutorials: a ConfigMap for each widget, a finalizer, a status.
type reconciler struct{ client.Client }

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	one := &unstructured.Unstructured{}
	one.SetGroupVersionKind(widgetKind)
	if err := r.Get(ctx, request.NamespacedName, one); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !one.GetDeletionTimestamp().IsZero() {
		if controllerutil.RemoveFinalizer(one, "example.com/hold") {
			return ctrl.Result{}, r.Update(ctx, one)
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(one, "example.com/hold") {
		if err := r.Update(ctx, one); err != nil {
			return ctrl.Result{}, err
		}
	}
	size, _, _ := unstructured.NestedInt64(one.Object, "spec", "size")
	child := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: one.GetNamespace(), Name: one.GetName()}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, child, func() error {
		child.Data = map[string]string{"size": fmt.Sprint(size)}
		return controllerutil.SetControllerReference(one, child, r.Scheme())
	}); err != nil {
		return ctrl.Result{}, err
	}
	before := one.DeepCopy()
	if err := unstructured.SetNestedField(one.Object, true, "status", "ready"); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Status().Patch(ctx, one, client.MergeFrom(before))
}

func TestAManagerWithLeaderElectionReconciles(t *testing.T) {
	space := newNamespace(t)
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme.Scheme,
		Metrics:                       server.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              "suite.example.com",
		LeaderElectionNamespace:       space,
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	kind := &unstructured.Unstructured{}
	kind.SetGroupVersionKind(widgetKind)
	if err := ctrl.NewControllerManagedBy(manager).Named("widgets").For(kind).Owns(&corev1.ConfigMap{}).
		Complete(&reconciler{manager.GetClient()}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()

	one := widget(space, "one", map[string]any{"size": int64(2)})
	if err := admin.Create(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	key := client.ObjectKeyFromObject(one)
	eventually(t, "its status", func(ctx context.Context) (bool, error) {
		if err := admin.Get(ctx, key, one); err != nil {
			return false, err
		}
		ready, _, _ := unstructured.NestedBool(one.Object, "status", "ready")
		return ready, nil
	})
	child := &corev1.ConfigMap{}
	if err := admin.Get(t.Context(), key, child); err != nil || child.Data["size"] != "2" {
		t.Fatalf("its ConfigMap: %v, %v", child.Data, err)
	}
	if err := admin.Delete(t.Context(), child); err != nil {
		t.Fatal(err)
	}
	eventually(t, "its ConfigMap again", func(ctx context.Context) (bool, error) {
		return admin.Get(ctx, key, child) == nil, nil
	})
	if err := admin.Delete(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is gone", func(ctx context.Context) (bool, error) {
		return apierrors.IsNotFound(admin.Get(ctx, key, one)), nil
	})
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	var lease coordinationv1.Lease
	if err := admin.Get(t.Context(), client.ObjectKey{Namespace: space, Name: "suite.example.com"}, &lease); err != nil {
		t.Fatal(err)
	}
	if lease.Spec.HolderIdentity != nil && *lease.Spec.HolderIdentity != "" {
		t.Errorf("the lease should be free, but %q has it", *lease.Spec.HolderIdentity)
	}
}
