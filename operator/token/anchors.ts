import type { DeploymentStatus, TokenResource } from '../../core/api/resources/tokenResource.ts';
import { headOf } from '../../core/crosschain/relay/logs.ts';
import { type Anchor, isAnchored, lookMs } from '../../core/deploy/anchor.ts';
import type { ChainReader } from '../../core/evm/chainReader.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { incarnationOf, isRunning } from '../../core/networks/incarnation.ts';
import type { Reconcile } from '../runtime/controller.ts';
import type { TokenDeps } from './deps.ts';

const maxRemembered = 20_000;

/** What a chain had at the last look. */
interface Look {
  enclaveID: string;
  /** Its newest block: while the chain has it, it has all anchors that it had then. */
  head: Anchor;
  anchors: ReadonlySet<string>;
}

export interface AnchorWatch {
  /** Looks at the chain of a network, by its uid, and again after a while. */
  reconcile: Reconcile;
  /** Whether the chain was rolled back past what a deployment was verified on. */
  isGone(one: DeploymentStatus): boolean;
}

/** Notices chains that went back, for all tokens on a network together. `onGone` gets the uid of each token that is concerned. */
export function createAnchorWatch(
  { caches, chainOf }: Pick<TokenDeps, 'caches' | 'chainOf'>,
  onGone: (tokenUid: string) => void,
): AnchorWatch {
  const looks = createBoundedMap<string, Look>(maxRemembered);
  const gone = createBoundedMap<string, true>(maxRemembered);
  const isGone = ({ networkID, anchor }: DeploymentStatus) =>
    anchor !== undefined && gone.has(keyOf(networkID, anchor));

  return {
    isGone,
    async reconcile(uid, signal) {
      const { enclaveID, tokens, anchors } = presentOn(caches, uid);
      if (enclaveID === undefined || anchors.size === 0) return {};
      const before = looks.get(uid);
      const held = before?.enclaveID === enclaveID ? before : undefined;
      const look = await lookAt(chainOf(uid, { enclaveID, signers: {}, signal }), anchors, held);
      looks.set(uid, { enclaveID, ...look });
      for (const key of anchors.keys()) {
        if (look.anchors.has(key)) gone.delete(key);
        else gone.set(key, true);
      }
      for (const { metadata, status } of tokens) if (status?.deployments?.some(isGone)) onGone(metadata.uid);
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
  return { enclaveID, tokens, anchors: anchorsOf(tokens, uid) };
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

/** The newest block is asked for first: if it is undone in between, the next look misses it. */
async function lookAt(
  chain: ChainReader,
  anchors: ReadonlyMap<string, Anchor>,
  before: Look | undefined,
): Promise<Omit<Look, 'enclaveID'>> {
  const { number: block, hash } = await headOf(chain);
  const isSame = before !== undefined && (await isAnchored(chain, before.head));
  const isThere = async ([key, anchor]: [string, Anchor]) =>
    (isSame && before.anchors.has(key)) || isAnchored(chain, anchor);
  const entries = [...anchors];
  const answers = await Promise.all(entries.map(isThere));
  const there = entries.flatMap(([key], index) => (answers[index] ? [key] : []));
  return { head: { block, hash }, anchors: new Set(there) };
}
