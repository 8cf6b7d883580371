import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { noBudgetMetrics } from '../../../../apiserver/http/limits/budgetMetrics.ts';
import { createMemoryBudget } from '../../../../apiserver/http/limits/memoryBudget.ts';
import { createTurns } from '../../../../apiserver/http/limits/turns.ts';
import { systemClock } from '../../../../core/lib/clock.ts';
import { silentLog } from '../../../../core/lib/log.ts';
import { createMetrics } from '../../../../core/lib/metrics.ts';
import { createCompilersListener } from '../listener.ts';
import { compilerMetricTables, createCompilerMetrics } from '../metrics.ts';
import type { CompilerLimits } from '../runCompiler.ts';
import { openShelf } from '../shelf.ts';

const solc = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules', 'solc', 'soljson.js');

/** A folder with the compiler that the project itself uses, as the image holds it. */
function compilersFolder(): string {
  const folder = join(tmpdir(), 'slipway-compilers');
  const file = join(folder, 'solc-0.8.28.js.gz');
  if (existsSync(file)) return folder;
  mkdirSync(folder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, gzipSync(readFileSync(solc), { level: 1 }));
  renameSync(draft, file);
  return folder;
}

export interface RunningCompilers {
  url: string;
  metrics: ReturnType<typeof createMetrics>;
  close(): Promise<void>;
}

/** The compilers as their process runs them, on a free local port. */
export async function startCompilers(
  limits: Partial<CompilerLimits> = {},
  memoryBytes = 128 * 1024 * 1024,
): Promise<RunningCompilers> {
  const metrics = createMetrics(compilerMetricTables);
  const listener = createCompilersListener({
    shelf: openShelf(compilersFolder()),
    limits: { seconds: 60, memoryMiB: 1024, ...limits },
    turns: createTurns({
      atOnce: 1,
      maxWaitingPerCaller: 1,
      budgets: noBudgetMetrics,
      refusal: (waiting) => `${waiting} waiting`,
    }),
    memory: createMemoryBudget({ maxBytes: memoryBytes, metrics: noBudgetMetrics }),
    metrics: createCompilerMetrics(metrics),
    clock: systemClock,
    log: silentLog,
  });
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    metrics,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
