import type { z } from 'zod';
import { type EngineName, engineNames } from '../api/engines.ts';
import { detailsOf } from '../api/rules/issues.ts';
import { messageOf } from '../lib/errors.ts';

export type Entries<Entry> = Readonly<Partial<Record<EngineName, Entry>>>;

interface Reading<Entry> {
  entries: Entries<Entry>;
  /** What is wrong with an entry, as text. */
  problems: string[];
}

/**
 * Reads the entries of a ConfigMap: one key for each engine, with a JSON text. Each is read on its own: where one is invalid,
 * the former one stays. Unknown names are those of another version.
 */
export function readEntries<Entry>(
  data: Readonly<Record<string, string>>,
  schema: z.ZodType<Entry>,
  former: Entries<Entry>,
): Reading<Entry> {
  const entries: Partial<Record<EngineName, Entry>> = {};
  const problems: string[] = [];
  for (const name of engineNames) {
    const text = data[name];
    if (text === undefined) continue;
    const found = parseEntry(text, schema);
    if ('entry' in found) entries[name] = found.entry;
    else {
      problems.push(`${name}: ${found.problem}`);
      const kept = former[name];
      if (kept !== undefined) entries[name] = kept;
    }
  }
  return { entries, problems };
}

function parseEntry<Entry>(text: string, schema: z.ZodType<Entry>): { entry: Entry } | { problem: string } {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    if (parsed.success) return { entry: parsed.data };
    const problem = detailsOf(parsed.error)
      .map(({ path, message }) => [path, message].filter(Boolean).join(' '))
      .join('; ');
    return { problem };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
