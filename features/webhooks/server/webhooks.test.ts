import { testSealer } from '../../../apiserver/testing/harness.ts';
import { together } from '../../../apiserver/testing/together.ts';
import { openSecret } from '../../../core/accounts/openSecret.ts';
import { idOf } from '../../../core/api/ids.ts';
import { labels } from '../../../core/api/names.ts';
import { networkType, secretType } from '../../../core/api/resources/resources.ts';
import { aSecret } from '../../../core/api/testing/builders.ts';
import { webhookType } from '../api/types.ts';
import { newSigningSecret, parseSigningSecret } from '../core/signature.ts';
import { at, namespace, path, url, useWebhooks } from './testing/scene.ts';

const scene = useWebhooks();
const { create, stored, secrets } = scene;

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
    const again = await scene.api.request(at(json.id));
    expect(again.text).not.toContain('whsec_');
    const [secret] = await secrets();
    expect(JSON.stringify(secret)).not.toContain(json.secret);
    expect(secret && openSecret(testSealer, secret).toString()).toBe(json.secret);
    expect(secret?.metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: 'Webhook', uid: (await stored())?.metadata.uid }),
    ]);
    expect(JSON.stringify(scene.api.audits)).not.toContain(json.secret);
  });

  it('does not show the signing secret among the secrets of its creator', async () => {
    const { json } = await create();
    const [secret] = await secrets();
    const { text } = await scene.api.request(`/v1alpha/secrets/${secret && idOf(secret)}`);
    expect(JSON.parse(text)).toMatchObject({ kind: 'Secret', name: secret?.metadata.name });
    expect(JSON.parse(text)).not.toHaveProperty('data');
    expect((await scene.api.request('/v1alpha/secrets')).text).not.toContain(
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
    [
      'a type that no event has',
      { url, types: ['network.*', 'netwrk.*'] },
      'spec.types[1]',
      'selects no type of event',
    ],
    [
      'a type twice',
      { url, types: ['network.*', 'network.*'] },
      'spec.types',
      'must not contain a type twice',
    ],
    ['a type that is none', { url, types: ['Network.up'] }, 'spec.types[0]', 'use a type of event'],
  ])('with %s is refused, naming the field and the remedy', async (_name, spec, field, message) => {
    scene.kube.seed(secretType, aSecret({ namespace }));
    const { status, json } = await create({ spec });
    expect([status, json.details[0].path]).toEqual([400, field]);
    expect(json.details[0].message).toContain(message);
    expect(await stored()).toBeUndefined();
  });

  const secretOf = async (owner: string, name = `of-${owner}`) => {
    const place = { namespace, name, owner };
    const data = testSealer.seal(
      Buffer.from(newSigningSecret((_what, length) => Buffer.alloc(length, 7))),
      place,
    );
    scene.kube.seed(
      secretType,
      aSecret({
        namespace,
        name,
        spec: { type: 'webhook-secret', data },
        metadata: { labels: { [labels.owner]: owner } },
      }),
    );
    return { name };
  };

  it("with another member's secret is refused, naming the field and the remedy; with one's own it is not", async () => {
    const refused = await create({ spec: { url, secretRef: await secretOf('bob') } });
    expect([refused.status, refused.json.details[0].path]).toEqual([400, 'spec.secretRef']);
    expect(refused.json.details[0].message).toMatch(/belongs to another member.*one without an owner/);
    expect((await create({ spec: { url, secretRef: await secretOf('ann') } })).status).toBe(201);
  });

  it('with the secret that was generated for another webhook is refused', async () => {
    await create({ name: 'other' });
    const secretRef = (await secrets())[0]?.metadata;
    const refused = await create({ spec: { url, secretRef: { name: secretRef?.name ?? '' } } });
    expect([refused.status, refused.json.details[0].path]).toEqual([400, 'spec.secretRef']);
  });

  it('beyond the number of the workspace is a 429 that names the budget', async () => {
    for (const name of ['a', 'b', 'c']) await create({ name });
    const { status, json } = await create({ name: 'd' });
    expect([status, json.message]).toEqual([
      429,
      expect.stringContaining('its budget is 3 (chart value quota.webhooks)'),
    ]);
  });

  it('beyond that number is refused also when several are created at the same moment', async () => {
    together(scene, { verb: 'create', kind: 'Webhook', count: 6 });
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => create({ name: `n${n}` })));
    const created = answers.filter(({ status }) => status === 201).length;
    expect(created).toBeLessThanOrEqual(3);
    expect((await scene.kube.list(webhookType, { namespace })).items).toHaveLength(created);
  });

  it('under a name that is taken is a conflict', async () => {
    await create();
    const { status, json } = await create();
    expect([status, json.message]).toEqual([409, expect.stringContaining('"ci" already exists')]);
  });

  it('is not for viewers, who do not see its URL either', async () => {
    expect((await create({}, { as: 'vic' })).status).toBe(403);
    const { json } = await create();
    expect((await scene.api.request(at(json.id), { as: 'vic' })).status).toBe(403);
    expect((await scene.api.request(at(json.id), { as: 'ben' })).status).toBe(404);
  });

  it.each([
    [undefined, 'tokens:read, transactions:read, recordings:read, secrets:read'],
    [['*'], 'tokens:read, transactions:read, recordings:read, secrets:read'],
    [['network.*', 'token.deployed'], 'tokens:read'],
  ])(
    'of types %j is not for who may not read them, neither new nor instead of another',
    async (types, lacking) => {
      const spec = { url, ...(types ? { types } : {}) };
      const message = `the events of this webhook need ${lacking}, which you lack: name types that you may read`;
      const refusal = [403, message, [{ path: 'spec.types', message }]];
      const refused = await create({ spec }, { as: 'wes' });
      expect([refused.status, refused.json.message, refused.json.details]).toEqual(refusal);
      const { json } = await create({ spec: { url, types: ['network.*'] } }, { as: 'wes' });
      const body = { name: 'ci', spec };
      const replaced = await scene.api.request(at(json.id), { method: 'PUT', body, as: 'wes' });
      expect([replaced.status, replaced.json.message, replaced.json.details]).toEqual(refusal);
    },
  );
});

describe('replacing, listing and deleting webhooks', () => {
  it('keeps the signing secret when the new spec names none', async () => {
    const { json } = await create();
    const before = (await stored())?.spec.secretRef;
    const answer = await scene.api.request(at(json.id), {
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
    expect((await scene.api.request(at(json.id), { method: 'PUT', body })).status).toBe(409);
  });

  it('with If-Match, replaces the revision that was read and no other', async () => {
    const { json } = await create();
    const read = await scene.api.request(at(json.id));
    const put = (ifMatch: string) =>
      scene.api.request(at(json.id), {
        method: 'PUT',
        body: { spec: { url } },
        headers: { 'If-Match': ifMatch },
      });
    expect((await put('"999"')).status).toBe(409);
    expect((await put(read.headers.get('etag') ?? '')).status).toBe(200);
  });

  it('answers a change that is sent again because its answer was lost as before', async () => {
    const { json } = await create();
    const body = { metadata: { rev: json.metadata.rev }, spec: { url, types: ['network.*'] } };
    const put = () => scene.api.request(at(json.id), { method: 'PUT', body });
    const [first, again] = [await put(), await put()];
    expect([first.status, again.status, again.json.metadata.rev]).toEqual([200, 200, body.metadata.rev + 1]);
  });

  it('lists those that a selector matches', async () => {
    for (const name of ['a', 'b']) await create({ name });
    const selector = encodeURIComponent('metadata.name == b && status.state == Active');
    const { json } = await scene.api.request(`${path}?selector=${selector}`);
    expect(json.items.map(({ name }: { name: string }) => name)).toEqual(['b']);
  });

  it('deletes one', async () => {
    const { json } = await create();
    expect((await scene.api.request(at(json.id), { method: 'DELETE' })).json).toMatchObject({ id: json.id });
    expect(await stored()).toBeUndefined();
  });

  it('does not delete a secret that a webhook is signed with', async () => {
    await create();
    const [secret] = await secrets();
    const { status, json } = await scene.api.request(`/v1alpha/secrets/${secret && idOf(secret)}`, {
      method: 'DELETE',
    });
    expect([status, json.message]).toEqual([409, expect.stringContaining('webhook "ci"')]);
    expect((await scene.kube.list(networkType)).items).toEqual([]);
  });
});
