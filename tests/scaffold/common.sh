#!/usr/bin/env bash
# What the sessions share; they source it with $build, the folder Flyball was built into.
# Flyball is installed into a folder of its own first: the projects see nothing else of this tree.
# shellcheck disable=SC2034,SC2154
# As grep -q, but reads to the end: who writes into a pipe that nobody reads is killed, and pipefail tells.
has() { grep "$@" > /dev/null; }
tree=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
work=$(mktemp -d)
children=()
clean_up() {
  for child in "${children[@]}"; do kill -TERM "$child" 2> /dev/null || true; done
  wait
  rm -rf "$work"
}
trap clean_up EXIT
# Compiled once, found again by the next run, whatever the folder is called.
export CCACHE_BASEDIR=$work CCACHE_NOHASHDIR=1
unset KUBECONFIG FLYBALL_SOURCE_DIR CMAKE_PREFIX_PATH
cmake --install "$build" --prefix "$work/prefix" > "$work/install.log" || { cat "$work/install.log"; exit 1; }
export PATH=$work/prefix/bin:$PATH

fail() {
  echo "FAILED: $*"
  for log in "$work"/{step,dev,up,run}.log; do [ ! -s "$log" ] || { echo "--- $log"; tail -n 20 "$log"; }; done
  exit 1
}
# step WHAT COMMAND...
step() {
  local what=$1
  shift
  "$@" > "$work/step.log" 2>&1 < /dev/null || fail "$what: $*"
  echo "  ok  $what"
}
# until_true WHAT COMMAND...: the command succeeds within a minute and a half.
until_true() {
  local what=$1 end=$((SECONDS + 90))
  shift
  until "$@" > "$work/step.log" 2>&1; do
    [ "$SECONDS" -lt "$end" ] || fail "$what: $*"
    read -r -t 0.1 < "$work/never" || true
  done
  echo "  ok  $what"
}
mkfifo "$work/never"
exec 9<> "$work/never"

# ask PATH [CURL FLAGS...]: of the cluster's API.
ask() {
  local path=$1
  shift
  curl --silent --show-error --fail-with-body --max-time 20 --cacert "$work/certificate-authority-data" \
    --cert "$work/client-certificate-data" --key "$work/client-key-data" "$@" "$url$path"
}
apply() {
  ask "$1?fieldManager=test&force=true" -X PATCH -H 'Content-Type: application/apply-patch+yaml' --data-binary "@$2"
}
merge() { ask "$1" -X PATCH -H 'Content-Type: application/merge-patch+json' --data-binary "$2"; }
holds() { ask "$1" | tr -d ' \n' | has -F -- "$2"; }
absent() { { ask "$1" 2> /dev/null || true; } | tr -d ' \n' | has -F '"reason":"NotFound"'; }

# start_cluster [FLAG...]: `flyball dev`.
start_cluster() {
  flyball dev --quiet --port 0 --kubeconfig "$work/kubeconfig" "$@" > "$work/ready" 2> "$work/dev.log" &
  children+=($!)
  until_true "a cluster" test -s "$work/ready"
  use_cluster "$work/kubeconfig"
}
# start_kubernetes: the real kube-apiserver with its controllers (make kube).
start_kubernetes() {
  "$tree/tools/kube/up" --controllers < "$work/never" > "$work/ready" 2> "$work/up.log" &
  children+=($!)
  until_true "a real cluster" grep -q '^ready ' "$work/ready"
  # Its kubeconfig names files; curl wants what is in them.
  "$("$tree/tools/kube/build" --where)/kubectl" config view --raw --flatten \
    --kubeconfig "$(sed -n 's/^ready //p' "$work/ready")" > "$work/kubeconfig"
  use_cluster "$work/kubeconfig"
}
use_cluster() {
  export KUBECONFIG=$1
  url=$(sed -n 's/^ *server: //p' "$KUBECONFIG")
  local part
  for part in certificate-authority-data client-certificate-data client-key-data; do
    sed -n "s/^ *$part: //p" "$KUBECONFIG" | base64 -d > "$work/$part"
  done
}
