import type { NetworkSpec } from '../../core/api/resources/network.ts';
import { snapshotType } from '../../core/api/resources/resources.ts';
import type { SnapshotStatus } from '../../core/api/resources/snapshot.ts';
import { aSnapshot } from '../../core/api/testing/builders.ts';
import { createFakeKube } from '../../core/kube/testing/fake/fake.ts';
import { AppError } from '../../core/lib/errors.ts';
import { startTestApi } from '../testing/harness.ts';
import { createLaggingKube } from '../testing/laggingKube.ts';
import { tenants } from '../testing/reportStatus.ts';
import { createScene, pathOf, privateKeyRef, readyOf, running } from './testing/scene.ts';

const scene = createScene();

const failedWith = (reason: string, message: string): SnapshotStatus => ({
  state: 'Failed',
  message,
  conditions: [
    { type: 'Ready', status: 'False', reason, message, lastTransitionTime: '2030-01-01T00:00:00Z' },
  ],
});
const take = (id: string, body: object = {}, as = 'ann') => scene.api.request(pathOf(id), { body, as });
const remove = (path: string) => scene.api.request(path, { method: 'DELETE' });

describe('taking a snapshot', () => {
  it('answers with the snapshot once it is Ready', async () => {
    const id = scene.seedNetwork('net');
    const { status, json, headers } = await take(id, { name: 'one', metadata: { labels: { team: 'a' } } });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      kind: 'Snapshot',
      version: 'v1alpha',
      name: 'one',
      ownerID: 'ann',
      spec: { network: 'net' },
      metadata: { workspace: 'one', labels: { team: 'a' } },
      status: { state: 'Ready', block: 12, bytes: 1000 },
    });
    expect(headers.get('location')).toBe(pathOf(id, `/${json.id}`));
  });

  it('gives it a name when it has none, and refuses one that is taken', async () => {
    const id = scene.seedNetwork('net');
    expect((await take(id)).json.name).toMatch(/^snapshot-[0-9a-f]{16}$/);
    await take(id, { name: 'one' });
    const { status, json } = await take(id, { name: 'one' });
    expect([status, json.message]).toEqual([409, expect.stringContaining('"one" already exists')]);
  });

  it.each([
    [
      'stopped',
      { state: 'Stopped' } as const,
      'the network is Stopped, so no snapshot of it can be taken: wake it',
    ],
    ['starting', { state: 'Pending' } as const, 'wait until it is Operational'],
  ])(
    'of a network that is %s is refused with the remedy, and wakes nothing',
    async (_name, status, message) => {
      const answer = await take(scene.seedNetwork('net', status));
      expect([answer.status, answer.json.message]).toEqual([409, expect.stringContaining(message)]);
      expect(await scene.stored()).toEqual([]);
    },
  );

  it.each<[string, NetworkSpec['chain']]>([
    ['Solana', { type: 'Solana', solana: {} }],
    ['participants', { type: 'Ethereum', ethereum: { privateKeyRef, participants: [{ count: 1 }] } }],
  ])('of an engine without snapshots is refused and names it: %s', async (text, chain) => {
    const { status, json } = await take(scene.seedNetwork('net', running, { chain }));
    expect([status, json.message]).toEqual([400, expect.stringMatching(new RegExp(`${text}.*not possible`))]);
  });

  it('beyond the number of the workspace is a 429 that names the budget', async () => {
    const id = scene.seedNetwork('net');
    for (const name of ['a', 'b', 'c']) scene.seedSnapshot(name, readyOf(id));
    const { status, json } = await take(id);
    expect([status, json.message]).toEqual([
      429,
      expect.stringContaining('its budget is 3 (chart value quota.snap'),
    ]);
  });

  it.each([
    ['TooLarge', 413],
    ['QuotaExceeded', 429],
    ['NotSupported', 409],
  ])('that fails for %s answers %d with the reason, and leaves no object', async (reason, code) => {
    const id = scene.seedNetwork('net');
    scene.outcome = failedWith(reason, 'the budget is 1 MiB');
    const { status, json } = await take(id);
    expect([status, json.message]).toEqual([code, 'no snapshot was taken: the budget is 1 MiB']);
    expect(await scene.stored()).toEqual([]);
  });

  it('is not for viewers, nor for other workspaces', async () => {
    const id = scene.seedNetwork('net');
    expect((await take(id, {}, 'vic')).status).toBe(403);
    expect((await take(id, {}, 'ben')).status).toBe(404);
  });
});

describe('reading and deleting snapshots', () => {
  it('lists those of a network, and all of the workspace, those of deleted networks included', async () => {
    const id = scene.seedNetwork('net');
    scene.seedSnapshot('mine', readyOf(id));
    const orphan = scene.seedSnapshot('orphan', readyOf('gone-uid'));
    const namesAt = async (path: string) =>
      (await scene.api.request(path, { as: 'vic' })).json.items.map(({ name }: { name: string }) => name);
    expect(await namesAt(pathOf(id))).toEqual(['mine']);
    expect(await namesAt('/v1alpha/snapshots')).toEqual(['mine', 'orphan']);
    const selector = encodeURIComponent('status.state == Ready && metadata.name == mine');
    expect(await namesAt(`/v1alpha/snapshots?selector=${selector}`)).toEqual(['mine']);
    expect((await scene.api.request(pathOf(id, `/${orphan}`))).status).toBe(404);
    expect((await scene.api.request(`/v1alpha/snapshots/${orphan}`)).json.status.networkID).toBe('gone-uid');
  });

  it('deletes one', async () => {
    const id = scene.seedNetwork('net');
    const mine = scene.seedSnapshot('mine', readyOf(id));
    const orphan = scene.seedSnapshot('orphan', readyOf('gone-uid'));
    expect((await remove(pathOf(id, `/${mine}`))).json).toMatchObject({ id: mine });
    expect((await remove(`/v1alpha/snapshots/${orphan}`)).status).toBe(200);
    expect(await scene.stored()).toEqual([]);
  });

  it('does not delete one that a network begins from, and names the network', async () => {
    const id = scene.seedNetwork('net');
    const mine = scene.seedSnapshot('mine', readyOf(id));
    scene.seedNetwork('copy', running, { from: { snapshot: 'mine' } });
    const { status, json } = await remove(pathOf(id, `/${mine}`));
    expect([status, json.message]).toEqual([
      409,
      expect.stringContaining('because network "copy" began from it'),
    ]);
  });
});

it('a snapshot is not deleted when another replica has just created a network from it', async () => {
  const kube = createFakeKube();
  const place = { namespace: 'ws-one' };
  const { uid } = kube.seed(
    snapshotType,
    aSnapshot({ ...place, name: 'mine', status: readyOf('net') }),
  ).metadata;
  const stalling = createLaggingKube(kube, 'Network');
  const [api, other] = await Promise.all([
    startTestApi({ kube: stalling.kube, users: tenants }),
    startTestApi({ kube, users: tenants }),
  ]);
  const goOn = stalling.hold();
  const spec = { chain: { type: 'Ethereum', ethereum: { privateKeyRef } }, from: { snapshot: 'mine' } };
  expect((await other.request('/v1alpha/networks', { body: { name: 'copy', spec } })).json.name).toBe('copy');
  expect((await api.request(`/v1alpha/snapshots/${uid}`, { method: 'DELETE' })).status).toBe(409);
  goOn();
  await Promise.all([api.close(), other.close()]);
});

describe('reverting a network', () => {
  const revert = (id: string, snapshot: string, as = 'ann') =>
    scene.api.request(pathOf(id, `/${snapshot}/revert`), { method: 'POST', as });

  it('names the snapshot in the spec and requests a ResetState that was not requested before', async () => {
    const id = scene.seedNetwork('net', running, { maintenanceRequest: { action: 'Restart', nonce: 4 } });
    const snapshot = scene.seedSnapshot('mine', readyOf(id));
    const { status, json } = await revert(id, snapshot);
    expect([status, json.spec.from, json.spec.maintenanceRequest]).toEqual([
      200,
      { snapshot: 'mine' },
      { action: 'ResetState', nonce: 5 },
    ]);
    expect((await revert(id, snapshot)).json.spec.maintenanceRequest.nonce).toBe(6);
    expect((await revert(id, snapshot, 'vic')).status).toBe(403);
  });

  it('requests one ResetState however often its request is repeated', async () => {
    const id = scene.seedNetwork('net');
    const snapshot = scene.seedSnapshot('mine', readyOf(id));
    const repeated = () =>
      scene.api.request(pathOf(id, `/${snapshot}/revert`), {
        method: 'POST',
        headers: { 'Idempotency-Key': 'k1' },
      });
    scene.kube.failNext({
      verb: 'replace',
      kind: 'Network',
      when: 'after',
      error: new AppError('Unavailable', 'cut'),
    });
    expect((await repeated()).status).toBe(503);
    const others = { method: 'POST', headers: { 'Idempotency-Key': 'k2' } };
    const other = await scene.api.request(pathOf(id, `/${snapshot}/revert`), others);
    expect(other.json.spec.maintenanceRequest.nonce).toBe(6);
    const { status, json } = await repeated();
    expect([status, json.spec.maintenanceRequest]).toEqual([200, { action: 'ResetState', nonce: 6 }]);
    expect((await revert(id, snapshot)).json.spec.maintenanceRequest.nonce).toBe(7);
  });

  it('needs a snapshot of this network that is Ready', async () => {
    const id = scene.seedNetwork('net');
    const pending = scene.seedSnapshot('pending', { state: 'Pending', networkID: id });
    const foreign = scene.seedSnapshot('foreign', readyOf('other-uid'));
    const { status, json } = await revert(id, pending);
    expect([status, json.message]).toEqual([409, expect.stringContaining('"pending" is not Ready yet')]);
    expect((await revert(id, foreign)).status).toBe(404);
  });
});
