import { writeFileSync } from 'node:fs';

/** Preloaded into a measured process that runs with `--expose-gc`: on SIGUSR2 it collects garbage and writes its heap to HEAP_FILE. */
const file = process.env.HEAP_FILE ?? '';
process.on('SIGUSR2', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  writeFileSync(file, String(process.memoryUsage().heapUsed));
});
