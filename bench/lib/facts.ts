import { cpus, totalmem } from 'node:os';
import { round } from './report.ts';
import { loadNow } from './usage.ts';

/** When and where a measurement was made. */
export interface Facts {
  date: string;
  node: string;
  cores: number;
  cpu: string;
  memoryGiB: number;
  /** The load average over the minute before. */
  loadBefore: number;
}

/** The facts of this machine, now. */
export function factsNow(): Facts {
  const [first] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cores: cpus().length,
    cpu: first?.model ?? 'unknown',
    memoryGiB: round(totalmem() / 2 ** 30, 1),
    loadBefore: loadNow(),
  };
}
