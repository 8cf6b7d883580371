import { scrubMessage } from '../apiserver/gateway/jsonrpc/scrub.ts';
import type { Turns } from '../apiserver/http/limits/turns.ts';
import { AppError, isAppError } from '../core/lib/errors.ts';
import { withoutUrl } from '../core/lib/text/withoutTexts.ts';
import { quantityOf } from './methods.ts';
import { charactersPerTurn, type TextMember, walkJson } from './walkJson.ts';

/** The JSON text of a result as it was sent, with its numbers of any size, or of an error. */
export type Answer = Result | { error: string };

export interface Result {
  result: string;
  /** The number that it is, as that of a block, or that of the block that it is or is in. */
  block?: number | undefined;
}

interface Found {
  error?: string;
  result?: Result;
}

/** More than the data of a revert has. So much is looked through within a millisecond. */
const maxErrorLength = 32 * 1024;

/** Whose the answer is. */
interface Asker {
  networkUid: string;
  share: string;
}

export type ReadAnswer = (text: string, url: string, asker: Asker) => Promise<Answer | undefined>;

/** One long answer is read at a time: accounts take turns by the lengths of theirs, and short ones do not wait. */
export function createReadAnswer(turns: Turns): ReadAnswer {
  return async (text, url, { networkUid, share }) => {
    if (text.length <= charactersPerTurn) return readAnswer(text, url);
    const end = await turns.begin(networkUid, { group: share, price: text.length / charactersPerTurn });
    try {
      return await readAnswer(text, url);
    } finally {
      end();
    }
  };
}

/**
 * The answer to one JSON-RPC call; undefined if the text is not one. An error no longer contains the URL of the source.
 * Rejects with TooLarge if that is longer than errors of nodes are.
 */
export async function readAnswer(text: string, url: string): Promise<Answer | undefined> {
  const found = await find(text);
  if (found?.error !== undefined && found.error !== 'null') return { error: scrub(found.error, url) };
  return found?.result;
}

const names = { error: '"error"', result: '"result"', number: '"number"', blockNumber: '"blockNumber"' };

/** Of members with the same name, the first one counts. */
async function find(text: string): Promise<Found | undefined> {
  const found: Found = {};
  const numbers: Record<string, string> = {};
  const onMember = ({ name, within, start, end }: TextMember) => {
    const value = text.slice(start, end);
    if (within === names.result) numbers[name] ??= value;
    else if (within !== undefined) return;
    else if (name === names.error) found.error ??= value;
    else if (name === names.result) found.result ??= { result: value, block: blockIn(value, numbers) };
  };
  try {
    await walkJson(text, { names: Object.values(names), onMember });
    return found;
  } catch (error) {
    if (isAppError(error, 'BadRequest')) return undefined;
    throw error;
  }
}

/** A block names its own number, and what is in a block that of the block. */
function blockIn(result: string, numbers: Record<string, string>): number | undefined {
  const text = numbers[names.blockNumber] ?? numbers[names.number] ?? result;
  return quantityOf(text.startsWith('"') ? text.slice(1, -1) : undefined);
}

function scrub(error: string, url: string): string {
  if (error.length > maxErrorLength) {
    throw new AppError('TooLarge', `the error of the fork source has more than ${maxErrorLength} characters`);
  }
  return scrubMessage(Buffer.from(withoutUrl(error, url))).toString('utf8');
}
