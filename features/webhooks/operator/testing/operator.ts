import { createSealer } from '../../../../core/accounts/seal.ts';
import {
  networkType,
  recordingType,
  secretType,
  snapshotType,
  tokenType,
} from '../../../../core/api/resources/resources.ts';
import { createReflector } from '../../../../core/kube/cache/reflector.ts';
import type { EventContent } from '../../../../core/kube/events/recorder.ts';
import type { Kube, Stored } from '../../../../core/kube/kube.ts';
import { type Clock, systemClock } from '../../../../core/lib/clock.ts';
import { silentLog } from '../../../../core/lib/log.ts';
import { createManualClock, type ManualClock } from '../../../../core/lib/manualClock.ts';
import { createMetrics } from '../../../../core/lib/metrics.ts';
import type { Resolve } from '../../../../core/outbound/guardedAgent.ts';
import { createOperatorEventLog } from '../../../../operator/eventLog.ts';
import type { DeliverySettings } from '../../api/settings.ts';
import type { WebhookResource } from '../../api/webhook.ts';
import { createBatchCache, createWebhookCache } from '../caches.ts';
import { createWebhookController } from '../controller.ts';
import { createWebhookMetrics, webhookMetricTable } from '../metrics.ts';
import { createDeliveryAgent, createPost } from '../post.ts';

export const testSealer = createSealer({ currentId: 'k1', keys: new Map([['k1', Buffer.alloc(32, 7)]]) });

export interface WebhookOperatorOptions {
  /** The only one whose webhooks it serves: test files share a kube-apiserver. */
  namespace: string;
  clock?: ManualClock;
  deliveries?: Partial<DeliverySettings>;
  resolve?: Resolve;
  timeoutMs?: number;
  /** Of watches; the system's by default. */
  watchClock?: Clock;
  eventKey?: Uint8Array;
}

/** The webhook controller of an operator, without leader election. Its clock stands still unless `until` moves it. */
export async function startWebhookOperator(kube: Kube, options: WebhookOperatorOptions) {
  const { namespace, clock = createManualClock(systemClock.nowMs()), resolve, timeoutMs } = options;
  const { watchClock = systemClock, eventKey = Buffer.from('event key') } = options;
  const deliveries: DeliverySettings = {
    allowHttp: true,
    allowPrivateAddresses: true,
    concurrent: 64,
    queueMiB: 4,
    workspaceQueueMiB: 16,
    ...options.deliveries,
  };
  const common = { kube, clock: watchClock, log: silentLog, namespace };
  const eventLog = createOperatorEventLog(common);
  const { taps } = eventLog;
  const caches = {
    webhooks: createWebhookCache(common),
    batches: createBatchCache(common),
    secrets: createReflector({ ...common, type: secretType, tap: taps.secrets }),
    networks: createReflector({ ...common, type: networkType, tap: taps.networks }),
    tokens: createReflector({ ...common, type: tokenType, tap: taps.tokens }),
    recordings: createReflector({ ...common, type: recordingType, tap: taps.recordings }),
    snapshots: createReflector({ ...common, type: snapshotType, tap: taps.snapshots }),
  };
  for (const cache of Object.values(caches)) cache.start();
  await Promise.all(Object.values(caches).map((cache) => cache.whenSynced()));
  const recorded: EventContent[] = [];
  const agent = createDeliveryAgent({ deliveries, ...(resolve ? { resolve } : {}) });
  const stopping = new AbortController();
  const controller = createWebhookController(
    {
      kube,
      caches,
      eventLog,
      deliveries,
      clock,
      watchClock,
      log: silentLog,
      sealer: testSealer,
      eventKey,
      workspaceOf: (namespace) => namespace,
      post: createPost(agent, timeoutMs),
      events: { record: (_object, content) => void recorded.push(content) },
      metrics: createWebhookMetrics(createMetrics([webhookMetricTable])),
      random: () => 1,
    },
    { workers: 4 },
  );
  const running = controller.run(stopping.signal);

  /** Lets time pass, `stepMs` at a time, until the condition holds; throws after five minutes of real time. */
  async function until(condition: () => boolean | Promise<boolean>, stepMs = 100): Promise<void> {
    const endMs = systemClock.nowMs() + 300_000;
    while (!(await condition())) {
      if (systemClock.nowMs() > endMs) throw new Error('the condition does not hold in time');
      clock.advance(stepMs);
      await new Promise((done) => setTimeout(done, 2));
    }
  }

  return {
    clock,
    caches,
    recorded,
    until,
    /** Lets this time pass in steps, with real I/O in between. */
    async pass(ms: number): Promise<void> {
      const endMs = clock.nowMs() + ms;
      await until(() => clock.nowMs() >= endMs, Math.max(1_000, Math.round(ms / 300)));
    },
    async reach(
      name: string,
      isFit: (webhook: Stored<WebhookResource>) => boolean,
    ): Promise<Stored<WebhookResource>> {
      const find = () => caches.webhooks.list().find((one) => one.metadata.name === name && isFit(one));
      await until(() => find() !== undefined);
      const found = find();
      if (!found) throw new Error(`${name} is gone`);
      return found;
    },
    async stop() {
      stopping.abort();
      await running;
      await Promise.all([agent.destroy(), ...Object.values(caches).map((cache) => cache.stop())]);
    },
  };
}
export type WebhookOperator = Awaited<ReturnType<typeof startWebhookOperator>>;
