import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import { readReceipts } from '../../core/evm/receipts.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { areKnown } from '../../core/evm/transactions.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { chainStanding, isSameIncarnation } from '../../core/networks/incarnation.ts';
import { graceMs } from '../../core/outbox/freeNonce.ts';
import { resultOf } from '../../core/outbox/results.ts';
import type { QueueMemory } from './memory.ts';
import type { OpenQueue } from './openEntries.ts';

/** `current`: the sender queue's chain is available. `over`: its network left it. `waiting`: not known yet. */
export type QueueStanding = 'current' | 'over' | 'waiting';

/** Whether a sender queue's chain is the one that its network runs. */
export function queueStanding(
  { spec }: Stored<OutboxResource>,
  network: Stored<NetworkResource>,
): QueueStanding {
  const standing = chainStanding(network, spec);
  // While a chain is shutting down, its mined transactions can still be read.
  const isEnding = standing === 'stopping' || standing === 'deleted';
  if (isEnding) return isSameIncarnation(network, spec.incarnation) ? 'current' : 'waiting';
  if (standing === 'current') return 'current';
  return standing === 'unknown' ? 'waiting' : 'over';
}

interface Former {
  queue: OpenQueue;
  /** The other nodes of its network, which may still mine what the first one lost. */
  peers: readonly EvmRpc[];
  memory: QueueMemory;
  nowMs: number;
}

const dropped = 'the network began a new chain before it was mined; it is never sent again';

/**
 * What happened to the transactions of a chain that its network left. Usually they are dropped. But the present one may have what
 * was mined, as one that began from a snapshot does, and what an API server may just be sending to it is waited for.
 */
export async function settleFormer(
  rpc: EvmRpc | undefined,
  { queue, peers, memory, nowMs }: Former,
): Promise<void> {
  if (!rpc) return dropAll(queue, memory);
  const open = queue.entries.filter(
    ({ key, acceptedMs }) => !memory.results.has(key) && nowMs - acceptedMs >= graceMs,
  );
  const hashes = open.map(({ hash }) => hash);
  // Pending ones first: one that is mined in between has a receipt by then.
  const known = await Promise.all([rpc, ...peers].map((node) => areKnown(node, hashes)));
  const receipts = await readReceipts(rpc, hashes);
  for (const [index, { key }] of open.entries()) {
    const receipt = receipts[index];
    if (receipt) memory.results.set(key, await resultOf(rpc, receipt));
    else if (!known.some((ofNode) => ofNode[index]))
      memory.results.set(key, { state: 'dropped', reason: dropped });
  }
}

/** Records that open transactions are dropped because their chain is gone. */
function dropAll({ entries }: OpenQueue, { results }: QueueMemory): void {
  for (const { key } of entries) {
    if (!results.has(key)) results.set(key, { state: 'dropped', reason: dropped });
  }
}
