import { createHash, randomBytes } from 'node:crypto';
import { idOf } from '../../core/api/ids.ts';
import { apiVersion } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { OutboxBatch } from '../../core/api/resources/outbox.ts';
import {
  networkType,
  outboxType,
  recordingType,
  secretType,
  workspaceType,
} from '../../core/api/resources/resources.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { inParallel } from '../../core/lib/work/inParallel.ts';
import { packBatches } from '../../core/outbox/batches.ts';
import { newOutbox } from '../../core/outbox/outboxObjects.ts';
import type { Bed } from '../lib/bed.ts';
import { aNetwork } from '../lib/networks.ts';

const width = 32;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const signer = `0x${'ab'.repeat(20)}`;

/** The name of network number `index`. */
export const networkName = (index: number) => aNetwork('', index).metadata.name;

/** The key that the networks use. */
export async function createKey({ kube, namespace, sealer }: Bed): Promise<void> {
  const ref = { namespace, name: 'hot-key' };
  const spec = { type: 'private-key', data: sealer.seal(randomBytes(32), { ...ref, owner: '' }) };
  await kube.create(secretType, { apiVersion, kind: 'Secret', metadata: ref, spec });
}

export async function createNetworks({ kube, namespace }: Bed, from: number, to: number): Promise<void> {
  await inParallel(numbers(to - from), width, (index) => {
    const network: NetworkResource = aNetwork(namespace, from + index);
    // Not persistent: volumes need a controller that is not running here.
    return kube.create(networkType, { ...network, spec: { chain: network.spec.chain } });
  });
}

export async function createWorkspaces({ kube, namespace }: Bed, count: number): Promise<void> {
  await inParallel(numbers(count), width, (index) =>
    kube.create(workspaceType, {
      apiVersion,
      kind: 'Workspace',
      metadata: { name: `scale-${index}`, namespace },
      spec: { name: `scale-${index}`, owners: ['alice'] },
    }),
  );
}

export async function createRecordings({ kube, namespace }: Bed, count: number): Promise<void> {
  await inParallel(numbers(count), width, (index) =>
    kube.create(recordingType, {
      apiVersion,
      kind: 'Recording',
      metadata: { name: `recording-${index}`, namespace },
      spec: { userAddress: signer, networks: [networkName(index)] },
    }),
  );
}

const inArchive = 100;

/** Archives of transactions that were mined, a hundred in each, spread over the networks. */
export async function createArchives(
  bed: Bed,
  networks: readonly Stored<NetworkResource>[],
  transactions: number,
) {
  const { kube, namespace } = bed;
  await inParallel(numbers(Math.ceil(transactions / inArchive)), width, (index) => {
    const network = networks[index % networks.length];
    if (!network) throw new Error('there are no networks');
    const { name, uid } = network.metadata;
    const ref = {
      namespace,
      network: { name, uid, id: idOf(network) },
      incarnation: network.status?.enclaveID ?? '',
      signer,
    };
    const batches = packBatches([batchOf(index)]);
    return kube.create(outboxType, newOutbox(ref, 'archive', { suffix: `-a${index}`, batches }));
  });
}

function batchOf(index: number): OutboxBatch {
  const hashes = numbers(inArchive).map((at) => createHash('sha256').update(`${index}/${at}`).digest('hex'));
  return {
    id: index.toString(16).padStart(16, '0'),
    first: index * inArchive,
    count: inArchive,
    hashes: hashes.join(''),
    acceptedAt: '2030-01-02T03:04:05Z',
  };
}
