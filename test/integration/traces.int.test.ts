import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startTestApi, type TestApi } from '../../apiserver/testing/harness.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { allEngines } from '../../core/chains/ethereum/testing/planInput.ts';
import { fixedEngines } from '../../core/engines/testing/engineSets.ts';
import { createEvmRpc } from '../../core/evm/rpc.ts';
import { type Collector, startCollector } from '../../core/tracing/testing/collector.ts';
import { startTraced, type Traced } from '../../core/tracing/testing/traced.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { startNode } from '../../operator/network/testing/node.ts';
import {
  createWorkspaceNamespace,
  type RunningOperator,
  startOperator,
} from '../../operator/network/testing/operator.ts';

/** The API server and the operator, each with its own tracing, on a real kube-apiserver and with one collector. */

const kube = createTestKube();
/** Answers as a Solana node that has produced its first slot. */
const engine = createServer(async (request, response) => {
  const { id } = JSON.parse(await text(request));
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: 1 }));
});

let namespace: string;
let collector: Collector;
let service: Traced;
let controller: Traced;
let operator: RunningOperator;
let api: TestApi;
let node: { stop(): Promise<void> };

beforeAll(async () => {
  engine.listen(0, '127.0.0.1');
  await once(engine, 'listening');
  const rpc = createEvmRpc({ url: `http://127.0.0.1:${(engine.address() as AddressInfo).port}` });
  namespace = await createWorkspaceNamespace(kube);
  collector = await startCollector();
  service = await startTraced({ service: 'slipway-apiserver', collector });
  controller = await startTraced({ service: 'slipway-operator', collector });
  operator = startOperator({ kube, namespace, tracer: controller.tracer, deps: { rpcOf: () => rpc } });
  node = startNode(kube, operator.caches.pods);
  const users = [{ userId: 'ann', workspaceId: 'one', namespace }];
  api = await startTestApi({ kube, users, tracer: service.tracer, engines: fixedEngines(allEngines) });
});
afterAll(async () => {
  await api.close();
  await operator.stop();
  await node.stop();
  await Promise.all([service.stop(), controller.stop()]);
  await collector.close();
  await kube.close();
  engine.closeAllConnections();
  engine.close();
});

const body = (name: string) => ({
  name,
  spec: { chain: { type: 'Solana', solana: { privateKeyRef: { name: 'key' } } } },
});
const isOperational = ({ status }: NetworkResource) => status?.state === 'Operational';

test('creating a network over REST is one trace, from the request over Kubernetes and the reconcile to its engine', async () => {
  const { status, headers } = await api.request('/v1alpha/networks', { body: body('traced') });
  expect(status).toBe(201);
  const [, traceId = ''] = headers.get('traceparent')?.split('-') ?? [];
  await operator.reach('traced', isOperational);
  const isOurs = (name: string) => (span: { name: string; traceId: string }) =>
    span.name === name && span.traceId === traceId;
  const request = await collector.waitFor(isOurs('POST /v1alpha/networks'));
  const create = await collector.waitFor(isOurs('kube create Network'));
  const call = await collector.waitFor(isOurs('rpc getSlot'));
  const reconcile = await collector.waitFor(({ spanId }) => spanId === call.parentSpanId);
  expect(create).toMatchObject({ service: 'slipway-apiserver', parentSpanId: request.spanId });
  expect(reconcile).toMatchObject({
    service: 'slipway-operator',
    name: 'reconcile network',
    parentSpanId: request.spanId,
    traceId,
    attributes: { 'slipway.object': 'traced', 'k8s.namespace.name': namespace },
  });
  expect(call.service).toBe('slipway-operator');
  expect(await collector.waitFor(isOurs('kube create Pod'))).toMatchObject({ service: 'slipway-operator' });
});

test('a network that a request outside of the sample created is in no trace of it', async () => {
  const traceId = 'f'.repeat(32);
  const traceparent = `00-${traceId}-${'e'.repeat(16)}-00`;
  await api.request('/v1alpha/networks', { body: body('untraced'), headers: { traceparent } });
  await operator.reach('untraced', isOperational);
  const isReconcile = ({ name, attributes }: { name: string; attributes: object }) =>
    name === 'reconcile network' &&
    'slipway.object' in attributes &&
    attributes['slipway.object'] === 'untraced';
  expect((await collector.waitFor(isReconcile)).parentSpanId).toBeUndefined();
  expect(collector.spans().filter((span) => span.traceId === traceId)).toEqual([]);
});
