# shellcheck shell=bash
# shellcheck disable=SC2016,SC2154  # checks are small scripts for bash -c; $work and check come from smoke
# Sourced by tests/kube/smoke, while a server runs: what the real kube-apiserver thinks of definitions that Flyball makes.

# gadget SPEC [FLAG...]: a Gadget as kubectl takes it, on stdout.
gadget() { printf 'apiVersion: try.example.com/v1\nkind: Gadget\nmetadata: {name: g}\nspec: %s\n' "$1"; }

# says: the problems in what kubectl said on stdin, one per line. That rules were not checked after other mistakes is no
# problem of its own.
says() {
  sed -e 's/^The Gadget "g" is invalid: *//' -e 's/^\* //' -e 's/ (in .*)$//' \
    -e '/^<nil>: Invalid value: null: some validation rules were not checked/d' -e '/^$/d'
}

# answer STORED SPEC: what the server says to SPEC, or to the change from STORED when that is not empty.
answer() {
  if [ -z "$1" ]; then
    { gadget "$2" | k create --dry-run=server -o name -f - 2>&1 || true; } | says
    return
  fi
  gadget "$1" | k create -o name -f - > /dev/null
  { gadget "$2" | k replace --dry-run=server -o name -f - 2>&1 || true; } | says
  k delete gadget g > /dev/null
}

# told: tests/data/gadget_wrong.txt as the server would have written it.
told() {
  local line stored=
  while IFS= read -r line; do
    case $line in
      'stored: '*) stored=${line#stored: }; echo "$line" ;;
      'spec: '*) echo "$line"; answer "$stored" "${line#spec: }" | sed 's/^/  /' ;;
      '  '*) ;;
      *) stored=; echo "$line" ;;
    esac
  done < tests/data/gadget_wrong.txt
}

# described FILE: a definition whose spec has the schema of that file.
described() {
  cat << END
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: pages.describe.example.com}
spec:
  group: describe.example.com
  names: {kind: Page, plural: pages}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
END
  sed 's/^/            /' "$1"
}

export -f gadget says answer told described

echo "Definitions that Flyball makes:"
check "the definition with every attribute is accepted, established and structural" '
  k create -f tests/data/gadget_crd.yaml
  k wait --for=condition=Established --timeout=30s crd/gadgets.try.example.com
  [ "$(k get crd gadgets.try.example.com -o "jsonpath={.status.conditions[*].type}")" = "NamesAccepted Established" ]
  until k get gadgets > /dev/null 2>&1; do sleep 0.05; done'
check "the server keeps the definition as it was made" '
  k apply --server-side --dry-run=server --field-manager=kubectl-create -f tests/data/gadget_crd.yaml -o name
  [ -z "$(k diff -f tests/data/gadget_crd.yaml)" ]'
check "an object is defaulted by the server as by the C++ struct" '
  gadget "{name: a, hosts: [x]}" | k create -f -
  k get gadget g -o "jsonpath={.spec}{\"\n\"}" > '"$work"'/defaulted
  diff tests/data/gadget_defaulted.json '"$work"'/defaulted'
check "scale, short names, categories and selectable fields work" '
  k scale gadget g --replicas=6
  [ "$(k get gdg g -o "jsonpath={.spec.replicas}")" = 6 ]
  [ "$(k get toys -o name)" = gadget.try.example.com/g ]
  [ "$(k get gd --field-selector spec.tier=silver -o name)" = gadget.try.example.com/g ]
  [ -z "$(k get gd --field-selector spec.tier=gold -o name)" ]
  [ "$(k get gd --no-headers | awk "{ print \$1, \$2 }")" = "g 6" ]'
check "the status is a subresource with conditions" '
  k patch gadget g --subresource=status --type=merge -p "{\"status\":{\"nodes\":[\"n\"],\"conditions\":[{\"type\":\"Available\",\"status\":\"True\"}]}}"
  k wait --for=condition=Available --timeout=10s gadget/g
  [ "$(k get gadget g -o "jsonpath={.spec.replicas}{.metadata.generation}")" = 62 ]'
check "the deprecated version warns" '
  k get gadgets.v1beta1.try.example.com 2> '"$work"'/warning
  grep -q "Warning: try.example.com/v1beta1 Gadget: use v1" '"$work"'/warning
  k delete gadget g'
check "unknown fields are pruned, except where they are kept" '
  gadget "{name: a, hosts: [x], unknown: 1, raw: {x: 1}, values: {x: 1}, known: {debug: true, x: 1}, scaling: {least: 1, x: 1}}" | k create --validate=ignore -f -
  [ "$(k get gadget g -o "jsonpath={.spec.unknown}{.spec.raw}{.spec.values}{.spec.known}{.spec.scaling}")" = "{\"x\":1}{\"x\":1}{\"debug\":true,\"x\":1}{\"least\":1,\"most\":3}" ]
  k delete gadget g'
check "each of the wrong objects gets exactly the answer of the table" '
  told > '"$work"'/told
  [ "$(grep -c "^spec: " '"$work"'/told)" -ge 40 ]
  diff tests/data/gadget_wrong.txt '"$work"'/told'
check "every schema of docs/describe.md is accepted" '
  for schema in tests/data/describe/*.yaml; do
    described "$schema" | k create --dry-run=server -o name -f - || { echo "$schema"; false; }
  done'
