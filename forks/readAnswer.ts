import {
  createUnlimitedScan,
  type Member,
  readMembers,
  skipSpace,
} from '../apiserver/gateway/jsonrpc/jsonScan.ts';
import { scrubMessage } from '../apiserver/gateway/jsonrpc/scrub.ts';
import { AppError } from '../core/lib/errors.ts';
import { withoutUrl } from '../core/lib/text/withoutTexts.ts';

/** The JSON text of a result as it was sent, with its numbers of any size, or of an error. */
export type Answer = { result: string } | { error: string };

/** A value of two or three characters occupies a hundred bytes once it is parsed, and sources belong to strangers. */
const maxValues = 2_000_000;

/**
 * The answer to one JSON-RPC call; undefined if the text is not one. An error no longer contains the URL of the source. Throws
 * TooLarge if it has too many values.
 */
export function readAnswer(text: string, url: string): Answer | undefined {
  const members = membersOf(text);
  if (!members) return undefined;
  const textOf = (name: string) => members.find((member) => member.name === name)?.value;
  const error = textOf('"error"');
  if (error !== undefined && error !== 'null') return { error: scrub(error, url) };
  const result = textOf('"result"');
  return result === undefined ? undefined : { result };
}

/** Those of the object that the text is. They are counted before all of it is parsed, which tells whether it is valid. */
function membersOf(text: string): Member[] | undefined {
  const start = skipSpace(text, 0);
  if (text[start] !== '{') return undefined;
  const scan = { ...createUnlimitedScan(text), valuesLeft: maxValues };
  try {
    const { members } = readMembers(scan, start);
    JSON.parse(text);
    return members;
  } catch {
    if (scan.valuesLeft >= 0) return undefined;
    throw new AppError('TooLarge', `the answer of the fork source has more than ${maxValues} values`);
  }
}

function scrub(error: string, url: string): string {
  return scrubMessage(Buffer.from(withoutUrl(error, url))).toString('utf8');
}
