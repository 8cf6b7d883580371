import type { SnapshotStatus } from '../../core/api/resources/snapshot.ts';
import { chainMembersOf } from '../../core/networks/chainChange.ts';
import { createScene, privateKeyRef, readyOf, running } from './testing/scene.ts';

const scene = createScene();

describe('a network that begins from a snapshot', () => {
  const create = (spec: object) => scene.api.request('/v1alpha/networks', { body: { name: 'copy', spec } });
  const ethereum = { type: 'Ethereum', ethereum: { privateKeyRef } };
  const from = { snapshot: 'mine' };

  it('is created when the snapshot is Ready, also when its network is gone', async () => {
    scene.seedSnapshot('mine', readyOf('gone-uid'));
    const { status, json } = await create({ from, chain: ethereum });
    expect([status, json.spec.from]).toEqual([201, from]);
  });

  it.each<[string, SnapshotStatus | undefined, object, string]>([
    ['does not exist', undefined, ethereum, 'does not exist in this workspace'],
    ['is not Ready', { state: 'Pending' }, ethereum, 'is not Ready yet'],
    ['failed', { state: 'Failed', message: 'too large' }, ethereum, 'failed (too large): use another one'],
    [
      'is of another type',
      readyOf('x'),
      { type: 'Base', base: {} },
      'is of type Ethereum: use one of type Base',
    ],
    ['is of a fork', readyOf('x', { forkBlock: '9' }), ethereum, 'is of a fork at block 9: enable forking'],
    [
      'is of another block of a fork',
      readyOf('x', { forkBlock: '9' }),
      { type: 'Ethereum', ethereum: { privateKeyRef, forking: { enabled: true, blockHeight: '10' } } },
      'and forking.blockHeight is 10: omit it',
    ],
    [
      'is not of a fork',
      readyOf('x'),
      { type: 'Ethereum', ethereum: { privateKeyRef, forking: { enabled: true } } },
      'is not of a fork: omit forking',
    ],
  ])('is refused when the snapshot %s', async (_name, status, chain, message) => {
    if (status) scene.seedSnapshot('mine', { networkID: 'x', ...status });
    const answer = await create({ from, chain });
    expect(answer.status).toBe(400);
    expect(answer.json.details).toEqual([
      { path: 'spec.from.snapshot', message: expect.stringContaining(message) },
    ]);
  });

  it('is refused on an engine without snapshots', async () => {
    const { status, json } = await create({ from, chain: { type: 'Solana', solana: {} } });
    expect([status, json.details]).toEqual([
      400,
      expect.arrayContaining([
        { path: 'spec.from', message: expect.stringMatching(/^remove it: snapshots of Solana/) },
      ]),
    ]);
  });

  it('does not go with a Resync, which begins elsewhere', async () => {
    scene.seedSnapshot('mine', readyOf('x'));
    const { status, json } = await create({
      from,
      chain: ethereum,
      maintenanceRequest: { action: 'Resync', nonce: 1 },
    });
    expect([status, json.message]).toEqual([
      400,
      expect.stringContaining('remove spec.from, or use ResetState'),
    ]);
  });

  it('is warned about when a PUT sets it, because it ends the running chain', async () => {
    const startedAt = '2030-01-01T00:00:00Z';
    const members = chainMembersOf({ chain: { type: 'Ethereum', ethereum: { privateKeyRef } } });
    const incarnation = { number: 0, members, revision: 0, startedAt };
    const id = scene.seedNetwork(
      'net',
      { ...running, incarnation },
      { chain: { type: 'Ethereum', ethereum: { privateKeyRef } } },
    );
    scene.seedSnapshot('mine', readyOf(id));
    const body = { spec: { from, chain: ethereum } };
    const { headers } = await scene.api.request(`/v1alpha/networks/${id}`, { method: 'PUT', body });
    expect(headers.get('warning')).toContain('spec.from.snapshot starts a new chain');
  });
});
