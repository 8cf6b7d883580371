import type { Sealer } from '../../core/accounts/seal.ts';
import type { SecretResource } from '../../core/api/resources/secret.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import type { ObjectCache } from '../store/cache.ts';
import type { Find } from '../store/find.ts';
import type { Store } from '../store/kubeErrors.ts';

/** Throws Conflict for a secret that must not be deleted, because something needs it. */
export type KeepsSecret = (secret: { namespace: string; name: string }) => Promise<void>;

/** Dependencies of the secret handlers. */
export interface SecretDeps {
  kube: Store;
  cache: ObjectCache<SecretResource>;
  find: Find<SecretResource>;
  sealer: Sealer;
  cursors: Cursors;
  keepSecrets: readonly KeepsSecret[];
}
