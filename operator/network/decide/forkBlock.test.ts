import { createWorld, type World } from '../testing/world.ts';

const fork = { forking: { enabled: true, blockHeight: 'latest' } };

function running(block: number): World {
  const world = createWorld(fork);
  world.facts = { forkSource: 'http://forks/forks/Ethereum/u-1/token', answers: { forkHead: { block } } };
  world.settle();
  return world;
}

const argsOf = ({ pods }: World) => pods[0]?.spec.containers[0]?.args?.join(' ');

describe('a fork of the latest block', () => {
  it('names the block that was the latest when it began, and its status tells which', () => {
    const world = running(1234);
    expect(argsOf(world)).toContain('--fork-block-number 1234');
    expect(world.network.status).toMatchObject({ state: 'Operational', fork: { block: '1234' } });
  });

  it('keeps its block in a new pod, and takes the latest one with a ResetState, a Resync or after an idle stop', () => {
    const world = running(1234);
    world.facts = { ...world.facts, answers: { forkHead: { block: 5678 } } };
    world.pods = [];
    world.settle();
    expect(argsOf(world)).toContain('--fork-block-number 1234');
    world.request('ResetState', 1);
    world.settle();
    expect([argsOf(world), world.network.status?.fork?.block]).toEqual([
      expect.stringContaining('--fork-block-number 5678'),
      '5678',
    ]);
    world.facts = { ...world.facts, answers: { forkHead: { block: 9012 } } };
    world.request('Resync', 2);
    world.settle();
    expect(argsOf(world)).toContain('--fork-block-number 9012');
    world.nowMs += 86_400_000;
    world.settle();
    expect([world.network.status?.state, world.network.status?.fork]).toEqual(['Stopped', undefined]);
  });

  it('asks for the block before its engine exists, and never of an engine that runs', () => {
    const world = createWorld(fork);
    world.facts = { forkSource: 'http://source' };
    expect(world.decide()).toMatchObject({
      asks: { forkHead: { call: { method: 'eth_blockNumber' } } },
      children: [],
    });
    world.facts = { forkSource: 'http://source', answers: { forkHead: { block: 7 } } };
    world.settle();
    world.facts = { forkSource: 'http://source' };
    expect(world.decide().asks?.forkHead).toBeUndefined();
  });

  it('reports why the block cannot be read, and keeps the chain before it until it can', () => {
    const world = running(1234);
    world.facts = { ...world.facts, answers: { forkHead: { problem: 'the fork source answers 503' } } };
    world.request('Resync', 1);
    world.settle();
    expect(world.network.status).toMatchObject({
      state: 'Error',
      message: expect.stringMatching(/cannot be read: the fork source answers 503; the former chain is kept/),
    });
    expect(argsOf(world)).toContain('--fork-block-number 1234');
    world.facts = { ...world.facts, answers: { forkHead: { block: 5678 } } };
    world.settle();
    expect(argsOf(world)).toContain('--fork-block-number 5678');
    expect(world.network.status).toMatchObject({ state: 'Operational', observedMaintenanceNonce: 1 });
  });
});

it('a fork that waits for its turn to ask is Pending', () => {
  const world = createWorld(fork);
  world.facts = {
    forkSource: 'http://source',
    answers: { forkHead: { problem: 'others are asking it', isPassing: true } },
  };
  expect(world.decide()).toMatchObject({ status: { state: 'Pending' }, requeueAfterMs: 2_000 });
});

it('a fork of a named block needs no other one', () => {
  const world = createWorld({ forking: { enabled: true, blockHeight: '5' } });
  world.facts = { forkSource: 'http://source' };
  world.settle();
  expect(argsOf(world)).toContain('--fork-block-number 5');
  expect(world.network.status?.fork?.block).toBe('5');
});

describe('a fork whose own source is refused', () => {
  const refusalOf = (forkRefusal: object) => {
    const world = createWorld({ ...fork, sourceRef: { name: 'source' } });
    world.nowMs += 60_000;
    world.facts = { forkSource: undefined, forkRefusal: { refusal: 'secret "source": no', ...forkRefusal } };
    return world.decide();
  };

  it('says why in its status, and begins once it is allowed', () => {
    expect(refusalOf({})).toMatchObject({
      status: { state: 'Error', message: expect.stringContaining('forking.sourceRef: secret "source": no') },
      children: [],
    });
  });

  it('has a reason of its own while the Secret is missing', () => {
    const reasonOf = ({ status }: ReturnType<typeof refusalOf>) =>
      status.conditions?.map(({ reason }) => reason).join();
    expect(reasonOf(refusalOf({ isMissing: true }))).toContain('SecretMissing');
    expect(reasonOf(refusalOf({}))).toContain('ForkSourceRefused');
  });
});

it('a network that forks nothing has no such block', () => {
  const world = createWorld();
  world.settle();
  expect(world.network.status).toMatchObject({ state: 'Operational' });
  expect(world.network.status?.fork).toBeUndefined();
});

it('the URL with the token is in one Secret, and nowhere else in the objects or the status', () => {
  const world = createWorld(fork);
  const forkSource = 'http://forks/forks/Ethereum/u-1/THE-TOKEN';
  world.facts = { forkSource, answers: { forkHead: { block: 7 } } };
  const { children = [], ...rest } = world.decide();
  const holders = children.filter((child) => JSON.stringify(child).includes('THE-TOKEN'));
  expect(holders).toMatchObject([{ kind: 'Secret', stringData: { url: forkSource } }]);
  expect(JSON.stringify(rest)).not.toContain('THE-TOKEN');
});
