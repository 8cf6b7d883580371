import type { Dispatcher } from 'undici';
import type { ForkSources, Installation } from '../../core/api/installation.ts';
import { type ChainType, chainTypeNames } from '../../core/api/resources/chainSpecs.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Metrics } from '../../core/lib/metrics.ts';
import { createAnswerCache } from './answers.ts';
import { createForkedChain, type ForkedChain } from './chain.ts';
import { createForkMetrics } from './metrics.ts';
import { createSource } from './source.ts';
import { createTurns } from './turns.ts';

interface ForkedChainsOptions {
  sources: ForkSources;
  forks: Pick<Installation['forks'], 'concurrent' | 'cacheMiB'>;
  agent: Dispatcher;
  clock: Clock;
  metrics: Metrics;
}

const maxWaitingPerCaller = 1024;

/** The chains that have a source. */
export function createForkedChains(options: ForkedChainsOptions): ReadonlyMap<ChainType, ForkedChain> {
  const { sources, forks, agent, clock } = options;
  const forkMetrics = createForkMetrics(options.metrics);
  const cache = createAnswerCache({
    ...{ clock, maxBytes: forks.cacheMiB * 1024 * 1024, onSize: forkMetrics.cacheBytes },
  });
  const chains = new Map<ChainType, ForkedChain>();
  for (const type of chainTypeNames) {
    const url = sources[type];
    if (url === undefined) continue;
    const metrics = forkMetrics.of(type);
    const turns = createTurns({ atOnce: forks.concurrent, maxWaitingPerCaller });
    const source = createSource({ url, turns, agent, clock, metrics });
    chains.set(type, createForkedChain({ type, source, cache, metrics }));
  }
  return chains;
}
