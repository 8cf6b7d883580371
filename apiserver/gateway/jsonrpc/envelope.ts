import { isUtf8 } from 'node:buffer';
import { AppError } from '../../../core/lib/errors.ts';
import {
  createScan,
  endOfValue,
  type Member,
  malformed,
  readMembers,
  type Scan,
  skipSpace,
} from './jsonScan.ts';

/**
 * One JSON-RPC call. Two parsers may read the same text differently (which of two equal names wins, whether `Method`
 * is `method`), and then the gateway would check a different call than the node runs. So a call is forwarded only
 * in an unambiguous form: each member once, by its exact name and without escapes, and no other members.
 */
export interface RpcCall {
  /** JSON text of the id; undefined in a notification. */
  id: string | undefined;
  method: string;
  /** JSON text of the whole call, with its values as they were sent. */
  text: string;
  /** Whether `text` differs from what was sent. */
  isRewritten: boolean;
}

/** An item that is not a valid call, and why. */
export interface RpcFault {
  id: string | undefined;
  fault: string;
}

export interface RpcMessage {
  isBatch: boolean;
  items: (RpcCall | RpcFault)[];
}

const maxBatch = 1000;
type MemberName = 'jsonrpc' | 'id' | 'method' | 'params';
/** The member with this JSON text as its name. Comparing is cheaper than a look-up by a text that is new in every call. */
function memberOf(name: string): MemberName | undefined {
  if (name === '"jsonrpc"') return 'jsonrpc';
  if (name === '"id"') return 'id';
  if (name === '"method"') return 'method';
  return name === '"params"' ? 'params' : undefined;
}
const methodPattern = /^"[A-Za-z0-9_.:/-]{1,128}"$/;

/** Parses a JSON-RPC request or batch. BadRequest if it is not JSON, too deep, too large or an empty batch. */
export function parseRpcMessage(body: Buffer): RpcMessage {
  if (!isUtf8(body)) throw malformed();
  const text = body.toString('utf8');
  const scan = createScan(text);
  const start = skipSpace(text, 0);
  const isBatch = text[start] === '[';
  const items = isBatch ? readBatch(scan, start) : [readItem(scan, start).item];
  assertJson(text);
  return { isBatch, items };
}

function readBatch(scan: Scan, start: number): RpcMessage['items'] {
  const { text } = scan;
  const items: RpcMessage['items'] = [];
  let at = skipSpace(text, start + 1);
  if (text[at] === ']') throw new AppError('BadRequest', 'the batch is empty: send at least one call');
  for (;;) {
    const { item, end } = readItem(scan, at);
    items.push(item);
    if (items.length > maxBatch)
      throw new AppError('BadRequest', `the batch has too many calls: send at most ${maxBatch}`);
    const next = skipSpace(text, end);
    if (text[next] === ']') return items;
    if (text[next] !== ',') throw malformed();
    at = skipSpace(text, next + 1);
  }
}

function readItem(scan: Scan, start: number): { item: RpcCall | RpcFault; end: number } {
  if (scan.text[start] !== '{') {
    const end = endOfValue(scan, start);
    return { item: { id: undefined, fault: 'each call must be a JSON object' }, end };
  }
  const { members, end } = readMembers(scan, start);
  return { item: toItem(members, scan.text.slice(start, end)), end };
}

function toItem(members: Member[], text: string): RpcCall | RpcFault {
  const known: Known = { count: 0 };
  let fault: string | undefined;
  for (const { name, value } of members) {
    const member = memberOf(name);
    if (name.includes('\\')) fault = 'member names must be written without escapes';
    if (member === undefined) continue;
    if (known[member] === undefined) known.count += 1;
    else fault = `"${member}" occurs more than once`;
    known[member] = value;
  }
  const { id, method = '' } = known;
  if (id !== undefined && !/^["\-0-9n]/.test(id))
    return { id: undefined, fault: '"id" must be a string, a number or null' };
  if (fault) return { id, fault };
  if (!methodPattern.test(method)) return { id, fault: '"method" must be a plain name without escapes' };
  const isRewritten = known.count !== members.length;
  return { id, method: method.slice(1, -1), text: isRewritten ? rewrite(members) : text, isRewritten };
}

/** The values of the members that a call has, as JSON text. */
type Known = Partial<Record<MemberName, string>> & { count: number };

/** The call with the members that are known alone; each occurs once. */
function rewrite(members: Member[]): string {
  const known = members.filter(({ name }) => memberOf(name) !== undefined);
  return `{${known.map(({ name, value }) => `${name}:${value}`).join(',')}}`;
}

function assertJson(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    throw malformed();
  }
}
