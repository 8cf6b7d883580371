import { once } from 'node:events';
import { type CollectedSpan, type Collector, startCollector } from '../core/tracing/testing/collector.ts';
import { eventually } from './testing/eventually.ts';
import {
  apiserver,
  authorization,
  data,
  output,
  startOperatorProcess,
  url,
  useProcesses,
} from './testing/processes.ts';

let collector: Collector;
useProcesses(
  async () => {
    collector = await startCollector();
    return { tracing: { endpoint: collector.url } };
  },
  { hasOwnCluster: true },
);
afterAll(() => collector.close());

const headers = { ...authorization, 'Content-Type': 'application/json' };
const create = (name: string) =>
  fetch(`${url}/v1alpha/secrets`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name, type: 'private-key', data }),
  });

it('lines of the log name the trace of their request, which the answer names too', async () => {
  const { status, headers: answered } = await create('first');
  expect(status).toBe(201);
  const [, traceId, spanId] = answered.get('traceparent')?.split('-') ?? [];
  const line = await eventually(
    async () => output.split('\n').find((text) => text.includes('"audit":true') && text.endsWith('}')),
    (found) => found !== undefined,
  );
  expect(JSON.parse(line ?? '')).toMatchObject({
    operation: 'createSecret',
    trace_id: traceId,
    span_id: spanId,
  });
  const span = await collector.waitFor((one) => one.spanId === spanId);
  expect(span).toMatchObject({ service: 'slipway-apiserver', name: 'POST /v1alpha/secrets', traceId });
});

it('the operator, a process of its own, goes on with the trace of a request', async () => {
  const { child } = await startOperatorProcess();
  const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'first' } } } };
  const body = JSON.stringify({ name: 'traced', spec });
  const { status, headers: answered } = await fetch(`${url}/v1alpha/networks`, {
    method: 'POST',
    headers,
    body,
  });
  expect(status).toBe(201);
  const [, traceId, spanId] = answered.get('traceparent')?.split('-') ?? [];
  const isReconcile = (span: CollectedSpan) => span.traceId === traceId && span.name === 'reconcile network';
  expect(await collector.waitFor(isReconcile)).toMatchObject({
    service: 'slipway-operator',
    parentSpanId: spanId,
  });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('a process that ends sends the spans that it has', async () => {
  const exited = once(apiserver.child, 'exit');
  apiserver.child.kill('SIGTERM');
  const { headers: answered } = await create('last');
  const [, , spanId] = answered.get('traceparent')?.split('-') ?? [];
  expect(await exited).toEqual([0, null]);
  expect(collector.spans().map((span) => span.spanId)).toContain(spanId);
});

it('nothing secret was sent', () => {
  const text = collector.requests().map((request) => request.text);
  expect(text.join()).toContain('kube create Secret');
  for (const secret of [data, 'first.secret', 'Bearer']) expect(text.join()).not.toContain(secret);
});
