import type { Sealer } from '../../../core/accounts/seal.ts';
import type { ShareOf } from '../../../core/accounts/shares/shares.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { SecretResource } from '../../../core/api/resources/secret.ts';
import type { EventLog } from '../../../core/events/log/eventLog.ts';
import type { Reflector } from '../../../core/kube/cache/reflector.ts';
import type { EventRecorder } from '../../../core/kube/events/recorder.ts';
import type { Kube, Stored } from '../../../core/kube/kube.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { GapReason, WebhookBatchResource } from '../api/batch.ts';
import type { DeliverySettings } from '../api/settings.ts';
import type { WebhookResource } from '../api/webhook.ts';
import type { WebhookMetrics } from './metrics.ts';
import type { Post } from './post.ts';

export interface WebhookDeps {
  kube: Kube;
  /** Whose share of the work a workspace takes; by default its own. */
  shareOf?: ShareOf;
  caches: {
    webhooks: Reflector<WebhookResource>;
    /** Their data is left out. */
    batches: Reflector<WebhookBatchResource>;
    secrets: Pick<Reflector<SecretResource>, 'get' | 'onChange' | 'observe'>;
    networks: Pick<Reflector<NetworkResource>, 'get'>;
  };
  /** What happens in the cluster. */
  eventLog: EventLog;
  sealer: Sealer;
  deliveries: DeliverySettings;
  /** Makes the ids of events. */
  eventKey: Uint8Array;
  workspaceOf(namespace: string): string;
  post: Post;
  events: EventRecorder;
  metrics: WebhookMetrics;
  clock: Clock;
  /** Of watches and their retries: tests let only deliveries wait for a clock of their own. */
  watchClock: Clock;
  log: Log;
  /** In [0, 1); for the jitter of retries. */
  random?: () => number;
}

/** Events that a webhook does not get. */
export interface Missing {
  reason: GapReason;
  dropped: number;
  /** Batches up to this sequence are counted. */
  through?: number;
}

export type Webhook = Stored<WebhookResource>;
export type Batch = Stored<WebhookBatchResource>;
