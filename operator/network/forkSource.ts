import { forkPathOf } from '../../core/accounts/forkTokens.ts';
import type { Keyring } from '../../core/accounts/keyring.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { hasForkSource } from '../../core/api/rules/forking.ts';
import type { HeadCall } from '../../core/chains/driver.ts';
import { createEvmRpc, createRpcAgent, rpcErrorOf } from '../../core/evm/rpc.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { messageOf } from '../../core/lib/errors.ts';
import { withoutUrl } from '../../core/lib/withoutUrl.ts';
import type { ForkHead } from './decide/facts.ts';

interface ForkSourceDeps {
  installation: Pick<Installation, 'forks'>;
  keys: { forks: Keyring };
}

/**
 * Where the engine of a network reads what it forks: at the fork proxy, which alone knows the URL of the source. Undefined
 * if the installation has no source for the chain type.
 */
export function forkSourceOf(
  { installation, keys }: ForkSourceDeps,
  { metadata, spec }: Stored<NetworkResource>,
): string | undefined {
  const { type } = spec.chain;
  if (!hasForkSource(installation.forks, type)) return undefined;
  return `${installation.forks.url}${forkPathOf(keys.forks, { networkUid: metadata.uid, type })}`;
}

/** The latest block at a fork source. Never rejects. */
export type ReadForkHead = (forkSource: string, call: HeadCall) => Promise<ForkHead>;

/** Longer than the fork proxy asks a source again that refuses connections. */
const readMs = 10_000;
/** A worker waits for each answer, so forks of a source that is away must not keep all workers waiting. */
const maxReaders = 4;
const failedMs = 20_000;
const busy: ForkHead = { problem: 'other networks are asking it', isPassing: true };

export function createForkHeadReader({ clock }: { clock: Clock }): ReadForkHead {
  const agent = createRpcAgent();
  const failures = createBoundedMap<string, { head: ForkHead; endsAtMs: number }>(100);
  let readers = 0;

  async function read(url: string, { method, params, blockIn }: HeadCall): Promise<ForkHead> {
    try {
      const rpc = createEvmRpc({ url, agent, clock, timeoutMs: readMs });
      const block = blockIn(await rpc.call(method, params));
      return Number.isSafeInteger(block) ? { block } : { problem: 'it names no block' };
    } catch (error) {
      return { problem: withoutUrl(rpcErrorOf(error)?.message ?? messageOf(error), url) };
    }
  }

  return async (forkSource, call) => {
    const key = sharedPartOf(forkSource);
    const failure = failures.get(key);
    if (failure && failure.endsAtMs > clock.nowMs()) return failure.head;
    if (readers >= maxReaders) return busy;
    readers += 1;
    const head = await read(forkSource, call);
    readers -= 1;
    if ('problem' in head) failures.set(key, { head, endsAtMs: clock.nowMs() + failedMs });
    return head;
  };
}

/** What the URLs of all networks have in common that fork the same chain type. */
const sharedPartOf = (forkSource: string) => forkSource.split('/').slice(0, -2).join('/');
