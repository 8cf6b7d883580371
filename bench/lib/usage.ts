import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { round } from './report.ts';

export interface Usage {
  cpuSeconds: number;
  rssMiB: number;
  peakRssMiB: number;
}

/** /proc counts in hundredths of a second on Linux (proc(5), sysconf(_SC_CLK_TCK)). */
const ticksPerSecond = 100;

/** The resources that a running process has used so far, from `stat` and `status` (proc(5)). Linux only. */
export function usageOf(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name: string) =>
    round(Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024, 0);
  return {
    cpuSeconds: round((Number(fields[11]) + Number(fields[12])) / ticksPerSecond),
    rssMiB: mebibytes('VmRSS'),
    peakRssMiB: mebibytes('VmHWM'),
  };
}

/** The machine's load average over the last minute, so that readers of the results know what else was running. */
export function loadNow(): number {
  return round(loadavg()[0] ?? Number.NaN);
}
