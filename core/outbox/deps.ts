import type { OutboxResource } from '../api/resources/outbox.ts';
import type { Kube, Stored } from '../kube/kube.ts';
import type { Clock } from '../lib/clock.ts';
import type { Signer } from '../signing/signer.ts';

/** What sender queues need of the process. */
export interface SenderQueuesOptions {
  kube: Pick<Kube, 'get' | 'list' | 'create' | 'replace' | 'delete' | 'serverTimeMs'>;
  signer: Signer;
  clock: Clock;
  /** A sender queue's object as a watch last saw it; the operator changes it as well. Absent where nothing is watched. */
  watched?: (ref: { namespace: string; name: string }) => Stored<OutboxResource> | undefined;
  /** In [0, 1); Math.random when absent. */
  random?: () => number;
}
