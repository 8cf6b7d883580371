import type { RecordedTransaction, ReplayedTransaction } from '../../core/api/rest/replay.ts';
import { compact } from '../../core/lib/compact.ts';

/** The result of a mined replayed transaction. */
export interface MinedResult {
  block: number;
  status: 'success' | 'reverted';
  gasUsed: number;
  /** First topics, in order. */
  events: string[];
  contractAddress?: string | undefined;
  /** Undefined if it was not queried, or if the node cannot report it. */
  created?: string[] | undefined;
}

/** What of a transaction sets the gas that it uses before any code runs. */
export type Priced = Pick<RecordedTransaction, 'data' | 'access_list' | 'authorizations'>;

/** How an outcome differs from the recorded one. */
export interface Comparison {
  /** Whether the transaction had the same effect. */
  isMatch: boolean;
  differences: string[];
}

/**
 * An outcome matches if the status, the created contracts, and the kinds and order of events are the same, and code ran
 * where code ran before. Gas is compared as well, but a difference in gas only is still a match: gas depends on the
 * time between blocks, on the order of addresses, and on the zero bytes in them.
 */
export function compare(recorded: RecordedTransaction, outcome: MinedResult, sent: Priced): Comparison {
  const differences = [
    ...statusDifference(recorded, outcome),
    ...contractDifferences(recorded, outcome),
    ...eventDifference(recorded, outcome),
    ...codeDifference(recorded, outcome, sent),
  ];
  return {
    isMatch: differences.length === 0,
    differences: [...differences, ...gasDifference(recorded, outcome)],
  };
}

function statusDifference(recorded: RecordedTransaction, { status }: MinedResult): string[] {
  return status === recorded.status ? [] : [`status: ${status}, recorded: ${recorded.status}`];
}

function contractDifferences(recorded: RecordedTransaction, outcome: MinedResult): string[] {
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

function eventDifference({ events }: RecordedTransaction, outcome: MinedResult): string[] {
  if (!events) return [];
  const at = events.findIndex((kind, index) => kind !== outcome.events[index]);
  if (at === -1 && events.length === outcome.events.length) return [];
  if (events.length !== outcome.events.length)
    return [`events: ${outcome.events.length}, recorded: ${events.length}`];
  return [`event ${at}: ${outcome.events[at]}, recorded: ${events[at]}`];
}

/** A call to an address without code succeeds but does nothing. */
function codeDifference(recorded: RecordedTransaction, { gasUsed }: MinedResult, sent: Priced): string[] {
  if (recorded.gas_used === undefined || recorded.to === undefined) return [];
  const ran = !gasWithoutCode(sent).includes(gasUsed);
  const hadRun = !gasWithoutCode(recorded).includes(recorded.gas_used);
  return ran === hadRun
    ? []
    : [`code: ${ran ? 'ran' : 'none ran'}, recorded: ${hadRun ? 'ran' : 'none ran'}`];
}

/**
 * What a call may use if no code runs: for its data, before Prague (EIP-2028) and since (EIP-7623), its access list
 * (EIP-2930) and its authorizations (EIP-7702), of which a part is returned for each account that was not new.
 */
function gasWithoutCode({ data, access_list: list = [], authorizations = [] }: Priced): number[] {
  const bytes = Buffer.from(data.slice(2), 'hex');
  const zeros = bytes.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  const others = bytes.length - zeros;
  const named = list.reduce((sum, { storage_keys: keys }) => sum + 2_400 + 1_900 * keys.length, 0);
  const price = 21_000 + 4 * zeros + 16 * others + named + 25_000 * authorizations.length;
  const floor = 21_000 + 10 * zeros + 40 * others;
  // At most a fifth of all is returned (EIP-3529).
  const most = Math.floor(price / 5);
  return Array.from({ length: authorizations.length + 1 }, (_, known) => {
    const rest = price - Math.min(12_500 * known, most);
    return [rest, Math.max(rest, floor)];
  }).flat();
}

const gasShare = 0.05;
const gasSlack = 2_500;

function gasDifference({ gas_used: recorded }: RecordedTransaction, { gasUsed }: MinedResult): string[] {
  if (recorded === undefined || Math.abs(gasUsed - recorded) <= Math.max(gasSlack, recorded * gasShare))
    return [];
  return [`gas used: ${gasUsed}, recorded: ${recorded}`];
}

/** The answer for a mined transaction, and for what was sent. */
export function toReplayed(
  recorded: RecordedTransaction,
  { hash, item }: { hash: string; item: Priced },
  outcome: MinedResult,
): ReplayedTransaction {
  const { isMatch, differences } = compare(recorded, outcome, item);
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

/** The answer for a transaction that was not mined: not sent, or not mined in time. */
export function toUnmined(recorded: RecordedTransaction, reason: string, hash?: string): ReplayedTransaction {
  return {
    original_hash: recorded.hash,
    ...compact({ hash }),
    status: hash === undefined ? 'skipped' : 'pending',
    match: false,
    differences: [reason],
  };
}
