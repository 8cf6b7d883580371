import { startTraced, type Traced } from '../../tracing/testing/traced.ts';
import { configMapAt, sendJson, startTestApi, status, type TestApi } from '../testing/api.ts';
import { configMapType } from '../types.ts';

const root = { name: 'request', kind: 'server' } as const;
const ref = { namespace: 'home', name: 'hidden-name' };

let traced: Traced;
let api: TestApi;
beforeEach(async () => {
  traced = await startTraced();
});
afterEach(async () => {
  await api.close();
  await traced.stop();
});

it('a call to kube-apiserver within a span is a span with verb, kind, namespace and status', async () => {
  api = await startTestApi((_request, response) => sendJson(response, 201, configMapAt(1, 'a')));
  const kube = api.createKube();
  const data = { hidden: 'value' };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref, data } as const;
  await traced.tracer.run(root, () => kube.create(configMapType, object));
  await traced.close();
  const [span, parent] = traced.collector.spans();
  expect(span).toMatchObject({
    name: 'kube create ConfigMap',
    kind: 3,
    parentSpanId: parent?.spanId,
    isError: false,
    attributes: {
      'slipway.kube.verb': 'create',
      'slipway.kube.kind': 'ConfigMap',
      'k8s.namespace.name': 'home',
      'http.response.status_code': 201,
    },
  });
  expect(traced.collector.requests()[0]?.text).not.toContain('hidden');
});

it('a call that is refused is marked, and one that finds nothing is not', async () => {
  api = await startTestApi(({ method }, response) => {
    if (method === 'GET') return sendJson(response, 404, status(404, 'NotFound', { details: { name: 'x' } }));
    sendJson(response, 409, status(409, 'Conflict'));
  });
  const kube = api.createKube();
  await traced.tracer.run(root, async () => {
    await kube.get(configMapType, ref).catch(() => undefined);
    await kube.patch(configMapType, ref, {}).catch(() => undefined);
  });
  await traced.close();
  expect(traced.collector.spans().slice(0, 2)).toMatchObject([
    { name: 'kube get ConfigMap', attributes: { 'http.response.status_code': 404 } },
    {
      name: 'kube patch ConfigMap',
      isError: true,
      attributes: { 'http.response.status_code': 409, 'error.type': 'Conflict' },
    },
  ]);
});

it('calls outside of a span, such as those of caches, are not traced', async () => {
  api = await startTestApi((_request, response) => sendJson(response, 200, configMapAt(1, 'a')));
  await api.createKube().get(configMapType, ref);
  await traced.close();
  expect(traced.collector.requests()).toEqual([]);
});
