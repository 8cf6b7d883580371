import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { aMember, createWorld, two } from './testing/world.ts';

describe('a member', () => {
  const gone = (name: string) => {
    const world = createWorld();
    world.members.delete(name);
    return world;
  };

  it('that does not exist is waited for, then reported as an Error with its name and the remedy', () => {
    const world = gone('b');
    world.facts = { nowMs: Date.parse('2030-01-02T03:00:05Z') };
    expect(world.step().status).toMatchObject({ state: 'Pending' });
    world.facts = {};
    expect(world.step().status).toMatchObject({
      state: 'Error',
      message: expect.stringMatching(/"b".*create it, or remove it/),
    });
    world.replace('b', {});
    expect(world.settle().status.state).toBe('Operational');
  });

  it.each([
    ['is being deleted', { metadata: { name: 'b', deletionTimestamp: 'now' } }, /"b" is being deleted/],
    ['is not an EVM network', { spec: { chain: { type: 'Solana', solana: {} } } }, /"b" is of type Solana/],
    ['is in Error', { status: { state: 'Error', message: 'no image' } }, /"b" is in Error: no image/],
  ])('that %s is reported as an Error with its name', (_reason, change, message) => {
    const member = { ...aMember('b'), ...change } as Stored<NetworkResource>;
    expect(createWorld({ members: [aMember('a'), member] }).step().status).toMatchObject({
      state: 'Error',
      message: expect.stringMatching(message),
    });
  });

  it('that is not running does not block connections between others', () => {
    const layerzero = { networks: [...two.networks, { networkRef: { name: 'c' } }] };
    const world = createWorld({ layerzero });
    world.replace('c', { state: 'Pending' });
    const { status, routes } = world.settle();
    expect(status).toMatchObject({ state: 'Pending', message: 'waiting for member "c", which is Pending' });
    expect(routes).toHaveLength(2);
    world.replace('c', {});
    expect(world.settle()).toMatchObject({ status: { state: 'Operational' }, routes: { length: 6 } });
  });

  it('that returns with the same chain needs no work', () => {
    const world = createWorld();
    world.settle();
    world.replace('b', { state: 'Pending' });
    expect(world.settle().status.state).toBe('Pending');
    world.replace('b', {});
    expect(world.step()).toMatchObject({ status: { state: 'Operational' } });
  });

  it('that returns after the chain of another one was rolled back is verified again, by the next operator, too', () => {
    const world = createWorld();
    world.settle();
    world.replace('b', { state: 'Pending' });
    const { settled } = world.settle();
    world.memory.outcome = { key: settled?.key ?? '', state: 'done', isRolledBack: true };
    world.step();
    world.restart();
    world.replace('b', {});
    expect(world.step()).toMatchObject({ status: { state: 'Pending' }, order: { endpoints: { length: 2 } } });
    expect(world.settle().status.state).toBe('Operational');
  });

  it('that was reset gets a new endpoint and a new id; the other member keeps its own', () => {
    const world = createWorld();
    world.settle();
    const [a, b] = [world.of('a'), world.of('b')];
    const { enclaveID } = world.network.status ?? {};
    world.replace('b', { enclaveID: 'b-2' });
    const { status, order } = world.step();
    expect(status.state).toBe('Pending');
    expect(order?.endpoints.map(({ endpoint }) => endpoint)).toEqual([a?.endpoint, undefined]);
    expect(world.of('b')).not.toHaveProperty('endpoint');
    expect(world.settle().status.state).toBe('Operational');
    expect(world.of('a')).toEqual(a);
    expect(world.of('b')).toMatchObject({ enclaveID: 'b-2', incarnation: 'b-2' });
    expect(world.of('b')?.eid).not.toBe(b?.eid);
    expect(world.network.status?.enclaveID).not.toBe(enclaveID);
  });

  it('with an id in the spec that was reset causes all endpoints to be deployed again, once', () => {
    const networks = [{ networkRef: { name: 'a' } }, { networkRef: { name: 'b' }, eid: 30_102 }];
    const world = createWorld({ layerzero: { networks } });
    world.settle();
    const a = world.of('a');
    world.replace('b', { enclaveID: 'b-2' });
    expect(world.step().order?.endpoints.map(({ endpoint }) => endpoint)).toEqual([undefined, undefined]);
    expect(world.settle().status).toMatchObject({ state: 'Operational', layerzero: { generation: 1 } });
    expect(world.of('b')?.eid).toBe(30_102);
    expect(world.of('a')?.eid).not.toBe(a?.eid);
    world.restart();
    expect(world.step()).toMatchObject({ status: { state: 'Operational', layerzero: { generation: 1 } } });
  });

  it('that is persistent and has restarted is verified on its chain before anything is deployed', () => {
    const world = createWorld({ members: [aMember('a'), aMember('b', {}, { persistent: true })] });
    world.settle();
    const before = world.of('b');
    world.replace('b', { enclaveID: 'b-2' }, { persistent: true });
    const { order, status } = world.step();
    expect(status.state).toBe('Pending');
    expect(order?.unverified).toMatchObject([{ id: 'u-b', incarnation: 'b-1', enclaveID: 'b-2' }]);
    expect(world.settle().status.state).toBe('Operational');
    expect(world.of('b')).toEqual({ ...before, enclaveID: 'b-2' });
  });

  it.each<[string, object]>([
    ['goes back to a snapshot', { from: { snapshot: 'before', snapshotID: 'u-snapshot' } }],
    ['was persistent until a moment ago', { persistentUntil: '2030-01-03T03:04:05Z' }],
  ])('that %s is verified on its chain as well', (_reason, status) => {
    const world = createWorld();
    world.settle();
    const before = world.of('b');
    world.replace('b', { ...status, enclaveID: 'b-2' });
    expect(world.step().order?.unverified).toMatchObject([{ id: 'u-b', incarnation: 'b-1' }]);
    expect(world.settle().status.state).toBe('Operational');
    expect(world.of('b')).toEqual({ ...before, enclaveID: 'b-2' });
  });
});
