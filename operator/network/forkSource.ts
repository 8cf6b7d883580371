import { forkPathOf } from '../../core/accounts/forkTokens.ts';
import type { Keyring } from '../../core/accounts/keyring.ts';
import type { ShareOf } from '../../core/accounts/shares/shares.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import { forkingOf, hasForkSource } from '../../core/api/rules/forking.ts';
import type { HeadCall } from '../../core/chains/driver.ts';
import { createEvmRpc, createRpcAgent, rpcErrorOf } from '../../core/evm/rpc.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { messageOf } from '../../core/lib/errors.ts';
import { withoutUrl } from '../../core/lib/text/withoutTexts.ts';
import type { NetworkFacts } from './decide/facts.ts';
import type { ForkHead } from './decide/questions.ts';
import { createPlaces } from './places.ts';
import type { ReferenceReader } from './references.ts';

interface ForkSourceDeps {
  installation: Pick<Installation, 'forks'>;
  keys: { forks: Keyring };
  caches: { secrets: Pick<Reflector<SecretResource>, 'get'> };
  references: Pick<ReferenceReader, 'forkSource'>;
}

/**
 * Where the engine of a network reads what it forks: at the fork proxy, with the token of its network. The URL of a
 * source that the network names is in the token, sealed for the proxy.
 */
export function forkSourceOf(
  { installation, keys, caches, references }: ForkSourceDeps,
  { metadata: { uid, namespace }, spec }: Stored<NetworkResource>,
): Pick<NetworkFacts, 'forkSource' | 'forkRefusal'> {
  const { url, ownSources } = installation.forks;
  const { type } = spec.chain;
  const scope = { networkUid: uid, workspace: namespace, type };
  const name = forkingOf(spec.chain)?.sourceRef?.name;
  if (name === undefined) {
    const isKnown = hasForkSource(installation.forks, type);
    return { forkSource: isKnown ? `${url}${forkPathOf(keys.forks, scope)}` : undefined };
  }
  const own = references.forkSource(caches.secrets.get({ namespace, name }), name, ownSources);
  if ('refusal' in own) return { forkSource: undefined, forkRefusal: own };
  return { forkSource: `${url}${forkPathOf(keys.forks, { ...scope, ownUrl: own.url })}` };
}

interface HeadReaderDeps {
  clock: Clock;
  shareOf?: ShareOf;
}

/** The latest block at a fork source. Never rejects. */
export type ReadForkHead = (forkSource: string, call: HeadCall) => Promise<ForkHead>;

/** A number, or the longest error that the fork proxy passes on. */
const maxAnswerBytes = 64 * 1024;
/** Longer than the fork proxy keeps retrying a source that refuses connections. */
const readMs = 10_000;
/** A worker waits for each answer, so forks of a source that is down must not occupy all workers. */
const maxReaders = 4;
/** The readers of one account's own sources: if those do not answer, they hold up no other account. */
const maxReadersOfAccount = 2;
const failedMs = 20_000;
/** A network that finds no reader asks again after two seconds, or when a worker has time for it. */
const againMs = 10_000;
const busy: ForkHead = { problem: 'it is asked in turn, after those of other networks', isPassing: true };

export function createForkHeadReader({
  clock,
  shareOf = (namespace) => namespace,
}: HeadReaderDeps): ReadForkHead {
  const agent = createRpcAgent();
  const failures = createBoundedMap<string, { head: ForkHead; endsAtMs: number }>(100);
  // Readers of workspaces' own sources are counted separately: they must not hold up forks of the installation's sources.
  const line = { most: maxReaders, againMs, clock };
  const readers = {
    shared: createPlaces({ ...line, mostOfAccount: maxReaders }),
    own: createPlaces({ ...line, mostOfAccount: maxReadersOfAccount }),
  };

  async function read(url: string, { method, params, blockIn }: HeadCall): Promise<ForkHead> {
    try {
      const rpc = createEvmRpc({ url, agent, clock, timeoutMs: readMs, maxBytes: maxAnswerBytes });
      const block = blockIn(await rpc.call(method, params));
      return Number.isSafeInteger(block) ? { block } : { problem: 'it names no block' };
    } catch (error) {
      return { problem: withoutUrl(rpcErrorOf(error)?.message ?? messageOf(error), url) };
    }
  }

  return async (forkSource, call) => {
    const { key, kind, workspace } = partsOf(forkSource);
    const failure = failures.get(key);
    if (failure && failure.endsAtMs > clock.nowMs()) return failure.head;
    const end = readers[kind].take(shareOf(workspace));
    if (!end) return busy;
    const head = await read(forkSource, call);
    end();
    if ('problem' in head) failures.set(key, { head, endsAtMs: clock.nowMs() + failedMs });
    return head;
  };
}

/** What the URLs of networks that fork the same chain type have in common; a workspace's own source is shared with nobody. */
function partsOf(forkSource: string): { key: string; kind: 'shared' | 'own'; workspace: string } {
  const segments = forkSource.split('/');
  if (segments.at(-2) === 'own') return { key: forkSource, kind: 'own', workspace: segments.at(-4) ?? '' };
  return { key: segments.slice(0, -3).join('/'), kind: 'shared', workspace: segments.at(-3) ?? '' };
}
