import { networkType, recordingType } from '../../core/api/resources/resources.ts';
import { aNetwork, aRecording, testAddress } from '../../core/api/testing/builders.ts';
import {
  api,
  aTransaction,
  base,
  kube,
  namespace,
  seedChunk,
  seedNetwork,
  seedRecording,
  start,
  statusOf,
  stop,
  unknownId,
  useRecordingsApi,
} from './testing/recordingsApi.ts';

useRecordingsApi();

it('a recording is started, read, stopped, and returned with its captured data', async () => {
  const id = seedNetwork('net');
  const started = await start([id]);
  expect(started.status).toBe(201);
  expect(started.json).toEqual({ recordingId: expect.any(String), message: 'recording' });
  const { recordingId } = started.json;
  expect(started.headers.get('location')).toBe(`${base}/${recordingId}`);

  const active = await api.request(`${base}/active/${testAddress.toUpperCase().replace('0X', '0x')}`);
  expect(active.json).toMatchObject([{ id: recordingId, state: 'recording', network_ids: [id] }]);
  const [stored] = (await kube.list(recordingType, { namespace })).items;
  const { name = '', uid = '' } = stored?.metadata ?? {};
  await seedChunk({ name, uid, id: recordingId }, 'net', [0, 1]);

  const stopped = await stop(recordingId);
  expect(stopped.status).toBe(200);
  expect(stopped.json).toMatchObject({
    kind: 'Recording',
    id: recordingId,
    user_address: testAddress,
    state: 'recorded',
    end_timestamp: '2026-01-15T10:30:00Z',
    networks: [{ network_id: id, state: 'recorded', first_block: 1, last_block: 4, transactions: 2 }],
    recorded_data: {
      networks: {
        [id]: {
          chainId: '31337',
          firstBlock: 1,
          lastBlock: 4,
          transactions: [aTransaction(0), aTransaction(1)],
        },
      },
    },
  });
  expect((await stop(recordingId)).json).toEqual(stopped.json);
  expect((await api.request(`${base}/${recordingId}`)).json).toEqual(stopped.json);
  const none = await api.request(`${base}/active/${testAddress}`);
  expect([none.json, none.headers.get('warning')]).toEqual([[], null]);
  for (const path of ['active/0x12', 'list-all?userAddress=0x12']) {
    const { json, headers } = await api.request(`${base}/${path}`);
    expect([json, headers.get('warning')]).toEqual([[], expect.stringContaining('is not an address')]);
  }
});

it('the document of a recording is always the same text, with networks and members in order', async () => {
  const ids = ['b-net', 'a-net'].map((name) => seedNetwork(name));
  const recording = await seedRecording(
    'kept',
    ['b-net', 'a-net'],
    statusOf({ networks: ['b-net', 'a-net'], stopped: true, chunksOf: { 'a-net': 0, 'b-net': 2 } }),
  );
  await seedChunk(recording, 'b-net', [2, 3]);
  await seedChunk(recording, 'b-net', [0, 1]);
  const path = `${base}/${recording.uid}/document`;
  const { status, text, json } = await api.request(path);
  expect(status).toBe(200);
  expect(json.version).toBe('slipway.replay/v1');
  expect(Object.keys(json.networks)).toEqual(ids.toSorted());
  expect(json.networks[ids[0] ?? ''].transactions.map(({ nonce }: { nonce: number }) => nonce)).toEqual([
    0, 1, 2, 3,
  ]);
  expect(text.split('\n').slice(0, 3)).toEqual(['{', '  "version": "slipway.replay/v1",', '  "networks": {']);
  expect(text.endsWith('}\n')).toBe(true);
  expect((await api.request(path)).text).toBe(text);
});

it('lists are filtered, newest first, and include recordings created with kubectl', async () => {
  const ids = ['x', 'y'].map((name) => seedNetwork(name));
  await seedRecording('old', ['x'], statusOf({ networks: ['x'], stopped: true }));
  const spec = { networks: ['y'], userAddress: `0x${'1'.repeat(40)}` };
  const metadata = { creationTimestamp: '2027-01-15T09:30:00Z' };
  kube.seed(recordingType, aRecording({ name: 'new', namespace, metadata, spec }));
  kube.seed(recordingType, aRecording({ name: 'other', namespace: 'ws-two', spec }));
  const list = async (query = '') => {
    const { json } = await api.request(`${base}/list-all${query}`);
    return json.map(({ network_ids }: { network_ids: string[] }) => network_ids[0]);
  };
  expect(await list()).toEqual([ids[1], ids[0]]);
  expect(await list('?state=recorded')).toEqual([ids[0]]);
  expect(await list('?state=recording')).toEqual([ids[1]]);
  expect(await list(`?networkId=${ids[0]}`)).toEqual([ids[0]]);
  expect(await list(`?userAddress=${spec.userAddress}&networkId=${ids[0]}`)).toEqual([]);
  expect((await api.request(`${base}/list-all?state=odd`)).status).toBe(400);
});

describe('a start is refused if it names', () => {
  it.each<[string, () => object, string]>([
    ['an unknown network', () => ({ networkIds: [unknownId] }), 'networkIds[0]'],
    [
      'a network of another workspace',
      () => ({ networkIds: [seedNetwork('theirs', 'ws-two')] }),
      'networkIds[0]',
    ],
    [
      'a network that is not an EVM network',
      () => {
        const spec = { chain: { type: 'Thorchain', thorchain: {} } } as const;
        const network = aNetwork({ name: 'rune', namespace });
        return { networkIds: [kube.seed(networkType, { ...network, spec }).metadata.uid] };
      },
      'networkIds[0]',
    ],
    ['no network', () => ({ networkIds: [] }), 'networkIds'],
    ['no address', () => ({ userAddress: '0x1', networkIds: [unknownId] }), 'userAddress'],
  ])('%s', async (_reason, bodyOf, path) => {
    const body = { userAddress: testAddress, ...bodyOf() };
    const { status, json } = await api.request(`${base}/start`, { body });
    expect([status, json.details?.[0]?.path]).toEqual([400, path]);
    expect((await kube.list(recordingType)).items).toEqual([]);
  });

  it('a network of another workspace, with the same message as for an unknown one', async () => {
    const messages = await Promise.all(
      [unknownId, seedNetwork('theirs', 'ws-two')].map(async (id) => (await start([id])).json.message),
    );
    expect(messages[0]).toBe(messages[1]);
  });
});

it('recordings of another workspace look like those that do not exist', async () => {
  const { uid } = await seedRecording('mine', ['net']);
  for (const path of [`${base}/${uid}`, `${base}/${uid}/document`]) {
    const answers = await Promise.all(
      [uid, unknownId].map((id) => api.request(path.replace(uid, id), { as: 'ben' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(new Set(answers.map(({ json }) => json.message)).size).toBe(1);
  }
  expect((await stop(uid, 'ben')).status).toBe(404);
  expect((await stop(unknownId)).status).toBe(404);
  expect((await kube.get(recordingType, { namespace, name: 'mine' }))?.spec.stopped).toBeUndefined();
});

it('a viewer can neither start nor stop recordings', async () => {
  const { uid } = await seedRecording('mine', ['net']);
  expect((await api.request(`${base}/${uid}`, { as: 'vic' })).status).toBe(200);
  expect((await stop(uid, 'vic')).status).toBe(403);
  expect((await start([seedNetwork('net')], { as: 'vic' })).status).toBe(403);
});

it('a start repeated with its Idempotency-Key starts one recording', async () => {
  const id = seedNetwork('net');
  const headers = { 'Idempotency-Key': 'once' };
  const answers = [await start([id], { headers }), await start([id], { headers })];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[0]?.json).toEqual(answers[1]?.json);
  expect((await kube.list(recordingType)).items).toHaveLength(1);
});

it('a recording is deleted in any state, and its chunks name it as their owner', async () => {
  const recorded = await seedRecording('done', ['net'], statusOf({ networks: ['net'], stopped: true }));
  const open = await seedRecording('open', ['net'], statusOf({ networks: ['net'] }));
  const remove = (id: string, as = 'ann') => api.request(`${base}/${id}`, { method: 'DELETE', as });
  expect((await remove(recorded.uid, 'vic')).status).toBe(403);
  expect((await remove(recorded.uid, 'ben')).status).toBe(404);
  for (const { uid } of [recorded, open]) {
    expect((await remove(uid)).status).toBe(204);
    expect((await remove(uid)).status).toBe(404);
    expect((await api.request(`${base}/${uid}`)).status).toBe(404);
  }
  expect((await api.request(`${base}/list-all`)).json).toEqual([]);
});

test('labels that a start names are stored and returned', async () => {
  const labels = { team: 'a' };
  const body = { userAddress: testAddress, networkIds: [seedNetwork('labelled')], metadata: { labels } };
  const { json } = await api.request(`${base}/start`, { body });
  expect((await api.request(`${base}/${json.recordingId}`)).json.metadata).toEqual({ labels });
});

it('a recording has the name that it was given, can be found by it, and keeps it for itself', async () => {
  const id = seedNetwork('net');
  const named = { userAddress: testAddress, networkIds: [id], name: 'upgrade' };
  const { json } = await api.request(`${base}/start`, { body: named });
  const found = await api.request(
    `${base}/list-all?selector=${encodeURIComponent('metadata.name == upgrade')}`,
  );
  expect(found.json).toMatchObject([{ id: json.recordingId, name: 'upgrade' }]);
  const again = await api.request(`${base}/start`, { body: named });
  expect([again.status, again.json.details]).toEqual([
    409,
    [
      {
        path: 'name',
        message: 'a recording named "upgrade" already exists in this workspace: use another name',
      },
    ],
  ]);
  const unnamed = await start([id]);
  expect((await api.request(`${base}/${unnamed.json.recordingId}`)).json.name).toMatch(
    /^recording-[0-9a-f]{16}$/,
  );
});
