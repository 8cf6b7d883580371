import { createBudgetMetrics } from '../../../apiserver/http/limits/budgetMetrics.ts';
import { createMemoryBudget } from '../../../apiserver/http/limits/memoryBudget.ts';
import { createTurns } from '../../../apiserver/http/limits/turns.ts';
import type { LifecycleParts } from '../../../apiserver/lifecycle.ts';
import { createInternalServer, singleServerParts } from '../../../apiserver/singleServer.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { createProcessMetrics } from '../../../core/lib/liveHeap.ts';
import type { Log } from '../../../core/lib/log.ts';
import { createCompilersListener, largePrice } from './listener.ts';
import { compilerMetricTables, createCompilerMetrics } from './metrics.ts';
import type { CompilerSettings } from './settings.ts';
import { openShelf } from './shelf.ts';

/** What orders may hold in memory at a time. */
const memoryBytes = 128 * 1024 * 1024;
const maxWaitingPerAccount = 8;

/** Builds the process from its settings; nothing is started yet. */
export function assembleCompilers(env: CompilerSettings, log: Log): LifecycleParts {
  const clock = systemClock;
  const metrics = createProcessMetrics(compilerMetricTables);
  const budgets = createBudgetMetrics(metrics);
  const listener = createCompilersListener({
    shelf: openShelf(env.COMPILERS_DIR),
    limits: { seconds: env.COMPILE_SECONDS, memoryMiB: env.COMPILE_MEMORY_MIB },
    turns: createTurns({
      // One more than may be large, so that small ones of others never wait for large ones.
      atOnce: env.CONCURRENT + 1,
      maxWaitingPerCaller: maxWaitingPerAccount,
      budgets,
      large: { price: largePrice, atOnce: env.CONCURRENT },
      refusal: (waiting) =>
        `the owner of the network has ${waiting} compilations waiting in this replica of the compilers: wait for their end`,
    }),
    memory: createMemoryBudget({ maxBytes: memoryBytes, metrics: budgets }),
    metrics: createCompilerMetrics(metrics),
    clock,
    log,
  });
  const server = createInternalServer(listener);
  return singleServerParts({ server, port: env.PORT, env, metrics, clock, log });
}
