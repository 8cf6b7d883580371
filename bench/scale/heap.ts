import { writeFileSync } from 'node:fs';

/** Preloaded into a measured process that runs with `--expose-gc`: on SIGUSR2 it collects garbage and writes its heap to HEAP_FILE. */
const file = process.env.HEAP_FILE ?? '';
/** V8 drops compiled code once several collections have found it unused. */
const collections = 10;
process.on('SIGUSR2', () => {
  for (let turn = 0; turn < collections; turn += 1) globalThis.gc?.();
  writeFileSync(file, String(process.memoryUsage().heapUsed));
});
