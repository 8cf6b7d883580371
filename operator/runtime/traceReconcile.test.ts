import { apiVersion, labels } from '../../core/api/names.ts';
import { AppError } from '../../core/lib/errors.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { stamped } from '../../core/tracing/stamps.ts';
import { startTraced, type Traced } from '../../core/tracing/testing/traced.ts';
import { createController, type Reconcile } from './controller.ts';
import { createWorkQueue } from './queue.ts';
import type { TracedObject } from './traceReconcile.ts';

const network = {
  apiVersion,
  kind: 'Network',
  metadata: { name: 'n1', namespace: 'slipway-w1', labels: { [labels.workspace]: 'w1' } },
};
const clock = createManualClock();
let traced: Traced;
beforeEach(async () => {
  traced = await startTraced({ service: 'slipway-operator', clock });
});
afterEach(() => traced.stop());

/** Reconciles the key once. */
async function reconcileOnce(object: TracedObject | undefined, reconcile: Reconcile): Promise<void> {
  const queue = createWorkQueue({ clock });
  const stop = new AbortController();
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const controller = createController({
    name: 'network',
    queue,
    workers: 1,
    clock,
    log: silentLog,
    tracer: traced.tracer,
    objectOf: () => object,
    reconcile(key, signal) {
      resolve();
      return reconcile(key, signal);
    },
  });
  const ended = controller.run(stop.signal);
  queue.add('uid-1');
  await begun;
  stop.abort();
  await ended;
  await traced.close();
}

it('a reconcile is part of the trace of the request that wrote its object', async () => {
  const request = { name: 'request', kind: 'server' } as const;
  const written = await traced.tracer.run(request, async () => stamped(network));
  await reconcileOnce(written, async () => ({ state: 'Pending' }));
  const [writer, reconcile] = traced.collector.spans();
  expect(reconcile).toMatchObject({
    name: 'reconcile network',
    traceId: writer?.traceId,
    parentSpanId: writer?.spanId,
    attributes: {
      'slipway.controller': 'network',
      'slipway.object': 'n1',
      'slipway.state': 'Pending',
      'k8s.namespace.name': 'slipway-w1',
      'slipway.workspace': 'w1',
    },
  });
});

it.each<[string, TracedObject | undefined]>([
  ['an object that nobody stamped', network],
  ['an object that is gone', undefined],
])('the reconcile of %s begins a trace', async (_what, object) => {
  await reconcileOnce(object, async () => ({}));
  expect(traced.collector.spans()).toMatchObject([{ name: 'reconcile network', parentSpanId: undefined }]);
});

it('a reconcile that fails is marked with the reason', async () => {
  await reconcileOnce(network, async () => {
    throw new AppError('Conflict', 'hidden message');
  });
  expect(traced.collector.spans()).toMatchObject([
    { isError: true, attributes: { 'error.type': 'Conflict' } },
  ]);
  expect(traced.collector.requests()[0]?.text).not.toContain('hidden');
});
