import type { Sealer } from '../../core/accounts/seal.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import type { Clock } from '../../core/lib/clock.ts';
import type { Log } from '../../core/lib/log.ts';
import type { ReferenceReader } from '../network/references.ts';
import type { AccountCaches } from '../workspace/caches.ts';

/** Dependencies of the user reconcile. */
export interface UserDeps {
  kube: Kube;
  caches: Pick<AccountCaches, 'users' | 'workspaces' | 'memberships'>;
  secrets: Reflector<SecretResource>;
  references: ReferenceReader;
  sealer: Sealer;
  installation: Installation;
  serviceNamespace: string;
  clock: Clock;
  log: Log;
}
