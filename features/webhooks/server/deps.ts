import type { Cursors } from '../../../apiserver/http/paging/cursor.ts';
import type { ObjectCache } from '../../../apiserver/store/cache.ts';
import type { Find } from '../../../apiserver/store/find.ts';
import type { Store } from '../../../apiserver/store/kubeErrors.ts';
import type { Sealer } from '../../../core/accounts/seal.ts';
import type { SecretResource } from '../../../core/api/resources/secret.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import type { DeliverySettings } from '../api/settings.ts';
import type { WebhookResource } from '../api/webhook.ts';

/** Dependencies of the webhook handlers. */
export interface WebhookDeps {
  kube: Store;
  cache: ObjectCache<WebhookResource>;
  find: Find<WebhookResource>;
  /** Resolves when the caches show what this replica has written, and what others did before. */
  catchUp(kinds: readonly string[]): Promise<void>;
  cursors: Cursors;
  /** Watches the status that the operator reports. */
  waitFor: Reflector<WebhookResource>['waitFor'];
  secrets: { cache: ObjectCache<SecretResource> };
  sealer: Sealer;
  deliveries: DeliverySettings;
  /** Webhooks that a workspace may have. */
  maxWebhooks: number;
}
