import { accessKeyOf } from '../../../core/accounts/accessKeys.ts';
import { type Clock, systemClock } from '../../../core/lib/clock.ts';
import { collectGarbage } from '../../../core/lib/testing/garbage.ts';
import type { NetworkLookup, RpcNetwork } from '../deps.ts';
import {
  accessKeys,
  call,
  firstEpochs,
  keyFor,
  type Node,
  post,
  publicKey,
  startNode,
  startWorld,
  testId,
  testScope,
  testUid,
  type World,
} from '../testing/fixtures.ts';
import { refusal } from '../testing/socketFixtures.ts';
import { unknownGraceMs } from '../wake/readiness.ts';
import { createAccessCheck } from './admit.ts';

type Keyed = Pick<RpcNetwork, 'uid' | 'keyScopes' | 'accessEpochs'>;

const inPath = { service: 'rpc', isHosted: false };
const isOpen = async (url: string) => (await post(url, call('eth_chainId'))).status === 200;

describe('access keys of the gateway', () => {
  let world: World;
  let node: Node;
  beforeEach(async () => {
    node = await startNode((_request, response) => void response.end('{"result":1}'));
    world = await startWorld(node);
  });
  afterEach(async () => {
    await world.close();
    await node.close();
  });
  const urlOf = (access: 'public' | 'admin', epoch = 0) =>
    world.url(access === 'admin' ? 'admin' : 'rpc', keyFor(access, { epoch }));

  it.each([
    ['admin', 'public'],
    ['public', 'admin'],
  ] as const)(
    'a replaced %s key opens nothing any more, and the %s key keeps working',
    async (replaced, kept) => {
      for (const access of [replaced, kept]) expect(await isOpen(urlOf(access))).toBe(true);
      world.setNetwork({ accessEpochs: { public: 0, admin: 0, [replaced]: 1 } });
      expect(await isOpen(urlOf(replaced))).toBe(false);
      expect(await refusal(urlOf(replaced))).toBe(404);
      expect(await isOpen(urlOf(replaced, 1))).toBe(true);
      expect(await isOpen(urlOf(kept))).toBe(true);
    },
  );

  it('a key whose replacement was only requested opens nothing, and neither does the next one', async () => {
    world.setNetwork({ accessEpochs: { public: 0 } });
    expect(await isOpen(urlOf('admin'))).toBe(false);
    expect(await isOpen(urlOf('admin', 1))).toBe(false);
    expect(await isOpen(urlOf('public'))).toBe(true);
  });

  it('a call that waits for the network is refused when its key is replaced meanwhile', async () => {
    world.setNetwork({ state: 'Stopped' });
    const answer = post(urlOf('public'), call('eth_chainId'));
    while (world.woken.length === 0) await new Promise(setImmediate);
    world.setNetwork({ state: 'Operational', accessEpochs: { public: 1, admin: 0 } });
    expect((await answer).status).toBe(404);
  });

  it('a call to a network that is not known yet is a 503 when nobody more may wait for it', async () => {
    const full = await startWorld(node, { limits: { heldPerNetwork: 0 } });
    full.setNetwork(undefined);
    const scope = { ...testScope, id: testId.replace('b', 'c') };
    const { status, headers } = await post(
      `${full.origin}/rpc/${scope.id}/${keyFor('public', { scope })}/rpc`,
      call('eth_chainId'),
    );
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    await full.close();
  });

  it('a network whose keys cover something else is not opened by the former ones any more', async () => {
    const former = world.url('rpc', keyFor('public', { scope: { id: testId } }));
    world.setNetwork({ keyScopes: [{ id: testId }] });
    expect([await isOpen(urlOf('public')), await isOpen(former)]).toEqual([false, true]);
    world.setNetwork({ keyScopes: [testScope] });
    expect([await isOpen(urlOf('public')), await isOpen(former)]).toEqual([true, false]);
  });

  it('a network is also reachable by another id that its keys cover, and by no key of the one at the other', async () => {
    world.setNetwork({ keyScopes: [testScope, { id: testUid }] });
    const at = (id: string, key: string) => `${world.origin}/rpc/${id}/${key}/rpc`;
    const byUid = keyFor('public', { scope: { id: testUid } });
    expect(await isOpen(at(testUid, byUid))).toBe(true);
    expect(await isOpen(at(testUid, keyFor('public')))).toBe(false);
    expect(await isOpen(at(testId, byUid))).toBe(false);
  });

  it('a key under any installed key of the installation is valid, so that URLs can change step by step', async () => {
    for (const keyId of ['k1', 'k2'])
      expect(await isOpen(world.url('rpc', keyFor('public', { keyId })))).toBe(true);
  });
});

it('only the installed keys of the installation count', () => {
  const k2 = new Map([...accessKeys.keys].filter(([id]) => id === 'k2'));
  const access = createAccessCheck({ currentId: 'k2', keys: k2 }, systemClock);
  const routeOf = (keyId: string) => ({ ...inPath, id: testId, accessKey: keyFor('admin', { keyId }) });
  const network = { uid: testUid, keyScopes: [testScope], accessEpochs: firstEpochs } satisfies Keyed;
  expect(['k1', 'k2'].map((keyId) => access.of(routeOf(keyId), network))).toEqual([undefined, 'admin']);
  expect(['k1', 'k2'].map((keyId) => access.mayOpen(routeOf(keyId)))).toEqual([false, true]);
});

it('what is remembered of a network takes less than a kilobyte of buffers', () => {
  const count = 1000;
  const access = createAccessCheck(accessKeys, systemClock);
  const networkAt = (at: number) => {
    const scope = { id: `network-${at}`, namespace: 'test' };
    return {
      scope,
      network: { uid: `uid-${at}`, keyScopes: [scope], accessEpochs: firstEpochs } satisfies Keyed,
    };
  };
  const bytesInUse = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const before = bytesInUse();
  for (let at = 0; at < count; at += 1) {
    const { scope, network } = networkAt(at);
    const accessKey = keyFor('public', { scope });
    expect(access.of({ ...inPath, id: scope.id, accessKey }, network)).toBe('public');
    // What a process does between two networks.
    Buffer.from('a'.repeat(30_000));
  }
  expect((bytesInUse() - before) / count).toBeLessThan(1024);
  const { scope, network } = networkAt(0);
  expect(access.of({ ...inPath, id: scope.id, accessKey: '' }, network)).toBeUndefined();
});

describe('two networks with one id, in two namespaces', () => {
  const scopeIn = (namespace: string) => ({ id: testId, namespace });
  const networkIn = (namespace: string) => ({ ...aKnownNetwork(namespace), uid: `uid-${namespace}` });
  let nodes: Node[];
  let world: World;
  let present: RpcNetwork[];
  beforeEach(async () => {
    present = ['ours', 'theirs'].map(networkIn);
    nodes = await Promise.all(
      present.map(({ namespace }) =>
        startNode((_request, response) => void response.end(JSON.stringify({ result: namespace }))),
      ),
    );
    const onChange = () => () => undefined;
    const find = (uid: string) => present.find((network) => network.uid === uid);
    world = await startWorld(undefined, {
      networks: { find, at: (id) => (id === testId ? present : []), onChange },
      upstreams: { find: (uid) => nodes[uid === 'uid-ours' ? 0 : 1], onChange },
    });
  });
  afterEach(async () => {
    await world.close();
    await Promise.all(nodes.map((one) => one.close()));
  });
  const answerTo = async (key: string) => {
    const { status, json } = await post(world.url('rpc', key), call('eth_chainId'));
    return status === 200 ? json.result : status;
  };

  it.each(['ours', 'theirs'])('the key of the one that is %s opens that one', async (namespace) => {
    const scope = scopeIn(namespace);
    expect(await answerTo(keyFor('public', { scope }))).toBe(namespace);
    expect(await answerTo(keyFor('public', { scope, keyId: 'k1' }))).toBe(namespace);
  });

  it('a key of neither opens none of them, and is not waited with', async () => {
    for (const scope of [scopeIn('nobodys'), { id: testId }])
      expect(await answerTo(keyFor('public', { scope }))).toBe(404);
    expect(await answerTo(keyFor('public', { scope: scopeIn('ours'), epoch: 1 }))).toBe(404);
  });

  it('the key of one that was deleted does not open the other one', async () => {
    const key = keyFor('public', { scope: scopeIn('ours') });
    expect(await answerTo(key)).toBe('ours');
    present = [networkIn('theirs')];
    expect(await answerTo(key)).toBe(404);
  });
});

describe('a network that this replica does not know yet', () => {
  let node: Node;
  let world: World;
  let networks: ReturnType<typeof createLateNetworks>;
  let grace: ReturnType<typeof createGrace>;
  beforeEach(async () => {
    networks = createLateNetworks();
    grace = createGrace();
    node = await startNode((_request, response) => void response.end('{"result":1}'));
    world = await startWorld(node, { networks: networks.lookup, clock: grace.clock });
  });
  afterEach(async () => {
    await world.close();
    await node.close();
  });
  const ask = (key: string) => post(world.url('rpc', key), call('eth_chainId'));

  it.each([
    ['a guess', 'A'.repeat(24)],
    ['the key of another id', keyFor('public', { scope: { ...testScope, id: testId.replace('b', 'c') } })],
    ['a key of the former form', keyFor('public', { scope: { id: testId } })],
    [
      'a key under one that is not installed',
      accessKeyOf(Buffer.from('another'), { scope: testScope, access: 'public', epoch: 0 }),
    ],
  ])('is not waited for with %s', async (_reason, key) => {
    expect((await ask(key)).status).toBe(404);
    expect(grace.begun()).toBe(0);
  });

  it('is waited for with the mark of its id, and is not there after a moment', async () => {
    const answer = ask(`${publicKey.slice(0, 4)}${'A'.repeat(20)}`);
    await grace.whenBegun;
    grace.end();
    expect((await answer).status).toBe(404);
  });

  it.each([
    ['its key opens it when it comes', publicKey, 200],
    ['a guess with its mark does not', `${publicKey.slice(0, 4)}${'A'.repeat(20)}`, 404],
  ])('%s', async (_case, key, status) => {
    const answer = ask(key);
    await grace.whenBegun;
    networks.add(firstEpochs);
    if (status === 404) grace.end();
    expect((await answer).status).toBe(status);
  });

  it('is waited for while it is there without its first keys, as an operator has just written them', async () => {
    networks.add({});
    const answer = ask(publicKey);
    await grace.whenBegun;
    networks.add(firstEpochs);
    expect((await answer).status).toBe(200);
  });
});

/** A lookup that has no network at first. */
function createLateNetworks() {
  const listeners = new Set<(uid: string, id: string) => void>();
  let network: RpcNetwork | undefined;
  const lookup: NetworkLookup = {
    find: () => network,
    at: () => (network ? [network] : []),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    lookup,
    add(accessEpochs: RpcNetwork['accessEpochs']) {
      network = { ...aKnownNetwork('test'), accessEpochs };
      for (const listener of [...listeners]) listener(testUid, testId);
    },
  };
}

/** A clock whose time passes as usual, but for what callers wait for a network: that ends when the test says so. */
function createGrace() {
  const { promise: whenBegun, resolve } = Promise.withResolvers<void>();
  const waits: (() => void)[] = [];
  let passedMs = 0;
  const clock: Clock = {
    ...systemClock,
    nowMs: () => systemClock.nowMs() + passedMs,
    after(delayMs, callback) {
      if (delayMs !== unknownGraceMs) return systemClock.after(delayMs, callback);
      waits.push(callback);
      resolve();
      return () => undefined;
    },
  };
  return {
    clock,
    whenBegun,
    begun: () => waits.length,
    end() {
      passedMs = unknownGraceMs;
      for (const wait of waits) wait();
    },
  };
}

function aKnownNetwork(namespace: string): RpcNetwork {
  return {
    uid: testUid,
    id: testId,
    keyScopes: [{ id: testId, namespace }],
    name: 'net',
    namespace,
    type: 'Ethereum',
    state: 'Operational',
    isDeleting: false,
    accessEpochs: firstEpochs,
  };
}
