import { EventFragment } from 'ethers';
import { toQuantity } from '../lib/text/quantity.ts';
import { createPace } from '../lib/work/pace.ts';
import { type Abi, interfaceOf } from './calls.ts';
import { checkDeclaration, leftOutOf } from './declarations.ts';
import { decodeLogValues } from './decode.ts';
import type { CallNode } from './node.ts';
import { plainMembers } from './values.ts';

/** A log as eth_getLogs answers it. */
export interface RawLog {
  address: string;
  topics: readonly string[];
  data: string;
  blockNumber: string;
  transactionHash: string;
  logIndex: string;
}

/** An event that a contract emitted. */
export interface EmittedEvent {
  block: number;
  transaction: string;
  /** Position among the events of its block. */
  index: number;
  /** Its name and the types of its inputs; null when nobody knows it, and then `topics` and `data` are there. */
  event: string | null;
  /** Its values by their names: numbers as text, structs as objects. */
  args?: Record<string, unknown>;
  topics?: readonly string[];
  data?: string;
}

/**
 * The event that a text means: `Transfer(address indexed from, address indexed to, uint256 value)`, its name and types alone,
 * or a name, which is looked up in the ABI. Throws Error with what to write instead.
 */
export function eventOf(text: string, abi?: Abi): EventFragment {
  const known = eventsOf(abi);
  if (text.includes('(')) return declared(text, known);
  const fitting = known.filter(({ name }) => name === text);
  const [found, other] = fitting;
  if (found && !other) return found;
  if (other)
    throw new Error(`several events are called "${text}": write ${signaturesOf(fitting).join(' or ')}`);
  if (!abi)
    throw new Error(
      `the contract is not verified: write "${text}" as Transfer(address indexed from, …), or give its ABI`,
    );
  const all = signaturesOf(known).join(', ') || 'none';
  throw new Error(`the contract has no event "${text}": it has ${all}${leftOutOf(abi)}`);
}

/** What a log says, by the event with its topic. */
export function emittedEvent(log: RawLog, known: ReadonlyMap<string, EventFragment>): EmittedEvent {
  const place = {
    block: Number(log.blockNumber),
    transaction: log.transactionHash,
    index: Number(log.logIndex),
  };
  const event = known.get(log.topics[0] ?? '');
  // Undefined also if other inputs are indexed than the text says.
  const values = event && decodeLogValues(event, log);
  if (!values) return { ...place, event: null, topics: log.topics, data: log.data };
  return { ...place, event: event.format('sighash'), args: plainMembers(event.inputs, values) };
}

/** Events by their topics, which ethers hashes again whenever they are read. */
export function eventsByTopic(events: readonly EventFragment[]): ReadonlyMap<string, EventFragment> {
  return new Map(events.map((one) => [one.topicHash, one]));
}

/** The events of an ABI; none without one. */
export function eventsOf(abi: Abi | undefined): EventFragment[] {
  const all: EventFragment[] = [];
  if (abi) interfaceOf(abi).forEachEvent((one) => all.push(one));
  return all;
}

function declared(text: string, known: readonly EventFragment[]): EventFragment {
  checkDeclaration(text);
  try {
    const given = EventFragment.from(text.startsWith('event ') ? text : `event ${text}`);
    // The ABI says also which inputs are indexed, and their names.
    return eventsByTopic(known).get(given.topicHash) ?? given;
  } catch {
    throw new Error(
      `"${text}" is not an event: write it as Transfer(address indexed from, address indexed to, uint256 value)`,
    );
  }
}

const signaturesOf = (events: readonly EventFragment[]): string[] =>
  events.map((one) => one.format('sighash'));

export interface EventQuery {
  /** The contract. */
  address: string;
  /** Only this event. */
  only?: EventFragment | undefined;
  /** What is known of its events. */
  known: readonly EventFragment[];
  /** Numbers of the first and the last block; all of the network's own when absent. */
  first?: number | undefined;
  last?: number | undefined;
  /** The block that the network was forked at, in digits: what was before it is on the public chain. */
  forkBlock?: string | undefined;
}

/** How many blocks the service searches in one call. */
const windowBlocks = 5000;

/** Characters of data that are decoded before others have a turn: half of the longest that are decoded, within a few milliseconds. */
const charactersPerTurn = 64 * 1024;

/** What a log takes besides its data, in such characters. */
const charactersPerLog = 1024;

/** The events of a contract, the newest first. Blocks are searched as far back as events are taken. */
export async function* emittedEvents(read: CallNode, query: EventQuery): AsyncGenerator<EmittedEvent, void> {
  const { address, only, known } = query;
  const head = Number(await read('eth_blockNumber', []));
  const last = Math.min(query.last ?? head, head);
  // A fork without a block of its own has emitted nothing.
  const first = query.first ?? Number(query.forkBlock ?? -1) + 1;
  if (query.first !== undefined && first > last)
    throw new Error(`block ${first} comes after block ${last}: there is nothing to search`);
  const topics = only && { topics: [only.topicHash] };
  const events = eventsByTopic(only ? [only] : known);
  const pace = createPace(charactersPerTurn);
  for (let to = last; to >= first; to -= windowBlocks) {
    const [fromBlock, toBlock] = [Math.max(first, to - windowBlocks + 1), to].map(toQuantity);
    const logs = (await read('eth_getLogs', [{ address, fromBlock, toBlock, ...topics }])) as RawLog[];
    for (const log of logs.reverse()) {
      await pace(charactersPerLog + log.data.length);
      yield emittedEvent(log, events);
    }
  }
}
