import type { Clock } from '../lib/clock.ts';
import { broadcast, type SendResult } from './broadcast.ts';
import { countCall, quantitySchema, read } from './chainState.ts';
import { freeHeld } from './freeHeld.ts';
import type { EvmRpc } from './rpc.ts';
import type { SignedTransaction } from './signing.ts';

/** A signed transaction with what it takes of a block at most. */
export interface PacedTransaction extends SignedTransaction {
  gasLimit: bigint;
}

/** Transactions of one account for one node, in the order of their nonces. */
export interface PacedBatch {
  /** The same for all that go to the same chain. */
  chain: string;
  rpc: EvmRpc;
  signer: string;
  blockGasLimit: bigint;
  transactions: readonly PacedTransaction[];
}

/**
 * Sends to nodes, to each no more at a time than fits into its next block; what comes meanwhile goes together with
 * what waits. A node that is given more keeps it badly: anvil 1.7 leaves what did not fit until something else is sent,
 * and throws away what came after it (crates/anvil/src/eth/miner.rs, eth/backend/executor.rs); geth holds a few
 * thousand transactions at most (--txpool.globalslots).
 * Resolves with what the node said to each, in order; what would take too much memory here is not sent, and answered as
 * unreached. Never rejects.
 */
export type Pace = (batch: PacedBatch) => Promise<SendResult[]>;

/** Below geth's --txpool.globalslots, 5,120. */
const mostUnmined = 4000;
/** A node that has mined nothing for so long is not waited for. */
const patienceMs = 15_000;
/** For so long a node may hold back what is next. */
const heldMs = 1000;
const shortestPauseMs = 4;
const longestPauseMs = 500;
/** Characters of what waits here, for all chains. */
const maxWaiting = 64 * 1024 * 1024;
/** Chains that are remembered when nothing is under way on them. */
const maxRemembered = 1000;

interface Unmined extends PacedTransaction {
  signer: string;
}

interface Waiting extends Unmined {
  rpc: EvmRpc;
  blockGasLimit: bigint;
  settle(result: SendResult): void;
}

interface Road {
  waiting: Waiting[];
  /** Sent, and not yet seen to be mined. */
  unmined: Unmined[];
  isBusy: boolean;
}

export function createPace(clock: Clock): Pace {
  const roads = new Map<string, Road>();
  let waiting = 0;

  function roadOf(chain: string): Road {
    const road = roads.get(chain) ?? { waiting: [], unmined: [], isBusy: false };
    // The one used last is last.
    roads.delete(chain);
    roads.set(chain, road);
    for (const [name, { isBusy }] of roads) {
      if (roads.size <= maxRemembered) break;
      if (!isBusy) roads.delete(name);
    }
    return road;
  }

  async function work(road: Road): Promise<void> {
    road.isBusy = true;
    for (let [first] = road.waiting; first; [first] = road.waiting) {
      const count = countFitting(road, first.blockGasLimit);
      if (count === 0) await makeRoom(road, first.rpc, clock);
      else await sendFirst(road, count, first.rpc);
    }
    road.isBusy = false;
  }

  return async ({ chain, transactions, ...common }) => {
    const length = transactions.reduce((sum, { raw }) => sum + raw.length, 0);
    if (waiting > 0 && waiting + length > maxWaiting) {
      return transactions.map(() => ({ kind: 'unreached', reason: 'too much waits to be sent already' }));
    }
    waiting += length;
    const road = roadOf(chain);
    const results = transactions.map(
      (transaction) =>
        new Promise<SendResult>((settle) => road.waiting.push({ ...transaction, ...common, settle })),
    );
    if (!road.isBusy) void work(road);
    return Promise.all(results).finally(() => {
      waiting -= length;
    });
  };
}

/** How many of those that wait fit into a block beside what is not mined; one always does when there is nothing. */
function countFitting({ waiting, unmined }: Road, blockGasLimit: bigint): number {
  let room = blockGasLimit - unmined.reduce((sum, { gasLimit }) => sum + gasLimit, 0n);
  const end = waiting.findIndex(({ gasLimit }, index) => {
    room -= gasLimit;
    const isAlone = index === 0 && unmined.length === 0;
    return !isAlone && (room < 0n || unmined.length + index >= mostUnmined);
  });
  return end === -1 ? waiting.length : end;
}

async function sendFirst({ waiting, unmined }: Road, count: number, rpc: EvmRpc): Promise<void> {
  const sent = waiting.splice(0, count);
  const results = await broadcast(
    rpc,
    sent.map(({ raw }) => raw),
  );
  for (const [index, { settle, ...transaction }] of sent.entries()) {
    const result = results[index] ?? { kind: 'unreached', reason: 'the network’s node gave no answer' };
    if (result.kind === 'sent' || result.kind === 'unreached') unmined.push(transaction);
    settle(result);
  }
}

/**
 * Waits until all that was sent is mined, or nothing more of it is. Until all of it: anvil makes a block of each part
 * that is added to a full pool.
 */
async function makeRoom(road: Road, rpc: EvmRpc, clock: Clock): Promise<void> {
  let lastMs = clock.nowMs();
  let freedMs = lastMs;
  let pauseMs = shortestPauseMs;
  while (road.unmined.length > 0 && clock.nowMs() - lastMs < patienceMs) {
    await clock.sleep(pauseMs);
    const still = await unminedOf(rpc, road.unmined).catch(() => road.unmined);
    const isProgress = still.length < road.unmined.length;
    road.unmined = still;
    pauseMs = isProgress ? shortestPauseMs : Math.min(longestPauseMs, pauseMs * 1.5);
    if (isProgress) lastMs = freedMs = clock.nowMs();
    if (clock.nowMs() - freedMs < heldMs) continue;
    freedMs = clock.nowMs();
    await sendHeldAgain(rpc, still).catch(() => undefined);
  }
  road.unmined = [];
}

async function unminedOf(rpc: EvmRpc, unmined: readonly Unmined[]): Promise<Unmined[]> {
  const counts = await countsOf(rpc, unmined, 'latest');
  return unmined.filter(({ signer, nonce }) => nonce >= (counts.get(signer) ?? 0));
}

/** Of each signer whose next transaction the node holds back. */
async function sendHeldAgain(rpc: EvmRpc, unmined: readonly Unmined[]): Promise<void> {
  const pending = await countsOf(rpc, unmined, 'pending');
  for (const [signer, count] of pending) {
    const own = unmined.filter((transaction) => transaction.signer === signer);
    const isHeld = own.some(({ nonce }) => nonce === count) && !own.some(({ nonce }) => nonce < count);
    if (!isHeld || !(await freeHeld(rpc, signer))) continue;
    await broadcast(
      rpc,
      own.map(({ raw }) => raw),
    );
  }
}

/** Nonces that each signer has used. */
async function countsOf(
  rpc: EvmRpc,
  unmined: readonly Unmined[],
  block: 'latest' | 'pending',
): Promise<Map<string, number>> {
  const signers = [...new Set(unmined.map(({ signer }) => signer))];
  const outcomes = await rpc.batch(signers.map((signer) => countCall(signer, block)));
  return new Map(signers.map((signer, index) => [signer, Number(read(quantitySchema, outcomes[index]))]));
}
