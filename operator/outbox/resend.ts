import { broadcast } from '../../core/evm/broadcast.ts';
import { freeHeld } from '../../core/evm/evictStuckTransactions.ts';
import { gasOfSigned } from '../../core/evm/fees.ts';
import { countFitting } from '../../core/evm/gas.ts';
import { mineForgotten } from '../../core/evm/strandedTransactions.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Sight } from './laneSnapshot.ts';
import { noteTrouble } from './memory.ts';
import type { OpenLane } from './openEntries.ts';
import { areKnown, type Look } from './readAccountState.ts';

/** The API server sends what it has accepted; only what it did not get to is sent again. */
const graceMs = 2500;
/** For so long a node may hold back what is next. */
const heldMs = 1000;
/** After so long, what is ready was forgotten. */
const forgottenMs = 3000;
/** In one look; those after them come with the next. */
const maxSent = 200;

interface Waiting {
  nonce: number;
  hash: string;
  raw: string;
}

/**
 * Sends the same bytes again, in the order of their nonces, as far as the node does not know them, and no more than a
 * block holds (see core/outbox/throttle.ts). The count sent.
 */
export async function resend(sight: Sight): Promise<number> {
  const { rpc, lane, look, memory, nowMs } = sight;
  const next = waitingOf(lane, look, nowMs).slice(0, maxSent);
  if (next.length === 0) return 0;
  const count = countFitting(
    next.map(({ raw }) => gasOfSigned(raw)),
    look.blockGasLimit,
  );
  const waiting = next.slice(0, Math.max(1, count));
  const known = await areKnown(
    rpc,
    waiting.map(({ hash }) => hash),
  );
  const first = waiting[0]?.nonce ?? 0;
  const isFreed = known[0] === true && (await freeHead(sight, first));
  if (known[0] === true && isForgotten(sight, first)) await mineForgotten(rpc);
  const lost = waiting.filter((_, index) => isFreed || !known[index]);
  const results = await broadcast(
    rpc,
    lost.map(({ raw }) => raw),
  );
  for (const [index, result] of results.entries()) {
    const nonce = lost[index]?.nonce ?? 0;
    if (result.kind === 'unreached') throw new AppError('Unavailable', result.reason);
    if (result.kind === 'refused')
      noteTrouble(memory, nonce, { kind: 'refused', reason: result.reason, sinceMs: nowMs });
    else memory.troubles.delete(nonce);
  }
  return lost.length;
}

/** Whether the head of a lane was held back for too long, and can be sent again. */
async function freeHead({ rpc, lane, look, memory, nowMs }: Sight, nonce: number): Promise<boolean> {
  if (memory.troubles.get(nonce)?.kind === 'outpriced') return false;
  const isNext = nonce === look.mined && nonce === look.pending;
  if (!isNext) {
    memory.troubles.delete(nonce);
    return false;
  }
  const reason = 'the network’s node has it, and does not mine it';
  if (noteTrouble(memory, nonce, { kind: 'held', reason, sinceMs: nowMs }) < heldMs) return false;
  return freeHeld(rpc, lane.head.spec.signer);
}

/** Whether a node would mine a transaction next, and has mined nothing of this account for long. */
function isForgotten({ look, memory, nowMs }: Sight, nonce: number): boolean {
  if (memory.head?.nonce !== look.mined) memory.head = { nonce: look.mined, sinceMs: nowMs };
  return nonce === look.mined && look.pending > nonce && nowMs - memory.head.sinceMs >= forgottenMs;
}

/** A nonce for which a filler was written is the filler's: what had it is never sent again. */
function waitingOf({ entries, fillers }: OpenLane, { mined }: Look, nowMs: number): Waiting[] {
  const own = entries.filter(
    ({ nonce, acceptedMs }) => nonce >= mined && !fillers.has(nonce) && nowMs - acceptedMs >= graceMs,
  );
  const filling = [...fillers.values()]
    .filter(({ nonce }) => nonce >= mined)
    .map(({ nonce, hash, raw }) => ({ nonce, hash, raw: `0x${Buffer.from(raw, 'base64').toString('hex')}` }));
  return [...own, ...filling].sort((a, b) => a.nonce - b.nonce);
}
