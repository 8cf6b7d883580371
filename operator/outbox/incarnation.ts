import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { OutboxResource } from '../../core/api/resources/outbox.ts';
import { readReceipts } from '../../core/evm/receipts.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { QueueMemory } from './memory.ts';
import type { OpenQueue } from './openEntries.ts';
import { areKnown, readAccountState } from './readAccountState.ts';
import { resultOf } from './settle.ts';

/** present: the sender queue's chain is there. over: it will never be again. waiting: nobody can say yet. */
export type Life = 'present' | 'over' | 'waiting';

/** Whether a sender queue's chain is the one that its network runs. */
export function lifeOf({ spec }: OutboxResource, network: NetworkResource): Life {
  const { enclaveID, state } = network.status ?? {};
  const isStopped = state === 'Stopped' && network.spec.persistent !== true;
  if (isStopped) return 'over';
  if (enclaveID === undefined) return 'waiting';
  if (enclaveID === spec.incarnation) return 'present';
  return state === 'Operational' ? 'over' : 'waiting';
}

const dropped = 'the network’s chain began anew before it was mined; it is never sent again';

/**
 * What became of the transactions of a life that is over. As a rule they are dropped. But a network that kept its data
 * over a new life still has what was mined, and its node may have kept what was not: that is waited for.
 */
export async function settleFormer(
  rpc: EvmRpc | undefined,
  { head, entries }: OpenQueue,
  memory: QueueMemory,
): Promise<void> {
  const open = entries.filter(({ hash }) => !memory.results.has(hash));
  const isSameChain =
    rpc !== undefined && (await readAccountState(rpc, head.spec.signer)).genesis === head.spec.genesis;
  if (!isSameChain) {
    for (const { hash } of open) memory.results.set(hash, { state: 'dropped', reason: dropped });
    return;
  }
  const hashes = open.map(({ hash }) => hash);
  // First those that wait: one that is mined in between has a receipt then.
  const known = await areKnown(rpc, hashes);
  const receipts = await readReceipts(rpc, hashes);
  for (const [index, hash] of hashes.entries()) {
    const receipt = receipts[index];
    if (receipt) memory.results.set(hash, await resultOf(rpc, receipt));
    else if (!known[index]) memory.results.set(hash, { state: 'dropped', reason: dropped });
  }
}
