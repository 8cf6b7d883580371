import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file with headers for the collector, from the Secret that the chart names; undefined where there is none. */
export function readTracingHeaders(folder: string): string | undefined {
  const file = join(folder, 'headers');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** One `Name: value` in each line. */
export function parseHeaders(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.includes(':'));
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.trim(), value.join(':').trim()];
    }),
  );
}
