import { idOf } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { SnapshotResource, SnapshotStatus } from '../../core/api/resources/snapshot.ts';
import {
  countRefusal,
  type SnapshotQuota,
  sizeRefusal,
  spaceRefusal,
} from '../../core/api/rules/snapshotBudget.ts';
import { snapshotRefusal } from '../../core/api/rules/snapshots.ts';
import { isTooLong } from '../../core/evm/readCapped.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { isPresent, isRunning, isSameIncarnation } from '../../core/networks/incarnation.ts';
import { isDown } from '../../core/networks/wake.ts';
import type { StorageLedger } from '../../core/storage/ledger.ts';
import { type Dump, readDump } from './dump.ts';
import { type PartKube, storeParts } from './parts.ts';

export interface TakeDeps {
  kube: PartKube;
  networks: { get(ref: { namespace: string; name: string }): Stored<NetworkResource> | undefined };
  rpcOf(networkUid: string): EvmRpc | undefined;
  quota: SnapshotQuota;
  /** What workspaces may store. */
  storage: Pick<StorageLedger, 'refusal'>;
}

/** `reason` is that of the Ready condition. */
export interface Taken extends Omit<SnapshotStatus, 'state' | 'message' | 'conditions'> {
  state: NonNullable<SnapshotStatus['state']>;
  reason: string;
  message: string;
}

const waiting = (message: string): Taken => ({ state: 'Pending', reason: 'WaitingForNetwork', message });
const failed = (reason: string, message: string): Taken => ({ state: 'Failed', reason, message });

/**
 * Takes a snapshot if its network runs, and returns what to report. It is Ready only when all its parts are stored.
 * `others` are the other snapshots of the workspace. Throws Unavailable when the engine cannot be used.
 */
export async function takeSnapshot(
  deps: TakeDeps,
  snapshot: Stored<SnapshotResource>,
  others: readonly SnapshotResource[],
): Promise<Taken> {
  const { namespace } = snapshot.metadata;
  const network = deps.networks.get({ namespace, name: snapshot.spec.network });
  const blocker = blockerOf(snapshot, network);
  if (blocker || !network) return blocker ?? waiting('its network does not exist');
  const isAhead = (other: SnapshotResource) => other.status?.state === 'Ready';
  const refusal = countRefusal(deps.quota, others.filter(isAhead));
  if (refusal !== undefined) return failed('QuotaExceeded', refusal);
  const rpc = deps.rpcOf(network.metadata.uid);
  if (!rpc) return waiting('its network has no engine that is ready');
  const dump = await dumpOf(rpc);
  const tooLarge = sizeRefusal(deps.quota, dump?.bytes.length ?? Number.POSITIVE_INFINITY);
  if (!dump || tooLarge !== undefined) return failed('TooLarge', tooLarge ?? '');
  const noSpace = spaceRefusal(deps.quota, others, dump.bytes.length);
  if (noSpace !== undefined) return failed('QuotaExceeded', noSpace);
  const noRoom = deps.storage.refusal({ namespace, bytes: sizeInBase64(dump.bytes.length) });
  if (noRoom) return failed('QuotaExceeded', noRoom.message);
  const latest = deps.networks.get(network.metadata);
  if (!isPresent(latest, idOf(network)) || !isSameIncarnation(latest, network.status?.enclaveID)) {
    return waiting('its network began a new chain meanwhile');
  }
  const parts = await storeParts(deps.kube, snapshot, dump);
  return { ...takenOf(network, dump), parts };
}

const sizeInBase64 = (bytes: number) => Math.ceil(bytes / 3) * 4;

/** Why a snapshot cannot be taken now, or ever. */
function blockerOf(
  { spec: { network: name } }: Stored<SnapshotResource>,
  network: Stored<NetworkResource> | undefined,
): Taken | undefined {
  if (!isPresent(network))
    return waiting(`the network "${name}" does not exist in this workspace: create it`);
  const refusal = snapshotRefusal(network.spec.chain);
  if (refusal !== undefined) return failed('NotSupported', `spec.network: ${refusal}`);
  if (isRunning(network)) return undefined;
  const { state = 'Pending' } = network.status ?? {};
  const remedy = isDown(network) ? ': wake it' : '';
  return waiting(
    `the network "${name}" is ${state}, and a snapshot is taken when it is Operational${remedy}`,
  );
}

/** undefined if it is larger than what is read of an engine. */
async function dumpOf(rpc: EvmRpc): Promise<Dump | undefined> {
  try {
    return await readDump(rpc);
  } catch (error) {
    if (isTooLong(error)) return undefined;
    throw error;
  }
}

function takenOf(network: Stored<NetworkResource>, { bytes, block, digest }: Dump): Taken {
  const { enclaveID, chainID, fork } = network.status ?? {};
  return {
    state: 'Ready',
    reason: 'Stored',
    message: `block ${block}, ${bytes.length} bytes`,
    networkID: idOf(network),
    chainType: network.spec.chain.type,
    ...compact({ enclaveID, chainID, forkBlock: fork?.block }),
    block,
    digest,
    bytes: bytes.length,
  };
}
