import { nowMs } from '../network/testing/facts.ts';
import { createWorld } from './testing/world.ts';

describe('its life', () => {
  const stopped = (lastStoppedAt: string) => ({ state: 'Stopped', lastStoppedAt });

  it('wakes members that stopped before it was used last, once for each stop', () => {
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

  it('leaves a member asleep that stopped since, until it is used again', () => {
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

  it('stops by being idle, delivers nothing then, and goes on with the same endpoints', () => {
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

  it('Restart reads all back, and is observed when that is done', () => {
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

  it('ResetState deploys all endpoints anew, once, also under operators that begin anew', () => {
    const world = createWorld();
    world.settle();
    const eid = world.of('a')?.eid;
    world.change({ maintenanceRequest: { action: 'ResetState', nonce: 5 } });
    expect(world.step().order?.endpoints.map(({ endpoint }) => endpoint)).toEqual([undefined, undefined]);
    world.restart();
    expect(world.settle().status).toMatchObject({
      ...{ state: 'Operational', observedMaintenanceNonce: 5 },
      ...{ reset: { action: 'ResetState', nonce: 5 }, layerzero: { generation: 1 } },
    });
    expect(world.of('a')?.eid).not.toBe(eid);
    world.restart();
    expect(world.step()).toMatchObject({ status: { layerzero: { generation: 1 } } });
  });

  it('Resync is refused, as it forks nothing', () => {
    const world = createWorld();
    world.change({ maintenanceRequest: { action: 'Resync', nonce: 2 } });
    expect(world.settle().status).toMatchObject({
      ...{ state: 'Operational', observedMaintenanceNonce: 2 },
      message: expect.stringContaining('maintenance refused'),
    });
  });

  it('asks for a place when it shall be persistent', () => {
    const world = createWorld({ facts: { quotaRefusal: '3 of 3' } });
    world.change({ persistent: true });
    expect(world.step().status).toMatchObject({ state: 'Error', message: 'spec.persistent: 3 of 3' });
  });

  it('ends with its deletion', () => {
    const world = createWorld();
    world.settle();
    world.network = {
      ...world.network,
      metadata: { ...world.network.metadata, deletionTimestamp: '2030-01-02T03:04:05Z' },
    };
    expect(world.step()).toMatchObject({ status: { state: 'Stopping' }, routes: [] });
  });
});
