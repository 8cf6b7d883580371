import { broadcast, type SendResult } from '../evm/broadcast.ts';
import { countCall, genesisCall, genesisOf, quantitySchema, read } from '../evm/chainState.ts';
import { evictStuckTransactions } from '../evm/evictStuckTransactions.ts';
import { countFitting } from '../evm/gas.ts';
import type { EvmRpc } from '../evm/rpc.ts';
import type { Clock } from '../lib/clock.ts';
import type { SignedTransaction } from '../signing/signing.ts';

/** A signed transaction with what it takes of a block at most. */
interface ThrottledTransaction extends SignedTransaction {
  gasLimit: bigint;
}

/** Transactions of one account for one node, in the order of their nonces. */
interface ThrottledBatch {
  /** The same for all that go to the same chain. */
  chain: string;
  rpc: EvmRpc;
  signer: string;
  /** Hash of block 0 of the chain that the transactions were signed for. */
  genesis: string;
  blockGasLimit: bigint;
  transactions: readonly ThrottledTransaction[];
}

/**
 * Sends to nodes, to each no more at a time than fits into its next block; what comes meanwhile goes together with
 * what waits. A node that is given more keeps it badly: anvil 1.7 leaves what did not fit until something else is sent,
 * and throws away what came after it (crates/anvil/src/eth/miner.rs, eth/backend/executor.rs); geth holds a few
 * thousand transactions at most (--txpool.globalslots).
 * Resolves with what the node said to each, in order. What has waited is not sent to another chain than its own, nor
 * what would take too much memory here: it is answered as unreached. Never rejects.
 */
export type SendThrottle = (batch: ThrottledBatch) => Promise<SendResult[]>;

/** Below geth's --txpool.globalslots, 5,120. */
const mostUnmined = 4000;
/** A node that has mined nothing for so long is not waited for. */
const patienceMs = 15_000;
/** For so long a node may hold back what is next. */
const heldMs = 1000;
const shortestPauseMs = 4;
const longestPauseMs = 500;
/** Characters of what waits here, for one chain and for all. */
const mostWaiting = { chain: 16 * 1024 * 1024, all: 64 * 1024 * 1024 };

interface Unmined extends ThrottledTransaction {
  signer: string;
}

interface Waiting extends Unmined {
  rpc: EvmRpc;
  genesis: string;
  blockGasLimit: bigint;
  settle(result: SendResult): void;
}

interface ChainLine {
  waiting: Waiting[];
  /** Sent, and not yet seen to be mined. */
  unmined: Unmined[];
  isBusy: boolean;
  /** Characters of what waits. */
  length: number;
  usedMs: number;
}

export function createSendThrottle(clock: Clock): SendThrottle {
  const lines = new Map<string, ChainLine>();
  let allLength = 0;

  function lineOf(chain: string): ChainLine {
    const usedMs = clock.nowMs();
    const line = lines.get(chain) ?? { waiting: [], unmined: [], isBusy: false, length: 0, usedMs };
    line.usedMs = usedMs;
    // The one used last is last.
    lines.delete(chain);
    lines.set(chain, line);
    for (const [name, former] of lines) {
      if (usedMs - former.usedMs < patienceMs) break;
      if (!former.isBusy) lines.delete(name);
    }
    return line;
  }

  async function work(line: ChainLine): Promise<void> {
    line.isBusy = true;
    for (let [first] = line.waiting; first; [first] = line.waiting) {
      const count = countNext(line, first.blockGasLimit);
      if (count > 0) await sendFirst(line, count, first.rpc);
      else if (!(await makeRoom(line, first, clock))) giveUp(line);
    }
    line.isBusy = false;
  }

  return async ({ chain, transactions, ...common }) => {
    const line = lineOf(chain);
    const length = transactions.reduce((sum, { raw }) => sum + raw.length, 0);
    const isTooMuch = line.length + length > mostWaiting.chain || allLength + length > mostWaiting.all;
    if (line.length > 0 && isTooMuch) {
      return transactions.map(() => unreached('too much waits to be sent already'));
    }
    line.length += length;
    allLength += length;
    const results = transactions.map(
      (transaction) =>
        new Promise<SendResult>((settle) => line.waiting.push({ ...transaction, ...common, settle })),
    );
    if (!line.isBusy) void work(line);
    return Promise.all(results).finally(() => {
      line.length -= length;
      allLength -= length;
    });
  };
}

function unreached(reason: string): SendResult {
  return { kind: 'unreached', reason };
}

/** What waits was signed for a chain that is not there (any more). */
function giveUp(line: ChainLine): void {
  line.unmined = [];
  for (const { settle } of line.waiting.splice(0)) settle(unreached('the network’s chain is not there'));
}

/** How many of those that wait can be sent beside what is not mined; one always can when there is nothing. */
function countNext({ waiting, unmined }: ChainLine, blockGasLimit: bigint): number {
  const room = blockGasLimit - unmined.reduce((sum, { gasLimit }) => sum + gasLimit, 0n);
  const most = waiting.slice(0, mostUnmined - unmined.length).map(({ gasLimit }) => gasLimit);
  const count = countFitting(most, room);
  return unmined.length === 0 ? Math.max(1, count) : count;
}

async function sendFirst({ waiting, unmined }: ChainLine, count: number, rpc: EvmRpc): Promise<void> {
  const sent = waiting.splice(0, count);
  const results = await broadcast(
    rpc,
    sent.map(({ raw }) => raw),
  );
  for (const [index, { settle, ...transaction }] of sent.entries()) {
    const result = results[index] ?? unreached('the network’s node gave no answer');
    if (result.kind === 'sent' || result.kind === 'unreached') unmined.push(transaction);
    settle(result);
  }
}

/**
 * Waits until all that was sent is mined, or nothing more of it is. Until all of it: anvil makes a block of each part
 * that is added to a full pool. Whether the chain is still the one that what comes next was signed for.
 */
async function makeRoom(line: ChainLine, { rpc, genesis }: Waiting, clock: Clock): Promise<boolean> {
  let lastMs = clock.nowMs();
  let freedMs = lastMs;
  let pauseMs = shortestPauseMs;
  while (line.unmined.length > 0 && clock.nowMs() - lastMs < patienceMs) {
    await clock.sleep(pauseMs);
    const still = await unminedOf(rpc, line.unmined).catch(() => line.unmined);
    const isProgress = still.length < line.unmined.length;
    line.unmined = still;
    pauseMs = isProgress ? shortestPauseMs : Math.min(longestPauseMs, pauseMs * 1.5);
    if (isProgress) lastMs = freedMs = clock.nowMs();
    if (clock.nowMs() - freedMs < heldMs) continue;
    freedMs = clock.nowMs();
    if (await isChain(rpc, genesis)) await sendHeldAgain(rpc, still).catch(() => undefined);
  }
  line.unmined = [];
  return isChain(rpc, genesis);
}

/** False as well when the node does not answer. */
async function isChain(rpc: EvmRpc, genesis: string): Promise<boolean> {
  const [first] = await rpc.batch([genesisCall]);
  try {
    return genesisOf(first) === genesis;
  } catch {
    return false;
  }
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
    if (!isHeld || !(await evictStuckTransactions(rpc, signer))) continue;
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
