import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../../../core/lib/clock.ts';
import {
  accessKeys,
  call,
  keyFor,
  type Node,
  post,
  startNode,
  startWorld,
  testUid,
  type World,
} from '../testing/fixtures.ts';
import { refusal } from '../testing/socketFixtures.ts';
import { createAccessCheck } from './admit.ts';

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
    const networkUid = '00000000-4a1e-4d0e-9d59-3f3a1f0c2b11';
    const { status, headers } = await post(
      `${full.origin}/rpc/${networkUid}/${keyFor('public', { networkUid })}/rpc`,
      call('eth_chainId'),
    );
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    await full.close();
  });

  it('a key under any installed key of the installation is valid, so that URLs can change step by step', async () => {
    for (const keyId of ['k1', 'k2'])
      expect(await isOpen(world.url('rpc', keyFor('public', { keyId })))).toBe(true);
  });
});

it('only the installed keys of the installation count', () => {
  const k2 = new Map([...accessKeys.keys].filter(([id]) => id === 'k2'));
  const accessOf = createAccessCheck({ currentId: 'k2', keys: k2 }, systemClock);
  const accessFor = (keyId: string) =>
    accessOf({ ...inPath, networkUid: testUid, accessKey: keyFor('admin', { keyId }) }, undefined);
  expect([accessFor('k1'), accessFor('k2')]).toEqual([undefined, 'admin']);
});

it('what is remembered of a network takes less than a kilobyte of buffers', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const count = 1000;
  const accessOf = createAccessCheck(accessKeys, systemClock);
  const bytesInUse = () => {
    // What the first one finds is freed before the second one begins.
    collectGarbage();
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const before = bytesInUse();
  for (let at = 0; at < count; at += 1) {
    const networkUid = `network-${at}`;
    const accessKey = keyFor('public', { networkUid });
    expect(accessOf({ ...inPath, networkUid, accessKey }, undefined)).toBe('public');
    // What a process does between two networks.
    Buffer.from('a'.repeat(30_000));
  }
  expect((bytesInUse() - before) / count).toBeLessThan(1024);
  expect(accessOf({ ...inPath, networkUid: 'network-0', accessKey: '' }, undefined)).toBeUndefined();
});
