import { createBudgetMetrics } from '../apiserver/http/limits/budgetMetrics.ts';
import { createMemoryBudget } from '../apiserver/http/limits/memoryBudget.ts';
import type { LifecycleParts } from '../apiserver/lifecycle.ts';
import { createInternalServer, singleServerParts } from '../apiserver/singleServer.ts';
import { systemClock } from '../core/lib/clock.ts';
import { createProcessMetrics } from '../core/lib/liveHeap.ts';
import type { Log } from '../core/lib/log.ts';
import { createForkedChains } from './chains.ts';
import { createForkListener } from './listener.ts';
import { forkMetricTables } from './metrics.ts';
import { createOwnSourceAgent } from './ownSourceAgent.ts';
import type { ForkSettings } from './settings.ts';
import { followSharesFile } from './sharesFile.ts';
import { createSourceAgent } from './source.ts';

/** What calls and their answers may hold in memory at a time: a network at most a quarter of it, and the owner of its workspace little more than half. */
const memoryBytes = 192 * 1024 * 1024;

/** Builds the process from its settings; nothing is started yet. */
export function assembleForks({ env, forks, sources, keys }: ForkSettings, log: Log): LifecycleParts {
  const clock = systemClock;
  const metrics = createProcessMetrics(forkMetricTables);
  const budgets = createBudgetMetrics(metrics);
  const agent = createSourceAgent();
  const guardedAgent = createOwnSourceAgent(forks.ownSources);
  const shares = followSharesFile({ folder: env.WORKSPACE_SHARES_DIR, clock, log });
  const listener = createForkListener({
    keys,
    clock,
    log,
    shareOf: shares.of,
    chains: createForkedChains({ sources, forks, agent, guardedAgent, clock, metrics, budgets }),
    memory: createMemoryBudget({ maxBytes: memoryBytes, metrics: budgets, shareOf: shares.of }),
  });
  const server = createInternalServer(listener);
  // Longer than engines keep a connection that they do not use.
  server.keepAliveTimeout = 120_000;
  const release = async () => {
    shares.stop();
    await Promise.all([agent.destroy(), guardedAgent.destroy()]);
  };
  return singleServerParts({ server, port: env.PORT, env, metrics, clock, log, release });
}
