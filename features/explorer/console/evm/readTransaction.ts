import { isRecord } from '../fields.ts';
import type { NamedContract, Reader } from '../reader.ts';
import { revertReason } from './abi.ts';
import { blockOf, type Receipt, receiptOf, revertDataIn, type Transaction, transactionOf } from './model.ts';
import type { RecentTransaction } from './recent.ts';
import { callsOf, failedCall, type TraceCall } from './trace.ts';

export interface WholeTransaction {
  transaction: Transaction;
  receipt: Receipt | undefined;
  /** When its block was made, in seconds. */
  at: number;
  /** Undefined without a trace. */
  calls: TraceCall[] | undefined;
  /** Whether the engine has traces, but none of this transaction any more. */
  isTraceGone: boolean;
  names: ReadonlyMap<string, NamedContract>;
  /** Why it failed. */
  reason: string | undefined;
}

/** JSON-RPC: the engine has no such method. */
const methodNotFound = -32601;
const traceOptions = { tracer: 'callTracer', tracerConfig: { withLog: false } };

/** Everything about a transaction; null if the chain has none of this hash. */
export async function readTransaction(reader: Reader, hash: string): Promise<WholeTransaction | null> {
  const [found, told, traced] = await reader.ask([
    ['eth_getTransactionByHash', hash],
    ['eth_getTransactionReceipt', hash],
    ['debug_traceTransaction', hash, traceOptions],
  ]);
  const transaction = transactionOf(found?.result);
  if (!transaction) return null;
  const receipt = receiptOf(told?.result);
  const calls = receipt && isRecord(traced?.result) ? callsOf(traced.result) : undefined;
  const isTraceGone = traced?.error !== undefined && traced.error.code !== methodNotFound;
  const [at, names] = await Promise.all([
    readTime(reader, transaction),
    reader.name(addressesIn(transaction, receipt, calls)),
  ]);
  const whole = { transaction, receipt, at, calls, isTraceGone, names };
  return { ...whole, reason: receipt?.isSuccess === false ? await readReason(reader, whole) : undefined };
}

async function readTime(reader: Reader, { blockNumber }: Transaction): Promise<number> {
  if (blockNumber === undefined) return 0;
  return blockOf(await reader.one('eth_getBlockByNumber', hex(blockNumber), false))?.at ?? 0;
}

/**
 * Transactions with how they ended, in the order in which they are wanted; those that the chain does not have are left out. `at` is when the
 * block of each was made, in seconds.
 */
export async function readResults(
  reader: Pick<Reader, 'ask'>,
  wanted: readonly { hash: string; at: number }[],
): Promise<RecentTransaction[]> {
  const answers = await reader.ask([
    ...wanted.map(({ hash }) => ['eth_getTransactionByHash', hash] as const),
    ...wanted.map(({ hash }) => ['eth_getTransactionReceipt', hash] as const),
  ]);
  return wanted.flatMap(({ at }, index) => {
    const transaction = transactionOf(answers[index]?.result);
    const isSuccess = receiptOf(answers[wanted.length + index]?.result)?.isSuccess;
    return transaction ? [{ transaction, isSuccess, at }] : [];
  });
}

const hex = (value: bigint) => `0x${value.toString(16)}`;

/** Names are for reading: of very many addresses, the first ones have them. */
const maxNamed = 60;

function addressesIn(
  { to }: Transaction,
  receipt: Receipt | undefined,
  calls: readonly TraceCall[] = [],
): string[] {
  const all = [
    to,
    receipt?.contractAddress,
    ...(receipt?.logs ?? []).map(({ address }) => address),
    ...calls.map((call) => call.to),
  ];
  return [...new Set(all.filter((one) => one !== undefined))].slice(0, maxNamed);
}

/** What engines answer about the state of a block that they no longer have. */
const stateGone = /BlockOutOfRange|header not found|missing trie node|is not available|unknown block/i;

/** From the trace, or from the same call on the block before. */
async function readReason(
  reader: Reader,
  { transaction, calls, names }: Omit<WholeTransaction, 'reason'>,
): Promise<string | undefined> {
  const abis = [...names.values()].map(({ abi }) => abi);
  const failed = calls && failedCall(calls);
  const traced = revertReason(failed?.output, ...abis);
  if (traced !== undefined) return traced;
  if (failed?.error !== undefined && failed.error !== 'execution reverted') return failed.error;
  const { from, to, value, input, gas, blockNumber = 0n } = transaction;
  const call = { from, ...(to === undefined ? {} : { to }), value: hex(value), data: input, gas: hex(gas) };
  const [again] = await reader.ask([['eth_call', call, hex(blockNumber > 0n ? blockNumber - 1n : 0n)]]);
  if (!again?.error) return undefined;
  const { message } = again.error;
  return revertReason(revertDataIn(again.error), ...abis) ?? (stateGone.test(message) ? undefined : message);
}
