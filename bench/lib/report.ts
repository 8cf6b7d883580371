import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `RESULTS` names another folder, for results that are not to be kept. */
const folder = process.env.RESULTS ?? join(import.meta.dirname, '..', 'results');

/** The percentile of the values at `fraction` (0 to 1); NaN when there are no values. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

/** Writes bench/results/<name>.json, or that file in `RESULTS`. */
export function writeReport(name: string, report: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
}
