import { annotations } from '../../../core/api/names.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import type { CollectedSpan } from '../../../core/tracing/testing/collector.ts';
import { startTraced, type Traced } from '../../../core/tracing/testing/traced.ts';
import { startTestApi, type TestApi } from '../../testing/harness.ts';
import { spec, unknownId, users } from '../../testing/networkApi.ts';

const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = (flags = '01') => ({ traceparent: `00-${caller.traceId}-${caller.spanId}-${flags}` });

let traced: Traced;
let kube: FakeKube;
let api: TestApi;
beforeEach(async () => {
  traced = await startTraced({ service: 'slipway-apiserver' });
  kube = createFakeKube();
  api = await startTestApi({ kube, users, tracer: traced.tracer });
});
afterEach(async () => {
  await api.close();
  await traced.stop();
});

/** All spans so far. */
async function spans(): Promise<CollectedSpan[]> {
  await traced.close();
  return traced.collector.spans();
}
const create = (name: string, headers = {}) =>
  api.request('/v1alpha/networks', { body: { name, spec }, headers });
const stored = (name: string) => kube.get(networkType, { namespace: 'ws-one', name });

it('a request is a span with its operation, workspace and outcome, which the answer names', async () => {
  const { headers } = await create('n1');
  const [span] = await spans();
  expect(span).toMatchObject({
    name: 'POST /v1alpha/networks',
    kind: 2,
    isError: false,
    parentSpanId: undefined,
    attributes: {
      'slipway.operation': 'createNetwork',
      'slipway.workspace': 'one',
      'slipway.outcome': 'ok',
      'http.response.status_code': 201,
      'http.route': '/v1alpha/networks',
    },
  });
  expect(headers.get('traceparent')).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
});

it('a span names the template of its path, never the path', async () => {
  await api.request(`/v1alpha/networks/${unknownId}`);
  const [span] = await spans();
  expect(span).toMatchObject({
    name: 'GET /v1alpha/networks/{id}',
    isError: false,
    attributes: { 'slipway.outcome': 'NotFound', 'http.response.status_code': 404 },
  });
  expect(traced.collector.requests()[0]?.text).not.toContain(unknownId);
});

it('nothing that a caller sends gets into a trace', async () => {
  const key = '4f3edf983ac636a65a842ce7c78d9aa7'.repeat(2);
  const body = { name: 'my-key', type: 'private-key', data: key };
  const answer = await api.request('/v1alpha/secrets?hidden=query', {
    body,
    headers: { 'User-Agent': 'hidden-agent', 'X-Request-ID': 'hidden-id' },
  });
  expect(answer.status).toBeLessThan(500);
  expect(await spans()).toHaveLength(1);
  const [{ text } = { text: '' }] = traced.collector.requests();
  for (const sent of [key, 'my-key', 'hidden', 'secret-of-ann']) expect(text).not.toContain(sent);
});

it('the trace of the caller goes on, and its decision not to record it is followed', async () => {
  const recorded = await create('n1', traceparent());
  const ignored = await create('n2', traceparent('00'));
  expect(await spans()).toMatchObject([
    { traceId: caller.traceId, parentSpanId: caller.spanId, name: 'POST /v1alpha/networks' },
  ]);
  expect(recorded.headers.get('traceparent')).toMatch(new RegExp(`^00-${caller.traceId}-.*-01$`));
  expect(ignored.headers.get('traceparent')).toMatch(new RegExp(`^00-${caller.traceId}-.*-00$`));
});

it('a header that is not valid begins a new trace', async () => {
  const { status } = await create('n1', { traceparent: 'yes' });
  expect(status).toBe(201);
  expect(await spans()).toMatchObject([{ parentSpanId: undefined }]);
});

it('what a request creates or changes is stamped with its span, and what it leaves alone is not written', async () => {
  const { json } = await create('n1');
  const created = await stored('n1');
  expect(traced.tracer.writerOf(created)).toBeDefined();
  const same = { method: 'PUT', body: { name: 'n1', spec } };
  await api.request(`/v1alpha/networks/${json.id}`, same);
  expect((await stored('n1'))?.metadata.annotations).toEqual(created?.metadata.annotations);
  const body = { name: 'n1', spec: { ...spec, idleAfter: '2h' } };
  await api.request(`/v1alpha/networks/${json.id}`, { method: 'PUT', body, headers: traceparent() });
  const changed = await stored('n1');
  expect(traced.tracer.writerOf(changed)?.traceId).toBe(caller.traceId);
  expect(json.metadata.annotations).toBeUndefined();
});

it('without traces an answer has no traceparent, and an object no annotation', async () => {
  const plain = await startTestApi({ kube, users });
  const { headers } = await plain.request('/v1alpha/networks', {
    body: { name: 'n3', spec },
    headers: traceparent(),
  });
  expect(headers.get('traceparent')).toBeNull();
  expect((await stored('n3'))?.metadata.annotations?.[annotations.trace]).toBeUndefined();
  await plain.close();
});
