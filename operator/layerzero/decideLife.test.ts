import { nowMs } from '../network/testing/facts.ts';
import { createWorld } from './testing/world.ts';

describe('the lifecycle of a LayerZero network', () => {
  const stopped = (lastStoppedAt: string) => ({ state: 'Stopped', lastStoppedAt });

  it('wakes members that stopped before its last use, once per stop', () => {
    const world = createWorld();
    world.replace('b', stopped('2030-01-02T02:00:00Z'));
    const { wakes, status } = world.step();
    expect(status).toMatchObject({ state: 'Pending', message: expect.stringContaining('which is Stopped') });
    expect(wakes).toMatchObject([
      { network: { metadata: { name: 'b' } }, value: 'u-mesh/2030-01-02T02:00:00Z' },
    ]);
    const member = world.members.get('b');
    const annotations = { 'slipway.dev/wake': wakes[0]?.value ?? '' };
    if (member) member.metadata = { ...member.metadata, annotations };
    expect(world.step().wakes).toEqual([]);
  });

  it('does not wake a member that stopped after its last use, until it is used again', () => {
    const world = createWorld();
    world.settle();
    world.replace('b', stopped('2030-01-02T05:00:00Z'));
    expect(world.step().wakes).toEqual([]);
    world.network = {
      ...world.network,
      status: { ...world.network.status, lastActivityAt: '2030-01-02T05:00:01Z' },
    };
    expect(world.step().wakes).toHaveLength(1);
  });

  it('stops when idle, delivers nothing while stopped, and continues with the same endpoints', () => {
    const world = createWorld();
    world.settle();
    const { layerzero } = world.network.status ?? {};
    world.facts = { nowMs: nowMs + 25 * 3_600_000 };
    expect(world.step()).toMatchObject({ status: { state: 'Stopping' }, routes: [], wakes: [] });
    expect(world.step().status).toMatchObject({ state: 'Stopped', lastStoppedAt: expect.any(String) });
    const metadata = { ...world.network.metadata, annotations: { 'slipway.dev/wake': 'x' } };
    world.network = { ...world.network, metadata };
    expect(world.settle().status).toMatchObject({ state: 'Operational', observedWake: 'x', layerzero });
    expect(world.network.status?.lastWakeUpAt).toBe('2030-01-03T04:04:05Z');
  });

  it('Restart verifies everything on the chains and is observed afterwards', () => {
    const world = createWorld();
    world.settle();
    const { layerzero } = world.network.status ?? {};
    world.change({ maintenanceRequest: { action: 'Restart', nonce: 4 } });
    const asked = world.step();
    expect(asked.order?.isCheck).toBe(true);
    expect(asked.status).toMatchObject({ state: 'Pending', observedMaintenanceNonce: 0 });
    expect(world.settle().status).toMatchObject({
      state: 'Operational',
      observedMaintenanceNonce: 4,
      layerzero,
    });
  });

  it('ResetState deploys all endpoints again, only once, also across operator restarts', () => {
    const world = createWorld();
    world.settle();
    const eid = world.of('a')?.eid;
    world.change({ maintenanceRequest: { action: 'ResetState', nonce: 5 } });
    expect(world.step().order?.endpoints.map(({ endpoint }) => endpoint)).toEqual([undefined, undefined]);
    world.restart();
    expect(world.settle().status).toMatchObject({
      state: 'Operational',
      observedMaintenanceNonce: 5,
      reset: { action: 'ResetState', nonce: 5 },
      layerzero: { generation: 1 },
    });
    expect(world.of('a')?.eid).not.toBe(eid);
    world.restart();
    expect(world.step()).toMatchObject({ status: { layerzero: { generation: 1 } } });
  });

  it('takes maintenance nonces that were used before', () => {
    const world = createWorld();
    world.settle();
    const requests = [
      ['ResetState', 1, 1],
      ['Restart', 2, 1],
      ['ResetState', 1, 2],
      ['Restart', 2, 2],
    ] as const;
    const keys = requests.map(([action, nonce, generation]) => {
      world.change({ maintenanceRequest: { action, nonce } });
      const { order } = world.step();
      expect(world.settle().status).toMatchObject({
        state: 'Operational',
        observedMaintenanceNonce: nonce,
        layerzero: { generation },
      });
      return order?.key;
    });
    expect(new Set(keys).size).toBe(requests.length);
  });

  it('Resync is refused, because there is no fork', () => {
    const world = createWorld();
    world.change({ maintenanceRequest: { action: 'Resync', nonce: 2 } });
    expect(world.settle().status).toMatchObject({
      state: 'Operational',
      observedMaintenanceNonce: 2,
      message: expect.stringContaining('maintenance refused'),
    });
  });

  it('needs a slot in the quota to be persistent', () => {
    const world = createWorld({ facts: { quotaRefusal: '3 of 3' } });
    world.change({ persistent: true });
    expect(world.step().status).toMatchObject({ state: 'Error', message: 'spec.persistent: 3 of 3' });
  });

  it('is Stopping when it is deleted', () => {
    const world = createWorld();
    world.settle();
    world.network = {
      ...world.network,
      metadata: { ...world.network.metadata, deletionTimestamp: '2030-01-02T03:04:05Z' },
    };
    expect(world.step()).toMatchObject({ status: { state: 'Stopping' }, routes: [] });
  });
});
