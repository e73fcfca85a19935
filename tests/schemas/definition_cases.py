"""Definitions that record_definitions.py asks the real server about: each a change of a good one."""
import copy

S = {"type": "string"}
I = {"type": "integer"}


def good():
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"a": S, "n": I}},
                                               "status": {"type": "object", "properties": {"n": I}}}}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "good.wrong.example.com"},
            "spec": {"group": "wrong.example.com", "scope": "Namespaced", "names": {"plural": "good", "kind": "Good"},
                     "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}]}}


def put(*path_and_value):
    """Sets the value, the last argument, at the path."""
    *path, value = path_and_value

    def change(crd):
        at = crd
        for key in path[:-1]:
            at = at[key] if isinstance(at, list) else at.setdefault(key, {})
        if value is DROP:
            del at[path[-1]]
        else:
            at[path[-1]] = value
    return change


DROP = object()
V0 = ("spec", "versions", 0)
SCHEMA = V0 + ("schema", "openAPIV3Schema")
PROPS = SCHEMA + ("properties", "spec", "properties")


def prop(schema):
    return put(*PROPS, "x", schema)


def version(**more):
    base = {"name": "v2", "served": True, "storage": False, "schema": {"openAPIV3Schema": {"type": "object"}}}
    base.update(more)
    return lambda crd: crd["spec"]["versions"].append({k: v for k, v in base.items() if v is not DROP})


def both(*changes):
    def change(crd):
        for one in changes:
            one(crd)
    return change


def array(**more):
    return dict({"type": "array", "items": S}, **more)


def keyed(items, keys):
    return {"type": "array", "items": items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys}


def item(**more):
    return dict({"type": "object", "properties": {"name": S}}, **more)


WRONG = [
    put("metadata", "name", "other.wrong.example.com"),
    put("spec", "group", "nodot"),
    put("spec", "group", "Bad_Group.example.com"),
    put("spec", "group", ""),
    put("spec", "scope", "Galaxy"),
    put("spec", "names", "plural", "Good"),
    put("spec", "names", "singular", "Good_One"),
    put("spec", "names", "kind", "Go od"),
    put("spec", "names", "listKind", "Good"),
    put("spec", "names", "listKind", "Good.List"),
    put("spec", "names", "shortNames", ["ok", "Not", "-x"]),
    put("spec", "names", "categories", ["all", "A B"]),
    put("spec", "names", "kind", ""),
    put("spec", "names", "plural", ""),
    put(*V0, "name", "V1"),
    put(*V0, "name", "1"),
    put(*V0, "storage", False),
    version(storage=True),
    version(name="v1"),
    both(version(), put("spec", "versions", 1, "schema", DROP)),
    put(*V0, "schema", DROP),
    put(*V0, "schema", {}),
    version(deprecationWarning="old"),
    version(deprecated=True, deprecationWarning=""),
    version(deprecated=True, deprecationWarning="x" * 257),
    version(deprecated=True, deprecationWarning="a\nb"),
    put(*SCHEMA, "type", "array"),
    put(*SCHEMA, "type", DROP),
    put(*SCHEMA, "nullable", True),
    put(*SCHEMA, "additionalProperties", S),
    put(*SCHEMA, "properties", "metadata", {"type": "object", "properties": {"labels": {"type": "object"}}}),
    put(*SCHEMA, "properties", "metadata", {"type": "string"}),
    put(*SCHEMA, "properties", "kind", I),
    prop({}),
    prop({"type": "text"}),
    prop({"type": "null"}),
    prop({"type": "array"}),
    prop({"type": "array", "items": {}}),
    prop({"type": "array", "items": [S]}),
    prop(array(uniqueItems=True)),
    prop({"type": "string", "pattern": "["}),
    prop({"type": "string", "pattern": "(?=a)"}),
    prop({"type": "object", "properties": {"a": S}, "additionalProperties": S}),
    prop({"type": "object", "properties": {"a": S}, "additionalProperties": False}),
    prop({"type": "string", "id": "x"}),
    prop({"$ref": "#/definitions/x"}),
    prop({"type": "object", "definitions": {"x": S}}),
    prop({"type": "object", "patternProperties": {"x": S}}),
    prop({"type": "object", "dependencies": {"x": ["y"]}}),
    prop({"type": "array", "items": S, "additionalItems": True}),
    prop({"type": "object", "x-kubernetes-preserve-unknown-fields": False}),
    prop({"x-kubernetes-int-or-string": True, "x-kubernetes-preserve-unknown-fields": True}),
    prop({"x-kubernetes-int-or-string": True, "x-kubernetes-embedded-resource": True}),
    prop({"type": "string", "x-kubernetes-embedded-resource": True}),
    prop({"type": "object", "x-kubernetes-embedded-resource": True}),
    prop({"type": "object", "x-kubernetes-embedded-resource": True, "additionalProperties": S}),
    prop({"type": "object", "x-kubernetes-map-type": "odd"}),
    prop({"type": "string", "x-kubernetes-map-type": "atomic"}),
    prop({"x-kubernetes-map-type": "atomic"}),
    prop({"type": "string", "x-kubernetes-list-type": "set"}),
    prop(array(**{"x-kubernetes-list-type": "odd"})),
    prop(array(**{"x-kubernetes-list-map-keys": ["a"]})),
    prop(array(**{"x-kubernetes-list-type": "set", "x-kubernetes-list-map-keys": ["a"]})),
    prop({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object"}}),
    prop({"type": "array", "x-kubernetes-list-type": "set", "items": array(**{"x-kubernetes-list-type": "set"})}),
    prop({"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string", "nullable": True}}),
    prop(keyed(item(required=["name"]), [])),
    prop(keyed(S, ["name"])),
    prop(keyed(item(), ["name"])),
    prop(keyed(item(required=["name"]), ["name", "name", "other"])),
    prop(keyed({"type": "object", "required": ["o"], "properties": {"o": {"type": "object"}}}, ["o"])),
    prop(keyed({"type": "object", "required": ["o"], "properties": {"o": {"type": "string", "nullable": True}}}, ["o"])),
    prop({"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"]}),
    prop({"type": "string", "anyOf": [{"type": "string"}]}),
    prop({"type": "string", "oneOf": [{"description": "x", "title": "y", "default": "z", "nullable": True}]}),
    prop({"type": "object", "allOf": [{"properties": {"missing": {"minLength": 1}}}]}),
    prop({"type": "object", "not": {"additionalProperties": S, "x-kubernetes-int-or-string": True}}),
    prop({"type": "object", "properties": {"metadata": {"type": "object"}}, "anyOf": [{"properties": {"metadata": {"minProperties": 1}}}]}),
    prop({"type": "array", "items": S, "anyOf": [{"items": {"properties": {"a": {"minLength": 1}}}}]}),
    prop({"type": "string", "default": 5}),
    prop({"type": "object", "properties": {"a": S}, "default": {"a": "x", "b": 1}}),
    prop({"type": "object", "properties": {"a": S}, "default": {"a": 5}}),
    prop({"type": "string", "enum": ["a", "b"], "default": "c"}),
    prop({"type": "integer", "minimum": 3, "default": 1}),
    prop({"type": "array", "items": S, "default": [1, "a"]}),
    prop({"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True, "default": {"a": 1}}),
    prop({"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True,
          "default": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": 5}}}),
    prop({"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True,
          "default": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a/b", "ownerReferences": [{"name": "x"}]}}}),
    put(*SCHEMA, "properties", "metadata", {"type": "object", "properties": {"name": {"type": "string", "default": "x"}}}),
    put(*SCHEMA, "properties", "kind", {"type": "string", "default": "x"}),
    put(*V0, "subresources", {"scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ""}}),
    put(*V0, "subresources", {"scale": {"specReplicasPath": "spec.n", "statusReplicasPath": ".spec.n"}}),
    put(*V0, "subresources", {"scale": {"specReplicasPath": ".status.n", "statusReplicasPath": ".status.n", "labelSelectorPath": ".meta.x"}}),
    put(*V0, "subresources", {"scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n", "labelSelectorPath": "status"}}),
    both(put(*V0, "subresources", {"status": {}}), put(*SCHEMA, "minProperties", 1)),
    both(put(*V0, "subresources", {"status": {}}), put(*SCHEMA, "type", "string")),
    put(*V0, "additionalPrinterColumns", [{"name": "", "type": "text", "jsonPath": "x"}]),
    put(*V0, "additionalPrinterColumns", [{"name": "A", "type": "string", "format": "odd", "jsonPath": ""}]),
    put(*V0, "additionalPrinterColumns", [{"name": "A", "type": "", "jsonPath": ".spec"}]),
    put(*V0, "selectableFields", [{"jsonPath": ".spec.missing"}, {"jsonPath": ".spec"}, {"jsonPath": "spec.a"}]),
    put(*V0, "selectableFields", [{"jsonPath": ".spec.a"}, {"jsonPath": ".spec.a"}, {"jsonPath": ""}]),
    put(*V0, "selectableFields", [{"jsonPath": ".spec['a']"}, {"jsonPath": ".spec."}]),
    both(put(*SCHEMA, "properties", "spec", "properties", {f"f{i}": S for i in range(9)}),
         put(*V0, "selectableFields", [{"jsonPath": f".spec.f{i}"} for i in range(9)])),
    put("spec", "preserveUnknownFields", True),
    both(put("spec", "preserveUnknownFields", True), prop({"type": "string", "default": "x"})),
    put("spec", "conversion", {"strategy": "Odd"}),
    put("spec", "conversion", {"strategy": "Webhook"}),
    put("spec", "conversion", {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v3"], "clientConfig": {}}}),
    put("spec", "conversion", {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1", "v1", "V"], "clientConfig": {"url": "http://u@x/y?z#f"}}}),
    put("spec", "conversion", {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {
        "service": {"name": "", "namespace": "", "port": 0, "path": "a//B/"}}}}),
    put("spec", "conversion", {"strategy": "None", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://x"}}}),
    both(put("spec", "group", "wrong.k8s.io"), put("metadata", "name", "good.wrong.k8s.io")),
    both(put("spec", "group", "wrong.k8s.io"), put("metadata", "name", "good.wrong.k8s.io"),
         put("metadata", "annotations", {"api-approved.kubernetes.io": "me"})),
    put("spec", "versions", []),
    prop({"type": "string", "x-kubernetes-validations": [{"rule": ""}]}),
    both(version(), put(*PROPS, "x", {})),
    both(version(), put(*V0, "subresources", {"scale": {"specReplicasPath": "x", "statusReplicasPath": "y"}}),
         put(*V0, "additionalPrinterColumns", [{"name": "A", "type": "odd", "jsonPath": ".a"}])),
    both(version(name="v1", schema={"openAPIV3Schema": {"type": "object", "x-kubernetes-validations": [{"rule": "true"}]}}, subresources={"status": {}}),),
]

# Updates of the good one, once it is Established.
WRONG_UPDATES = [
    put("spec", "scope", "Cluster"),
    put("spec", "names", "kind", "Better"),
    put("spec", "group", "other.example.com"),
    put("spec", "names", "plural", "better"),
    both(put(*V0, "name", "v2")),
    put(*PROPS, "x", {"type": "array"}),
]

GOOD = [
    lambda crd: None,
    both(put(*V0, "subresources", {"status": {}, "scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}}),
         put(*V0, "additionalPrinterColumns", [{"name": "A", "type": "string", "jsonPath": ".spec.a"}]),
         put(*V0, "selectableFields", [{"jsonPath": ".spec.a"}])),
    both(version(deprecated=True), prop(keyed(item(required=["name"]), ["name"]))),
    both(prop({"type": "string", "format": "odd"}), put(*PROPS, "y", {"type": "integer", "format": "int16"})),
    prop({"type": "object", "default": {}, "properties": {"a": {"type": "string", "default": "x", "nullable": True}}}),
    prop({"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]}),
    put("spec", "names", {"plural": "good", "kind": "Good", "shortNames": ["gd"], "categories": ["all"]}),
    put("spec", "conversion", {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {
        "service": {"name": "a", "namespace": "b"}}}}),
]


def made(change):
    crd = copy.deepcopy(good())
    change(crd)
    return crd
