# Slipway's commands. They need git, Node 20 or newer and npm; all else is fetched or built.
# CLUSTER=auto|kind|native|current chooses the cluster, VALUES=file.yaml adds chart values, YES=1 answers questions.

SHELL := /bin/sh
.DEFAULT_GOAL := help
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
NODE := $(CURDIR)/node_modules/.bin/node
INSTALLED := node_modules/.package-lock.json

.PHONY: help up down status logs demo test test-unit test-integration test-e2e test-engines check generate bench images engines \
  release-notes

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: $(INSTALLED) ## a cluster, the images, the chart, and a first mined transaction
	@$(NODE) hack/up.ts

down: $(INSTALLED) ## remove all that make up started
	@$(NODE) hack/down.ts

status: $(INSTALLED) ## the cluster, the service and its networks
	@$(NODE) hack/status.ts

logs: $(INSTALLED) ## what the API server and the operator say (FOLLOW=1 goes on)
	@$(NODE) hack/logs.ts

demo: $(INSTALLED) ## the demo alone
	@$(NODE) hack/demo.ts

test: $(INSTALLED) ## every test, starting what it needs
	@$(NODE) hack/test.ts

test-unit: $(INSTALLED) ## unit tests and their coverage: no cluster
	@$(NODE) hack/test.ts unit --coverage

test-integration: $(INSTALLED) ## tests on a real kube-apiserver
	@$(NODE) hack/test.ts integration

test-e2e: $(INSTALLED) ## tests on the installed chart
	@$(NODE) hack/test.ts e2e

test-engines: $(INSTALLED) ## tests with real clients, on the installed chart; builds them first
	@$(NODE) hack/test.ts engines

check: $(INSTALLED) ## types, lint, unused code, generated files
	@npm run --silent check

generate: $(INSTALLED) ## write the generated files anew
	@npm run --silent generate

bench: $(INSTALLED) ## measurements, on the installed chart
	@$(NODE) bench/main.ts

images: $(INSTALLED) ## build the images and name their archives
	@$(NODE) hack/images.ts

engines: $(INSTALLED) ## build the engines that take minutes, once (ENGINES="geth solana": only those), and all contexts
	@nice -n 15 $(NODE) hack/engines.ts $(ENGINES)

release-notes: $(INSTALLED) ## what CHANGELOG.md says about a version (VERSION=0.2.0; by default this one's)
	@$(NODE) hack/releaseNotes.ts $(VERSION)

# npm writes this file last, so an install that was killed is done again. It installs what package-lock.json pins.
# Not `npm ci`: that refuses a lock file without every platform's optional packages, which not every registry has.
$(INSTALLED): package-lock.json
	@command -v git > /dev/null || { echo 'git is missing: install it (Debian, Ubuntu: apt-get install git)'; exit 1; }
	@command -v node > /dev/null && command -v npm > /dev/null || { \
	  echo 'Node.js and npm are missing: install Node.js 20 or newer from https://nodejs.org'; exit 1; }
	@node hack/prerequisites.cjs
	@echo '→ npm install'
	@npm install --no-save --no-audit --no-fund --loglevel=error
	@touch $@
