package main

import (
	"path/filepath"
	"sort"
	"strings"
)

type apiResourceList struct {
	Resources []struct {
		Name, SingularName, Kind, Group, Version, StorageVersionHash string
		Namespaced                                                   bool
		ShortNames, Categories, Verbs                                []string
	}
}

// discovery reads the published discovery documents: groups and versions in the server's order of preference, then
// the resources of each version.
func (b *builder) discovery(t *Table, dir string) error {
	var list struct {
		Groups []struct {
			Name     string
			Versions []struct{ Version string }
		}
	}
	if err := readJSON(filepath.Join(dir, "apis.json"), &list); err != nil {
		return err
	}
	core := &Group{Versions: []string{"v1"}}
	t.Groups = append(t.Groups, core)
	if err := b.resources(core, "v1", filepath.Join(dir, "api__v1.json"), "/api/v1"); err != nil {
		return err
	}
	for _, g := range list.Groups {
		group := &Group{Name: g.Name}
		for _, v := range g.Versions {
			group.Versions = append(group.Versions, v.Version)
			file := filepath.Join(dir, "apis__"+g.Name+"__"+v.Version+".json")
			if err := b.resources(group, v.Version, file, "/apis/"+g.Name+"/"+v.Version); err != nil {
				return err
			}
		}
		t.Groups = append(t.Groups, group)
	}
	return nil
}

func (b *builder) resources(group *Group, version, file, root string) error {
	var list apiResourceList
	if err := readJSON(file, &list); err != nil {
		return err
	}
	byName := map[string]*Resource{}
	for _, r := range list.Resources {
		kindVersion := ""
		if r.Version != "" {
			kindVersion = strings.TrimPrefix(r.Group+"/"+r.Version, "/")
		}
		sort.Strings(r.Verbs)
		parent, sub, isSub := strings.Cut(r.Name, "/")
		if !isSub {
			res := &Resource{Version: version, Name: r.Name, Kind: r.Kind, KindVersion: kindVersion, Singular: r.SingularName,
				Namespaced: r.Namespaced, Short: r.ShortNames, Categories: r.Categories, Verbs: r.Verbs, Hash: r.StorageVersionHash}
			res.Deletes = b.deletes(itemPath(root, res))
			byName[r.Name] = res
			group.Resources = append(group.Resources, res)
			continue
		}
		res := byName[parent]
		if res == nil {
			// A subresource may stand without its parent (none does in v1.36); keep the parent as a bare name.
			b.problem("%s: subresource %s has no parent", root, r.Name)
			continue
		}
		res.Subs = append(res.Subs, &Sub{Name: sub, Kind: r.Kind, KindVersion: kindVersion, Verbs: r.Verbs,
			Requests: b.requests(itemPath(root, res) + "/" + sub)})
	}
	return nil
}

func itemPath(root string, r *Resource) string {
	if r.Namespaced {
		root += "/namespaces/{namespace}"
	}
	return root + "/" + r.Name + "/{name}"
}

func (b *builder) deletes(path string) string {
	op, ok := b.openapi.Paths[path]["DELETE"]
	switch {
	case !ok:
		return ""
	case strings.HasSuffix(op.response(), ".meta.v1.Status"):
		return "status"
	}
	return "object"
}

// requests: for each method that takes a body, what goes in and what comes out.
func (b *builder) requests(path string) []string {
	var out []string
	for _, method := range []string{"GET", "POST", "PUT"} {
		op, ok := b.openapi.Paths[path][method]
		if !ok || op.Request.Content.ref() == "" && op.response() == "" {
			continue
		}
		text := method + ":"
		if in := op.Request.Content.ref(); in != "" {
			text += b.defRef(in)
		}
		text += ">"
		if answer := op.response(); answer != "" {
			text += b.defRef(answer)
		}
		out = append(out, text)
	}
	return out
}

func (b *builder) defRef(def string) string {
	i := strings.LastIndex(def, ".")
	for _, p := range b.byID {
		if p.OpenAPI == def[:i] {
			return p.ID + def[i:]
		}
	}
	return def
}
