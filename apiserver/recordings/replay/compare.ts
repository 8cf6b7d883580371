import type { RecordedTransaction, ReplayedTransaction } from '../../../core/api/rest/replay.ts';
import { compact } from '../../../core/lib/compact.ts';

/** How a replayed transaction was mined. */
export interface Outcome {
  status: 'success' | 'reverted';
  gasUsed: number;
  /** First topics, in order. */
  events: string[];
  contractAddress?: string | undefined;
  /** Undefined when it was not looked at, or the node does not tell. */
  created?: string[] | undefined;
}

/** How an outcome differs from the recorded one. */
export interface Comparison {
  /** Whether it did the same. */
  isMatch: boolean;
  differences: string[];
}

/**
 * The same outcome is: the same status, contracts created by the same calls, the same kinds of events in the same
 * order, and code that ran where code ran. Gas is compared as well, but alone it does not count: it depends on the time
 * between blocks, on how addresses sort, and on the zeros in them.
 */
export function compare(recorded: RecordedTransaction, outcome: Outcome, data: string): Comparison {
  const differences = [
    ...statusDifference(recorded, outcome),
    ...contractDifferences(recorded, outcome),
    ...eventDifference(recorded, outcome),
    ...codeDifference(recorded, outcome, data),
  ];
  return {
    isMatch: differences.length === 0,
    differences: [...differences, ...gasDifference(recorded, outcome)],
  };
}

function statusDifference(recorded: RecordedTransaction, { status }: Outcome): string[] {
  return status === recorded.status ? [] : [`status: ${status}, recorded: ${recorded.status}`];
}

function contractDifferences(recorded: RecordedTransaction, outcome: Outcome): string[] {
  const differences: string[] = [];
  const has = outcome.contractAddress === undefined ? 'none' : 'created';
  const had = recorded.contract_address === undefined ? 'none' : 'created';
  if (has !== had) differences.push(`contract: ${has}, recorded: ${had}`);
  const former = recorded.created_contracts?.length ?? 0;
  if (outcome.created && outcome.created.length !== former) {
    differences.push(`created contracts: ${outcome.created.length}, recorded: ${former}`);
  }
  return differences;
}

function eventDifference({ events }: RecordedTransaction, outcome: Outcome): string[] {
  if (!events) return [];
  const at = events.findIndex((kind, index) => kind !== outcome.events[index]);
  if (at === -1 && events.length === outcome.events.length) return [];
  if (events.length !== outcome.events.length)
    return [`events: ${outcome.events.length}, recorded: ${events.length}`];
  return [`event ${at}: ${outcome.events[at]}, recorded: ${events[at]}`];
}

/** A call of an address without code succeeds, and does nothing. */
function codeDifference(recorded: RecordedTransaction, { gasUsed }: Outcome, data: string): string[] {
  if (recorded.gas_used === undefined || recorded.to === undefined) return [];
  const ran = !gasWithoutCode(data).includes(gasUsed);
  const hadRun = !gasWithoutCode(recorded.data).includes(recorded.gas_used);
  return ran === hadRun
    ? []
    : [`code: ${ran ? 'ran' : 'none ran'}, recorded: ${hadRun ? 'ran' : 'none ran'}`];
}

/** What data costs by itself: before (EIP-2028) and since Prague (EIP-7623). */
function gasWithoutCode(data: string): number[] {
  const bytes = Buffer.from(data.slice(2), 'hex');
  const zeros = bytes.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  const others = bytes.length - zeros;
  const price = 21_000 + 4 * zeros + 16 * others;
  return [price, Math.max(price, 21_000 + 10 * zeros + 40 * others)];
}

const gasShare = 0.05;
const gasSlack = 2_500;

function gasDifference({ gas_used: recorded }: RecordedTransaction, { gasUsed }: Outcome): string[] {
  if (recorded === undefined || Math.abs(gasUsed - recorded) <= Math.max(gasSlack, recorded * gasShare))
    return [];
  return [`gas used: ${gasUsed}, recorded: ${recorded}`];
}

/** What is answered of a transaction that was mined; `data` is what was sent. */
export function toReplayed(
  recorded: RecordedTransaction,
  { hash, data }: { hash: string; data: string },
  outcome: Outcome,
): ReplayedTransaction {
  const { isMatch, differences } = compare(recorded, outcome, data);
  return {
    original_hash: recorded.hash,
    hash,
    status: outcome.status,
    match: isMatch,
    ...(differences.length === 0 ? {} : { differences }),
    gas_used: outcome.gasUsed,
    ...compact({ contract_address: outcome.contractAddress }),
    ...(outcome.created?.length ? { created_contracts: outcome.created } : {}),
  };
}

/** What is answered of one that was not mined: not sent, or not seen in a block in time. */
export function toUnmined(recorded: RecordedTransaction, reason: string, hash?: string): ReplayedTransaction {
  return {
    original_hash: recorded.hash,
    ...compact({ hash }),
    status: hash === undefined ? 'skipped' : 'pending',
    match: false,
    differences: [reason],
  };
}
