import { type EvmRpc, rpcErrorOf } from '../../../core/evm/rpc.ts';
import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import { isObject } from '../../../core/lib/json/members.ts';
import type { OwnAnswer } from '../policy/policy.ts';
import { hexOf } from './params.ts';

/** Snapshots that a revert undid with its own, which the process still lists: those after `after`, up to `to`. */
interface Undone {
  after: bigint;
  to: bigint;
}

/** By process. A block that is mined again within the same second has the same hash, so the block alone does not tell. */
const undone = createBoundedMap<string, readonly Undone[]>(10_000);
const maxUndone = 100;

/**
 * `evm_revert` to a snapshot that is gone answers `false`, and changes nothing. anvil keeps the states and the blocks of its snapshots
 * in two lists. For an id that is only in one of them it goes back in that one alone: newer snapshots lose their states, or the chain
 * has no newest block any more. So it is asked only for an id that it lists, whose block is on the chain, and that no revert has undone.
 */
export async function revert(rpc: EvmRpc, [given]: readonly unknown[]): Promise<OwnAnswer> {
  const id = idOf(given);
  if (id === undefined) {
    const message = 'the id of the snapshot is invalid: send what evm_snapshot returned';
    return { error: { code: -32602, message } };
  }
  const metadata = await rpc.call('anvil_metadata', []).catch(() => undefined);
  if (metadata === undefined) return unanswered(undefined);
  const { instanceId, snapshots } = isObject(metadata) ? metadata : {};
  const process = String(instanceId);
  const known = Object.entries(isObject(snapshots) ? snapshots : {});
  const place = known.find(([one]) => BigInt(one) === id)?.[1];
  const gone = undone.get(process) ?? [];
  const isUndone = gone.some(({ after, to }) => id > after && id <= to);
  const isThere = isUndone ? false : await isOnChain(rpc, place).catch(() => undefined);
  if (isThere === undefined) return unanswered(undefined);
  if (!isThere) return { result: false };
  const result = await rpc.call('evm_revert', [hexOf(id)]).catch(unanswered);
  const newest = known.reduce((max, [one]) => (BigInt(one) > max ? BigInt(one) : max), id);
  if (result === true && newest > id)
    undone.set(process, [...(undone.get(process) ?? []).slice(-maxUndone), { after: id, to: newest }]);
  return isObject(result) && 'error' in result ? (result as OwnAnswer) : { result };
}

/** It is not sent again: by then its snapshot may be gone. */
function unanswered(error: unknown): OwnAnswer {
  const refusal = rpcErrorOf(error);
  const message = 'the node did not answer; the revert may have taken effect: look at the newest block';
  return { error: refusal ?? { code: -32603, message } };
}

/** Whether the block that a snapshot was taken at is the one of its number. */
async function isOnChain(rpc: EvmRpc, place: unknown): Promise<boolean> {
  const [number, hash]: unknown[] = Array.isArray(place) ? place : [];
  if (typeof number !== 'number') return false;
  const block = await rpc.call('eth_getBlockByNumber', [hexOf(number), false]);
  return isObject(block) && block.hash === hash;
}

/** The id of a snapshot in each of the forms that anvil takes. */
function idOf(given: unknown): bigint | undefined {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? BigInt(given) : undefined;
  const isNumber = typeof given === 'string' && /^(0x[0-9a-f]{1,64}|[0-9]{1,78})$/i.test(given);
  return isNumber ? BigInt(given) : undefined;
}
