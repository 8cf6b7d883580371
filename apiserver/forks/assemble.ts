import { createServer } from 'node:http';
import { systemClock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import { createMetrics } from '../../core/lib/metrics.ts';
import { createHealthServer } from '../health.ts';
import { createBudgetMetrics } from '../http/limits/budgetMetrics.ts';
import { createMemoryBudget } from '../http/limits/memoryBudget.ts';
import { answerClientError } from '../http/pipeline/clientError.ts';
import { type LifecycleParts, type PhaseHolder, whyNotReady } from '../lifecycle.ts';
import { createForkedChains } from './chains.ts';
import { createForkListener } from './listener.ts';
import { forkMetricTables } from './metrics.ts';
import { createOwnSourceAgent } from './ownSourceAgent.ts';
import type { ForkSettings } from './settings.ts';
import { createSourceAgent } from './source.ts';

/** What calls and their answers may hold in memory at a time: a network at most a quarter of it. */
const memoryBytes = 192 * 1024 * 1024;

/** Builds the process from its settings; nothing is started yet. */
export function assembleForks({ env, forks, sources, keys }: ForkSettings, log: Log): LifecycleParts {
  const clock = systemClock;
  const metrics = createMetrics(forkMetricTables, { hasDefaults: true });
  const phase: PhaseHolder = { current: 'starting' };
  const agent = createSourceAgent();
  const guardedAgent = createOwnSourceAgent(forks.ownSources);
  const listener = createForkListener({
    ...{ keys, clock, log },
    chains: createForkedChains({ ...{ sources, forks, agent, guardedAgent }, clock, metrics }),
    memory: createMemoryBudget({ maxBytes: memoryBytes, metrics: createBudgetMetrics(metrics) }),
  });
  const server = createServer((request, response) => {
    if (phase.current === 'draining') response.shouldKeepAlive = false;
    listener(request, response);
  });
  // Longer than engines keep a connection that they do not use.
  server.keepAliveTimeout = 120_000;
  server.headersTimeout = 10_000;
  server.on('clientError', answerClientError);
  return {
    phase,
    caches: [],
    health: { server: createHealthServer(metrics, () => whyNotReady(phase)), port: env.METRICS_PORT },
    servers: [{ server, port: env.PORT }],
    closeUpgraded: async () => undefined,
    release: async () => void (await Promise.all([agent.destroy(), guardedAgent.destroy()])),
    drainMs: env.DRAIN_MS,
    clock,
    log,
  };
}
