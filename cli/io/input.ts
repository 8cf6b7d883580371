import { open, readFile } from 'node:fs/promises';
import { parseExactly } from '../../core/lib/json/exactNumber.ts';
import { fail } from '../lib/failure.ts';
import type { Io } from './io.ts';

/** The text of a file, or of standard input for `-`. */
export async function readText(io: Io, path: string): Promise<string> {
  return (await readBytes(io, path)).toString('utf8');
}

/** The bytes of a file, or of standard input for `-`. */
export async function readBytes(io: Io, path: string): Promise<Buffer> {
  if (path === '-') return io.stdin.read();
  try {
    return await readFile(path);
  } catch (error) {
    throw fail(
      'usage',
      `${path} cannot be read: ${codeOf(error)}.`,
      'Name a file that exists, or - for standard input.',
    );
  }
}

/** Writes a file that must not exist yet. */
export async function writeNew(path: string, text: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(text);
    await file.close();
  } catch (error) {
    throw fail(
      'failed',
      `${path} cannot be written: ${codeOf(error)}.`,
      'Name a file that does not exist yet, in a folder that does.',
    );
  }
}

/** JSON of a file or of standard input. Like the service, it never rounds a number. */
export async function readJson(io: Io, path: string): Promise<unknown> {
  const text = await readText(io, path);
  try {
    return parseExactly(text);
  } catch {
    throw fail('usage', `${path === '-' ? 'Standard input' : path} is not JSON.`, 'Check it with: jq . FILE');
  }
}

/** Asks before what cannot be undone. Without a terminal, only `--yes` answers. */
export async function confirm(io: Io, question: string, isYes: boolean): Promise<void> {
  if (isYes) return;
  if (!io.stdin.isTerminal) throw fail('usage', `${question} needs a confirmation.`, 'Add --yes.');
  const answer = await io.stdin.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim()))
    throw fail('failed', 'Nothing was changed.', 'Answer y, or add --yes.');
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}
