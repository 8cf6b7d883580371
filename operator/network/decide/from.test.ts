import type { Pod } from '../../../core/kube/types.ts';
import { chainStanding } from '../../../core/networks/incarnation.ts';
import type { ResolvedSnapshot } from '../snapshot.ts';
import { createWorld, runningWorld, type World } from '../testing/world.ts';

const before = {
  snapshot: 'before',
  id: 's-1',
  digest: 'd1',
  parts: 2,
  chainID: '424242',
  block: 12,
} as const;
const after = { ...before, snapshot: 'after', id: 's-2', digest: 'd2', parts: 1 };
const from = { snapshot: 'before' };
const missing: ResolvedSnapshot = {
  reason: 'SnapshotMissing',
  refusal: 'the snapshot "before" does not exist',
};

function withSnapshot(world: World, snapshot: ResolvedSnapshot): World {
  world.facts = { ...world.facts, snapshot };
  return world;
}

function clone(chain: object = {}): World {
  const world = withSnapshot(createWorld(chain, { from }), { from: before });
  world.settle();
  return world;
}

function mounted({ pods: [pod] }: World): (string | undefined)[] {
  const spec: Pod['spec'] | undefined = pod?.spec;
  const volume = spec?.volumes?.find(({ name }) => name === 'snapshot');
  return (volume?.projected?.sources ?? []).map(({ configMap }) => configMap?.name);
}

const nameIn = ({ pods: [pod] }: World) =>
  pod?.spec.containers[0]?.env?.find(({ name }) => name === 'SLIPWAY_SNAPSHOT')?.value;
const argsOf = ({ pods: [pod] }: World) => pod?.spec.containers[0]?.args?.join(' ') ?? '';

describe('a network that begins from a snapshot', () => {
  it('mounts its parts in their order, and its status names it', () => {
    const world = clone();
    expect(mounted(world)).toEqual(['snapshot-s-1-d1-0', 'snapshot-s-1-d1-1']);
    expect(nameIn(world)).toBe('before');
    expect(world.network.status).toMatchObject({ state: 'Operational', message: 'running', from: before });
    expect(world.network.status?.execution?.output).toContain(
      'begins with the accounts of the snapshot "before"',
    );
  });

  it('has the chain id of the snapshot, which it may share, unless its spec names one', () => {
    const world = withSnapshot(createWorld({ chainID: undefined }, { from }), { from: before });
    world.facts = { ...world.facts, isChainIdTaken: (chainId) => chainId === '424242' };
    world.settle();
    expect(world.network.status?.chainID).toBe('424242');
    expect(argsOf(world)).toContain('--chain-id 424242');
    expect(clone().network.status?.chainID).toBe('777');
  });

  it('may name the chain id of the snapshot while the original has it, but no other that is taken', () => {
    const isChainIdTaken = () => true;
    const world = withSnapshot(createWorld({ chainID: '424242' }, { from }), { from: before });
    world.facts = { ...world.facts, isChainIdTaken };
    world.settle();
    expect(world.network.status?.state).toBe('Operational');
    const other = withSnapshot(createWorld({ chainID: '777' }, { from }), { from: before });
    other.facts = { ...other.facts, isChainIdTaken };
    other.settle();
    expect(other.network.status?.conditions).toMatchObject([{ reason: 'ChainIdInUse' }]);
  });

  it('waits for a snapshot that is not Ready, and reports one that does not exist', () => {
    const world = withSnapshot(createWorld({}, { from }), { reason: 'SnapshotNotReady', refusal: 'not yet' });
    expect(world.decide()).toMatchObject({ state: 'Pending', message: 'spec.from: not yet', children: [] });
    withSnapshot(world, missing);
    world.nowMs += 60_000;
    expect(world.decide()).toMatchObject({ state: 'Error', reason: 'SnapshotMissing', children: [] });
    withSnapshot(world, { from: before });
    world.settle();
    expect(world.network.status?.state).toBe('Operational');
  });

  it('runs on when the snapshot is deleted, also in a new pod, and says that it cannot begin again', () => {
    const world = withSnapshot(clone(), missing);
    world.pods = [];
    world.settle();
    expect(world.network.status).toMatchObject({
      state: 'Operational',
      message: expect.stringMatching(
        /^running; its chain cannot begin again: the snapshot "before" does not exist/,
      ),
      from: before,
    });
    expect(mounted(world)).toHaveLength(2);
  });

  it('begins again from the snapshot after an idle stop', () => {
    const world = clone();
    world.nowMs += 86_400_000;
    world.settle();
    expect(world.network.status).toMatchObject({ state: 'Stopped' });
    expect(world.network.status?.from).toBeUndefined();
    withSnapshot(world, { from: { ...before, digest: 'd9' } });
    world.change({ idleAfter: '2h' });
    world.network.metadata.annotations = { 'slipway.dev/wake': 'now' };
    world.settle();
    expect(mounted(world)[0]).toBe('snapshot-s-1-d9-0');
  });

  it('of a fork forks the block of the snapshot, and reads no other one', () => {
    const world = createWorld({ forking: { enabled: true } }, { from });
    world.facts = { forkSource: 'http://forks/x', snapshot: { from: { ...before, forkBlock: '99' } } };
    expect(world.decide().asks?.forkHead).toBeUndefined();
    world.settle();
    expect(argsOf(world)).toContain('--fork-block-number 99');
  });
});

describe('a revert', () => {
  it('is a new incarnation with the same chain id and URLs, and the status says how the former chain ended', () => {
    const world = runningWorld();
    const { enclaveID, endpoints, chainID } = world.network.status ?? {};
    withSnapshot(world, { from: before });
    world.change({ from, maintenanceRequest: { action: 'ResetState', nonce: 1 } });
    world.settle();
    const { status } = world.network;
    expect(status).toMatchObject({ state: 'Operational', chainID, endpoints, from: before });
    expect(status?.observedMaintenanceNonce).toBe(1);
    expect(status?.enclaveID).not.toBe(enclaveID);
    const reason = 'ResetState with the snapshot "before" was requested';
    expect(status?.previousChain).toMatchObject({ enclaveID, reason });
    // What was there before the snapshot is there again, so the chain is asked for it.
    expect(chainStanding(world.network, { incarnation: enclaveID })).toBe('unverified');
  });

  it('to the same snapshot takes another ResetState', () => {
    const world = clone();
    const { enclaveID } = world.network.status ?? {};
    world.settle();
    expect(world.network.status?.enclaveID).toBe(enclaveID);
    world.request('ResetState', 1);
    world.settle();
    expect(world.network.status?.enclaveID).not.toBe(enclaveID);
    expect(mounted(world)).toHaveLength(2);
  });

  it('keeps the running chain until the snapshot can be used', () => {
    const world = withSnapshot(runningWorld(), missing);
    const { enclaveID } = world.network.status ?? {};
    world.change({ from });
    world.settle();
    expect(world.pods).toHaveLength(1);
    expect(world.network.status).toMatchObject({
      state: 'Error',
      enclaveID,
      message: expect.stringMatching(/does not exist; the former chain is kept until then$/),
    });
    withSnapshot(world, { from: before });
    world.settle();
    expect(world.network.status).toMatchObject({ state: 'Operational', from: before });
  });

  it('happens when spec.from names another snapshot, and not when it names none any more', () => {
    const world = withSnapshot(clone(), { from: after });
    world.change({ from: { snapshot: 'after' } });
    world.settle();
    const { enclaveID, from: second } = world.network.status ?? {};
    expect(second).toMatchObject(after);
    const { from: _, ...spec } = world.network.spec;
    world.network = { ...world.network, spec };
    world.facts = {};
    world.settle();
    expect(world.network.status).toMatchObject({
      enclaveID,
      from: after,
      message: expect.stringMatching(/^running/),
    });
    world.request('ResetState', 1);
    world.settle();
    expect(world.network.status?.from).toBeUndefined();
    expect(mounted(world)).toEqual([]);
  });
});
