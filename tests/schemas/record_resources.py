#!/usr/bin/env python3
"""Records what the real kube-apiserver makes of custom resources.   record_resources.py KUBECONFIG > custom_resources.jsonl

One line per object: its schema (only when it is another than in the line before), the object, and what the server
answered: what it stored and warned of, or what is wrong. flyball/apiserver/schema/resources_test.cpp compares.
"""
import json
import sys

from resource_cases import CASES
from server import CRDS, Server, causes


def definition(number, schema):
    plural = f"things{number}"
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"plural": plural, "singular": f"thing{number}", "kind": f"Thing{number}", "listKind": f"Thing{number}List"}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": plural + ".recorded.example.com"},
            "spec": {"group": "recorded.example.com", "scope": "Namespaced", "names": names, "versions": [version]}}


def record(server, number, schema, objects):
    crd = definition(number, schema)
    name = crd["metadata"]["name"]
    server.request("DELETE", f"{CRDS}/{name}")
    server.wait(lambda: server.request("GET", f"{CRDS}/{name}")[0] == 404)
    status, answer, _ = server.request("POST", CRDS, crd)
    if status != 201:
        sys.exit(f"schema {number}: {answer['message']}")
    path = f"/apis/recorded.example.com/v1/namespaces/default/{crd['spec']['names']['plural']}"
    server.wait(lambda: server.request("GET", path)[0] == 200)
    for index, given in enumerate(objects):
        body = dict(given, apiVersion="recorded.example.com/v1", kind=crd["spec"]["names"]["kind"], metadata={"name": f"x{index}"})
        status, answer, warnings = server.request("POST", path + "?fieldValidation=Warn", body)
        line = {"schema": schema} if index == 0 else {}
        line["object"] = given
        if status == 201:
            line["stored"] = {k: v for k, v in answer.items() if k not in ("apiVersion", "kind", "metadata")}
            line["warnings"] = warnings
        elif status == 422:
            line["wrong"] = causes(answer)
        else:
            line["refused"] = answer["message"]
        print(json.dumps(line, ensure_ascii=False, separators=(",", ":")))
    server.request("DELETE", f"{CRDS}/{name}")


def main():
    server = Server(sys.argv[1])
    for number, (schema, objects) in enumerate(CASES):
        record(server, number, schema, objects)


main()
