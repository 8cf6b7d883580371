import type { Context } from './context.ts';
import { fail } from './failure.ts';

/** The API key from standard input: typed without being shown on a terminal, all of it elsewhere. */
export async function readKey({ io }: Context, url: string): Promise<string> {
  const text = io.stdin.isTerminal
    ? await io.stdin.ask(`API key for ${url} (<id>.<secret>): `, true)
    : (await io.stdin.read()).toString('utf8');
  const key = text.trim();
  if (isKey(key)) return key;
  throw fail(
    'usage',
    'That is not an API key.',
    'It is one line of the form <id>.<secret>, as it was shown once.',
  );
}

/** Printable characters, with a dot among them. */
function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && text.slice(1, -1).includes('.');
}
