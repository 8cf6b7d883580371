import type { WordsRequest } from './requests.ts';

export interface Transaction {
  to: string;
  data: string;
}

/** Who answers requests: the prover, or the committee. */
export interface Responder {
  /** The name of the key, by which requests ask for this responder. Rejects while it is not known. */
  keyHash(): Promise<string>;
  /** Whether the coordinator still waits for an answer. */
  isOpen(request: WordsRequest): Promise<boolean>;
  /** How many more blocks the request waits for. */
  missingBlocks(request: WordsRequest, head: number): number;
  /** What fulfils the request; undefined when that is not known yet. */
  answer(request: WordsRequest): Promise<Transaction | undefined>;
  /** What keeps an old request answerable; undefined when nothing has to be done. */
  preserve?(request: WordsRequest, head: number): Promise<Transaction | undefined>;
}
