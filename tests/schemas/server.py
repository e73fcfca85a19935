"""The real kube-apiserver, for the recorders beside this file: requests with the kubeconfig of tools/kube/up."""
import base64
import http.client
import json
import ssl
import sys
import tempfile
import time
import urllib.parse


def scalar(text, key):
    """The value of a key in a kubeconfig that has each key once."""
    for line in text.splitlines():
        name, _, value = line.strip().removeprefix("- ").partition(": ")
        if name == key:
            return value.strip().strip('"')
    return None


class Server:
    def __init__(self, kubeconfig):
        with open(kubeconfig, encoding="utf-8") as file:
            text = file.read()
        url = urllib.parse.urlparse(scalar(text, "server"))
        self.context = ssl.create_default_context()
        self.context.check_hostname = False
        self.context.verify_mode = ssl.CERT_NONE
        certificate = self.path(text, "client-certificate")
        if certificate:
            self.context.load_cert_chain(certificate, self.path(text, "client-key"))
        self.token = scalar(text, "token")
        self.host, self.port = url.hostname, url.port

    @staticmethod
    def path(text, key):
        data = scalar(text, key + "-data")
        if not data:
            return scalar(text, key)
        with tempfile.NamedTemporaryFile(delete=False) as file:
            file.write(base64.b64decode(data))
        return file.name

    def request(self, method, path, body=None, content_type="application/json"):
        """Gives the status, the decoded answer and the warnings."""
        connection = http.client.HTTPSConnection(self.host, self.port, context=self.context, timeout=30)
        headers = {"Content-Type": content_type, "Accept": "application/json"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        response = connection.getresponse()
        warnings = response.headers.get_all("Warning") or []
        text = response.read()
        answer = json.loads(text) if text.startswith(b"{") else {"message": text.decode()}
        return response.status, answer, [json.loads(w[w.index('"'):]) for w in warnings]

    def wait(self, what):
        for _ in range(200):
            if what():
                return
            time.sleep(0.05)
        sys.exit("the server does not get there")


def causes(answer):
    """What is wrong, as [field, message, reason], in an order of its own: the server's changes from run to run."""
    found = [[c.get("field", ""), c["message"], c.get("reason", "")] for c in answer.get("details", {}).get("causes", [])]
    return sorted(found)


CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
