import { quantitySchema, read } from '../evm/answers.ts';
import { broadcast, type SendResult } from '../evm/broadcast.ts';
import { countCall } from '../evm/chainState.ts';
import { lowerBaseFee } from '../evm/emptyBlocks.ts';
import { countFitting } from '../evm/gas.ts';
import { type Instance, readInstance } from '../evm/instance.ts';
import { evictStuckTransactions } from '../evm/pool/evictStuckTransactions.ts';
import type { EvmRpc } from '../evm/rpc.ts';
import type { Clock } from '../lib/clock.ts';
import { createTally } from '../lib/work/tally.ts';
import type { SignedTransaction } from '../signing/signing.ts';

/** A signed transaction with the most gas it can take of a block. */
interface ThrottledTransaction extends SignedTransaction {
  gasLimit: bigint;
  /** The most that it pays for a unit of gas, in wei. */
  maxFee: bigint;
}

/** Transactions of one account for one node, in the order of their nonces. */
interface ThrottledBatch {
  workspace: string;
  /** Identifies the chain. */
  chain: string;
  rpc: EvmRpc;
  signer: string;
  /** The process that the transactions were accepted for. */
  instance: Instance;
  /** Whether the network still runs the incarnation that they were signed for: the next one may have kept the chain. */
  isCurrent(): boolean;
  /** Whether they may still be sent: the operator takes over what was not sent, and settles what was. */
  mayBegin(): boolean;
  blockGasLimit: bigint;
  transactions: readonly ThrottledTransaction[];
}

/**
 * Sends transactions to nodes, at most as many at a time as fit into a node's next block; those that arrive meanwhile are sent
 * together. Nodes do not handle more than that reliably: anvil 1.7 leaves what did not fit until something else is sent and
 * drops what came after it (crates/anvil/src/eth/miner.rs, eth/backend/executor.rs); geth holds at most a few thousand
 * transactions (--txpool.globalslots). If what was sent has raised the base fee beyond what the next ones offer, empty blocks
 * lower it first. Resolves with the node's answer to each transaction, in order. Transactions that waited are not sent to
 * another process, and those that would take too much memory are not queued: both are answered as unreached. Never rejects.
 */
export type SendThrottle = (batch: ThrottledBatch) => Promise<SendResult[]>;

/** Below geth's --txpool.globalslots, 5,120. */
const maxUnmined = 4000;
/** Stop waiting for a node that has mined nothing for this long. */
const stallTimeoutMs = 15_000;
/** How long a node may hold back the next transaction. */
const heldMs = 1000;
const minPauseMs = 4;
const maxPauseMs = 500;
/**
 * Maximum number of characters of waiting transactions, per chain and in total. A workspace may have as much of the
 * total as it leaves free, so none can take all.
 */
const maxWaiting = { chain: 16 * 1024 * 1024, all: 64 * 1024 * 1024 };

interface Unmined extends ThrottledTransaction {
  signer: string;
}

interface Waiting extends Unmined {
  rpc: EvmRpc;
  instance: Instance;
  isCurrent(): boolean;
  mayBegin(): boolean;
  blockGasLimit: bigint;
  settle(result: SendResult): void;
}

interface ChainQueue {
  waiting: Waiting[];
  /** Sent, but not yet known to be mined. */
  unmined: Unmined[];
  isBusy: boolean;
  /** Characters of the waiting transactions. */
  length: number;
  usedMs: number;
}

export function createSendThrottle(clock: Clock): SendThrottle {
  const queues = new Map<string, ChainQueue>();
  /** Characters of the waiting transactions, by workspace. */
  const lengths = createTally();
  const hasRoom = (workspace: string, length: number) =>
    lengths.of(workspace) + length <= maxWaiting.all - lengths.total() - length;

  function queueOf(chain: string): ChainQueue {
    const usedMs = clock.nowMs();
    const queue = queues.get(chain) ?? { waiting: [], unmined: [], isBusy: false, length: 0, usedMs };
    queue.usedMs = usedMs;
    // Move the queue to the end: the map is ordered by last use.
    queues.delete(chain);
    queues.set(chain, queue);
    for (const [name, former] of queues) {
      if (usedMs - former.usedMs < stallTimeoutMs) break;
      if (!former.isBusy) queues.delete(name);
    }
    return queue;
  }

  return async ({ workspace, chain, transactions, ...common }) => {
    const queue = queueOf(chain);
    const length = transactions.reduce((sum, { raw }) => sum + raw.length, 0);
    const isTooMuch = queue.length + length > maxWaiting.chain || !hasRoom(workspace, length);
    if (queue.length > 0 && isTooMuch) {
      return transactions.map(() => unreached('too many transactions are already waiting to be sent'));
    }
    queue.length += length;
    lengths.add(workspace, length);
    const results = transactions.map(
      (transaction) =>
        new Promise<SendResult>((settle) => queue.waiting.push({ ...transaction, ...common, settle })),
    );
    if (!queue.isBusy) void work(queue, clock);
    return Promise.all(results).finally(() => {
      queue.length -= length;
      lengths.add(workspace, -length);
    });
  };
}

async function work(queue: ChainQueue, clock: Clock): Promise<void> {
  queue.isBusy = true;
  for (let [first] = queue.waiting; first; [first] = queue.waiting) {
    const count = countNext(queue, first.blockGasLimit);
    if (!first.isCurrent()) giveUp(queue);
    else if (count > 0) await sendFirst(queue, count, first.rpc);
    else if (!(await makeRoom(queue, first, clock))) giveUp(queue);
    else await makeAffordable(queue, first).catch(() => undefined);
  }
  queue.isBusy = false;
}

function unreached(reason: string): SendResult {
  return { kind: 'unreached', reason };
}

/** The waiting transactions were signed for a chain that no longer exists. */
function giveUp(queue: ChainQueue): void {
  queue.unmined = [];
  for (const { settle } of queue.waiting.splice(0))
    settle(unreached("the network's chain was replaced or is unreachable"));
}

/** How many waiting transactions fit next to the unmined ones; at least one when there are none. */
function countNext({ waiting, unmined }: ChainQueue, blockGasLimit: bigint): number {
  const room = blockGasLimit - unmined.reduce((sum, { gasLimit }) => sum + gasLimit, 0n);
  const most = waiting.slice(0, maxUnmined - unmined.length).map(({ gasLimit }) => gasLimit);
  const count = countFitting(most, room);
  return unmined.length === 0 ? Math.max(1, count) : count;
}

async function sendFirst({ waiting, unmined }: ChainQueue, count: number, rpc: EvmRpc): Promise<void> {
  const next = waiting.splice(0, count);
  const sent = next.filter(({ mayBegin }) => mayBegin());
  for (const late of next) if (!sent.includes(late)) late.settle(unreached('it waited for too long'));
  const results = await broadcast(
    rpc,
    sent.map(({ raw }) => raw),
  );
  for (const [index, { settle, ...transaction }] of sent.entries()) {
    const result = results[index] ?? unreached("the network's node did not answer");
    if (result.kind === 'sent' || result.kind === 'unreached') unmined.push(transaction);
    settle(result);
  }
}

/**
 * Waits until everything sent is mined, or nothing more of it is. It waits for all because anvil makes a block of each
 * part that is added to a full pool. Resolves to whether the process is still the one that the next transaction was
 * accepted for.
 */
async function makeRoom(
  queue: ChainQueue,
  { rpc, instance, isCurrent }: Waiting,
  clock: Clock,
): Promise<boolean> {
  let lastMs = clock.nowMs();
  let freedMs = lastMs;
  let pauseMs = minPauseMs;
  while (queue.unmined.length > 0 && clock.nowMs() - lastMs < stallTimeoutMs) {
    await clock.sleep(pauseMs);
    if (!isCurrent()) return false;
    const still = await unminedOf(rpc, queue.unmined).catch(() => queue.unmined);
    const isProgress = still.length < queue.unmined.length;
    queue.unmined = still;
    pauseMs = isProgress ? minPauseMs : Math.min(maxPauseMs, pauseMs * 1.5);
    if (isProgress) lastMs = freedMs = clock.nowMs();
    if (clock.nowMs() - freedMs < heldMs) continue;
    freedMs = clock.nowMs();
    if (await isInstance(rpc, instance)) await sendHeldAgain(rpc, still).catch(() => undefined);
  }
  queue.unmined = [];
  return isInstance(rpc, instance);
}

/** Lets the next block take what is sent next. */
async function makeAffordable(queue: ChainQueue, { rpc, blockGasLimit }: Waiting): Promise<void> {
  const next = queue.waiting.slice(0, countNext(queue, blockGasLimit));
  await lowerBaseFee(
    rpc,
    next.map(({ maxFee }) => maxFee),
  );
}

/** False also when the node does not answer. */
async function isInstance(rpc: EvmRpc, instance: Instance): Promise<boolean> {
  return readInstance(rpc).then(
    (present) => instance === present,
    () => false,
  );
}

async function unminedOf(rpc: EvmRpc, unmined: readonly Unmined[]): Promise<Unmined[]> {
  const counts = await countsOf(rpc, unmined, 'latest');
  return unmined.filter(({ signer, nonce }) => nonce >= (counts.get(signer) ?? 0));
}

/** Evicts and resends the transactions of each signer whose next transaction the node holds back. */
async function sendHeldAgain(rpc: EvmRpc, unmined: readonly Unmined[]): Promise<void> {
  const pending = await countsOf(rpc, unmined, 'pending');
  for (const [signer, count] of pending) {
    const own = unmined.filter((transaction) => transaction.signer === signer);
    const isHeld = own.some(({ nonce }) => nonce === count) && !own.some(({ nonce }) => nonce < count);
    if (!isHeld || !(await evictStuckTransactions(rpc, signer))) continue;
    await broadcast(
      rpc,
      own.map(({ raw }) => raw),
    );
  }
}

/** The number of nonces that each signer has used. */
async function countsOf(
  rpc: EvmRpc,
  unmined: readonly Unmined[],
  block: 'latest' | 'pending',
): Promise<Map<string, number>> {
  const signers = [...new Set(unmined.map(({ signer }) => signer))];
  const outcomes = await rpc.batch(signers.map((signer) => countCall(signer, block)));
  return new Map(signers.map((signer, index) => [signer, Number(read(quantitySchema, outcomes[index]))]));
}
