import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { HeadCall } from '../../core/chains/driver.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { isInUse } from './inUse.ts';
import type { DesiredStatus } from './lifecycle/context.ts';

/** The last known blocks of chains, because an engine that died cannot be asked. */
export interface LastBlocks {
  /** The last block that was read of the chain in the network's status. */
  last(network: Stored<NetworkResource>): number | undefined;
  /** Asks the engine; undefined if it does not answer. */
  read(network: Stored<NetworkResource>, call: HeadCall | undefined): Promise<number | undefined>;
  /** Reads in the background for as long as the network is in use. */
  follow(network: Stored<NetworkResource>, call: HeadCall | undefined, status: DesiredStatus): void;
  /** For a network that is gone. */
  forget(networkUid: string): void;
  stop(): void;
}

interface LastBlocksDeps {
  /** The RPC client of a network's engine, by the network's uid; undefined while it is not ready. */
  rpcOf(networkUid: string): EvmRpc | undefined;
  clock: Clock;
}

interface Followed {
  network: Stored<NetworkResource>;
  call: HeadCall;
  cancel(): void;
}

const maxNetworks = 20_000;
const callMs = 2_000;
const followMs = 10_000;

export function createLastBlocks({ rpcOf, clock }: LastBlocksDeps): LastBlocks {
  const blocks = createBlocks();
  const followed = new Map<string, Followed>();

  async function read(network: Stored<NetworkResource>, call: HeadCall | undefined) {
    const rpc = rpcOf(network.metadata.uid);
    const block = rpc && call && (await askBlock(rpc, call));
    if (block !== undefined) blocks.set(network, block);
    return block;
  }

  async function readOn(uid: string): Promise<void> {
    const one = followed.get(uid);
    if (one) await read(one.network, one.call);
    if (!one || followed.get(uid) !== one) return;
    if (isInUse(one.network, clock.nowMs())) one.cancel = clock.after(followMs, () => void readOn(uid));
    else followed.delete(uid);
  }

  function leave(uid: string): void {
    followed.get(uid)?.cancel();
    followed.delete(uid);
  }

  return {
    last: blocks.get,
    read,
    follow(network, call, status) {
      const { uid } = network.metadata;
      // Until the status shows another chain, its blocks must not count as those of the former one.
      const isSame = status.state === 'Operational' && status.enclaveID === network.status?.enclaveID;
      if (!call || !isSame) return leave(uid);
      const known = followed.get(uid);
      if (known) {
        known.network = network;
        return;
      }
      if (!isInUse(network, clock.nowMs())) return;
      followed.set(uid, { network, call, cancel: () => undefined });
      void readOn(uid);
    },
    forget(uid) {
      leave(uid);
      blocks.forget(uid);
    },
    stop: () => [...followed.keys()].forEach(leave),
  };
}

/** The number of its last block; undefined if the engine does not answer. */
export async function askBlock(
  rpc: EvmRpc,
  { method, params, blockIn }: HeadCall,
): Promise<number | undefined> {
  const block = await rpc.call(method, params, { timeoutMs: callMs }).then(blockIn, () => undefined);
  return Number.isSafeInteger(block) ? block : undefined;
}

interface LastBlock {
  chain: string | undefined;
  block: number;
  isDoubted: boolean;
}

/** A lower block counts when it is read twice: the engine of a new chain may answer before the status shows that chain. */
function createBlocks() {
  const blocks = createBoundedMap<string, LastBlock>(maxNetworks);
  const find = ({ metadata, status }: Stored<NetworkResource>) => {
    const last = blocks.get(metadata.uid);
    return last?.chain === status?.enclaveID ? last : undefined;
  };
  return {
    get: (network: Stored<NetworkResource>) => find(network)?.block,
    set(network: Stored<NetworkResource>, block: number): void {
      const { metadata, status } = network;
      const former = find(network);
      const isLower = former !== undefined && block < former.block;
      if (isLower && !former.isDoubted) blocks.set(metadata.uid, { ...former, isDoubted: true });
      else blocks.set(metadata.uid, { chain: status?.enclaveID, block, isDoubted: false });
    },
    forget: blocks.delete,
  };
}
