import { withoutUrl } from '../../core/lib/withoutUrl.ts';
import { createUnlimitedScan, readMembers, skipSpace } from '../gateway/jsonrpc/jsonScan.ts';
import { scrubMessage } from '../gateway/jsonrpc/scrub.ts';

/** The JSON text of a result as it was sent, with its numbers of any size, or of an error. */
export type Answer = { result: string } | { error: string };

/** The answer to one JSON-RPC call; undefined if the text is not one. An error no longer contains the URL of the source. */
export function readAnswer(text: string, url: string): Answer | undefined {
  if (!isObject(text)) return undefined;
  const { members } = readMembers(createUnlimitedScan(text), skipSpace(text, 0));
  const textOf = (name: string) => members.find((member) => member.name === name)?.value;
  const error = textOf('"error"');
  if (error !== undefined && error !== 'null') return { error: scrub(error, url) };
  const result = textOf('"result"');
  return result === undefined ? undefined : { result };
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function scrub(error: string, url: string): string {
  return scrubMessage(Buffer.from(withoutUrl(error, url))).toString('utf8');
}
