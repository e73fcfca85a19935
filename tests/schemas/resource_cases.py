"""Schemas and custom resources that record_resources.py asks the real server about."""


def spec(**properties):
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": properties}}}


S = {"type": "string"}
I = {"type": "integer"}

# Each: a schema, and the objects (without apiVersion, kind and metadata) to try with it.
CASES = [
    (spec(a=S, b=I, c={"type": "number"}, d={"type": "boolean"}, e={"type": "array", "items": S},
          f={"type": "object", "properties": {"x": S}}, g={"type": "object", "additionalProperties": I},
          h={"x-kubernetes-int-or-string": True}, n={"type": "string", "nullable": True}), [
        {"spec": {"a": 1}}, {"spec": {"a": True}}, {"spec": {"a": []}}, {"spec": {"a": {}}}, {"spec": {"b": "x"}},
        {"spec": {"b": 1.5}}, {"spec": {"b": 2.0}}, {"spec": {"b": True}}, {"spec": {"b": 1e30}}, {"spec": {"c": "1"}},
        {"spec": {"c": 3}}, {"spec": {"d": "true"}}, {"spec": {"d": 0}}, {"spec": {"e": "x"}}, {"spec": {"e": [1, "a", 2]}},
        {"spec": {"e": ["a", None]}}, {"spec": {"f": []}}, {"spec": {"f": {"x": 5}}}, {"spec": {"g": {"k": "x", "l": 1}}},
        {"spec": {"g": {"k.l": "x"}}}, {"spec": {"h": True}}, {"spec": {"h": 5}}, {"spec": {"h": "5"}}, {"spec": {"h": 1.5}},
        {"spec": {"n": None, "a": None}}, {"spec": {"n": 4}}, {"spec": "x"}, {"spec": []}, {"spec": 5}, {"other": 1},
        {"spec": {"zz": 1, "f": {"y": 1, "x": "a"}}, "status": {"a": 1}}, {"spec": {"a": 1, "b": "x", "c": "y", "d": 1}},
        {"spec": {"g": {"k": None}}},
    ]),
    (spec(a={"type": "string", "maxLength": 3}, b={"type": "string", "minLength": 2}, c={"type": "string", "pattern": "^[a-c]+$"},
          d={"type": "string", "enum": ["x", "y"]}, e={"type": "integer", "enum": [1, 2]}, f={"type": "string", "maxLength": 1},
          g={"type": "string", "minLength": 2, "maxLength": 4, "pattern": "^a", "enum": ["ab", "ac"]},
          h={"type": "string", "nullable": True, "enum": ["x"]}, i={"type": "string", "pattern": "^\\S+$", "minLength": 1}), [
        {"spec": {"a": "abcd"}}, {"spec": {"a": "äöü"}}, {"spec": {"a": "äöüß"}}, {"spec": {"b": "a"}}, {"spec": {"b": "ü"}},
        {"spec": {"c": "abd"}}, {"spec": {"c": ""}}, {"spec": {"d": "z"}}, {"spec": {"d": ""}}, {"spec": {"d": 1}},
        {"spec": {"e": 3}}, {"spec": {"e": "1"}}, {"spec": {"f": "ab"}}, {"spec": {"g": "bcdef"}}, {"spec": {"g": "b"}},
        {"spec": {"g": "ad"}}, {"spec": {"h": None}}, {"spec": {"h": "y"}}, {"spec": {"i": "a b"}}, {"spec": {"i": ""}},
        {"spec": {"e": 1.0}},
    ]),
    (spec(a={"type": "integer", "minimum": 1, "maximum": 10}, b={"type": "integer", "minimum": 1, "exclusiveMinimum": True},
          c={"type": "integer", "maximum": 5, "exclusiveMaximum": True}, d={"type": "number", "minimum": 0.5, "maximum": 1.5},
          e={"type": "integer", "multipleOf": 5}, f={"type": "number", "multipleOf": 0.25}, g={"type": "integer", "format": "int32"},
          h={"type": "integer", "format": "int64"}, i={"type": "number", "format": "float"},
          j={"type": "integer", "maximum": 10.5}, k={"type": "number", "maximum": 1000000}), [
        {"spec": {"a": 0}}, {"spec": {"a": 11}}, {"spec": {"a": -5}}, {"spec": {"b": 1}}, {"spec": {"b": 2}}, {"spec": {"c": 5}},
        {"spec": {"d": 0.4}}, {"spec": {"d": 2}}, {"spec": {"d": 1.75}}, {"spec": {"e": 7}}, {"spec": {"e": 10}},
        {"spec": {"f": 0.3}}, {"spec": {"f": 0.75}}, {"spec": {"g": 3000000000}}, {"spec": {"g": "x"}},
        {"spec": {"h": 9223372036854775807}}, {"spec": {"h": 1e19}}, {"spec": {"i": 1e39}}, {"spec": {"i": "a"}}, {"spec": {"j": 11}},
        {"spec": {"k": 1e21}}, {"spec": {"k": 12345678.5}}, {"spec": {"g": True}},
    ]),
    (spec(a={"type": "array", "items": S, "minItems": 1, "maxItems": 2}, b={"type": "object", "additionalProperties": S,
          "minProperties": 1, "maxProperties": 2}, c={"type": "array", "items": S, "x-kubernetes-list-type": "set"},
          d={"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
             "items": {"type": "object", "required": ["name"], "properties": {"name": S, "v": I}}},
          e={"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"],
             "items": {"type": "object", "required": ["port"], "properties": {"port": I, "protocol": {"type": "string", "default": "TCP"}}}},
          f={"type": "array", "items": I, "maxItems": 1}), [
        {"spec": {"a": []}}, {"spec": {"a": ["1", "2", "3"]}}, {"spec": {"a": [1, 2, 3]}}, {"spec": {"b": {}}},
        {"spec": {"b": {"1": "1", "2": "2", "3": "3"}}}, {"spec": {"c": ["a", "b", "a"]}}, {"spec": {"c": ["a", "a", "a", "b", "b"]}},
        {"spec": {"d": [{"name": "a"}, {"name": "b"}, {"name": "a", "v": 1}]}}, {"spec": {"d": [{"v": 1}]}},
        {"spec": {"d": ["x", "y"]}}, {"spec": {"e": [{"port": 1}, {"port": 1, "protocol": "UDP"}, {"port": 1, "protocol": "TCP"}]}},
        {"spec": {"f": [1, 2]}}, {"spec": {"d": [{"name": "a", "v": "x"}, {"name": 5}]}},
    ]),
    ({"type": "object", "required": ["spec"], "properties": {"spec": {"type": "object", "required": ["a", "b"], "properties": {
        "a": S, "b": {"type": "object", "required": ["c"], "properties": {"c": S, "d": S}}}}}}, [
        {}, {"spec": {}}, {"spec": {"a": "x"}}, {"spec": {"a": "x", "b": {}}}, {"spec": {"a": "x", "b": {"c": "y"}}}, {"spec": None},
        {"spec": {"a": None, "b": {"c": "x"}}},
    ]),
    (spec(a=S, b=S, c=I, d={"type": "object", "properties": {"x": I, "y": S}, "oneOf": [{"required": ["x"]}, {"required": ["y"]}]},
          e={"type": "integer", "anyOf": [{"minimum": 10}, {"maximum": 0}]},
          f={"type": "string", "allOf": [{"minLength": 2}, {"pattern": "^a"}]}, g={"type": "string", "not": {"enum": ["no"]}},
          h={"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}], "pattern": "^[0-9]+%$"},
          i={"type": "object", "properties": {"k": S, "v": I}, "anyOf": [{"properties": {"k": {"enum": ["a"]}}, "required": ["v"]},
             {"properties": {"k": {"enum": ["b"]}}}]},
          j={"x-kubernetes-int-or-string": True, "allOf": [{"anyOf": [{"type": "integer"}, {"type": "string"}]}, {"pattern": "^a"}]}), [
        {"spec": {"d": {}}}, {"spec": {"d": {"x": 1, "y": "a"}}}, {"spec": {"d": {"x": 1}}}, {"spec": {"e": 5}}, {"spec": {"e": 11}},
        {"spec": {"f": "b"}}, {"spec": {"f": "ab"}}, {"spec": {"f": "bb"}}, {"spec": {"g": "no"}}, {"spec": {"g": "yes"}},
        {"spec": {"h": "abc"}}, {"spec": {"h": True}}, {"spec": {"h": 7}}, {"spec": {"i": {"k": "c"}}}, {"spec": {"i": {"k": "a"}}},
        {"spec": {"i": {"k": "b"}}}, {"spec": {"j": "x"}}, {"spec": {"j": 1.5}}, {"spec": {"d": {"x": "no"}}}, {"spec": {"d": "x"}},
    ]),
    (spec(**{name.replace("-", ""): {"type": "string", "format": name} for name in [
        "date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uri", "uuid", "uuid3", "uuid4", "uuid5",
        "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "bsonobjectid", "k8s-short-name",
        "k8s-long-name", "unheard-of"]}), [
        {"spec": {name: "no!"}} for name in [
            "date", "datetime", "duration", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uri", "uuid", "uuid3", "uuid4", "uuid5",
            "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "bsonobjectid", "k8sshortname",
            "k8slongname", "unheardof"]] + [
        {"spec": {"date": "2026-02-30"}}, {"spec": {"date": "2026-02-28"}}, {"spec": {"datetime": "2026-02-28T25:00:00Z"}},
        {"spec": {"datetime": "2026-02-28T23:00:00Z"}}, {"spec": {"datetime": "2026-02-28t23:00:00.5+01:00"}},
        {"spec": {"datetime": "2026-02-28 23:00:00Z"}}, {"spec": {"duration": "1h30m"}}, {"spec": {"duration": "22 minutes"}},
        {"spec": {"duration": "3 fortnights"}}, {"spec": {"duration": "1 day"}}, {"spec": {"duration": "5"}},
        {"spec": {"email": "a@example.com"}}, {"spec": {"email": "A B <a@example.com>"}}, {"spec": {"email": "a@"}},
        {"spec": {"email": "a b@example.com"}}, {"spec": {"hostname": "example.com"}}, {"spec": {"hostname": "-a"}},
        {"spec": {"hostname": "a.b.1"}}, {"spec": {"hostname": "a_b"}}, {"spec": {"ipv4": "1.2.3.4"}}, {"spec": {"ipv4": "1.2.3.256"}},
        {"spec": {"ipv4": "01.2.3.4"}}, {"spec": {"ipv4": "::1"}}, {"spec": {"ipv6": "::1"}}, {"spec": {"ipv6": "1.2.3.4"}},
        {"spec": {"ipv6": "::ffff:1.2.3.4"}}, {"spec": {"cidr": "10.0.0.0/8"}}, {"spec": {"cidr": "10.0.0.0/33"}}, {"spec": {"cidr": "fd00::/8"}},
        {"spec": {"mac": "01:23:45:67:89:ab"}}, {"spec": {"mac": "0123.4567.89ab"}}, {"spec": {"mac": "01:23"}},
        {"spec": {"uri": "https://example.com/a?b"}}, {"spec": {"uri": "/a"}}, {"spec": {"uri": "a"}}, {"spec": {"uri": "http://[::1"}},
        {"spec": {"uri": "mailto:a@b"}}, {"spec": {"uri": "http://a:b"}}, {"spec": {"uri": "/%zz"}}, {"spec": {"uri": ""}},
        {"spec": {"uuid": "123e4567-e89b-12d3-a456-426614174000"}}, {"spec": {"uuid4": "123e4567-e89b-12d3-a456-426614174000"}},
        {"spec": {"uuid4": "123E4567-e89b-42d3-a456-426614174000"}}, {"spec": {"isbn": "978-0321751041"}}, {"spec": {"isbn": "0321751043"}},
        {"spec": {"isbn10": "978-0321751041"}}, {"spec": {"creditcard": "4111 1111 1111 1111"}}, {"spec": {"creditcard": "4111 1111 1111 1112"}},
        {"spec": {"ssn": "123-45-6789"}}, {"spec": {"ssn": "123456789"}}, {"spec": {"hexcolor": "#fff"}}, {"spec": {"rgbcolor": "rgb(1,2,3)"}},
        {"spec": {"rgbcolor": "rgb(1,2,300)"}}, {"spec": {"byte": "aGk="}}, {"spec": {"byte": ""}}, {"spec": {"bsonobjectid": "5" * 24}},
        {"spec": {"k8sshortname": "a-b"}}, {"spec": {"k8sshortname": "A"}}, {"spec": {"k8slongname": "a.b"}}, {"spec": {"date": 5}},
        {"spec": {"date": True}}, {"spec": {"date": {}}}, {"spec": {"date": []}}, {"spec": {"datetime": 1.5}},
    ]),
    (spec(a={"type": "string", "default": "x"}, b={"type": "object", "default": {}, "properties": {"c": {"type": "integer", "default": 3}}},
          d={"type": "array", "items": {"type": "object", "properties": {"e": {"type": "string", "default": "y"}}}},
          f={"type": "string", "nullable": True, "default": "z"}, g={"type": "object", "additionalProperties": {"type": "object",
          "properties": {"h": {"type": "boolean", "default": False}}}}, i={"type": "string", "nullable": True},
          j={"type": "array", "items": {"type": "string", "nullable": True}}, k=S), [
        {"spec": {}}, {"spec": {"a": None, "f": None, "i": None, "k": None}}, {"spec": {"b": {"c": None, "zz": 1}}},
        {"spec": {"d": [{}, {"e": "q"}, {"e": None}]}}, {"spec": {"g": {"one": {}, "two": {"h": True}, "three": None}}},
        {"spec": {"j": ["a", None]}}, {}, {"spec": {"d": [None]}}, {"spec": {"b": 5}},
    ]),
    (spec(a={"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"known": {"type": "object", "properties": {"x": S}}}},
          b={"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True},
          c={"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": {"type": "object", "properties": {"x": S}}}},
          d={"x-kubernetes-preserve-unknown-fields": True}, e={"type": "array", "items": {"type": "object", "properties": {"x": S}}},
          f={"type": "array", "x-kubernetes-preserve-unknown-fields": True, "items": {"type": "object", "properties": {"x": S}}},
          g={"type": "object", "additionalProperties": True}), [
        {"spec": {"a": {"u": {"v": 1}, "known": {"x": "1", "y": 2}}}}, {"spec": {"b": {"u": 1}}},
        {"spec": {"b": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "u": 1}}},
        {"spec": {"b": {"apiVersion": "", "kind": "a b"}}}, {"spec": {"b": {"apiVersion": "a/b/c", "kind": ""}}},
        {"spec": {"c": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a/b", "labels": {"a b": "c d"}}, "spec": {"x": "1", "y": 1}, "z": 1}}},
        {"spec": {"d": [1, {"a": 2}]}}, {"spec": {"e": [{"x": "1", "y": 2}, {"z": 1}]}}, {"spec": {"f": [{"x": "1", "y": 2}]}},
        {"spec": {"g": {"a": {"b": 1}, "c": 2}}}, {"spec": {"unknown": {"a": [1]}}, "more": {"x": 1}},
        {"spec": {"c": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "generateName": "b/"}}}},
        {"spec": {"b": {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "A", "ownerReferences": [{"name": "x"}]}}}},
        {"spec": {"b": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "foo": 1, "creationTimestamp": None}}, "zz": 1}},
        {"spec": {"b": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": 5}}}},
        {"spec": {"b": {"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": []}}}},
    ]),
]
