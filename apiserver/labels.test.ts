import { labels } from '../core/api/names.ts';
import type { KubeObject } from '../core/api/resources/kubeObject.ts';
import { networkType, recordingType, secretType } from '../core/api/resources/resources.ts';
import { aNetwork, aRecording } from '../core/api/testing/builders.ts';
import { createFakeKube, type FakeKube } from '../core/kube/testing/fake/fake.ts';
import { startTestApi, type TestApi } from './testing/harness.ts';
import { spec } from './testing/networkApi.ts';
import { startTokenApi } from './tokens/testing/fixtures.ts';

const namespace = 'ws-one';
const users = [{ userId: 'ann', workspaceId: 'one', namespace }] as const;
const given = { team: 'a', 'example.com/stage': 'ci' };

let kube: FakeKube;
let api: TestApi;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users });
});
afterEach(() => api.close());

const list = async (path: string, selector: string) => {
  const { status, json } = await api.request(`${path}?selector=${encodeURIComponent(selector)}`);
  const items = Array.isArray(json) ? json : json.items;
  return status === 200
    ? items.map(({ name, id }: { name?: string; id: string }) => name ?? id)
    : json.message;
};
const ownLabelsOf = (object: KubeObject | undefined) => ({
  owner: object?.metadata.labels?.[labels.owner],
  workspace: object?.metadata.labels?.[labels.workspace],
});

const creates = [
  ['networks', '/v1alpha/networks', networkType, { spec }],
  ['secrets', '/v1alpha/secrets', secretType, { type: 'any', data: Buffer.from('x').toString('base64') }],
] as const;

describe.each(creates)('labels of %s', (_kind, path, type, body) => {
  const post = (name: string, metadata: object = {}) =>
    api.request(path, { body: { name, ...body, metadata } });

  it('are stored as labels of Kubernetes beside those of Slipway, and returned', async () => {
    const { status, json } = await post('a', { labels: given });
    expect([status, json.metadata.labels]).toEqual([201, given]);
    const stored = await kube.get<KubeObject>(type, { namespace, name: 'a' });
    expect(stored?.metadata.labels).toMatchObject(given);
    expect(ownLabelsOf(stored)).toEqual({ owner: 'ann', workspace: 'one' });
    expect((await api.request(`${path}/${json.id}`)).json.metadata.labels).toEqual(given);
  });

  it('cannot set those of Slipway, which are not shown either', async () => {
    const refused = await post('a', { labels: { [labels.owner]: 'eve' } });
    expect([refused.status, refused.json.details]).toEqual([
      400,
      [
        {
          path: `metadata.labels.${labels.owner}`,
          message: expect.stringContaining('slipway.dev/ is reserved'),
        },
      ],
    ]);
    expect((await post('a')).json.metadata).not.toHaveProperty('labels');
  });

  it('and names select what is listed', async () => {
    await post('a', { labels: given });
    await post('b', { labels: { team: 'b' } });
    await post('c');
    expect(await list(path, 'metadata.labels.team == a')).toEqual(['a']);
    expect(await list(path, 'metadata.labels.team != a')).toEqual(['b', 'c']);
    expect(await list(path, 'metadata.labels.team IN (a, b)')).toEqual(['a', 'b']);
    expect(await list(path, 'metadata.labels.example.com/stage == ci')).toEqual(['a']);
    expect(await list(path, 'metadata.name == c')).toEqual(['c']);
    expect(await list(path, `metadata.labels.${labels.owner} == ann`)).toMatch(/unknown field/);
  });
});

it('a PUT replaces the labels of a network, and keeps them when it names none', async () => {
  const create = { name: 'a', spec, metadata: { labels: given } };
  const { id, metadata } = (await api.request('/v1alpha/networks', { body: create })).json;
  const put = (body: object) =>
    api.request(`/v1alpha/networks/${id}`, { method: 'PUT', body: { spec, ...body } });
  expect((await put({})).json.metadata.labels).toEqual(given);
  const changed = (await put({ metadata: { labels: { stage: 'b' } } })).json;
  // The revision counts changes of the spec.
  expect(changed.metadata).toMatchObject({ labels: { stage: 'b' }, rev: metadata.rev });
  expect((await put(changed)).json.metadata.labels).toEqual({ stage: 'b' });
  expect((await put({ metadata: { labels: {} } })).json.metadata).not.toHaveProperty('labels');
  expect(ownLabelsOf(await kube.get(networkType, { namespace, name: 'a' }))).toEqual({
    owner: 'ann',
    workspace: 'one',
  });
});

it('labels that kubectl set are returned', async () => {
  const { metadata } = aNetwork({ name: 'a', namespace });
  const { uid } = kube.seed(networkType, {
    ...aNetwork(),
    metadata: { ...metadata, labels: given },
  }).metadata;
  expect((await api.request(`/v1alpha/networks/${uid}`)).json.metadata.labels).toEqual(given);
});

it('labels of recordings select what is listed', async () => {
  const { metadata } = aRecording({ name: 'r', namespace });
  const { uid } = kube.seed(recordingType, {
    ...aRecording(),
    metadata: { ...metadata, labels: given },
  }).metadata;
  kube.seed(recordingType, aRecording({ name: 's', namespace }));
  const path = '/transaction/v1alpha1/transaction/recording/list-all';
  expect(await list(path, 'metadata.labels.team == a')).toEqual(['r']);
  expect((await api.request(path)).json.filter((one: object) => 'metadata' in one)).toMatchObject([
    { id: uid, metadata: { labels: given } },
  ]);
  expect(await list(path, 'state == recorded')).toMatch(/unknown field "state"/);
});

it('labels of tokens are stored, returned and select what is listed', async () => {
  const tokens = await startTokenApi(createFakeKube());
  const network = await tokens.addNetwork('n');
  const body = { metadata: { labels: given } };
  const { json } = await tokens.deploy(network, { body });
  await tokens.deploy(network);
  expect(json.metadata).toEqual({ labels: given });
  const selector = encodeURIComponent('metadata.labels.team == a');
  const { items } = (await tokens.ask(`?selector=${selector}`)).json;
  expect(items.map(({ id }: { id: string }) => id)).toEqual([json.id]);
  expect(ownLabelsOf(await tokens.stored(json.id))).toEqual({ owner: 'ann', workspace: 'one' });
  await tokens.api.close();
});
