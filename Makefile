# Slipway's commands. They need git, npm and Node 20 or newer; everything else is downloaded or built.
# CLUSTER=auto|kind|native|current selects the cluster, VALUES=file.yaml adds chart values, YES=1 skips confirmations.
# With CLUSTER=current, REGISTRY=host/path names a registry that the images are pushed to and the cluster pulls from.

SHELL := /bin/sh
.DEFAULT_GOAL := help
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
NODE := $(CURDIR)/node_modules/.bin/node
# Written when everything is installed: npm has its own note before Node is there.
INSTALLED := node_modules/.installed

.PHONY: help up cluster down node node-down status logs demo test test-all test-unit test-chains test-integration test-e2e test-faults test-engines test-kind test-current test-upgrade \
  test-monitoring test-ingress soak check generate bench images images-list engines cli release-notes backup restore gate

help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: $(INSTALLED) ## start a cluster, build or pull the images, install the chart and mine a first transaction
	@$(NODE) hack/up.ts $(if $(filter none,$(DEMO)),--no-demo)

cluster: $(INSTALLED) ## start the cluster of make up without Slipway, to restore a backup into it
	@$(NODE) hack/cluster/main.ts up

down: $(INSTALLED) ## remove everything that make up started
	@$(NODE) hack/down.ts

node: $(INSTALLED) ## add a node to the native cluster (up to 3), or start again those that were killed
	@$(NODE) hack/node.ts add

node-down: $(INSTALLED) ## remove the nodes that make node added
	@$(NODE) hack/node.ts remove

status: $(INSTALLED) ## show the cluster, the service and its networks
	@$(NODE) hack/status.ts

logs: $(INSTALLED) ## show the logs of the API server and the operator (FOLLOW=1 keeps following)
	@$(NODE) hack/logs.ts

demo: $(INSTALLED) ## run only the demo
	@$(NODE) hack/demo.ts

test: $(INSTALLED) ## run every test and start what it needs
	@$(NODE) hack/test.ts

test-all: $(INSTALLED) ## run every suite that this machine can, including those that take long and rarely find anything
	@$(NODE) hack/test.ts --all

test-unit: $(INSTALLED) ## run the unit tests, which need nothing but Node, and print their coverage
	@$(NODE) hack/test.ts unit --coverage

test-chains: $(INSTALLED) ## run the tests that start real chains as processes
	@$(NODE) hack/test.ts chains

test-integration: $(INSTALLED) ## run the tests that use a real kube-apiserver
	@$(NODE) hack/test.ts integration

test-e2e: $(INSTALLED) ## run the tests that use the installed chart
	@$(NODE) hack/test.ts e2e alone

test-faults: $(INSTALLED) ## kill every part of the installation under load, and attack it for minutes
	@$(NODE) hack/test.ts crashes faults

soak: $(INSTALLED) ## use the installation steadily for HOURS (1) and print what grows
	@VALUES=$${VALUES:-bench/soak.yaml} $(MAKE) --no-print-directory up
	@$(NODE) bench/soak.ts $(HOURS)

test-ingress: $(INSTALLED) ## build two ingress controllers and test the chart's Ingress and HTTPRoute with them
	@$(NODE) hack/test.ts ingress

test-engines: $(INSTALLED) ## build the real chain clients and test them on the installed chart
	@$(NODE) hack/test.ts binaries engines

test-kind: $(INSTALLED) ## make up on a new kind cluster, a part of the e2e tests, and remove it again
	@$(NODE) hack/testKind.ts

test-upgrade: $(INSTALLED) ## install the previous release (FROM names another), upgrade it under load, roll back, upgrade again
	@$(NODE) hack/upgrade/main.ts

test-current: $(INSTALLED) ## make up with a registry that asks for a login, and a part of the e2e tests, on the native node
	@$(NODE) hack/testCurrent.ts

test-monitoring: $(INSTALLED) ## test alerts and dashboard with Prometheus from a Debian package
	@$(NODE) hack/test.ts monitoring

check: $(INSTALLED) ## check types, lint, unused code and generated files
	@npm run --silent check

generate: $(INSTALLED) ## regenerate the generated files
	@npm run --silent generate

bench: $(INSTALLED) ## run the benchmarks on the installed chart
	@$(NODE) bench/main.ts

gate: $(INSTALLED) ## compare the speed of this commit with the one before, or with BASE, in ten minutes
	@$(NODE) bench/gate.ts $(BASE)

images: $(INSTALLED) ## build the images and print the paths of their archives
	@$(NODE) hack/images.ts

images-list: $(INSTALLED) ## print every image that an installation uses (VALUES=file.yaml; CHART=archive; MIRROR=host/path: where each goes)
	@$(NODE) hack/imagesList.ts

engines: $(INSTALLED) ## build the engines that take minutes, once (ENGINES="geth solana" selects some), and stage the image contexts
	@nice -n 15 $(NODE) hack/engines.ts $(ENGINES)

cli: $(INSTALLED) ## build the command line as one file and print its path
	@$(NODE) hack/cli.ts

backup: $(INSTALLED) ## write all of Slipway in the cluster of KUBECONFIG into DIR, encrypted with BACKUP_PASSPHRASE
	@$(NODE) hack/backup/main.ts backup "$(DIR)"

restore: $(INSTALLED) ## restore the backup in DIR into an empty cluster, before the chart is installed
	@$(NODE) hack/backup/main.ts restore "$(DIR)"

release-notes: $(INSTALLED) ## print CHANGELOG.md's section of a version (VERSION=0.2.0; the current one by default)
	@$(NODE) hack/releaseNotes.ts $(VERSION)

# npm writes this file last, so an interrupted install runs again. It installs what package-lock.json pins.
# `npm ci` rejects a lock file that lacks any platform's optional packages, and not every registry has them all.
$(INSTALLED): package-lock.json
	@command -v git > /dev/null || { echo 'git is not installed: install it (on Debian or Ubuntu: apt-get install git)'; exit 1; }
	@command -v node > /dev/null && command -v npm > /dev/null || { \
	  echo 'Node.js or npm is not installed: install Node.js 20 or newer from https://nodejs.org'; exit 1; }
	@node hack/prerequisites.cjs
	@node hack/installPackages.cjs
	@touch $@
