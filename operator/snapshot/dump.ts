import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { AppError } from '../../core/lib/errors.ts';

/** A chain as anvil dumps it: gzip of its JSON. */
export interface Dump {
  bytes: Buffer;
  /** Number of its last block. */
  block: number;
  digest: string;
}

/** A dump keeps its engine busy for a moment; a large one takes seconds. */
const dumpMs = 60_000;
const maxBytes = 64 * 1024 * 1024;
/** anvil writes the block first, and this member last. */
const blockPattern = /^\{"block":\{"number":"(0x[0-9a-f]+)"/;
const endOfDump = '"historical_states":null}';
const maxHead = 200;

/** Asks the engine for its chain. Throws Unavailable when the engine cannot be used or answers something else. */
export async function readDump(rpc: EvmRpc): Promise<Dump> {
  const answer = await rpc.call('anvil_dumpState', [false], { timeoutMs: dumpMs, maxBytes });
  if (typeof answer !== 'string' || !answer.startsWith('0x')) throw unusable('is not hexadecimal');
  const bytes = Buffer.from(answer.slice(2), 'hex');
  const { head, tail } = await endsOf(bytes);
  const number = blockPattern.exec(head)?.[1];
  if (number === undefined || tail !== endOfDump) throw unusable('is not a complete state');
  return { bytes, block: Number(number), digest: digestOf(bytes) };
}

/** Part of the names of objects: 64 bits. */
function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** The first and the last characters of the JSON. A state may be far larger than its dump, so it is never held whole. */
async function endsOf(bytes: Buffer): Promise<{ head: string; tail: string }> {
  let head = '';
  let tail = '';
  try {
    for await (const chunk of Readable.from([bytes]).pipe(createGunzip())) {
      const text = String(chunk);
      if (head.length < maxHead) head += text.slice(0, maxHead);
      tail = (tail + text).slice(-endOfDump.length);
    }
  } catch {
    throw unusable('is not gzip');
  }
  return { head, tail };
}

function unusable(reason: string): AppError {
  return new AppError('Unavailable', `the state that the engine returned ${reason}`);
}
