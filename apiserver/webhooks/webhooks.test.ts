import { openSecret } from '../../core/accounts/openSecret.ts';
import {
  networkType,
  secretType,
  webhookBatchType,
  webhookType,
} from '../../core/api/resources/resources.ts';
import type { WebhookStatus } from '../../core/api/resources/webhook.ts';
import { aSecret } from '../../core/api/testing/builders.ts';
import { createReflector } from '../../core/kube/cache/reflector.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { silentLog } from '../../core/lib/log.ts';
import { bodiesOf } from '../../core/webhooks/batches.ts';
import { parseSigningSecret } from '../../core/webhooks/signature.ts';
import { startTestApi, type TestApi, testSealer } from '../testing/harness.ts';

const users = [
  { userId: 'ann', workspaceId: 'one', namespace: 'ws-one' },
  { userId: 'ben', workspaceId: 'two', namespace: 'ws-two' },
  { userId: 'vic', workspaceId: 'one', namespace: 'ws-one', role: 'viewer' },
] as const;
const namespace = 'ws-one';
const path = '/v1alpha/webhooks';
const url = 'https://example.com/hook?token=t0ken';

let kube: ReturnType<typeof createFakeKube>;
let api: TestApi;
let stopOperator: () => Promise<void>;
/** What the operator reports for a webhook that changed. */
let reported: WebhookStatus;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users });
  reported = { state: 'Active', since: '1' };
  const reflector = createReflector({ kube, type: webhookType, log: silentLog, clock: systemClock });
  reflector.onChange(({ type, object: { metadata, status } }) => {
    const isNews =
      status?.state === undefined || metadata.annotations?.['slipway.dev/resume'] !== status.resumed;
    const resumed = metadata.annotations?.['slipway.dev/resume'];
    const next = { ...reported, ...(resumed ? { resumed } : {}) };
    if (type === 'set' && isNews) void kube.patch(webhookType, metadata, { status: next }, 'status');
  });
  reflector.start();
  stopOperator = reflector.stop;
});
afterEach(async () => {
  await stopOperator();
  await api.close();
});

const create = (body: object = {}, options: object = {}) =>
  api.request(path, { body: { name: 'ci', spec: { url }, ...body }, ...options });
const at = (id: string, rest = '') => `${path}/${id}${rest}`;
const post = (id: string, rest: string, body?: object, options: object = {}) =>
  api.request(at(id, rest), { method: 'POST', ...(body ? { body } : {}), ...options });
const stored = async () => (await kube.list(webhookType, { namespace })).items[0];
const secrets = async () => (await kube.list(secretType, { namespace })).items;

describe('creating a webhook', () => {
  it('shows its signing secret once, stores it sealed, and answers when it is Active', async () => {
    const { status, json, headers } = await create({ metadata: { labels: { team: 'a' } } });
    expect([status, json.status]).toEqual([201, { state: 'Active' }]);
    expect(parseSigningSecret(json.secret)).toHaveLength(32);
    expect(json).toMatchObject({
      kind: 'Webhook',
      name: 'ci',
      ownerID: 'ann',
      metadata: { labels: { team: 'a' } },
    });
    expect(headers.get('location')).toBe(at(json.id));
    const again = await api.request(at(json.id));
    expect(again.text).not.toContain('whsec_');
    const [secret] = await secrets();
    expect(JSON.stringify(secret)).not.toContain(json.secret);
    expect(secret && openSecret(testSealer, secret).toString()).toBe(json.secret);
    expect(secret?.metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: 'Webhook', uid: json.id }),
    ]);
    expect(JSON.stringify(api.audits)).not.toContain(json.secret);
  });

  it('does not show the signing secret among the secrets of its creator', async () => {
    const { json } = await create();
    const [secret] = await secrets();
    const { text } = await api.request(`/v1alpha/secrets/${secret?.metadata.uid}`);
    expect(JSON.parse(text)).not.toHaveProperty('data');
    expect((await api.request('/v1alpha/secrets')).text).not.toContain(
      Buffer.from(json.secret).toString('base64'),
    );
  });

  it('repeated with its Idempotency-Key answers the same webhook and secret', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const first = await create({}, { headers });
    const second = await create({}, { headers });
    expect(second.json).toEqual(first.json);
    expect(await secrets()).toHaveLength(1);
  });

  it.each([
    ['http://', { url: 'http://example.com/' }, 'spec.url', 'deliveries.allowHttp'],
    ['a user and password', { url: 'https://ann:pw@example.com/' }, 'spec.url', 'user or password'],
    [
      'a metadata service',
      { url: 'https://169.254.169.254/latest' },
      'spec.url',
      'private or reserved address',
    ],
    ['a private address', { url: 'https://10.0.0.1/' }, 'spec.url', 'deliveries.allowPrivateAddresses'],
    [
      'a Service of the cluster',
      { url: 'https://slipway.slipway-system.svc/' },
      'spec.url',
      'private or reserved',
    ],
    [
      'a secret that does not exist',
      { url, secretRef: { name: 'none' } },
      'spec.secretRef',
      'does not exist',
    ],
    [
      'a secret of another type',
      { url, secretRef: { name: 'hot-key' } },
      'spec.secretRef',
      'use one of type webhook-secret',
    ],
    [
      'a selector with an invalid label',
      { url, selector: { matchLabels: { 'a b': 'c' } } },
      'spec.selector.matchLabels.a b',
      'is not a label key',
    ],
    ['a type that is none', { url, types: ['Network.up'] }, 'spec.types[0]', 'use a type of event'],
  ])('with %s is refused, naming the field and the remedy', async (_name, spec, field, message) => {
    kube.seed(secretType, aSecret({ namespace }));
    const { status, json } = await create({ spec });
    expect([status, json.details[0].path]).toEqual([400, field]);
    expect(json.details[0].message).toContain(message);
    expect(await stored()).toBeUndefined();
  });

  it('beyond the number of the workspace is a 429 that names the budget', async () => {
    for (const name of ['a', 'b', 'c']) await create({ name });
    const { status, json } = await create({ name: 'd' });
    expect([status, json.message]).toEqual([
      429,
      expect.stringContaining('its budget is 3 (chart value quota.webhooks)'),
    ]);
  });

  it('under a name that is taken is a conflict', async () => {
    await create();
    const { status, json } = await create();
    expect([status, json.message]).toEqual([409, expect.stringContaining('"ci" already exists')]);
  });

  it('is not for viewers, who do not see its URL either', async () => {
    expect((await create({}, { as: 'vic' })).status).toBe(403);
    const { json } = await create();
    expect((await api.request(at(json.id), { as: 'vic' })).status).toBe(403);
    expect((await api.request(at(json.id), { as: 'ben' })).status).toBe(404);
  });
});

describe('replacing, listing and deleting webhooks', () => {
  it('keeps the signing secret when the new spec names none', async () => {
    const { json } = await create();
    const before = (await stored())?.spec.secretRef;
    const answer = await api.request(at(json.id), {
      method: 'PUT',
      body: { spec: { url, types: ['network.*'] } },
    });
    expect([answer.status, answer.json.spec]).toEqual([
      200,
      { url, types: ['network.*'], secretRef: before },
    ]);
  });

  it('refuses a revision that is not the current one', async () => {
    const { json } = await create();
    const body = { metadata: { rev: 7 }, spec: { url } };
    expect((await api.request(at(json.id), { method: 'PUT', body })).status).toBe(409);
  });

  it('lists those that a selector matches', async () => {
    for (const name of ['a', 'b']) await create({ name });
    const selector = encodeURIComponent('metadata.name == b && status.state == Active');
    const { json } = await api.request(`${path}?selector=${selector}`);
    expect(json.items.map(({ name }: { name: string }) => name)).toEqual(['b']);
  });

  it('deletes one', async () => {
    const { json } = await create();
    expect((await api.request(at(json.id), { method: 'DELETE' })).json).toMatchObject({ id: json.id });
    expect(await stored()).toBeUndefined();
  });

  it('does not delete a secret that a webhook is signed with', async () => {
    await create();
    const [secret] = await secrets();
    const { status, json } = await api.request(`/v1alpha/secrets/${secret?.metadata.uid}`, {
      method: 'DELETE',
    });
    expect([status, json.message]).toEqual([409, expect.stringContaining('webhook "ci"')]);
    expect((await kube.list(networkType)).items).toEqual([]);
  });
});

describe('rotating the signing secret', () => {
  it('names the new secret and the former one, and shows the new one once', async () => {
    const { json } = await create();
    const first = (await stored())?.spec.secretRef?.name;
    const rotated = await post(json.id, '/rotate-secret', { overlapSeconds: 60 });
    expect(rotated.status).toBe(200);
    expect(rotated.json.secret).not.toBe(json.secret);
    const { spec } = (await stored()) ?? {};
    expect(spec?.previousSecretRef?.name).toBe(first);
    const leftMs = Date.parse(spec?.previousSecretExpiresAt ?? '') - (await kube.serverTimeMs());
    expect(leftMs).toBeGreaterThan(50_000);
    expect(leftMs).toBeLessThanOrEqual(60_000);
  });

  it('twice deletes the oldest secret', async () => {
    const { json } = await create();
    const [oldest] = await secrets();
    await post(json.id, '/rotate-secret', {});
    await post(json.id, '/rotate-secret', {});
    expect((await secrets()).map(({ metadata }) => metadata.name)).not.toContain(oldest?.metadata.name);
    expect(await secrets()).toHaveLength(2);
  });

  it('repeated with its Idempotency-Key rotates once', async () => {
    const { json } = await create();
    const headers = { 'Idempotency-Key': 'two' };
    const first = await post(json.id, '/rotate-secret', {}, { headers });
    const second = await post(json.id, '/rotate-secret', {}, { headers });
    expect(second.json.secret).toBe(first.json.secret);
    expect(await secrets()).toHaveLength(2);
  });
});

describe('deliveries', () => {
  it('a test event is queued with the webhook as its object, and listed', async () => {
    const { json } = await create();
    const test = await post(json.id, '/test');
    expect([test.status, test.json]).toMatchObject([
      202,
      { type: 'webhook.test', state: 'pending', attempts: 0 },
    ]);
    const [batch] = (await kube.list(webhookBatchType, { namespace })).items;
    const [body = ''] = batch ? await bodiesOf(batch) : [];
    expect(JSON.parse(body)).toMatchObject({
      id: test.json.eventID,
      workspace: 'one',
      object: { id: json.id },
    });
    const { json: list } = await api.request(at(json.id, '/deliveries'));
    expect(list.items).toEqual([test.json]);
  });

  it('are listed newest first, page by page', async () => {
    const { json } = await create();
    for (let at = 0; at < 3; at++) await post(json.id, '/test');
    const first = await api.request(at(json.id, '/deliveries?limit=2'));
    const rest = await api.request(at(json.id, `/deliveries?limit=2&cursor=${first.json.metadata.cursor}`));
    const ids = [...first.json.items, ...rest.json.items].map(({ id }: { id: string }) => id);
    expect([first.json.items.length, new Set(ids).size]).toEqual([2, 3]);
    expect(rest.json.metadata).toEqual({});
  });

  it('are sent again with the same event id and body', async () => {
    const { json } = await create();
    const test = await post(json.id, '/test');
    const again = await post(json.id, `/deliveries/${test.json.id}/resend`);
    expect([again.status, again.json]).toMatchObject([
      202,
      { eventID: test.json.eventID, trigger: 'resend' },
    ]);
    expect(again.json.id).not.toBe(test.json.id);
    const batches = (await kube.list(webhookBatchType, { namespace })).items;
    const [one, other] = await Promise.all(batches.map(bodiesOf));
    expect(one).toEqual(other);
  });

  it.each(['1.0', 'x', 't0.99', '../x'])('one that does not exist (%s) is not found', async (id) => {
    const { json } = await create();
    expect((await post(json.id, `/deliveries/${encodeURIComponent(id)}/resend`)).status).toBe(404);
  });

  it('are not queued by hand while the webhook is paused; resuming ends that', async () => {
    const { json } = await create();
    const ref = { namespace, name: 'ci' };
    await kube.patch(webhookType, ref, { status: { state: 'Paused', pauseReason: 'Gone' } }, 'status');
    const paused = async () => (await api.request(at(json.id))).json.status.state;
    while ((await paused()) !== 'Paused') await new Promise(setImmediate);
    const { status, json: refusal } = await post(json.id, '/test');
    expect([status, refusal.message]).toEqual([409, expect.stringContaining('POST …/resume')]);
    expect((await post(json.id, '/resume')).json.status.state).toBe('Active');
    expect((await post(json.id, '/test')).status).toBe(202);
  });
});
