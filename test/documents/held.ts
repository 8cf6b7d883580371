import type { CodeBlock } from '../../hack/lib/codeBlocks.ts';

/** A test of the repository, or the reason why nothing runs a block. */
type Held = { by: string } | { reason: string };

/**
 * How programs and commands are held that `e2e/documents.test.ts` does not run as they stand: by the start of a document's
 * path, and in it by the first line of a block, or `*` for all that are not named. A value is a test that runs or reads them,
 * or the reason why nothing does.
 */
export const heldOtherwise: Record<string, Record<string, Held>> = {
  'README.md': {
    'make up      # creates a cluster, installs the chart, and mines a first transaction': {
      reason: 'the installation under test was made by it',
    },
    "cat > values.yaml <<'END'": { reason: 'needs an RPC URL of a public chain' },
    'npx slipway-with-network -- forge test': {
      reason: 'needs a project of the reader; e2e/snippets.test.ts runs that of docs/testing.md',
    },
    'helm upgrade --install slipway oci://ghcr.io/OWNER/slipway/charts/slipway -n slipway-system --create-namespace --wait':
      { reason: 'needs a release; hack/release/pull.int.test.ts installs one from a registry of its own' },
    'CLUSTER=current REGISTRY=registry.example.com/slipway make up    # builds and pushes the images, and installs the chart':
      { reason: 'needs a registry; make test-current has one' },
  },
  'cli/README.md': { '*': { reason: 'needs a release and an installation of its own' } },
  'docs/adding.md': { '*': { by: 'hack/features/addition.copy.test.ts' } },
  'docs/cli.md': { '*': { by: 'hack/house/commandLines.test.ts' } },
  'docs/events.md': { 'const known = new Map();': { reason: "a part of the reader's program" } },
  'docs/install.md': {
    '*': { reason: 'changes the installation, or needs a registry' },
  },
  'docs/keys.md': {
    'helm -n slipway-system history slipway   # the column CHART shows which revisions are of slipway-0.2': {
      reason: 'needs an installation that began with 0.2',
    },
    'NS=slipway-system': { by: 'hack/chart/runbook.test.ts' },
    '# 1. Add the new key as the second line, so that every replica can open what another one will seal with it.':
      {
        by: 'e2e/masterKeys.alone.test.ts',
      },
    '# 1. Add the new key as the second line, so that every replica accepts what another one will make with it.':
      {
        by: 'hack/chart/runbook.test.ts',
      },
    'for FILE in $FILES; do put $FILE "$(newest $FILE)"; done': { by: 'hack/chart/runbook.test.ts' },
  },
  'engines/': { '*': { reason: 'builds an engine for minutes; make test-engines does' } },
  'docs/light-engine.md': {
    'SNAPSHOT=$(cast rpc --rpc-url "$ADMIN_URL" evm_snapshot)': { reason: 'needs a project of the reader' },
  },
  'docs/native-node.md': { '*': { reason: 'ends the cluster that the tests use' } },
  'docs/networks.md': {
    'networks: {': { reason: 'e2e/clients.test.ts makes the same calls in projects of its own' },
    "import { createPublicClient, createTestClient, defineChain, http, parseEther } from 'viem';": {
      reason: 'e2e/clients.test.ts makes the same calls in projects of its own',
    },
    'import os': { reason: 'e2e/clients.test.ts makes the same calls in projects of its own' },
  },
  'hack/nativeNode/README.md': { '*': { reason: 'ends the cluster that the tests use' } },
  'docs/observability.md': { '*': { reason: 'changes the installation, or needs an id of a request' } },
  'docs/operations.md': {
    'helm upgrade slipway charts/slipway -n slipway-system -f values.yaml --wait': {
      reason: 'changes the installation',
    },
    'kubectl get volumesnapshots -A | grep slipway-backup-      # by their age': {
      reason: 'needs volume snapshots of a storage class',
    },
    "OURS=$(kubectl get namespaces -l slipway.dev/workspace -o jsonpath='{range .items[*]}{.metadata.name},{end}')":
      {
        reason: 'needs Velero; hack/backup/restore.int.test.ts does what it does to objects',
      },
    'velero restore create --from-backup slipway --exclude-resources deployments.apps,replicasets.apps,jobs.batch --wait':
      {
        reason: 'needs Velero; hack/backup/restore.int.test.ts does what it does to objects',
      },
    '*': { by: 'hack/backup/restore.int.test.ts' },
  },
  'docs/plugins': { '*': { by: 'e2e/plugins/examples.test.ts' } },
  'docs/sdk.md': {
    'npm install @slipway/sdk': { reason: 'needs a release' },
    '*': { by: 'sdk/examples.test.ts' },
  },
  'docs/sign-in.md': { '*': { reason: 'writes credentials of an identity provider or mail server' } },
  'docs/testing.md': { '*': { by: 'e2e/snippets.test.ts' } },
  'docs/tour.md': { '*': { by: 'e2e/tour.test.ts' } },
  'docs/verification.md': {
    '*': { reason: 'e2e/clients.test.ts makes the same calls in projects of its own' },
  },
  'docs/webhooks.md': {
    "import { createHmac, timingSafeEqual } from 'node:crypto';": {
      by: 'features/webhooks/core/snippets.test.ts',
    },
    'import base64, hashlib, hmac, time': { by: 'features/webhooks/core/snippets.test.ts' },
    'package main': { by: 'features/webhooks/core/snippets.test.ts' },
  },
  'sdk/README.md': { '*': { by: 'sdk/examples.test.ts' } },
};

/** Whether a block is for a shell. */
export const isShell = ({ language }: CodeBlock): boolean => ['sh', 'bash'].includes(language);

/** The first line of a block, by which the table names it. */
export const firstLineOf = ({ text }: CodeBlock): string => text.split('\n')[0] ?? '';

/** How a program or a command is held; undefined for commands that are run as they stand. */
export function heldBy(block: CodeBlock): Held | undefined {
  const held = Object.entries(heldOtherwise).find(([start]) => block.document.startsWith(start))?.[1];
  return held?.[firstLineOf(block)] ?? held?.['*'];
}

/** Whether the commands of a block are run as they stand. */
export const isRun = (block: CodeBlock): boolean => isShell(block) && heldBy(block) === undefined;
