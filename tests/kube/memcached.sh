# shellcheck shell=bash disable=SC2016  # part of tests/kube/smoke, whose checks are small scripts for bash -c
# The Memcached operator, as it is built, beside the real controllers: what it makes is theirs to run and to collect.
# shellcheck disable=SC2154  # work is smoke's
build/bin/memcached-operator crd > "$work/memcached-crd.yaml"
check "the Memcached operator's CRD is established" '
  k create -f '"$work"'/memcached-crd.yaml
  k wait --for=condition=Established --timeout=30s crd/memcacheds.cache.example.com'
build/bin/memcached-operator --kubeconfig "$KUBECONFIG" --metrics-address off --probes-address off \
  > "$work/memcached.log" 2>&1 &
operator=$!
check "a Memcached gets a Deployment, the controllers give it Pods, its status tells of them" '
  echo "{apiVersion: cache.example.com/v1alpha1, kind: Memcached, metadata: {name: sample}, spec: {size: 2}}" | k create -f -
  k wait --for=jsonpath="{.status.replicas}"=2 --timeout=50s deployment/sample
  [ "$(k get pods -l memcached_cr=sample -o name | wc -l)" = 2 ]
  k wait --for=condition=Available=false --timeout=50s memcached/sample'
check "more are wanted, more are made" '
  k patch memcached sample --type=merge -p "{\"spec\":{\"size\":3}}"
  k wait --for=jsonpath="{.status.replicas}"=3 --timeout=50s deployment/sample'
check "a Deployment that somebody deletes comes back" '
  uid=$(k get deployment sample -o "jsonpath={.metadata.uid}")
  k delete deployment sample
  until new=$(k get deployment sample -o "jsonpath={.metadata.uid}") && [ "$new" != "$uid" ]; do sleep 0.1; done'
# The collector looks for new kinds every half minute, and then waits for them.
LIMIT=180 check "the real garbage collector takes the Deployment when the Memcached goes" '
  k delete memcached sample
  k wait --for=delete --timeout=170s deployment/sample'
kill "$operator"
wait "$operator"
export OPERATOR_STATUS=$?
check "SIGTERM ends the operator with status 0, and it said no word of errors" '
  [ "$OPERATOR_STATUS" = 0 ]
  if grep -E " (ERROR|error) " '"$work"'/memcached.log; then false; fi'
