package main

import (
	"encoding/json"
	"math/rand"
	"sort"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

type scaleCase struct {
	Parent []metav1.ManagedFieldsEntry `json:"parent"`
	Scale  []metav1.ManagedFieldsEntry `json:"scale"` // the owners as the Scale has them
	After  []metav1.ManagedFieldsEntry `json:"after"` // and after a write to it
	Back   []metav1.ManagedFieldsEntry `json:"back"`  // what that makes of the parent's
}

func owner(r *rand.Rand, name, version, fields string) metav1.ManagedFieldsEntry {
	entry := metav1.ManagedFieldsEntry{Manager: name, Operation: one(r, metav1.ManagedFieldsOperationApply, metav1.ManagedFieldsOperationUpdate),
		APIVersion: version, FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{}, Subresource: one(r, "", "", "scale")}
	check(json.Unmarshal([]byte(fields), entry.FieldsV1))
	if r.Intn(4) > 0 {
		now := stamp(r.Intn(5))
		entry.Time = &now
	}
	return entry
}

// Owners of a Deployment, through its scale subresource and back.
func scale(r *rand.Rand) scaleCase {
	paths := managedfields.ResourcePathMappings{"apps/v1": path("spec", "replicas"), "apps/v1beta1": path("spec", "replicas"), "apps/v0": nil}
	var c scaleCase
	for _, name := range pick(r, "a", "b", "c", "d") {
		version := one(r, "apps/v1", "apps/v1", "apps/v1", "apps/v1beta1", "apps/v0", "apps/unknown")
		fields := one(r, `{"f:spec":{"f:replicas":{}}}`, `{"f:spec":{"f:replicas":{},"f:paused":{}}}`, `{"f:spec":{"f:paused":{}}}`)
		c.Parent = append(c.Parent, owner(r, name.(string), version, fields))
	}
	handler := managedfields.NewScaleHandler(c.Parent, schema.GroupVersion{Group: "apps", Version: "v1"}, paths)
	var err error
	c.Scale, err = handler.ToSubresource()
	check(err)
	for _, entry := range c.Scale {
		if r.Intn(2) == 0 {
			c.After = append(c.After, entry)
		}
	}
	if r.Intn(2) == 0 {
		c.After = append(c.After, owner(r, "e", "autoscaling/v1", one(r, `{"f:spec":{"f:replicas":{}}}`, `{"f:status":{}}`)))
	}
	c.Back, err = handler.ToParent(c.After)
	check(err)
	// Entries that sort alike come in a random order.
	text := func(entry metav1.ManagedFieldsEntry) string {
		bytes, err := json.Marshal(entry)
		check(err)
		return string(bytes)
	}
	sort.Slice(c.Back, func(i, j int) bool { return text(c.Back[i]) < text(c.Back[j]) })
	return c
}
