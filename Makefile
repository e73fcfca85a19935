# Everything there is to do with Flyball. Each target installs what it lacks (tools/setup), then does its work.
# JOBS=n sets how many things run at once.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
export JOBS FUZZ_SECONDS

.DEFAULT_GOAL := build
.PHONY: build demo recording test lint bench fuzz package coverage asan tsan consumer ci nightly format docs clean help generate golden

build: ## Build everything into build/ (the default)
	@tools/setup build test
	@tools/build dev

demo: ## Build and run the demo: a cluster in a box, an operator, real memcached pods (DEMO=keep leaves it running)
	@tools/setup build test
	@tools/build dev flyball_demo
	@build/bin/flyball_demo $(if $(filter keep,$(DEMO)),--keep)

recording: ## Record the demo anew as docs/demo.svg, for the README
	@tools/setup build test
	@tools/build dev flyball_demo
	@tools/record_demo

test: build ## Run the tests
	@ctest --test-dir build --no-tests=error --progress --output-on-failure -j$(JOBS)

lint: ## Check format, clang-tidy, room order, headers, thread-safety, docs and scripts
	@tools/setup build test bench lint
	@tools/lint

format: ## Format the C++ files and refresh the snippets in the docs
	@tools/setup lint
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format-19 -i
	@tools/snippets.py

generate: ## Make the built-in types anew: the facts table where there is Go, then the C++ from the table
	@if command -v go > /dev/null; then tools/kubefacts/run; else echo 'generate: no Go here: the facts table stays as it is'; fi
	@tools/kubegen

golden: ## Prove the codecs on the golden files of k8s.io/api (needs Go to fetch them)
	@tools/setup build test
	@tests/golden/run

bench: ## Build and run the benchmarks (build-bench/)
	@tools/setup build bench
	@tools/build bench
	@tools/bench
	@bench/codec_run
	@bench/list_run
	@bench/server_run
	@bench/cache_run
	@bench/loop_run

fuzz: ## Run every fuzz target for FUZZ_SECONDS (60) each
	@tools/setup build fuzz
	@tools/build fuzz fuzzers
	@tools/fuzz

asan: ## Run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/setup build test
	@tools/build asan
	@tools/sanitized asan

# By day the rooms that the threads of an operator live in, by night everything: a ci that finds nothing compiled has 90
# minutes. TSAN_ROOMS="testing cluster" looks at others.
TSAN_ROOMS ?= base net client cache runtime
tsan: ## Run the tests of TSAN_ROOMS under ThreadSanitizer (FLYBALL_NIGHTLY=1: all tests)
	@tools/setup build test
	@tools/build tsan $(if $(FLYBALL_NIGHTLY),,$(TSAN_ROOMS:%=flyball_%_tests))
	@tools/sanitized tsan $(if $(FLYBALL_NIGHTLY),,$(TSAN_ROOMS))

coverage: ## Run the tests and print how much of each file they reach
	@tools/setup build test coverage
	@tools/build coverage
	@tools/coverage

package: ## Build the Debian package (build-release/*.deb)
	@tools/setup build package
	@tools/build release
	@cd build-release && cpack -G DEB > cpack.log || { cat cpack.log; exit 1; }
	@ls build-release/*.deb

consumer: package ## Build a project that uses Flyball: installed, from the .deb, as a subdirectory
	@tools/consumer installed
	@tools/consumer package
	@tools/consumer subdirectory

.PHONY: scaffolds
scaffolds: build ## Build every scaffold of the flyball command, run its tests, and run the sessions of the tutorials
	@tools/scaffolds build

.PHONY: kube test-kube test-kube-smoke test-kube-suite test-kube-differential test-scenarios test-clients test-charts test-envtest test-pods
kube: ## Build the real Kubernetes for tests, once, outside the tree (needs Go; 5 minutes)
	@tools/setup kube
	@tools/kube/build

test-kube: test-kube-smoke test-kube-suite test-kube-differential test-scenarios ## Run the tests against the real Kubernetes

test-kube-smoke: kube
	@tools/setup build test
	@tools/build dev memcached-operator
	@tests/kube/smoke

test-kube-suite: kube
	@tools/setup build test
	@tools/build dev flyball_kubernetes_suite flyball_behaviour_suite
	@build/bin/flyball_kubernetes_suite
	@build/bin/flyball_behaviour_suite

# The answers our server is compared with are still those of the real one.
test-kube-differential: kube
	@tools/setup build test
	@tests/differential/record --check

test-scenarios: kube ## Compare our controllers and the real ones, each on both API servers
	@tools/setup build test
	@tools/build dev flyball_scenario_tests flyball_command
	@tests/scenarios/record --check
	@build/bin/flyball_scenario_tests --ours-on-real
	@tests/scenarios/upstream_on_ours

test-clients: kube ## Run kubectl, client-go and kube-rs on our own API server
	@tools/setup build test
	@tools/build dev flyball_command
	@tests/clients/all build/bin/flyball

test-charts: kube ## Try what flyball manifests writes with kubectl, kustomize and Helm, and the tutorials' sessions on the real Kubernetes
	@tools/setup build test
	@tools/build dev
	@tests/charts/run build
	@tests/scaffold/sessions --kubernetes build

test-envtest: kube ## Run a Go suite of envtest on our API server and on the real programs
	@tools/setup build test
	@tools/build dev flyball_command
	@tests/envtest/run build/bin/flyball
	@tests/envtest/run build/bin/flyball real

test-pods: kube ## Run real programs as pods of flyball dev, with the real kubectl: logs, exec, port-forward
	@tools/setup build test pods
	@tools/build dev flyball_command
	@tests/pods/streams build/bin/flyball "$$(tools/kube/build --where)/kubectl"
	@tests/pods/streams build/bin/flyball "$$(tools/kube/build --where)/kubectl" loopback
	@tests/pods/programs build/bin/flyball

ci: ## What every change must pass
	@tools/ci 2>&1

nightly: ## The long form of ci: long fuzzing, big scale, many seeds
	@tools/ci --nightly 2>&1

clean: ## Remove everything that was built
	@rm -rf build build-*

help: ## Show this list
	@echo 'Flyball: make <target>'
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  %-10s %s\n", $$1, $$2 }'
