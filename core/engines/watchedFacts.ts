import { engineObjects } from '../api/names.ts';
import { createReflector, type Reflector } from '../kube/cache/reflector.ts';
import type { Kube, KubeObject, ResourceType } from '../kube/kube.ts';
import type { KubeMetrics } from '../kube/metrics.ts';
import { type ConfigMap, configMapType, leaseType } from '../kube/types.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createBuilderLife } from './builderLife.ts';
import type { EngineFacts } from './engineSet.ts';
import type { EngineProblems } from './problems.ts';
import { createAvailableSource, createChartSource, type Source } from './sources.ts';

export interface FactsOptions {
  kube: Pick<Kube, 'list' | 'watch'>;
  /** Of the service. */
  namespace: string;
  clock: Clock;
  log: Log;
  kubeMetrics: KubeMetrics;
}

interface Listeners {
  problems: Pick<EngineProblems, 'report'>;
  onChange(): void;
}

/** What engine sets are made of, as the cluster says it. */
export interface WatchedFacts {
  start(): void;
  stop(): Promise<void>;
  whenListed(): Promise<void>;
  /** Undefined until all of it is known: what is missing may only not have been seen yet. */
  facts(): EngineFacts | undefined;
}

/** Watches both ConfigMaps and the builder's Lease, each by its name: a role need not allow any other object. */
export function createWatchedFacts(options: FactsOptions, { problems, onChange }: Listeners): WatchedFacts {
  const [chart, available] = [createChartSource(), createAvailableSource()];
  const life = createBuilderLife(options.clock, onChange);
  const lease = reflectorOf(options, leaseType, engineObjects.builder);
  const all: Pick<Reflector<never>, 'start' | 'stop' | 'whenSynced' | 'hasSynced'>[] = [
    follow(chart, engineObjects.chart),
    follow(available, engineObjects.available),
    lease,
  ];

  function follow<Entry>(source: Source<Entry>, name: string): Reflector<ConfigMap> {
    const reflector = reflectorOf(options, configMapType, name);
    reflector.onChange(({ type, object }) => {
      problems.report(object, source.take(type === 'set' ? object : undefined));
      onChange();
    });
    return reflector;
  }

  lease.onChange(({ type, object }) => {
    life.see(type === 'set' ? object : undefined);
    onChange();
  });

  return {
    start() {
      for (const { start } of all) start();
    },
    async stop() {
      life.stop();
      await Promise.all(all.map(({ stop }) => stop()));
    },
    whenListed: async () => void (await Promise.all(all.map(({ whenSynced }) => whenSynced()))),
    facts() {
      const [wanted, found] = [chart.entries(), available.entries()];
      if (!wanted || !found || !all.every(({ hasSynced }) => hasSynced())) return undefined;
      return { chart: wanted, available: found, hasBuilder: life.isAlive() };
    },
  };
}

function reflectorOf<T extends KubeObject>(
  { kube, namespace, clock, log, kubeMetrics }: FactsOptions,
  type: ResourceType<T>,
  name: string,
): Reflector<T> {
  return createReflector({ kube, type, namespace, name, clock, log, kubeMetrics });
}
