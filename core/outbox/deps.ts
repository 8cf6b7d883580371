import type { Kube } from '../kube/kube.ts';
import type { Clock } from '../lib/clock.ts';
import type { Signer } from '../signing/signer.ts';

/** What sender queues need of the process. */
export interface SenderQueuesOptions {
  kube: Pick<Kube, 'get' | 'list' | 'create' | 'replace' | 'delete' | 'serverTimeMs'>;
  signer: Signer;
  clock: Clock;
  /** In [0, 1); Math.random when absent. */
  random?: () => number;
}
