# What a person runs: `make demo` and `make test`; each does its own set-up.
SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

BUILD    := build
VENV     := $(BUILD)/venv
DATA     := ../shared/data/uci
BIN      := $(BUILD)/bin/pfnamp
DEMO     := $(BUILD)/demo
VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
PARITY   := tabicl tabpfn/v2 tabpfn/v2_5 tabpfn/v3_5 nori
UNITTEST := -W ignore -m unittest discover -t . -s
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
DEADCODE    := golang.org/x/tools/cmd/deadcode@v0.51.0
# Of `make generate`, whose output is committed.
GRPCTOOLS   := grpcio-tools==1.81.1
GENGO       := google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12
GENGRPC     := google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.6.2
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0

FUZZTIME := 10m

.PHONY: corpus help setup build studies demo train test test-page test-scripts bench fuzz eval-default parity vulnerabilities release release-check clean test-engines test-slurm test-kubernetes test-deploy test-alerts test-notebook test-kill check check-python wheels test-wheels eval-classes gpu-check gpu-kit generate test-serve FORCE

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 15

setup: ## check the tools and fetch the pinned onnxruntime library into build/
	@scripts/tools/setup.sh

build: setup $(BIN) ## build build/bin/pfnamp

$(BIN): FORCE
	@go build -o $@ ./cmd/pfnamp

studies: setup ## build build/bin/studies, the experiments of the publication
	@go build -o $(BUILD)/bin/studies ./studies

demo: build ## set up and predict real data with the embedded model
	@mkdir -p $(DEMO)
	@awk -v out=$(DEMO) 'NR == 1 { print > (out "/train.csv"); print > (out "/test.csv"); next } \
		{ print > (out (NR % 5 == 0 ? "/test.csv" : "/train.csv")) }' testdata/diabetes.csv
	$(BIN) predict $(DEMO)/train.csv $(DEMO)/test.csv --target progression \
		--functional 'mean,q0.9,p>150' --posterior auto,paper \
		-o $(DEMO)/out.csv --plot $(DEMO)/out.png
	@echo "first rows of $(DEMO)/out.csv:"
	@head -n 4 $(DEMO)/out.csv

# Packages whose goroutines share memory have the race detector, which makes arithmetic ten times
# slower; those in SLOW have tests that run without it (`//go:build !race`).
RACE := ./pfn ./pfn/internal/ort ./pfn/internal/tabpfn ./serve . ./amp ./reading ./explain ./joint \
	./batching ./evaluate ./models ./internal/panics ./cmd/pfnamp/internal/run ./cmd/pfnamp/serve \
	./examples/service
SLOW := . ./amp ./explain
GOTEST := PFNAMP_ORT_LIB= PFNAMP_MODEL= go test -vet=off -timeout 20m

test: setup ## set up and run every test, those of goroutines with the race detector
	go vet ./...
	$(GOTEST) $$(go list ./... | grep -vxF "$$(go list $(RACE))") $(SLOW)
	$(GOTEST) -race $(RACE)
	$(GOTEST) -race -run '^Test(ConcurrentUse|Interrupt|Scripts|Watch)' ./cmd/pfnamp ./check ./tabular
	@if python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
		then set -x; python3 $(UNITTEST) scripts; \
		else echo "no python3 of version 3.11 or newer: the tests of scripts/ are left out"; fi

# BASE is a program or a commit; ONLY is a pattern of names of scripts.
corpus: build ## the command lines of all scripts with BASE and with this program: what differs
	python3 -m scripts.tools.corpus.run --base $(BASE) --program $(BIN) $(if $(ONLY),--only '$(ONLY)')

test-kill: setup ## kill the program 200 times at each of two commands (a minute)
	PFNAMP_KILLS=200 go test -count=1 -v -run '^TestKilled$$' ./cmd/pfnamp

test-scripts: $(VENV)/ready ## set up Python packages and run the tests of scripts/ with them
	$(VENV)/bin/python $(UNITTEST) scripts

test-page: build ## open reports in a headless browser from npm: axe-core, errors, screenshots
	scripts/tools/page/check.sh $(BIN)

fuzz: setup ## run every fuzz target for its part of FUZZTIME (10m)
	@scripts/tools/fuzz.sh $(FUZZTIME)

bench: demo ## run the benchmarks
	go test -run '^$$' -bench . -benchmem ./...

$(VENV)/ready: scripts/requirements.txt
	@python3 -m venv $(VENV)
	@$(VENV)/bin/pip install --quiet --requirement scripts/requirements.txt
	@touch $@

# RECIPE is the name of a file of scripts/training/recipes. The run is kept in RUN, where the same
# command goes on after it was stopped; MINUTES stops it after so long.
RECIPE ?= next
RUN ?= runs/$(RECIPE)
train: $(VENV)/ready ## make networks from nothing by RECIPE (next), or go on making them
	$(VENV)/bin/python -W ignore -m scripts.train scripts/training/recipes/$(RECIPE).toml \
		--out $(RUN) $(if $(MINUTES),--run-minutes $(MINUTES)) \
		$(if $(filter command environment,$(origin DEVICE)),--device $(DEVICE)) $(if $(WORKERS),--workers $(WORKERS))

# CLASSIFIER is a bundle, the name of one (the embedded one's scores go into its card), or a
# checkpoint. The scores of baselines are in the file.
CLASSIFIER ?= classifier
eval-classes: build $(VENV)/ready ## score a classifier on public tables, beside the scores of baselines
	$(VENV)/bin/python -m scripts.evaluation.classes.scores --model $(CLASSIFIER) --program $(BIN) \
		--again $(CLASSIFIER) --scores scripts/evaluation/classes/scores.csv
	$(if $(filter classifier,$(CLASSIFIER)),$(VENV)/bin/python -m scripts.evaluation.classes.card \
		--scores scripts/evaluation/classes/scores.csv --card models/classifier)

# The scores of baselines are in scores.csv. DATA is a folder of CSV files whose last column is the
# target; without it only the other tasks are scored.
eval-default: build $(VENV)/ready ## score the embedded model, into its card
	$(VENV)/bin/python -m scripts.evaluation.evaluate --bundle models/default --again pfnamp \
		--scores scripts/evaluation/scores.csv $(if $(wildcard $(DATA)/*.csv),--data $(DATA))
	$(VENV)/bin/python -m scripts.evaluation.card \
		--scores scripts/evaluation/scores.csv --card models/default

parity: build ## compare with the Python packages on networks with random weights (downloads PyTorch)
	@for family in $(PARITY); do \
		python=$(BUILD)/venv/$$family/bin/python; folder=scripts/export/$${family%/*}; \
		[ -x $$python ] || python3 -m venv $(BUILD)/venv/$$family; \
		$$python -m pip install --quiet -r scripts/export/$$family/requirements.txt; \
		$$python $(UNITTEST) $$folder; \
		module=$$folder/parity; \
		$$python -m $${module//\//.} --program $(BIN) --csv docs/evidence/parity \
			$(if $(wildcard $(DATA)/*.csv),--data $(DATA)); \
	done
	@python3 -m scripts.export.bundle.agreement docs/evidence/parity.md

generate: ## write the Go code of serve/internal/oippb/oip.proto, with protoc from pip
	@[ "$$(cat $(BUILD)/proto/ready 2>/dev/null)" = "$(GRPCTOOLS)" ] || { \
		python3 -m venv $(BUILD)/proto/venv && \
		$(BUILD)/proto/venv/bin/pip install --quiet --disable-pip-version-check $(GRPCTOOLS) && \
		echo "$(GRPCTOOLS)" >$(BUILD)/proto/ready; }
	GOBIN=$(CURDIR)/$(BUILD)/proto/bin go install $(GENGO)
	GOBIN=$(CURDIR)/$(BUILD)/proto/bin go install $(GENGRPC)
	PATH=$(CURDIR)/$(BUILD)/proto/bin:$$PATH $(BUILD)/proto/venv/bin/python -m grpc_tools.protoc \
		--proto_path=serve/internal/oippb --go_out=serve/internal/oippb --go_opt=paths=source_relative \
		--go-grpc_out=serve/internal/oippb --go-grpc_opt=paths=source_relative oip.proto

$(BUILD)/ruff/ready: scripts/tools/ruff.txt
	@python3 -m venv $(BUILD)/ruff
	@$(BUILD)/ruff/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

check-python: $(BUILD)/ruff/ready ## ruff: form and errors of the Python code
	$(BUILD)/ruff/bin/ruff format --quiet --check .
	$(BUILD)/ruff/bin/ruff check --quiet .

check: check-python ## gofmt, staticcheck, deadcode and ruff: what CI checks beside the tests
	@unformatted=$$(git ls-files '*.go' | xargs gofmt -l); \
		[ -z "$$unformatted" ] || { echo "gofmt these: $$unformatted"; exit 1; }
	go run $(STATICCHECK) ./...
	@dead=$$(go run $(DEADCODE) -test -filter 'pfnamp/pfnamp/' ./...); \
		[ -z "$$dead" ] || { echo "nothing calls these:"; echo "$$dead"; exit 1; }

vulnerabilities: check ## check, and govulncheck
	go run $(GOVULNCHECK) ./...

release: setup ## one file with onnxruntime inside: dist/pfnamp
	@scripts/tools/release.sh

release-check: setup ## build the committed revision twice and compare the bytes
	@scripts/tools/release_check.sh

# PLATFORMS is a choice of linux-amd64, linux-arm64, darwin-arm64 and windows-amd64.
wheels: ## Python wheels of the program for PLATFORMS (all): dist/wheels
	@scripts/tools/wheels/build.sh $(PLATFORMS)

test-wheels: ## build the wheels twice, compare the bytes, install them and run their tests
	@scripts/tools/wheels/test.sh $(PLATFORMS)

ENGINES := PYTHONPATH=$(CURDIR)/python:$(CURDIR) PFNAMP_PROGRAM=$(CURDIR)/$(BIN) \
	PFNAMP_ORT_LIB=$(CURDIR)/$(BUILD)/lib/pfnamp $(BUILD)/engines/bin/python -W ignore -m

$(BUILD)/engines/ready: python/engine_tests/requirements.txt
	@python3 -m venv $(BUILD)/engines
	@$(BUILD)/engines/bin/pip install --quiet --disable-pip-version-check --require-hashes \
		--requirement $<
	@touch $@

test-engines: build $(BUILD)/engines/ready ## predict with real Spark and Ray, and kill their workers (Java 17)
	$(ENGINES) unittest discover -v -t . -s python/engine_tests

test-serve: build ## ask `pfnamp serve` with published clients of its protocols
	@PFNAMP_ORT_LIB=$(CURDIR)/$(BUILD)/lib/pfnamp scripts/tools/serve/test.sh $(BIN)

test-notebook: build ## run examples/intervals.ipynb and compare what it prints
	@scripts/tools/environment.sh $(BUILD)/notebook scripts/tools/notebook/requirements.txt
	$(BUILD)/notebook/bin/python -m unittest scripts.tools.notebook.test_run
	PYTHONPATH=$(CURDIR)/python:$(CURDIR) PFNAMP_PROGRAM=$(CURDIR)/$(BIN) \
		PFNAMP_ORT_LIB=$(CURDIR)/$(BUILD)/lib/pfnamp \
		$(BUILD)/notebook/bin/python -m scripts.tools.notebook.run examples/intervals.ipynb $(if $(WRITE),--write)

test-slurm: build ## predict on a real Slurm cluster of one machine, and kill a node (Debian, root)
	scripts/tools/slurm/check.sh $(BIN)

test-kubernetes: ## compare the examples for Kubernetes with the schema
	scripts/tools/kubernetes/check.sh

test-deploy: ## lint the examples for Docker and systemd
	scripts/tools/deploy/check.sh

test-alerts: ## check the alerts for Prometheus with promtool (builds it once, some minutes)
	scripts/tools/deploy/alerts.sh

# DEVICE is cuda, cuda:1, ... or cpu, which rehearses the check without a card.
DEVICE := cuda

# Machines with a card may have no network: `make gpu-kit` packs what the check needs for one
# architecture (90: H100 and H200; 86, 89 and 120: RTX), and `python3 build/gpu-kit/start.py` runs it.
ARCH := 90
PACKAGE_PYTHON ?= $(BUILD)/gpu/package/bin/python

gpu-kit: build ## pack the check of a graphics card for a machine without a network: build/gpu-kit
	@[ -x $(PACKAGE_PYTHON) ] || \
		scripts/tools/environment.sh $(BUILD)/gpu/package scripts/export/tabicl/requirements.txt
	$(PACKAGE_PYTHON) -W ignore -m scripts.tools.gpu.kit --program $(BIN) --arch $(ARCH) --out $(BUILD)/gpu-kit \
		$(if $(TREE),--tree)

gpu-check: build ## check a graphics card: agreement, speed, memory; writes docs/evidence/gpu.md
	scripts/tools/gpu/check.sh $(BIN) $(DEVICE)

clean: ## remove what the other targets made
	rm -rf $(BUILD) dist
