import { idOf } from '../../core/api/ids.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import { lookMs } from '../../core/deploy/anchor.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { stopAll } from '../../core/lib/work/stopAll.ts';
import { hasWakeValue, requestWake } from '../../core/networks/wake.ts';
import type { Controller, ReconcileResult } from '../runtime/controller.ts';
import {
  type ControllerSettings,
  defineController,
  joinControllers,
  type Keys,
} from '../runtime/defineController.ts';
import { createAnchorWatch } from './anchors.ts';
import { deploymentStateOf } from './deploymentState.ts';
import type { TokenDeps } from './deps.ts';
import { createStatusWriter, type UpdateStatus } from './statusWriter.ts';
import { createTokenRuns, type TokenRuns } from './tokenRuns.ts';

/** Tokens that are deployed in parallel. Most of that time is spent waiting for nodes, and some never answer. */
const runWorkers = 128;
const longestRetryMs = 30_000;

/**
 * The controller of tokens; a key is a token's uid. One queue keeps the status current, from caches only; another one takes the
 * steps on the chains. In a third one a key is a network's uid: it notices chains that were rolled back.
 */
export function createTokenController(deps: TokenDeps, settings: ControllerSettings): Controller {
  const updateStatus = createStatusWriter(deps);
  const anchors = createAnchorWatch(deps, (uid) => tokens.keys.add(uid));
  const runs = createTokenRuns(deps, updateStatus, anchors.isGone);
  const tokenOf = (uid: string) => deps.caches.tokens.byIndex('uid', uid)[0];
  const deploys = defineController(
    {
      name: 'deploy',
      reconcile: runs.reconcile,
      objectOf: tokenOf,
      namespaceOf: (uid) => tokenOf(uid)?.metadata.namespace,
      workers: runWorkers,
      longestRetryMs,
    },
    deps,
    settings,
  );
  const tokens = defineController(
    {
      name: 'token',
      reconcile: (uid) => observe(uid, { deps, updateStatus, runs, deploys: deploys.keys }),
      objectOf: tokenOf,
      watch: (keys) => watchTokens(deps, keys.add),
    },
    deps,
    settings,
  );
  const looks = defineController(
    {
      name: 'anchor',
      reconcile: anchors.reconcile,
      namespaceOf: (uid) => deps.caches.networks.byIndex('uid', uid)[0]?.metadata.namespace,
      workers: runWorkers,
      longestRetryMs,
      watch: (keys) => watchChains(deps, (uid) => keys.addAfter(uid, lookMs)),
    },
    deps,
    settings,
  );
  return joinControllers('token', [tokens, deploys, looks]);
}

function watchTokens({ caches }: TokenDeps, add: (uid: string) => void): () => void {
  const addToken = ({ metadata }: Stored<TokenResource>) => add(metadata.uid);
  caches.tokens.list().forEach(addToken);
  return stopAll([
    caches.tokens.onChange(({ object }) => addToken(object)),
    caches.networks.onChange(({ object: { metadata } }) => {
      caches.tokens.byIndex('network', `${metadata.namespace}/${metadata.name}`).forEach(addToken);
    }),
  ]);
}

/** Chains that something is deployed on. */
function watchChains({ caches }: TokenDeps, add: (networkUid: string) => void): () => void {
  const addChains = ({ metadata, status }: Stored<TokenResource>) => {
    for (const { network: name, networkID, anchor } of status?.deployments ?? []) {
      const network = caches.networks.get({ namespace: metadata.namespace, name });
      if (network && networkID && anchor && idOf(network) === networkID) add(network.metadata.uid);
    }
  };
  caches.tokens.list().forEach(addChains);
  return stopAll([
    caches.tokens.onChange(({ object }) => addChains(object)),
    caches.networks.onChange(({ object: { metadata } }) => {
      caches.tokens.byIndex('network', `${metadata.namespace}/${metadata.name}`).forEach(addChains);
    }),
  ]);
}

interface ObserveContext {
  deps: TokenDeps;
  updateStatus: UpdateStatus;
  runs: TokenRuns;
  deploys: Keys;
}

async function observe(
  uid: string,
  { deps, updateStatus, runs, deploys }: ObserveContext,
): Promise<ReconcileResult> {
  const { networks, tokens } = deps.caches;
  await updateStatus(uid, (before, { metadata: { namespace }, spec }) =>
    spec.deployments.map((entry) => {
      const network = networks.get({ namespace, name: entry.network });
      return deploymentStateOf({
        entry,
        before: before.find((one) => one.network === entry.network),
        network,
      });
    }),
  );
  const [token] = tokens.byIndex('uid', uid);
  if (!token) {
    runs.forget(uid);
    return { state: 'Gone' };
  }
  await wakeNetworks(deps, token);
  runs.stopOutdated(token);
  if (runs.isNeeded(token)) deploys.add(uid);
  return { state: token.status?.deployed };
}

/** Deploying a token uses its network: a stopped network is woken, once per request. */
async function wakeNetworks({ kube, caches }: TokenDeps, token: Stored<TokenResource>): Promise<void> {
  const { namespace } = token.metadata;
  for (const { network: name, state, observedNonce = 0 } of token.status?.deployments ?? []) {
    const network = caches.networks.get({ namespace, name });
    if (state !== 'Pending' || network?.status?.state !== 'Stopped') continue;
    const wake = `${idOf(token)}/${observedNonce}`;
    if (!hasWakeValue(network, wake)) await requestWake(kube, network.metadata, wake);
  }
}
