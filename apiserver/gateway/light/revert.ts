import { type Anchor, anchorCall, isAnchored, isAnchorIn } from '../../../core/deploy/anchor.ts';
import type { EvmRpc, RpcOutcome } from '../../../core/evm/rpc.ts';
import { createBoundedMap } from '../../../core/lib/boundedMap.ts';
import { isObject, memberOf } from '../../../core/lib/json/members.ts';
import { toQuantity } from '../../../core/lib/text/quantity.ts';
import { createExclusive } from '../../../core/lib/work/exclusive.ts';
import type { AssistContext, OwnAnswer } from '../policy/policy.ts';
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
const notAsked = 'the node did not say which snapshots it has, so nothing was reverted: try again';

/** The blocks that the last reverts of a network went back to: suites go back to the same few again and again. */
const places = createBoundedMap<string, readonly number[]>(10_000);
const maxPlaces = 4;

const exclusive = createExclusive();

/**
 * `evm_revert` to a snapshot that is gone answers `false`, and changes nothing. anvil keeps the states and the blocks of its snapshots
 * in two lists. For an id that is only in one of them it goes back in that one alone: newer snapshots lose their states, or the chain
 * has no newest block any more. So it is asked only for an id that it lists, whose block is on the chain, and that no revert has undone.
 * The reverts of a network are made one after the other, because each decides which others may be made.
 */
export async function revert(
  { rpc, networkUid }: AssistContext,
  [given]: readonly unknown[],
): Promise<OwnAnswer> {
  const id = idOf(given);
  if (id === undefined)
    return invalidParams('the id of the snapshot is invalid: send what evm_snapshot returned');
  return exclusive(networkUid, () => revertTo(rpc, networkUid, id));
}

async function revertTo(rpc: EvmRpc, networkUid: string, id: bigint): Promise<OwnAnswer> {
  const search = await find(rpc, places.get(networkUid) ?? [], id).catch((error: unknown) => ({ error }));
  if ('error' in search) return unanswered(search.error, notAsked);
  const { block, process, newest, alike } = search;
  if (block === undefined) return { result: false };
  try {
    const result = await rpc.call('evm_revert', [toQuantity(id)]);
    if (result === true) {
      noteUndone(process, { after: id, to: newest });
      await forget(rpc, alike);
    }
    const others = (places.get(networkUid) ?? []).filter((one) => one !== block);
    places.set(networkUid, [block, ...others].slice(0, maxPlaces));
    return { result };
  } catch (error) {
    return unanswered(error, noAnswer);
  }
}

/**
 * Takes snapshots that a revert has undone off the engine's list, so that no other replica takes them for some that are there. Their block is
 * the one that the chain is at, and their states are gone, so that reverting to them changes nothing else.
 */
async function forget(rpc: EvmRpc, ids: readonly bigint[]): Promise<void> {
  for (const id of ids) await rpc.call('evm_revert', [toQuantity(id)]);
}

/**
 * The block that a snapshot goes back to, undefined if it is gone, with the process that has it, the newest one of its list,
 * and those after it that were taken at the same block.
 * Whether `likely` blocks are on the chain is asked together with that.
 */
async function find(rpc: EvmRpc, likely: readonly number[], id: bigint) {
  const metadataCall = { method: 'anvil_metadata', params: [] };
  const [answer, ...blocks] = await rpc.batch([
    metadataCall,
    ...likely.map((block) => anchorCall({ block })),
  ]);
  const metadata = resultOf(answer);
  const process = String(memberOf(metadata, 'instanceId'));
  const snapshots = snapshotsOf(metadata);
  const newest = [...snapshots.keys()].reduce((max, one) => (one > max ? one : max), id);
  const isUndone = undone.get(process)?.some(({ after, to }) => id > after && id <= to);
  const anchor = isUndone ? undefined : anchorOf(snapshots.get(id));
  if (!anchor) return { process, newest, alike: [] };
  const known = blocks[likely.indexOf(anchor.block)];
  const isThere = known ? isAnchorIn(anchor, known) : await isAnchored(rpc, anchor);
  const alike = [...snapshots].flatMap(([one, place]) =>
    one > id && anchorOf(place)?.hash === anchor.hash ? one : [],
  );
  return { process, newest, alike, block: isThere ? anchor.block : undefined };
}

function resultOf(outcome: RpcOutcome | undefined): unknown {
  if (!outcome || 'error' in outcome) throw outcome?.error ?? new Error('no answer');
  return outcome.result;
}

/** Where the snapshots of the process were taken, by their ids. */
function snapshotsOf(metadata: unknown): Map<bigint, unknown> {
  const listed = memberOf(metadata, 'snapshots');
  return new Map(Object.entries(isObject(listed) ? listed : {}).map(([id, place]) => [BigInt(id), place]));
}

function noteUndone(process: string, one: Undone): void {
  if (one.to === one.after) return;
  undone.set(process, [...(undone.get(process) ?? []).slice(-maxUndone), one]);
}

/** The block that a snapshot was taken at. */
function anchorOf(place: unknown): Anchor | undefined {
  const [block, hash]: unknown[] = Array.isArray(place) ? place : [];
  return typeof block === 'number' && typeof hash === 'string' ? { block, hash } : undefined;
}

/** The id of a snapshot in each of the forms that anvil takes. */
function idOf(given: unknown): bigint | undefined {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given >= 0 ? BigInt(given) : undefined;
  const isNumber = typeof given === 'string' && /^(0x[0-9a-f]{1,64}|[0-9]{1,78})$/i.test(given);
  return isNumber ? BigInt(given) : undefined;
}
