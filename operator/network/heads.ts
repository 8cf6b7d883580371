import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { HeadCall } from '../../core/chains/driver.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { type Clock, parseRfc3339 } from '../../core/lib/clock.ts';
import type { Decision } from './decide/facts.ts';

/** The last known blocks of chains: what an engine that dies can no longer say. */
export interface Heads {
  /** The last block that was read of the chain in the network's status. */
  last(network: Stored<NetworkResource>): number | undefined;
  /** Asks the engine; undefined if it does not answer. */
  read(network: Stored<NetworkResource>, rpc: EvmRpc | undefined): Promise<number | undefined>;
  /** Reads in the background while a network is in use. Returns when to call again; undefined if it is not in use. */
  follow(network: Stored<NetworkResource>, decision: Decision): number | undefined;
}

interface HeadsDeps {
  rpcOf(networkUid: string): EvmRpc | undefined;
  clock: Clock;
}

const maxChains = 20_000;
const callMs = 2_000;
const followMs = 10_000;
/** The gateway reports activity once a minute. */
const inUseMs = 90_000;

export function createHeads({ rpcOf, clock }: HeadsDeps): Heads {
  const blocks = createBoundedMap<string, number>(maxChains);
  const calls = createBoundedMap<string, HeadCall>(maxChains);
  const readAtMs = createBoundedMap<string, number>(maxChains);

  async function read(network: Stored<NetworkResource>, rpc: EvmRpc | undefined) {
    const call = calls.get(network.metadata.uid);
    if (!rpc || !call) return undefined;
    const answer = rpc.call(call.method, call.params, { timeoutMs: callMs });
    const block = await answer.then(call.blockIn, () => Number.NaN);
    if (!Number.isSafeInteger(block)) return undefined;
    blocks.set(chainOf(network), block);
    return block;
  }

  return {
    last: (network) => blocks.get(chainOf(network)),
    read,
    follow(network, { headCall, status }) {
      const { uid } = network.metadata;
      if (!headCall || status.state !== 'Operational') return undefined;
      calls.set(uid, headCall);
      // A change of chain is not in the network that was observed.
      if (status.enclaveID !== network.status?.enclaveID || !isInUse(network, clock.nowMs()))
        return undefined;
      const nowMs = clock.nowMs();
      if (nowMs - (readAtMs.get(uid) ?? 0) >= followMs) {
        readAtMs.set(uid, nowMs);
        void read(network, rpcOf(uid));
      }
      return followMs;
    },
  };
}

const chainOf = ({ metadata, status }: Stored<NetworkResource>) => `${metadata.uid}/${status?.enclaveID}`;

function isInUse({ status }: Stored<NetworkResource>, nowMs: number): boolean {
  return nowMs - (parseRfc3339(status?.lastActivityAt) ?? 0) < inUseMs;
}
