import type { Stored } from '../kube/kube.ts';
import type { ConfigMap } from '../kube/types.ts';
import type { Log } from '../lib/log.ts';
import type { EngineMetrics } from './metrics.ts';

/** An object with invalid entries; the former ones stay in use. */
export interface EngineProblem {
  object: Stored<ConfigMap>;
  message: string;
}

/** Logs and counts what is wrong with each object. */
export interface EngineProblems {
  report(object: Stored<ConfigMap>, problems: readonly string[]): void;
  /** What is wrong now. */
  problems(): EngineProblem[];
  /** Called when something else is wrong than before. */
  onProblem(listener: (problem: EngineProblem) => void): () => void;
}

export function createEngineProblems(log: Log, metrics: EngineMetrics): EngineProblems {
  const found = new Map<string, EngineProblem>();
  const listeners = new Set<(problem: EngineProblem) => void>();
  return {
    report(object, problems) {
      const { name } = object.metadata;
      metrics.invalidAre(name, problems.length);
      const message = `invalid entries; the former ones stay in use: ${problems.join('; ')}`;
      const isKnown = found.get(name)?.message === message;
      if (problems.length === 0) return void found.delete(name);
      const problem = { object, message };
      found.set(name, problem);
      if (isKnown) return;
      log.warn('engines', { name, problem: message });
      for (const listener of [...listeners]) listener(problem);
    },
    problems: () => [...found.values()],
    onProblem(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
