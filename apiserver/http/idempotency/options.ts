import type { KeyObject } from 'node:crypto';
import type { Sealer } from '../../../core/accounts/seal.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { Store } from '../../store/kubeErrors.ts';
import type { FindNetwork } from './origins.ts';

/** What idempotency needs of the process. */
export interface IdempotencyOptions {
  kube: Store;
  /** The service's own. */
  namespace: string;
  sealer: Sealer;
  pepper: KeyObject;
  clock: Clock;
  findNetwork: FindNetwork;
  log: Log;
}
