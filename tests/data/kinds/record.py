#!/usr/bin/env python3
"""Asks a real kube-apiserver what it makes of the objects in this folder, and writes its answers beside them.

    tools/kube/up      # prints `ready <kubeconfig>`
    record.py <kubeconfig>

created.yaml:          sent, and what the server stores of it
refused.yaml:          sent, and the problems it has with it
refused_updates.yaml:  old, sent in its place, and the problems it has with that

What differs from run to run (uids, times, addresses) and what admission adds is left out of `stored`.
"""
import base64
import http.client
import json
import ssl
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlparse

import yaml

HERE = Path(__file__).resolve().parent
UID = "the-uid"


class Server:
    def __init__(self, kubeconfig):
        config = yaml.safe_load(Path(kubeconfig).read_text())
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self.address = urlparse(cluster["server"])
        self.tls = ssl.create_default_context(cafile=self._file(cluster, "certificate-authority"))
        self.tls.check_hostname = False
        self.token = user.get("token")
        if not self.token:
            self.tls.load_cert_chain(self._file(user, "client-certificate"), self._file(user, "client-key"))
        self.resources = {}

    @staticmethod
    def _file(part, name):
        if name in part:
            return part[name]
        with tempfile.NamedTemporaryFile(delete=False) as file:
            file.write(base64.b64decode(part[name + "-data"]))
            return file.name

    def ask(self, method, path, body=None, kind="application/json"):
        connection = http.client.HTTPSConnection(self.address.hostname, self.address.port, context=self.tls)
        headers = {"Content-Type": kind}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    def path(self, doc, name=""):
        version = doc["apiVersion"]
        root = "/api/v1" if version == "v1" else "/apis/" + version
        if version not in self.resources:
            listed = self.ask("GET", root)[1]["resources"]
            self.resources[version] = {r["kind"]: r for r in listed if "/" not in r["name"]}
        resource = self.resources[version][doc["kind"]]
        space = "/namespaces/default" if resource["namespaced"] else ""
        return f"{root}{space}/{resource['name']}" + ("/" + name if name else "")


def normal(text, uid):
    return text.replace(uid, UID) if uid else text


def stored(body):
    body = json.loads(normal(json.dumps(body), body["metadata"].get("uid")))
    metadata, spec = body["metadata"], body.get("spec", {})
    for key in ("uid", "resourceVersion", "creationTimestamp", "managedFields", "generation", "namespace"):
        metadata.pop(key, None)
    if body["kind"] in ("PersistentVolume", "PersistentVolumeClaim", "Node"):
        metadata.pop("finalizers", None)  # admission
        spec.pop("taints", None)
    if body["kind"] == "Pod":
        for key in ("priority", "preemptionPolicy", "tolerations"):
            spec.pop(key, None)
    if body["kind"] == "Service":
        for key in ("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "healthCheckNodePort"):
            spec.pop(key, None)
        for port in spec.get("ports", []):
            port.pop("nodePort", None)
    status = body.get("status", {})
    status.pop("lastPhaseTransitionTime", None)
    for condition in status.get("conditions") or []:
        condition.pop("lastTransitionTime", None)
    for claim in spec.get("volumeClaimTemplates", []):
        claim.pop("apiVersion")
        claim.pop("kind")
    return body


def problems(body):
    causes = body.get("details", {}).get("causes", [])
    return sorted({f"{cause.get('field', '')}: {cause['message']}" for cause in causes}) or [body["message"]]


def rewrite(name, answer):
    file = HERE / name
    cases = [answer(case) for case in yaml.safe_load_all(file.read_text()) if case]
    file.write_text(yaml.safe_dump_all(cases, sort_keys=False, width=118))


def main():
    server = Server(sys.argv[1])

    def create(case):
        code, body = server.ask("POST", server.path(case["sent"]) + "?dryRun=All", case["sent"])
        assert code == 201, body
        return {"sent": case["sent"], "stored": stored(body)}

    def refuse(case):
        code, body = server.ask("POST", server.path(case["sent"]) + "?dryRun=All", case["sent"])
        assert code in (422, 500), body
        return {"sent": case["sent"], "problems": problems(body)}

    def refuse_update(case):
        code, old = server.ask("POST", server.path(case["old"]), case["old"])
        assert code == 201, old
        path = server.path(case["old"], old["metadata"]["name"])
        sent = json.loads(json.dumps(case["sent"]))
        sent["metadata"]["resourceVersion"] = old["metadata"]["resourceVersion"]
        code, body = server.ask("PUT", path + "?dryRun=All", sent)
        assert code == 422, body
        free = {"metadata": {"finalizers": None}}  # no controller is there to do it
        server.ask("PATCH", path, free, "application/merge-patch+json")
        server.ask("DELETE", path, {"gracePeriodSeconds": 0, "propagationPolicy": "Background"})
        return {"old": case["old"], "sent": case["sent"], "problems": problems(body)}

    rewrite("created.yaml", create)
    rewrite("refused.yaml", refuse)
    rewrite("refused_updates.yaml", refuse_update)


if __name__ == "__main__":
    main()
