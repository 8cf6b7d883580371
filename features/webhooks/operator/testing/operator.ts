import { createSealer } from '../../../../core/accounts/seal.ts';
import { networkType, secretType } from '../../../../core/api/resources/resources.ts';
import { createReflector } from '../../../../core/kube/cache/reflector.ts';
import type { EventContent } from '../../../../core/kube/events/recorder.ts';
import type { Kube, Stored } from '../../../../core/kube/kube.ts';
import { systemClock } from '../../../../core/lib/clock.ts';
import { silentLog } from '../../../../core/lib/log.ts';
import { createManualClock, type ManualClock } from '../../../../core/lib/manualClock.ts';
import { createMetrics } from '../../../../core/lib/metrics.ts';
import type { Resolve } from '../../../../core/outbound/guardedAgent.ts';
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
}

/** The webhook controller of an operator, without leader election. Its clock stands still unless `until` moves it. */
export async function startWebhookOperator(kube: Kube, options: WebhookOperatorOptions) {
  const { namespace, clock = createManualClock(systemClock.nowMs()), resolve, timeoutMs } = options;
  const deliveries: DeliverySettings = {
    allowHttp: true,
    allowPrivateAddresses: true,
    concurrent: 64,
    queueMiB: 4,
    workspaceQueueMiB: 16,
    ...options.deliveries,
  };
  const common = { kube, clock: systemClock, log: silentLog, namespace };
  const caches = {
    webhooks: createWebhookCache(common),
    batches: createBatchCache(common),
    secrets: createReflector({ ...common, type: secretType }),
    networks: createReflector({ ...common, type: networkType }),
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
      deliveries,
      clock,
      watchClock: systemClock,
      log: silentLog,
      sealer: testSealer,
      eventKey: Buffer.from('event key'),
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
