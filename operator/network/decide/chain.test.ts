import type { Pod } from '../../../core/kube/types.ts';
import { someEngines } from '../testing/facts.ts';
import { createWorld, processOf, runningWorld, type World } from '../testing/world.ts';

const change = (world: World, ethereum: object) =>
  world.change({
    chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'key' }, chainID: '777', ...ethereum } },
  });

describe('block time and gas limit', () => {
  it('are taken over by the running engine, which keeps its chain', () => {
    const world = runningWorld();
    const { enclaveID, chainSpecHash } = world.network.status ?? {};
    const before = processOf(world);
    change(world, { blockTime: 3, gasLimit: 12_345_678 });
    world.settle();
    expect(world.calls).toEqual(['evm_setBlockGasLimit', 'evm_setIntervalMining']);
    expect(processOf(world)).toBe(before);
    expect(world.network.status).toMatchObject({ state: 'Operational', enclaveID, message: 'running' });
    expect(world.network.status?.chainSpecHash).not.toBe(chainSpecHash);
    expect(world.events.map(({ reason }) => reason)).not.toContain('ChainEnded');
  });

  it('are not applied, according to the status, before the engine was called', () => {
    const world = runningWorld();
    const { chainSpecHash } = world.network.status ?? {};
    change(world, { blockTime: 3 });
    expect(world.decide()).toMatchObject({
      status: { chainSpecHash, message: 'running; the engine has not taken over the changed spec yet' },
      asks: { adjust: [{}, {}] },
    });
  });

  it('are taken over again by an engine that started again with its former arguments', () => {
    const world = runningWorld();
    change(world, { blockTime: 3 });
    world.settle();
    const { length } = world.calls;
    world.request('Restart', 1);
    world.settle();
    expect(world.calls).toHaveLength(2 * length);
    world.settle();
    expect(world.calls).toHaveLength(2 * length);
  });

  it('are not set on an engine that starts again from the genesis after an idle stop', () => {
    const world = runningWorld();
    change(world, { blockTime: 3 });
    world.settle();
    const { length } = world.calls;
    world.nowMs += 25 * 3_600_000;
    world.settle();
    expect(world.network.status?.state).toBe('Stopped');
    world.change({});
    world.settle();
    expect(world.calls).toHaveLength(length);
  });

  it('are not set on an engine that started with them', () => {
    const world = runningWorld({ blockTime: 3 });
    world.request('Restart', 1);
    world.settle();
    expect(world.calls).toEqual([]);
  });
});

describe('a changed spec that the engine cannot take over', () => {
  it('starts a new chain, and tells in the message and in an Event at which block the former one ended', () => {
    const world = runningWorld();
    const { enclaveID } = world.network.status ?? {};
    world.facts = { lastBlock: 41 };
    change(world, { chainID: '778' });
    world.settle();
    const { status } = world.network;
    expect(status).toMatchObject({ state: 'Operational', chainID: '778' });
    expect(status?.enclaveID).not.toBe(enclaveID);
    expect(status?.previousChain).toMatchObject({ enclaveID, lastBlock: 41 });
    expect(status?.message).toMatch(
      /^running; the chain before this one ended at block 41 on .*: spec\.chain\.ethereum\.chainID changed$/,
    );
    const ends = world.events.filter(({ reason }) => reason === 'ChainEnded');
    expect(ends).toEqual([
      {
        type: 'Warning',
        reason: 'ChainEnded',
        message: expect.stringMatching(
          `^the chain ${enclaveID} ended at block 41 on .* changed; its data is gone$`,
        ),
      },
    ]);
  });

  it('never gives the former chain its names back: changed there and back, everything is new', () => {
    const world = runningWorld();
    const { name } = world.pods[0]?.metadata ?? {};
    change(world, { chainID: '778' });
    world.settle();
    change(world, {});
    world.settle();
    expect(world.pods[0]?.metadata.name).not.toBe(name);
    expect(world.network.status?.incarnation?.number).toBe(2);
  });

  it('keeps a chain that runs when the spec comes back before the operator has acted', () => {
    const world = runningWorld();
    const before = processOf(world);
    change(world, { chainID: '778' });
    change(world, {});
    world.settle();
    expect(processOf(world)).toBe(before);
  });

  it('leaves the running chain alone until nothing blocks the new one', () => {
    const world = runningWorld();
    const before = processOf(world);
    const { enclaveID } = world.network.status ?? {};
    world.facts = { hotKey: { kind: 'missing', message: 'secret "typo" does not exist' } };
    change(world, { privateKeyRef: { name: 'typo' } });
    world.settle();
    expect(processOf(world)).toBe(before);
    expect(world.network.status).toMatchObject({
      state: 'Error',
      enclaveID,
      message: 'secret "typo" does not exist; the former chain is kept until then',
    });
    world.facts = {};
    world.settle();
    expect(world.network.status).toMatchObject({ state: 'Operational', previousChain: { enclaveID } });
    expect(processOf(world)).not.toBe(before);
  });

  it('follows a changed fork block, whatever a former Resync took', () => {
    const forking = (blockHeight: string) => ({ forking: { enabled: true, blockHeight } });
    const world = createWorld(forking('5'));
    world.facts = { forkSource: 'http://source', answers: { forkHead: { block: 9 } } };
    world.settle();
    world.request('Resync', 1);
    world.settle();
    change(world, forking('6'));
    world.settle();
    expect(world.pods[0]?.spec.containers[0]?.args?.join(' ')).toContain('--fork-block-number 6');
  });
});

describe('a changed image', () => {
  const image = (tag: string) => ({ chain: { type: 'Thorchain', thorchain: { image: tag } } }) as const;

  const engineSet = someEngines({ thornode: { allowedImages: ['thornode:*'] } });

  function thorchain(persistent: boolean): World {
    const world = createWorld({}, { ...image('thornode:1'), persistent });
    world.facts = { hotKey: undefined, engineSet };
    world.settle();
    expect(world.network.status).toMatchObject({
      state: 'Operational',
      storage: persistent ? 'Volume' : 'Pod',
    });
    return world;
  }

  const volumeOf = ([pod]: Pod[]) => pod?.spec.volumes?.find(({ name }) => name === 'data');

  it('is taken over by a new pod on the same volume', () => {
    const world = thorchain(true);
    const volume = volumeOf(world.pods);
    const uid = world.pods[0]?.metadata.uid;
    world.change(image('thornode:2'));
    world.settle();
    expect(world.pods[0]?.metadata.uid).not.toBe(uid);
    expect(world.pods[0]?.spec.containers[0]?.image).toBe('thornode:2');
    expect(volumeOf(world.pods)).toEqual(volume);
    expect(world.network.status).toMatchObject({
      state: 'Operational',
      incarnation: { number: 0, revision: 1 },
    });
    expect(world.network.status?.previousChain).toBeUndefined();
  });

  it('starts a new chain if the data is in the pod, and says so', () => {
    const world = thorchain(false);
    world.change(image('thornode:2'));
    world.settle();
    expect(world.network.status).toMatchObject({ incarnation: { number: 1 } });
    expect(world.network.status?.previousChain?.reason).toBe('spec.chain.thorchain.image changed');
  });
});
