#!/usr/bin/env python3
"""Records what the real kube-apiserver makes of definitions.   record_definitions.py KUBECONFIG > definitions.jsonl

One line per definition: what was sent, and what is wrong with it, or its spec and status as they came back.
flyball/apiserver/schema/definitions_test.cpp compares.
"""
import json
import sys

from definition_cases import GOOD, WRONG, WRONG_UPDATES, good, made
from server import CRDS, Server, causes


def say(line):
    print(json.dumps(line, ensure_ascii=False, separators=(",", ":")))


def established(server, name):
    conditions = server.request("GET", f"{CRDS}/{name}")[1].get("status", {}).get("conditions", [])
    return any(c["type"] == "Established" and c["status"] == "True" for c in conditions)


def remove(server, name):
    server.request("DELETE", f"{CRDS}/{name}")
    server.wait(lambda: server.request("GET", f"{CRDS}/{name}")[0] == 404)


def main():
    server = Server(sys.argv[1])
    for change in WRONG:
        crd = made(change)
        status, answer, _ = server.request("POST", CRDS, crd)
        if status == 422:
            say({"sent": crd, "wrong": causes(answer)})
        else:
            print(f"{status} {answer.get('message', '')}: {json.dumps(crd['spec'])}", file=sys.stderr)
            if status == 201:
                remove(server, crd["metadata"]["name"])
    name = good()["metadata"]["name"]
    for change in GOOD:
        status, answer, warnings = server.request("POST", CRDS, made(change))
        if status != 201:
            sys.exit(answer["message"])
        say({"sent": made(change), "spec": answer["spec"], "status": answer["status"], "warnings": warnings})
        remove(server, name)
    server.request("POST", CRDS, good())
    server.wait(lambda: established(server, name))
    for change in WRONG_UPDATES:
        old = server.request("GET", f"{CRDS}/{name}")[1]
        del old["metadata"]["managedFields"]
        for condition in old["status"]["conditions"]:
            del condition["lastTransitionTime"]
        crd = json.loads(json.dumps(old))
        change(crd)
        status, answer, _ = server.request("PUT", f"{CRDS}/{name}", crd)
        if status != 422:
            sys.exit(f"{status} {answer.get('message')}")
        say({"old": {k: old[k] for k in ("spec", "status")}, "sent": {k: crd[k] for k in ("spec", "status")}, "wrong": causes(answer)})
    remove(server, name)


main()
