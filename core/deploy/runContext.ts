import type { Interface } from 'ethers';
import type { KnownValues } from './known.ts';
import type { TokenPorts } from './ports.ts';
import type { StepProgress } from './progress.ts';

/** What the steps of a run share. */
export interface PerformContext {
  ports: TokenPorts;
  /** To explain why a contract refused. */
  abis: readonly Interface[];
  isRetrying?: boolean;
  known: KnownValues;
  store: ProgressReader;
}

interface ProgressReader {
  find(scope: string, step: string): Promise<StepProgress | undefined>;
  save(scope: string, step: string, progress: StepProgress): Promise<void>;
}
