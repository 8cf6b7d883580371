import { z } from 'zod';
import { idOf } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordedHead } from '../../core/api/resources/recordingResource.ts';
import { hashSchema } from '../../core/api/values.ts';
import { quantitySchema, read } from '../../core/evm/answers.ts';
import { batchAs } from '../../core/evm/instance.ts';
import type { RpcCall } from '../../core/evm/rpc.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { isAppError } from '../../core/lib/errors.ts';
import type { Nodes } from '../transactions/nodes.ts';

/** Where the chains of networks are now. Those that do not run, or do not answer, are left out; none is woken. */
export type ReadHeads = (networks: readonly Stored<NetworkResource>[]) => Promise<RecordedHead[]>;

const headCall: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] };
const headSchema = z.object({ number: quantitySchema.transform(Number), hash: hashSchema });

export function createReadHeads(presentNode: Nodes['presentNode']): ReadHeads {
  return async (networks) => {
    const heads = await Promise.all(networks.map((network) => headOf(presentNode, network)));
    return heads.filter((head) => head !== undefined);
  };
}

async function headOf(
  presentNode: Nodes['presentNode'],
  network: Stored<NetworkResource>,
): Promise<RecordedHead | undefined> {
  const node = presentNode(network);
  if (!node) return undefined;
  const [latest] = await batchAs(node.rpc, node.published, [headCall]);
  try {
    const { number: block, hash } = read(headSchema, latest);
    const { name } = network.metadata;
    const { incarnation: enclaveID, chainId: chainID } = node;
    return { network: name, networkID: idOf(network), enclaveID, chainID, block, hash };
  } catch (error) {
    if (isAppError(error)) return undefined;
    throw error;
  }
}
