import type { NetworkResource } from '../../core/api/network.ts';
import { anInstallation, nowMs } from '../network/testing.ts';
import { decide } from './decide.ts';
import type { LayerZeroDecision, LayerZeroFacts, Memory } from './facts.ts';
import { scopeOf } from './stations.ts';

const endpointOf = (name: string) => ({
  endpoint: `0x${name.charCodeAt(0).toString(16).padStart(40, '0')}`,
  messageLib: `0x${name.charCodeAt(0).toString(16).padStart(40, 'f')}`,
});

function aMember(name: string, status: object = {}, spec: object = {}): NetworkResource {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: { name, namespace: 'ws', uid: `u-${name}`, generation: 1 },
    spec: { chain: { type: 'Base', base: {} }, ...spec },
    status: {
      state: 'Operational',
      enclaveID: `${name}-1`,
      endpoints: { rpc: `http://${name}`, ws: `ws://${name}`, admin: 'x' },
      ...status,
    },
  };
}

interface World {
  layerzero?: NonNullable<NetworkResource['spec']['chain']['layerzero']>;
  members?: NetworkResource[];
  network?: Partial<NetworkResource>;
  facts?: Partial<LayerZeroFacts>;
}

const two = { networks: [{ networkRef: { name: 'a' } }, { networkRef: { name: 'b' } }] };

function createWorld({ layerzero = two, members = [aMember('a'), aMember('b')], ...rest }: World = {}) {
  const memory: Memory = { endpoints: new Map(), lives: new Map() };
  const world = {
    memory,
    members: new Map(members.map((member) => [member.metadata.name, member])),
    network: {
      apiVersion: 'slipway.dev/v1alpha1',
      kind: 'Network',
      metadata: {
        ...{ name: 'mesh', namespace: 'ws', uid: 'u-mesh', generation: 1 },
        creationTimestamp: '2030-01-02T03:00:00Z',
      },
      spec: { chain: { type: 'LayerZero', layerzero } },
      ...rest.network,
    } as NetworkResource,
    facts: rest.facts ?? {},
    /** Decides, and keeps the status. */
    step(): LayerZeroDecision {
      const { networks = [] } = world.network.spec.chain.layerzero ?? {};
      const decision = decide({
        network: world.network,
        nowMs,
        placeRefusal: undefined,
        isStopAllowed: true,
        installation: anInstallation(),
        memory,
        members: networks.map(({ networkRef: { name }, eid }) => ({
          ...{ name, network: world.members.get(name) },
          ...(eid === undefined ? {} : { eid }),
        })),
        ...world.facts,
      });
      world.network = { ...world.network, status: { ...world.network.status, ...decision.status } };
      return decision;
    },
    /** Does what was ordered, on chains that exist in mind alone. */
    obey({ order }: LayerZeroDecision): void {
      for (const doubt of order?.doubts ?? []) {
        memory.lives.set(`${doubt.id}/${doubt.incarnation}/${doubt.enclaveID}`, 'present');
      }
      for (const station of order?.stations ?? []) {
        memory.endpoints.set(scopeOf(station), endpointOf(station.name));
      }
      if (order) memory.outcome = { key: order.key, state: 'done' };
    },
    /** Until nothing is ordered. */
    settle(): LayerZeroDecision {
      let decision = world.step();
      while (decision.order) {
        world.obey(decision);
        decision = world.step();
      }
      return decision;
    },
    restart(): void {
      memory.endpoints.clear();
      memory.lives.clear();
      delete memory.outcome;
    },
    replace(name: string, status: object, spec: object = {}): void {
      world.members.set(name, aMember(name, status, spec));
    },
    change(spec: object): void {
      const metadata = {
        ...world.network.metadata,
        generation: (world.network.metadata.generation ?? 0) + 1,
      };
      world.network = { ...world.network, metadata, spec: { ...world.network.spec, ...spec } };
    },
    of: (name: string) => world.network.status?.layerzero?.members.find(({ network }) => network === name),
  };
  return world;
}

describe('a LayerZero network over members that run', () => {
  it('is Pending while it is wired, all pairs both ways, then Operational with every field', () => {
    const world = createWorld();
    const first = world.step();
    expect(first.status).toMatchObject({ state: 'Pending', execution: { currentStep: 2, totalSteps: 3 } });
    expect(first.order?.connections).toEqual([
      { from: 'u-a', to: 'u-b' },
      { from: 'u-b', to: 'u-a' },
    ]);
    expect(first.routes).toEqual([]);
    const { status, routes, order } = world.settle();
    expect(status).toMatchObject({
      state: 'Operational',
      enclaveID: expect.any(String),
      chainSpecHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      observedMaintenanceNonce: 0,
      lastWakeUpAt: expect.any(String),
      execution: { currentStep: 3, totalSteps: 3, output: expect.stringContaining(endpointOf('a').endpoint) },
      endpoints: { 'a-rpc': 'http://a', 'a-ws': 'ws://a', 'b-rpc': 'http://b', 'b-ws': 'ws://b' },
      conditions: [{ type: 'Ready', status: 'True' }],
    });
    expect(world.of('a')).toMatchObject({ networkID: 'u-a', enclaveID: 'a-1', ...endpointOf('a') });
    expect([order, routes.length]).toEqual([undefined, 2]);
  });

  it('delivers on the connections of its spec alone', () => {
    const connections = [{ from: 'b', to: 'a' }];
    const { routes } = createWorld({ layerzero: { ...two, connections } }).settle();
    expect(routes.map(({ from, to }) => [from.name, to.name])).toEqual([['b', 'a']]);
  });

  it('stays Operational, with nothing to do, under an operator that begins anew', () => {
    const world = createWorld();
    world.settle();
    world.restart();
    const { status, order, routes } = world.step();
    expect([status.state, order, routes.length]).toEqual(['Operational', undefined, 2]);
  });

  it('keeps the endpoint ids that it has drawn, also when they are named later', () => {
    const world = createWorld();
    world.settle();
    const before = world.network.status?.layerzero?.members;
    world.change({
      chain: {
        type: 'LayerZero',
        layerzero: { networks: before?.map(({ network: name, eid }) => ({ networkRef: { name }, eid })) },
      },
    });
    expect(world.settle().status.state).toBe('Operational');
    expect(world.network.status?.layerzero?.members).toEqual(before);
  });

  it('tells what failed on the chains, and why', () => {
    const world = createWorld();
    const { order } = world.step();
    const message = 'the member «a»: cannot be paid';
    world.memory.outcome = { key: order?.key ?? '', state: 'failed', message };
    expect(world.step().status).toMatchObject({ state: 'Error', message });
    world.memory.outcome = { key: order?.key ?? '', state: 'retry', message };
    expect(world.step().status).toMatchObject({ state: 'Pending', message });
  });
});

describe('a member', () => {
  const gone = (name: string) => {
    const world = createWorld();
    world.members.delete(name);
    return world;
  };

  it('that is missing is waited for, then an Error that names it and the remedy', () => {
    const world = gone('b');
    world.facts = { nowMs: Date.parse('2030-01-02T03:00:05Z') };
    expect(world.step().status).toMatchObject({ state: 'Pending' });
    world.facts = {};
    expect(world.step().status).toMatchObject({
      state: 'Error',
      message: expect.stringMatching(/«b».*create it, or take it out/),
    });
    world.replace('b', {});
    expect(world.settle().status.state).toBe('Operational');
  });

  it.each([
    ['is being deleted', { metadata: { name: 'b', deletionTimestamp: 'now' } }, /«b» is being deleted/],
    ['is no EVM network', { spec: { chain: { type: 'Solana', solana: {} } } }, /«b» is of type Solana/],
    ['is in Error', { status: { state: 'Error', message: 'no image' } }, /«b» is in Error: no image/],
  ])('that %s is an Error that names it', (_reason, change, message) => {
    const member = { ...aMember('b'), ...change } as NetworkResource;
    expect(createWorld({ members: [aMember('a'), member] }).step().status).toMatchObject({
      state: 'Error',
      message: expect.stringMatching(message),
    });
  });

  it('that does not run holds up no connection between others', () => {
    const layerzero = { networks: [...two.networks, { networkRef: { name: 'c' } }] };
    const world = createWorld({ layerzero });
    world.replace('c', { state: 'Pending' });
    const { status, routes } = world.settle();
    expect(status).toMatchObject({ state: 'Pending', message: 'waits for the member «c», which is Pending' });
    expect(routes).toHaveLength(2);
    world.replace('c', {});
    expect(world.settle()).toMatchObject({ status: { state: 'Operational' }, routes: { length: 6 } });
  });

  it('that comes back on the same chain needs nothing', () => {
    const world = createWorld();
    world.settle();
    world.replace('b', { state: 'Pending' });
    expect(world.settle().status.state).toBe('Pending');
    world.replace('b', {});
    expect(world.step()).toMatchObject({ status: { state: 'Operational' } });
  });

  it('that was reset gets another endpoint and another id; the other one keeps its own', () => {
    const world = createWorld();
    world.settle();
    const [a, b] = [world.of('a'), world.of('b')];
    const { enclaveID } = world.network.status ?? {};
    world.replace('b', { enclaveID: 'b-2' });
    const { status, order } = world.step();
    expect(status.state).toBe('Pending');
    expect(order?.stations.map(({ endpoint }) => endpoint)).toEqual([a?.endpoint, undefined]);
    expect(world.of('b')).not.toHaveProperty('endpoint');
    expect(world.settle().status.state).toBe('Operational');
    expect(world.of('a')).toEqual(a);
    expect(world.of('b')).toMatchObject({ enclaveID: 'b-2', incarnation: 'b-2' });
    expect(world.of('b')?.eid).not.toBe(b?.eid);
    expect(world.network.status?.enclaveID).not.toBe(enclaveID);
  });

  it('with an id of the spec that was reset has all begin anew, once', () => {
    const networks = [{ networkRef: { name: 'a' } }, { networkRef: { name: 'b' }, eid: 30_102 }];
    const world = createWorld({ layerzero: { networks } });
    world.settle();
    const a = world.of('a');
    world.replace('b', { enclaveID: 'b-2' });
    expect(world.step().order?.stations.map(({ endpoint }) => endpoint)).toEqual([undefined, undefined]);
    expect(world.settle().status).toMatchObject({ state: 'Operational', layerzero: { life: 1 } });
    expect(world.of('b')?.eid).toBe(30_102);
    expect(world.of('a')?.eid).not.toBe(a?.eid);
    world.restart();
    expect(world.step()).toMatchObject({ status: { state: 'Operational', layerzero: { life: 1 } } });
  });

  it('that is persistent and lives again is looked up on its chain before anything is deployed', () => {
    const world = createWorld({ members: [aMember('a'), aMember('b', {}, { persistent: true })] });
    world.settle();
    const before = world.of('b');
    world.replace('b', { enclaveID: 'b-2' }, { persistent: true });
    const { order, status } = world.step();
    expect(status.state).toBe('Pending');
    expect(order?.doubts).toMatchObject([{ id: 'u-b', incarnation: 'b-1', enclaveID: 'b-2' }]);
    expect(world.settle().status.state).toBe('Operational');
    expect(world.of('b')).toEqual({ ...before, enclaveID: 'b-2' });
  });
});

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
    expect(world.step().order?.stations.map(({ endpoint }) => endpoint)).toEqual([undefined, undefined]);
    world.restart();
    expect(world.settle().status).toMatchObject({
      ...{ state: 'Operational', observedMaintenanceNonce: 5 },
      ...{ reset: { action: 'ResetState', nonce: 5 }, layerzero: { life: 1 } },
    });
    expect(world.of('a')?.eid).not.toBe(eid);
    world.restart();
    expect(world.step()).toMatchObject({ status: { layerzero: { life: 1 } } });
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
    const world = createWorld({ facts: { placeRefusal: '3 of 3' } });
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
