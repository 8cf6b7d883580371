import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import type { ObservedCall } from '../calls/observed.ts';
import type { NamedKey } from '../deps.ts';
import type { ServicePolicy } from '../policy/policy.ts';
import { evmServices } from '../policy/services.ts';
import {
  call,
  type Node,
  post,
  publicKey,
  startNode,
  startWorld,
  testId,
  type World,
} from '../testing/fixtures.ts';
import { openSocket, refusal } from '../testing/socketFixtures.ts';

const text = 'n'.repeat(24);
const nowMs = Date.parse('2031-01-31T00:00:00Z');
let named: NamedKey | undefined;
let changed: () => void;
const namedKeys = {
  find: ({ id }: { id: string }, accessKey: string) =>
    id === testId && accessKey === text ? named : undefined,
  onChange(listener: (namespace: string) => void) {
    changed = () => listener('test');
    return () => undefined;
  },
};
const services = new Map<string, ServicePolicy>([
  ...evmServices,
  ['explorer', { kind: 'plainHttp', ports: ['rpc'], needs: 'public' }],
]);
const ci: NamedKey = { name: 'ci', methods: undefined, expiresAtMs: undefined, isRevoked: false };

beforeEach(() => {
  named = ci;
});

describe('a key with a name', () => {
  const observed: ObservedCall[] = [];
  let node: Node;
  let world: World;
  beforeAll(async () => {
    node = await startNode((request, response) => {
      request.resume().on('end', () => response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'));
    });
    const observeCalls = () => (one: ObservedCall) => void observed.push(one);
    const options = { namedKeys, observeCalls, servicesOf: () => services, clock: createManualClock(nowMs) };
    world = await startWorld(node, options);
  });
  afterAll(async () => {
    await world.close();
    await node.close();
  });

  it('opens what the public URL opens, and no other network', async () => {
    expect((await post(world.url('rpc', text), call('eth_chainId'))).json.result).toBe('0x1');
    expect((await fetch(world.url('explorer', text))).status).toBe(200);
    expect((await post(world.url('admin', text), call('eth_chainId'))).status).toBe(404);
    expect((await post(world.url('rpc', text), call('evm_mine'))).json.error.code).toBe(-32601);
    const other = world.neighbourUrl('rpc').replace(/[^/]{24}\/rpc$/, `${text}/rpc`);
    expect((await post(other, call('eth_chainId'))).status).toBe(404);
    expect(observed.at(0)).toMatchObject({ key: 'ci', method: 'eth_chainId' });
  });

  it('with a list of methods calls only those, and says which key and method it was', async () => {
    named = { ...ci, methods: ['eth_*', 'net_version', 'anvil_mine'] };
    const errorOf = async (method: string) =>
      (await post(world.url('rpc', text), call(method))).json.error?.message;
    expect(await errorOf('eth_chainId')).toBeUndefined();
    expect(await errorOf('net_version')).toBeUndefined();
    const refused = await errorOf('web3_clientVersion');
    expect(refused).toContain('web3_clientVersion is not available');
    expect(refused).toContain('the key "ci" may only call eth_*, net_version, anvil_mine');
    // A list gives nothing that the public URL has not.
    expect(await errorOf('anvil_mine')).toContain('use the admin URL');
    expect((await fetch(world.url('explorer', text))).status).toBe(404);
    expect((await post(world.url('rpc', publicKey), call('web3_clientVersion'))).json.result).toBe('0x1');
  });

  it.each([
    ['was revoked', { isRevoked: true }, 'the key "ci" was revoked'],
    ['has expired', { expiresAtMs: nowMs }, 'the key "ci" expired at 2031-01-31T00:00:00.000Z'],
  ])('that %s is refused with the remedy', async (_what, change, message) => {
    named = { ...ci, ...change };
    const { status, json } = await post(world.url('rpc', text), call('eth_chainId'));
    expect([status, json]).toEqual([
      401,
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.stringContaining(message) } },
    ]);
    expect(json.error.message).toContain('use the URL of another key');
    expect(await refusal(world.url('ws', text))).toBe(401);
  });

  it('that nobody knows is not a URL', async () => {
    named = undefined;
    expect((await post(world.url('rpc', text), call('eth_chainId'))).status).toBe(404);
  });

  it('has filters of its own, whatever the public URL creates', async () => {
    const filters = Array.from({ length: 100 }, (_, id) => call('eth_newBlockFilter', [], id));
    for (let count = 0; count < 20; count += 1) expect((await post(world.url(), filters)).status).toBe(200);
    expect((await post(world.url(), filters)).status).toBe(429);
    expect((await post(world.url('rpc', text), filters)).status).toBe(200);
  });
});

describe('an open WebSocket', () => {
  const clock = createManualClock(nowMs);
  let server: WebSocketServer;
  let world: World;
  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    world = await startWorld({ host: '127.0.0.1', port }, { namedKeys, clock });
  });
  afterEach(async () => {
    for (const socket of server.clients) socket.terminate();
    await world.close();
    server.close();
  });

  it('ends when its key is revoked, and those of other keys stay', async () => {
    const other = await openSocket(world.url('ws'));
    const client = await openSocket(world.url('ws', text));
    named = { ...ci, isRevoked: true };
    changed();
    expect(await client.closed).toMatchObject({ code: 1008 });
    expect(other.socket.readyState).toBe(other.socket.OPEN);
    other.socket.terminate();
  });

  it('ends when its key expires', async () => {
    named = { ...ci, expiresAtMs: clock.nowMs() + 5000 };
    const client = await openSocket(world.url('ws', text));
    clock.advance(5000);
    expect(await client.closed).toMatchObject({
      code: 1008,
      reason: expect.stringContaining('"ci" has expired'),
    });
  });
});
