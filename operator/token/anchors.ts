import { idOf } from '../../core/api/ids.ts';
import type { DeploymentStatus, TokenResource } from '../../core/api/resources/tokenResource.ts';
import { type Anchor, isAnchored, lookMs } from '../../core/deploy/anchor.ts';
import type { ChainReader } from '../../core/evm/chainReader.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { incarnationOf, isRunning } from '../../core/networks/incarnation.ts';
import type { Reconcile } from '../runtime/controller.ts';
import type { TokenDeps } from './deps.ts';

const maxRemembered = 20_000;

export interface AnchorWatch {
  /** Checks the chain of a network, by its uid, and again after a while. */
  reconcile: Reconcile;
  /** Whether the chain was rolled back past what a deployment was verified on. */
  isGone(namespace: string, one: DeploymentStatus): boolean;
}

/**
 * Notices chains that were rolled back, for all tokens on a network together. `onGone` gets the uid of each token that is
 * concerned.
 */
export function createAnchorWatch(
  { caches, chainOf }: Pick<TokenDeps, 'caches' | 'chainOf'>,
  onGone: (tokenUid: string) => void,
): AnchorWatch {
  /** By the uid of a network: the anchors that its chain had at the last check. */
  const held = createBoundedMap<string, ReadonlySet<string>>(maxRemembered);
  const gone = createBoundedMap<string, true>(maxRemembered);
  const isGone: AnchorWatch['isGone'] = (namespace, { networkID, anchor }) =>
    anchor !== undefined && gone.has(`${namespace}/${keyOf(networkID, anchor)}`);

  return {
    isGone,
    async reconcile(uid, signal) {
      const { network, enclaveID, tokens, anchors } = presentOn(caches, uid);
      if (!network || enclaveID === undefined || anchors.size === 0) return {};
      const { namespace } = network.metadata;
      const chain = chainOf(idOf(network), { namespace, enclaveID, signers: {}, signal });
      const there = await findThere(chain, anchors, held.get(uid) ?? new Set());
      held.set(uid, there);
      for (const key of anchors.keys()) {
        if (there.has(key)) gone.delete(`${namespace}/${key}`);
        else gone.set(`${namespace}/${key}`, true);
      }
      for (const { metadata, status } of tokens) {
        if (status?.deployments?.some((one) => isGone(namespace, one))) onGone(metadata.uid);
      }
      return { requeueAfterMs: lookMs };
    },
  };
}

/** The tokens on a network and what they were verified on; without `enclaveID` when it does not run. */
function presentOn({ networks, tokens: all }: TokenDeps['caches'], uid: string) {
  const [network] = networks.byIndex('uid', uid);
  const { namespace, name } = network?.metadata ?? {};
  const tokens = all.byIndex('network', `${namespace}/${name}`);
  const enclaveID = isRunning(network) ? incarnationOf(network) : undefined;
  return {
    network,
    enclaveID,
    tokens,
    anchors: network ? anchorsOf(tokens, idOf(network)) : new Map<string, Anchor>(),
  };
}

const keyOf = (network: string | undefined, { block, hash }: Anchor) => `${network}/${block}/${hash}`;

function anchorsOf(tokens: readonly Stored<TokenResource>[], network: string): Map<string, Anchor> {
  const deployments = tokens.flatMap(({ status }) => status?.deployments ?? []);
  return new Map(
    deployments.flatMap(({ networkID, state, anchor }) =>
      networkID === network && state === 'Deployed' && anchor ? [[keyOf(network, anchor), anchor]] : [],
    ),
  );
}

/**
 * The anchors that a chain has, the newest first and one after the other: once one that it had at the last look is there, so are
 * all older ones of that look. One that is undone in between is missed by the next look.
 */
async function findThere(
  chain: ChainReader,
  anchors: ReadonlyMap<string, Anchor>,
  held: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  let isSame = false;
  for (const [key, anchor] of [...anchors].sort(([, one], [, other]) => other.block - one.block)) {
    if (!(isSame && held.has(key)) && !(await isAnchored(chain, anchor))) continue;
    there.add(key);
    isSame ||= held.has(key);
  }
  return there;
}
