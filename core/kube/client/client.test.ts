import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createManualClock } from '../../lib/manualClock.ts';
import {
  configMapAt,
  type Handler,
  listOf,
  sendJson,
  startTestApi,
  status,
  type TestApi,
} from '../testing/api.ts';
import { configMapType, coreSecretType, namespaceType, podType } from '../types.ts';

const ref = { namespace: 'default', name: 'a' };
const aConfigMap = () => ({
  apiVersion: 'v1',
  kind: 'ConfigMap' as const,
  metadata: ref,
});

describe('the client', () => {
  let api: TestApi;
  afterEach(() => api.close());
  const start = async (handler: Handler) => {
    api = await startTestApi(handler);
  };

  it('reuses its connections', async () => {
    await start((_request, response) => sendJson(response, 200, configMapAt(1, 'a')));
    const kube = api.createKube();
    for (let count = 0; count < 20; count += 1) await kube.get(configMapType, ref);
    expect(api.requests).toHaveLength(20);
    // A second one is opened when a request follows before the first connection is released.
    expect(api.connectionCount()).toBeLessThanOrEqual(2);
  });

  const busyQuota = status(409, 'Conflict', {
    message: 'Operation cannot be fulfilled on resourcequotas "q": the object has been modified',
    details: { name: 'q', kind: 'resourcequotas' },
  });

  it('creates again when the server could not count the object in a quota', async () => {
    await start((_request, response) => {
      if (api.requests.length < 3) return sendJson(response, 409, busyQuota);
      sendJson(response, 201, configMapAt(1, 'a'));
    });
    const created = await api.createKube().create(configMapType, aConfigMap());
    expect(created.metadata.name).toBe('a');
    expect(api.requests).toHaveLength(3);
  });

  it('a create that is never counted may be retried, and is not a conflict of the object', async () => {
    await start((_request, response) => sendJson(response, 409, busyQuota));
    const create = api.createKube().create(configMapType, aConfigMap());
    await expect(create).rejects.toMatchObject({ reason: 'Unavailable', retryAfterSeconds: 1 });
  });

  const failures: [string, number, object | string, object][] = [
    ['bad request', 400, status(400, 'BadRequest'), { reason: 'BadRequest', message: 'it is BadRequest' }],
    ['no rights', 403, status(403, 'Forbidden'), { reason: 'Forbidden' }],
    ['conflict', 409, status(409, 'Conflict'), { reason: 'Conflict' }],
    ['gone', 410, status(410, 'Expired'), { reason: 'Conflict' }],
    ['too large', 413, status(413, 'RequestEntityTooLarge'), { reason: 'TooLarge' }],
    [
      'too large for etcd',
      500,
      status(500, '', { message: 'etcdserver: request is too large' }),
      { reason: 'TooLarge' },
    ],
    ['server error', 500, status(500, 'InternalError'), { reason: 'Unavailable', retryAfterSeconds: 1 }],
    [
      'bad gateway with a page',
      502,
      '<html>',
      { reason: 'Unavailable', message: 'kube-apiserver answered 502' },
    ],
    ['method not allowed', 405, status(405, 'MethodNotAllowed'), { reason: 'Internal' }],
    ['unknown path', 404, '404 page not found', { reason: 'NotFound' }],
    [
      'invalid',
      422,
      status(422, 'Invalid', {
        details: { causes: [{ field: 'spec.a', message: 'Required value' }, { message: 'x' }] },
      }),
      { reason: 'BadRequest', details: [{ path: 'spec.a', message: 'Required value' }] },
    ],
    [
      'another uid in a patch',
      422,
      status(422, 'Invalid', {
        details: { causes: [{ field: 'metadata.uid', message: 'field is immutable' }] },
      }),
      { reason: 'Conflict' },
    ],
    [
      'throttled, with the time in the body',
      429,
      status(429, 'TooManyRequests', { details: { retryAfterSeconds: 7 } }),
      { reason: 'TooManyRequests', retryAfterSeconds: 7 },
    ],
    ['a list without metadata', 200, {}, { reason: 'Unavailable' }],
    ['a success that is not JSON', 200, 'fine', { reason: 'Unavailable' }],
  ];
  it.each(failures)('maps %s', async (_reason, code, body, expected) => {
    await start((_request, response) => {
      if (typeof body === 'string') return response.writeHead(code).end(body);
      return sendJson(response, code, body);
    });
    await expect(api.createKube().list(configMapType)).rejects.toMatchObject(expected);
  });

  it('takes the retry delay from the header', async () => {
    await start((_request, response) => response.writeHead(503, { 'retry-after': '30' }).end());
    await expect(api.createKube().list(configMapType)).rejects.toMatchObject({ retryAfterSeconds: 30 });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['is cut', (response) => response.socket?.destroy()],
    ['never comes', () => undefined],
    ['never ends', (response) => response.writeHead(200).write('{')],
  ])('is Unavailable when the answer %s', async (_reason, misbehave) => {
    await start((_request, response) => misbehave(response));
    const kube = api.createKube({ requestTimeoutMs: 100 });
    await expect(kube.get(configMapType, ref)).rejects.toMatchObject({
      reason: 'Unavailable',
      retryAfterSeconds: 1,
    });
  });

  it('is Unavailable at the deadline even while connecting, and is not sent afterwards', async () => {
    const frozen = createServer();
    const connected = once(frozen, 'connection');
    frozen.listen(0, '127.0.0.1');
    await once(frozen, 'listening');
    const { port } = frozen.address() as AddressInfo;
    await start(() => undefined);
    const text = readFileSync(api.kubeconfigPath, 'utf8');
    writeFileSync(api.kubeconfigPath, text.replace(/http:[/][/][^/"]*/, `https://127.0.0.1:${port}`));
    const clock = createManualClock();
    const answer = api.createKube({ clock, requestTimeoutMs: 1000 }).get(configMapType, ref);
    const [socket] = (await connected) as [Socket];
    clock.advance(1000);
    await expect(answer).rejects.toMatchObject({ reason: 'Unavailable' });
    socket.destroy();
    frozen.close();
  });

  it('reads a renewed token when the old one is refused, and sends the request again', async () => {
    await start((request, response) => {
      const isRenewed = request.headers.authorization === 'Bearer second';
      return isRenewed
        ? sendJson(response, 200, configMapAt(1, 'a'))
        : sendJson(response, 401, status(401, 'Unauthorized'));
    });
    const kube = api.createKube();
    await expect(kube.get(configMapType, ref)).rejects.toMatchObject({ reason: 'Internal' });
    expect(api.requests).toHaveLength(2);
    writeFileSync(api.tokenPath, 'second');
    expect(await kube.get(configMapType, ref)).toMatchObject({ metadata: { name: 'a' } });
    expect(await kube.get(configMapType, ref)).toMatchObject({ metadata: { name: 'a' } });
    const tokens = api.requests.slice(2).map(({ authorization }) => authorization);
    expect(tokens).toEqual(['Bearer first', 'Bearer second', 'Bearer second']);
  });

  const webhookFailure = (cause: string) =>
    status(500, 'InternalError', {
      message: `Internal error occurred: failed calling webhook "seal.secrets.slipway.dev": failed to call webhook: Post "https://slipway-webhook.slipway-system.svc:443/admission/secrets?timeout=5s": ${cause}`,
    });
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: ref };

  it.each([
    ['is closing', 'write tcp 10.0.0.1:1->10.0.0.2:443: write: broken pipe'],
    ['was closed', 'EOF'],
    ['is reset', 'read tcp 10.0.0.1:1->10.0.0.2:443: read: connection reset by peer'],
    ['has just ended', 'dial tcp 10.0.0.2:443: connect: connection refused'],
  ])('sends again when a webhook, which is asked before anything is stored, %s', async (_reason, cause) => {
    await start((_request, response) =>
      api.requests.length === 1
        ? sendJson(response, 500, webhookFailure(cause))
        : sendJson(response, 201, configMapAt(1, 'a')),
    );
    expect(await api.createKube().create(configMapType, configMap)).toMatchObject({
      metadata: { name: 'a' },
    });
    expect(api.requests).toHaveLength(2);
  });

  it.each([
    ['a webhook that stays away', webhookFailure('EOF'), 2],
    ['a webhook that is slow', webhookFailure('context deadline exceeded'), 1],
    ['another failure', status(500, 'InternalError', { message: 'EOF' }), 1],
  ])('is Unavailable after as few attempts as make sense: %s', async (_reason, body, attempts) => {
    await start((_request, response) => sendJson(response, 500, body));
    const created = api.createKube().create(configMapType, configMap);
    await expect(created).rejects.toMatchObject({ reason: 'Unavailable' });
    expect(api.requests).toHaveLength(attempts);
  });

  it('reports an absent object as undefined or false', async () => {
    const missing = status(404, 'NotFound', { details: { name: 'a', kind: 'configmaps' } });
    await start((_request, response) => sendJson(response, 404, missing));
    expect(await api.createKube().get(configMapType, ref)).toBeUndefined();
    expect(await api.createKube().delete(configMapType, ref)).toBe(false);
  });

  it('reads the time of the server once, and extrapolates it', async () => {
    const date = 'Sat, 21 Nov 2026 06:00:00 GMT';
    await start((_request, response) => response.writeHead(200, { date }).end('{}'));
    const kube = api.createKube();
    const first = await kube.serverTimeMs();
    const second = await kube.serverTimeMs();
    expect(first).toBeGreaterThanOrEqual(Date.parse(date));
    expect(second).toBeGreaterThanOrEqual(first);
    expect(api.requests.map(({ url }) => url.pathname)).toEqual(['/version']);
  });

  it('counts requests by verb and code', async () => {
    const counted: string[] = [];
    await start((_request, response) => sendJson(response, 200, listOf(1, [])));
    const metrics = {
      watchRestarts: () => undefined,
      requests: (verb: string, code: number) => void counted.push(`${verb} ${code}`),
    };
    const kube = api.createKube({ kubeMetrics: metrics });
    await kube.list(configMapType);
    await kube.create(configMapType, configMapAt(1, 'a'));
    expect(counted).toEqual(['list 200', 'create 200']);
  });

  it('requests the right paths', async () => {
    await start((_request, response) => sendJson(response, 200, listOf(1, [])));
    const kube = api.createKube();
    await kube.list(podType, { labelSelector: 'a in (b,c)', limit: 5 });
    await kube.list(podType, { namespace: 'x' });
    await kube.get(namespaceType, { name: 'x' });
    await kube.delete(podType, { namespace: 'x', name: 'p/../q' });
    expect(api.requests.map(({ method, url }) => `${method} ${url.pathname}${url.search}`)).toEqual([
      'GET /api/v1/pods?labelSelector=a+in+%28b%2Cc%29&limit=5',
      'GET /api/v1/namespaces/x/pods',
      'GET /api/v1/namespaces/x',
      'DELETE /api/v1/namespaces/x/pods/p%2F..%2Fq',
    ]);
  });

  it('writes without the checks whose warnings nobody reads', async () => {
    await start((_request, response) => sendJson(response, 200, configMapAt(1, 'a')));
    const kube = api.createKube();
    const object = configMapAt(1, 'a');
    await kube.create(configMapType, object);
    await kube.replace(configMapType, object);
    await kube.apply(configMapType, object, { fieldManager: 'me' });
    await kube.patch(configMapType, object.metadata, {}, 'status');
    const queries = api.requests.map(({ url }) => url.searchParams.get('fieldValidation'));
    expect(queries).toEqual(['Ignore', 'Ignore', 'Ignore', 'Ignore']);
  });

  it.each([
    ['a namespace', { name: 'a' }],
    ['a name', { namespace: 'default', name: '' }],
  ])('refuses to request a single object without %s', async (_reason, incomplete) => {
    await start((_request, response) => sendJson(response, 200, {}));
    await expect(api.createKube().delete(podType, incomplete)).rejects.toMatchObject({ reason: 'Internal' });
    expect(api.requests).toHaveLength(0);
  });

  it.each([
    ['a quoted value', 'spec.data: Invalid value: "s3cr3t": must match'],
    ['a value with quotes in it', 'spec.data: Invalid value: "a\\"s3cr3t": must match'],
    ['a value without quotes', 'spec.data: Invalid value: s3cr3t: must be a string'],
    ['an object', 'spec: Invalid value: {"data":"s3cr3t"}: must be a string'],
    ['an unterminated quotation', 'cannot read "s3cr3t'],
    ['an excerpt of the body', 'error found in #10 byte of ...|s3cr3t|..., bigger context ...|s3cr3t|...'],
  ])('hides %s in the refusal of a secret', async (_reason, message) => {
    const causes = [{ field: 'spec.data', message }];
    await start((_request, response) =>
      sendJson(response, 422, status(422, 'Invalid', { message, details: { causes } })),
    );
    const kube = api.createKube();
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: ref };
    const error = await kube.create(coreSecretType, object).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'BadRequest', details: [{ path: 'spec.data' }] });
    expect(`${error} ${JSON.stringify(error)}`).not.toContain('s3cr3t');
  });
});
