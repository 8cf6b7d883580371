import { engineObjects } from '../api/names.ts';
import { createGate } from '../kube/cache/gate.ts';
import { AppError } from '../lib/errors.ts';
import { stableJson } from '../lib/hash.ts';
import { type EngineSet, mergeEngines } from './engineSet.ts';
import type { EngineMetrics } from './metrics.ts';
import { createEngineProblems, type EngineProblems } from './problems.ts';
import { createWatchedFacts, type FactsOptions } from './watchedFacts.ts';

export interface EngineWatchOptions extends FactsOptions {
  metrics: EngineMetrics;
}

/** The engines of the installation at any time: what the chart wants and what is available, as they change. */
export interface EngineWatch extends Pick<EngineProblems, 'problems' | 'onProblem'> {
  start(): void;
  stop(): Promise<void>;
  /** Whether the chart's object was seen: until then, it is unknown what the installation has. */
  hasSynced(): boolean;
  whenSynced(): Promise<void>;
  current(): EngineSet;
  /** Called after each change of the set; returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}

const nothing: EngineSet = { images: {}, offers: {}, allowed: {} };

/** Not started yet. A version of an object that is wrong never ends it. */
export function createEngineWatch(options: EngineWatchOptions): EngineWatch {
  const { log, metrics } = options;
  const synced = createGate();
  const kept = createKeptSet(metrics);
  const problems = createEngineProblems(log, metrics);
  const watched = createWatchedFacts(options, { problems, onChange: update });

  function update(): void {
    const facts = watched.facts();
    if (!facts) return;
    kept.set(mergeEngines(facts));
    synced.open();
  }

  async function begin(): Promise<void> {
    await watched.whenListed();
    update();
    if (!synced.isOpen()) log.warn('waiting for the ConfigMap of the chart', { name: engineObjects.chart });
  }

  return {
    start() {
      watched.start();
      // It rejects when it is stopped before that.
      begin().catch(() => undefined);
    },
    async stop() {
      synced.fail(new AppError('Unavailable', 'the engines are not watched any more'));
      await watched.stop();
    },
    hasSynced: synced.isOpen,
    whenSynced: synced.wait,
    current: kept.current,
    onChange: kept.onChange,
    problems: problems.problems,
    onProblem: problems.onProblem,
  };
}

/** The present set, and the listeners for changes. */
function createKeptSet(metrics: EngineMetrics) {
  const listeners = new Set<() => void>();
  let current = nothing;
  return {
    current: () => current,
    set(next: EngineSet): void {
      if (stableJson(next) === stableJson(current)) return;
      current = next;
      metrics.setIs(current);
      for (const listener of [...listeners]) listener();
    },
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
