import { createWorld, endpointOf, two } from './testing/world.ts';

describe('a LayerZero network with running members', () => {
  it('is Pending while all pairs are wired both ways, then Operational with every status field', () => {
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

  it('delivers only on the connections in its spec', () => {
    const connections = [{ from: 'b', to: 'a' }];
    const { routes } = createWorld({ layerzero: { ...two, connections } }).settle();
    expect(routes.map(({ from, to }) => [from.name, to.name])).toEqual([['b', 'a']]);
  });

  it('stays Operational with nothing to do after an operator restart', () => {
    const world = createWorld();
    world.settle();
    world.restart();
    const { status, order, routes } = world.step();
    expect([status.state, order, routes.length]).toEqual(['Operational', undefined, 2]);
  });

  it('keeps its generated endpoint ids when they are added to the spec later', () => {
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

  it('reports what failed on the chains, and why', () => {
    const world = createWorld();
    const { order } = world.step();
    const message = 'member "a": cannot be paid';
    world.memory.outcome = { key: order?.key ?? '', state: 'failed', message };
    expect(world.step().status).toMatchObject({ state: 'Error', message });
    world.memory.outcome = { key: order?.key ?? '', state: 'retry', message };
    expect(world.step().status).toMatchObject({ state: 'Pending', message });
  });
});
