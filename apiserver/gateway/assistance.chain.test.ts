import { setTimeout as sleep } from 'node:timers/promises';
import { callRpc } from '../../core/chains/evm/testing/startAnvil.ts';
import { call, post, type World } from './testing/fixtures.ts';
import { type LightEngine, startLightEngine } from './testing/lightEngine.ts';
import { openSocket, type SocketClient } from './testing/socketFixtures.ts';
import { chainId, fees, receiver, sender, sign as signAs } from './testing/truth/scene.ts';

/** Messages some of whose calls the gateway works out itself: their order, who waits, and what they occupy. */

let engine: LightEngine;
let world: World;
let counted: number;

beforeEach(async () => {
  counted = 0;
  engine = await startLightEngine(
    { chainId: String(chainId), hotAddress: sender },
    {
      limits: { memoryBytes: 64 * 1024 * 1024 },
      countCalls: (_namespace, calls) => {
        counted += calls;
      },
    },
  );
  world = engine.world;
});
afterEach(() => engine.stop());

const ask = async (method: string, ...params: unknown[]) =>
  (await post(world.url('admin'), call(method, params))).json.result;
const batch = async (...calls: [method: string, params?: unknown[], id?: number][]) => {
  const texts = calls.map(([method, params = [], id], index) => call(method, params, id ?? index));
  return (await post(world.url('admin'), texts)).json;
};
const sign = (nonce: number) => signAs(nonce, { type: 2, ...fees, to: receiver, value: 1n });
const sendSync = async (nonce: number, timeout?: number) =>
  call('eth_sendRawTransactionSync', [await sign(nonce), ...(timeout === undefined ? [] : [timeout])], nonce);

describe('a batch', () => {
  test('is answered in the order of its calls, each after what the one before it has done', async () => {
    const id = await ask('evm_snapshot');
    const answers = await batch(
      ['evm_mine'],
      ['net_peerCount'],
      ['eth_blockNumber'],
      ['evm_revert', [id]],
      ['eth_blockNumber'],
      ['eth_noSuchMethod'],
    );
    expect(answers.map((one: { id: number }) => one.id)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(answers).toMatchObject([
      { result: '0x0' },
      { result: '0x0' },
      { result: '0x1' },
      { result: true },
      { result: '0x0' },
      { error: { code: -32601 } },
    ]);
  });

  test('with the same call twice has an answer for each', async () => {
    const id = await ask('evm_snapshot');
    const same: [string, unknown[], number] = ['evm_revert', [id], 1];
    expect(await batch(same, same)).toMatchObject([{ result: true }, { result: false }]);
  });

  test('of notifications and a worked out call is answered for that one alone', async () => {
    const notification = { jsonrpc: '2.0', method: 'evm_mine', params: [] };
    const { json } = await post(world.url('admin'), [notification, call('net_peerCount', [], 5)]);
    expect(json).toMatchObject([{ id: 5, result: '0x0' }]);
  });

  test('does not subscribe beside a worked out call', async () => {
    const socket = await openSocket(world.url('admin-ws'));
    const calls = [call('eth_subscribe', ['newHeads'], 1), call('net_peerCount', [], 2)];
    const message = expect.stringContaining('a message of its own');
    expect(await socket.ask(calls)).toMatchObject([
      { id: 1, error: { message } },
      { id: 2, result: '0x0' },
    ]);
    socket.socket.close();
  });
});

describe('two reverts at once', () => {
  test('leave a chain that goes on', async () => {
    for (let round = 0; round < 20; round += 1) {
      const first = await ask('evm_snapshot');
      await ask('evm_mine');
      const second = await ask('evm_snapshot');
      await ask('evm_mine');
      await Promise.all([ask('evm_revert', first), ask('evm_revert', second), ask('evm_revert', second)]);
      expect(await ask('eth_blockNumber')).toBe('0x0');
      await ask('evm_mine');
      expect(await ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ number: '0x1' });
      await ask('anvil_rollback', 1);
    }
  });
});

test('a revert takes the snapshots that it undid off the list of the engine, for other replicas', async () => {
  const first = await ask('evm_snapshot');
  const second = await ask('evm_snapshot');
  expect(await ask('evm_revert', first)).toBe(true);
  await ask('evm_mine');
  expect((await callRpc(engine.url, 'anvil_metadata')) as object).toMatchObject({ snapshots: {} });
  expect(await ask('evm_revert', second)).toBe(false);
  expect(await ask('eth_blockNumber')).toBe('0x1');
});

describe('over a WebSocket', () => {
  let socket: SocketClient;
  beforeEach(async () => {
    socket = await openSocket(world.url('admin-ws'));
  });
  afterEach(() => socket.socket.close());
  const say = (message: unknown) => socket.socket.send(JSON.stringify(message));

  test('a worked out call does not overtake what was forwarded', async () => {
    const id = await ask('evm_snapshot');
    say(call('anvil_mine', ['0x40'], 1));
    say(call('evm_revert', [id], 2));
    say(call('eth_blockNumber', [], 3));
    const answers = [await socket.next(), await socket.next(), await socket.next()];
    expect(answers).toMatchObject([{ id: 1 }, { id: 2, result: true }, { id: 3, result: '0x0' }]);
  });

  test('what waits for a transaction keeps no other message waiting', async () => {
    await ask('evm_setAutomine', false);
    say(await sendSync(0, 20_000));
    say(call('eth_chainId', [], 7));
    say(call('evm_mine', [], 8));
    expect(await socket.next()).toMatchObject({ id: 7 });
    const both = [await socket.next(), await socket.next()].sort((a, b) => Number(a.id) - Number(b.id));
    expect(both).toMatchObject([{ id: 0, result: { status: '0x1' } }, { id: 8 }]);
  });

  test('a client that goes on while its calls are worked out is answered in full', async () => {
    const count = 3000;
    say(call('eth_chainId', [], 0));
    for (let id = 1; id <= count; id += 1) say(call(id % 2 ? 'net_peerCount' : 'eth_chainId', [], id));
    const ids = new Set<unknown>();
    for (let id = 0; id <= count; id += 1) ids.add((await socket.next()).id);
    expect(ids.size).toBe(count + 1);
  });

  test('worked out calls are counted as the others', async () => {
    await socket.ask(call('net_peerCount', [], 1));
    await socket.ask([call('eth_chainId', [], 1), call('net_peerCount', [], 2)]);
    expect(counted).toBe(3);
  });
});

describe('transactions that are waited for', () => {
  const waiting = 200;
  const sendAll = async (signal: AbortSignal) => {
    const calls = await Promise.all(Array.from({ length: waiting }, (_, nonce) => sendSync(nonce, 20_000)));
    return calls.map((body) =>
      fetch(world.url('admin'), { method: 'POST', body: JSON.stringify(body), signal }).catch(() => 'gone'),
    );
  };
  const refused = async () =>
    (await post(world.url('admin'), await sendSync(waiting, 1))).json.error.code === -32005;
  const until = async (isReached: () => Promise<boolean>) => {
    while (!(await isReached())) await sleep(20);
  };

  test('are bounded by network, and end with their callers', async () => {
    await ask('evm_setAutomine', false);
    const leaving = new AbortController();
    const sent = await sendAll(leaving.signal);
    await until(refused);
    leaving.abort();
    expect(await Promise.all(sent)).toEqual(sent.map(() => 'gone'));
    await until(async () => !(await refused()));
  });
});

test.each([
  ['anvil_rollback', 1],
  ['anvil_reorg', 1, []],
])(
  '%s is refused on a network with history, whose engine would lose the code of contracts',
  async (method, ...params) => {
    await ask('evm_mine');
    world.setNetwork({ hasHistory: true });
    const { json } = await post(world.url('admin'), call(method, params));
    expect(json.error.message).toContain('evm_snapshot');
    expect(await ask('eth_blockNumber')).toBe('0x1');
  },
);

describe('memory', () => {
  /** Returns 128 KiB of zeros. */
  const returnMany = '0x620200005ff3';
  const simulate = (calls: number) => {
    const stateOverrides = { [receiver]: { code: returnMany } };
    const many = Array.from({ length: calls }, () => ({ from: sender, to: receiver }));
    return call('eth_simulateV1', [{ blockStateCalls: [{ stateOverrides, calls: many }] }, 'latest']);
  };

  test('of an answer is charged to the network, and free again afterwards', async () => {
    const { json: refused } = await post(world.url(), simulate(16));
    expect(refused.error.message).toContain('share of the request memory');
    for (let round = 0; round < 10; round += 1) {
      const { json } = await post(world.url(), simulate(4));
      expect(json.result).toHaveLength(1);
    }
  });
});

test('a network without a node answers as to every other call', async () => {
  world.setUpstream(undefined);
  world.setNetwork({ state: 'Error' });
  const { status, json } = await post(world.url('admin'), call('net_peerCount', []));
  expect(status).toBe(503);
  expect(json).toMatchObject({ error: { code: expect.any(Number) } });
});
