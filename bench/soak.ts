import { setTimeout as delay } from 'node:timers/promises';
import { readDefaultKey } from '../e2e/lib/accounts.ts';
import { round, writeReport } from './lib/report.ts';
import { createLoad, type Tally } from './soak/load.ts';
import { growthPerHour, type Reading, takeReading } from './soak/readings.ts';

/**
 * `make soak HOURS=n`: ten operations per second on the installed chart, as bench/soak.yaml configures it: submissions,
 * reads, RPC calls, secrets, recordings, and networks that are created, stopped when idle, woken and deleted. Prints
 * memory and the number of stored objects every minute, and their growth per hour at the end. Fails on any error.
 */
const hours = Number(process.argv[2] ?? 1);
const operationsPerSecond = 10;
/** A full collection stops a process for a moment. */
const minutesBetweenHeaps = 5;
/** The first ten minutes fill caches and pools, so growth is measured after them, or after a sixth of a short run. */
const warmUpMinutes = Math.min(10, hours * 10);

const { address } = await readDefaultKey();
const load = await createLoad(address);
const readings: Reading[] = [];
const startMs = Date.now();
const endMs = startMs + hours * 3_600_000;
const running = new Set<Promise<void>>();
let isStopping = false;
process.once('SIGINT', () => {
  isStopping = true;
});

async function read(): Promise<void> {
  const minute = round((Date.now() - startMs) / 60_000, 1);
  const reading = await takeReading(minute, { withHeaps: Math.round(minute) % minutesBetweenHeaps === 0 });
  readings.push(reading);
  const { throttled, errors } = load.tally;
  console.log(
    JSON.stringify({ ...reading, operations: countDone(load.tally), throttled, errors: errors.length }),
  );
}

const countDone = ({ done }: Tally) => Object.values(done).reduce((sum, count) => sum + count, 0);
const readingTimer = setInterval(() => void read().catch(console.error), 60_000);
for (let count = 0; Date.now() < endMs && !isStopping; count += 1) {
  const operation = load.next().finally(() => running.delete(operation));
  running.add(operation);
  await delay(Math.max(0, startMs + ((count + 1) * 1000) / operationsPerSecond - Date.now()));
}
clearInterval(readingTimer);
await Promise.all(running);
await read();
await load.close();

const steady = readings.filter(({ minute }) => minute >= warmUpMinutes);
function growthOf(part: 'memory' | 'liveHeap' | 'objects'): Record<string, number> {
  const read = steady.filter((reading) => reading[part] !== undefined);
  const growth = (name: string) =>
    growthPerHour(
      read.filter((reading) => name in (reading[part] ?? {})),
      (reading) => reading[part]?.[name] ?? 0,
    );
  return Object.fromEntries(
    Object.keys(read.at(-1)?.[part] ?? {}).map((name) => [name, round(growth(name))]),
  );
}
const { tally } = load;
const report = {
  hours,
  operationsPerSecond,
  done: tally.done,
  throttled: tally.throttled,
  errors: tally.errors.length,
  liveHeapMiBPerHour: growthOf('liveHeap'),
  memoryMiBPerHour: growthOf('memory'),
  objectsPerHour: growthOf('objects'),
};
console.log(JSON.stringify(report, null, 2));
for (const error of tally.errors.slice(0, 20)) console.error(error);
writeReport('soak', report);
if (tally.errors.length > 0) process.exitCode = 1;
