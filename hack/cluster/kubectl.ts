import { compact } from '../../core/lib/compact.ts';
import { type RunResult, run, tryRun } from '../lib/run.ts';

/** kubectl bound to one cluster. */
export interface Kubectl {
  /** Returns the standard output; throws UserError when kubectl fails. */
  run(args: string[], input?: string): Promise<string>;
  /** Never throws; the result holds the exit code. */
  try(args: string[]): Promise<RunResult>;
}

/** Binds the kubectl at `path` to a kubeconfig, and to `context` when that is not the current one. */
export function createKubectl(path: string, kubeconfig: string, context?: string): Kubectl {
  const bound = ['--kubeconfig', kubeconfig, ...(context ? ['--context', context] : [])];
  return {
    run: (args, input) => run(path, [...bound, ...args], compact({ input })),
    try: (args) => tryRun(path, [...bound, ...args]),
  };
}
