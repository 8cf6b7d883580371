import type { Interface } from 'ethers';
import type { KnownValues } from './known.ts';
import type { TokenPorts } from './ports.ts';
import type { StepProgress } from './progress.ts';

/** Which steps that were taken before are taken again on a network. */
export interface Repeats {
  /** Steps that failed. */
  failed: boolean;
  /** Steps that were done until the chain was rolled back past them, or their contract was removed. */
  undone: boolean;
  /** Calls whose effect somebody has changed since. */
  changed?: boolean;
  /** What users have to do so that they are done again, as a clause. */
  remedy: string;
}

/** What the steps of a run share. */
export interface PerformContext {
  ports: TokenPorts;
  /** To explain why a contract refused. */
  abis: readonly Interface[];
  repeats: Repeats;
  known: KnownValues;
  store: ProgressReader;
}

interface ProgressReader {
  find(scope: string, step: string): Promise<StepProgress | undefined>;
  save(scope: string, step: string, progress: StepProgress): Promise<void>;
}
