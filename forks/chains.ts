import type { Dispatcher } from 'undici';
import type { BudgetMetrics } from '../apiserver/http/limits/budgetMetrics.ts';
import { createTurns, type Turns } from '../apiserver/http/limits/turns.ts';
import { refuseSourceUrl } from '../core/accounts/ownSources.ts';
import type { ForkSources, Installation } from '../core/api/installation.ts';
import { type ChainType, chainTypeNames } from '../core/api/resources/chainSpecs.ts';
import { createBoundedMap } from '../core/lib/boundedMap.ts';
import type { Clock } from '../core/lib/clock.ts';
import { AppError } from '../core/lib/errors.ts';
import { hashOf } from '../core/lib/hash.ts';
import type { Metrics } from '../core/lib/metrics.ts';
import { createAnswerCache } from './answers.ts';
import { createForkedChain, type ForkedChain } from './chain.ts';
import { createForkMetrics } from './metrics.ts';
import { maxAtOnceOfAccount } from './ownSourceAgent.ts';
import { createReadAnswer } from './readAnswer.ts';
import { createSource } from './source.ts';

interface ForkedChainsOptions {
  sources: ForkSources;
  forks: Pick<Installation['forks'], 'concurrent' | 'cacheMiB' | 'ownSources'>;
  agent: Dispatcher;
  /** For the sources of workspaces: connects to allowed addresses only. */
  guardedAgent: Dispatcher;
  clock: Clock;
  metrics: Metrics;
  budgets: Pick<BudgetMetrics, 'refused'>;
}

/** The chains that can be forked, each with its source. */
export interface ForkedChains {
  /** From the installation's source of the type. */
  of(type: ChainType): ForkedChain;
  /** From the source of a workspace. */
  ofOwn(type: ChainType, url: string): ForkedChain;
}

const maxWaitingPerCaller = 1024;
const refusal = (waiting: number) =>
  `this network has ${waiting} calls waiting for its fork source: wait for their answers`;
/** More are still served; those that were used longest ago lose the order in which they are asked. */
const maxOwnSources = 1000;

export function createForkedChains(options: ForkedChainsOptions): ForkedChains {
  const { sources, forks, agent, guardedAgent, clock, budgets } = options;
  const forkMetrics = createForkMetrics(options.metrics);
  const waiting = { maxWaitingPerCaller, refusal, budgets };
  const cache = createAnswerCache({
    clock,
    maxBytes: forks.cacheMiB * 1024 * 1024,
    onSize: forkMetrics.cacheBytes,
  });
  const shared = new Map<ChainType, ForkedChain>();
  const own = createBoundedMap<string, ForkedChain>(maxOwnSources);
  const turnsOf = createTurnsByShare(() => createTurns({ ...waiting, atOnce: maxAtOnceOfAccount }));
  const readAnswer = createReadAnswer(createTurns({ ...waiting, atOnce: 1 }));

  function create(type: ChainType, url: string, whose: 'installation' | 'own'): ForkedChain {
    const metrics = forkMetrics.of(type, whose);
    const ofSource = createTurns({ ...waiting, atOnce: forks.concurrent });
    const turns = whose === 'own' ? inTurnOfBoth(ofSource, turnsOf) : ofSource;
    const dispatcher = whose === 'own' ? guardedAgent : agent;
    const source = createSource({ url, turns, readAnswer, clock, metrics, agent: dispatcher });
    return createForkedChain({
      type,
      sourceId: whose === 'own' ? ownIdOf(type, url) : type,
      source,
      cache,
      metrics,
    });
  }

  for (const type of chainTypeNames) {
    const url = sources[type];
    if (url !== undefined) shared.set(type, create(type, url, 'installation'));
  }
  return {
    of: (type) => shared.get(type) ?? refused(new AppError('NotFound', withoutSource(type))),
    ofOwn(type, url) {
      const refusal = refuseSourceUrl(url, forks.ownSources);
      if (refusal) return refused(new AppError('Forbidden', refusal));
      const id = ownIdOf(type, url);
      const chain = own.get(id) ?? create(type, url, 'own');
      own.set(id, chain);
      return chain;
    },
  };
}

type TurnsOf = (share: string) => Turns;

/** The turns of each account, whatever number of sources it has. */
function createTurnsByShare(create: () => Turns): TurnsOf {
  const byShare = createBoundedMap<string, Turns>(maxOwnSources);
  return (share) => {
    const turns = byShare.get(share) ?? create();
    byShare.set(share, turns);
    return turns;
  };
}

/** First the turn at the source, then that of the account: what waits for a source that is slow keeps no other one waiting. */
function inTurnOfBoth(source: Turns, turnsOf: TurnsOf): Turns {
  return {
    async begin(caller, work = {}) {
      const end = await source.begin(caller, work);
      try {
        const endOwn = await turnsOf(work.group ?? caller).begin(caller, work);
        return () => {
          endOwn();
          end();
        };
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

const ownIdOf = (type: ChainType, url: string) => `${type} ${hashOf(new URL(url).href)}`;

/** Engines print the message of a JSON-RPC error, but only the status of any other answer. */
const refused = (error: AppError): ForkedChain => ({ ask: () => Promise.reject(error) });

const withoutSource = (type: ChainType) =>
  `this installation has no fork source for ${type}: set forkSources.${type} in the chart values`;
