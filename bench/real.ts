import { factsNow } from './lib/facts.ts';
import { writeReport } from './lib/report.ts';
import { measureForge } from './real/forge.ts';
import { measureForks } from './real/forks.ts';
import type { Row } from './real/rows.ts';
import { measureSuites } from './real/suites.ts';
import { startTargets, type Targets } from './real/targets.ts';
import { measureViem } from './real/viem.ts';

/**
 * What a test suite pays: the same work on a network through its public URL, and on a plain anvil on this machine, in turn
 * in one run. Calls by viem, a script and tests by forge, two test suites with Hardhat, and forks. `SAMPLES` sets how often
 * viem calls, `ROUNDS` how often all others run; `ONLY=viem,forge` leaves out the rest. Forks run as processes of this
 * machine.
 */
const samples = Number(process.env.SAMPLES ?? 40);
const rounds = Number(process.env.ROUNDS ?? 5);
const parts: Record<string, (targets: Targets) => Promise<Row[]>> = {
  viem: (targets) => measureViem(targets, samples),
  forge: (targets) => measureForge(targets, rounds),
  suites: (targets) => measureSuites(targets, rounds),
  forks: () => measureForks(rounds),
};
const wanted = process.env.ONLY?.split(',') ?? Object.keys(parts);

const facts = factsNow();
const targets = await startTargets();
const rows: Row[] = [];
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (wanted.includes(name)) rows.push(...(await measure(targets)));
  }
} finally {
  await targets.close();
}
console.table(rows);
writeReport('real', { facts, samples, rounds, rows });
