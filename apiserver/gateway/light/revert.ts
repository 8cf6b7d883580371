import { toQuantity } from 'ethers';
import { isAnchored } from '../../../core/deploy/anchor.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import { isObject, memberOf } from '../../../core/lib/json/members.ts';
import type { OwnAnswer } from '../policy/policy.ts';
import { invalidParams, unanswered } from './answers.ts';

/** Snapshots that a revert undid with its own, which the process still lists: those after `after`, up to `to`. */
interface Undone {
  after: bigint;
  to: bigint;
}

/** By process. A block that is mined again within the same second has the same hash, so the block alone does not tell. */
const undone = createBoundedMap<string, readonly Undone[]>(10_000);
const maxUndone = 100;

/** It is not sent again: by then its snapshot may be gone. */
const noAnswer = 'the node did not answer; the revert may have taken effect: look at the newest block';

/**
 * `evm_revert` to a snapshot that is gone answers `false`, and changes nothing. anvil keeps the states and the blocks of its snapshots
 * in two lists. For an id that is only in one of them it goes back in that one alone: newer snapshots lose their states, or the chain
 * has no newest block any more. So it is asked only for an id that it lists, whose block is on the chain, and that no revert has undone.
 */
export async function revert(rpc: EvmRpc, [given]: readonly unknown[]): Promise<OwnAnswer> {
  const id = idOf(given);
  if (id === undefined)
    return invalidParams('the id of the snapshot is invalid: send what evm_snapshot returned');
  const search = await find(rpc, id).catch(() => undefined);
  if (!search) return unanswered(undefined, noAnswer);
  if (!search.isThere) return { result: false };
  try {
    const result = await rpc.call('evm_revert', [toQuantity(id)]);
    if (result === true) noteUndone(search.process, { after: id, to: search.newest });
    return { result };
  } catch (error) {
    return unanswered(error, noAnswer);
  }
}

/** Whether a snapshot can be reverted to, in which process, and the newest one of its list. */
async function find(rpc: EvmRpc, id: bigint) {
  const metadata = await rpc.call('anvil_metadata', []);
  const process = String(memberOf(metadata, 'instanceId'));
  const listed = memberOf(metadata, 'snapshots');
  const places = new Map(
    Object.entries(isObject(listed) ? listed : {}).map(([one, place]) => [BigInt(one), place]),
  );
  const newest = [...places.keys()].reduce((max, one) => (one > max ? one : max), id);
  const isUndone = undone.get(process)?.some(({ after, to }) => id > after && id <= to);
  const isThere = !isUndone && (await isOnChain(rpc, places.get(id)));
  return { process, newest, isThere };
}

function noteUndone(process: string, one: Undone): void {
  if (one.to === one.after) return;
  undone.set(process, [...(undone.get(process) ?? []).slice(-maxUndone), one]);
}

/** Whether the block that a snapshot was taken at is the one of its number. */
async function isOnChain(rpc: EvmRpc, place: unknown): Promise<boolean> {
  const [block, hash]: unknown[] = Array.isArray(place) ? place : [];
  return typeof block === 'number' && typeof hash === 'string' && isAnchored(rpc, { block, hash });
}

/** The id of a snapshot in each of the forms that anvil takes. */
function idOf(given: unknown): bigint | undefined {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? BigInt(given) : undefined;
  const isNumber = typeof given === 'string' && /^(0x[0-9a-f]{1,64}|[0-9]{1,78})$/i.test(given);
  return isNumber ? BigInt(given) : undefined;
}
