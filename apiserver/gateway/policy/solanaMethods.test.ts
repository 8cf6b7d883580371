import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import { call, post, startNode, startWorld } from '../testing/fixtures.ts';
import { openSocket } from '../testing/socketFixtures.ts';
import { createServicesOf } from './families.ts';
import { solanaMethodAccess } from './solanaMethods.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A Solana network whose node answers each call and batch; `asked` has what arrived there. */
async function startSolana(airdrops: 'public' | 'admin' | 'never' = 'public') {
  const asked: string[] = [];
  const node = await startNode(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    asked.push(text);
    const body = JSON.parse(text);
    const answerTo = ({ id }: { id: number }) => ({ jsonrpc: '2.0', id, result: 1 });
    response.end(JSON.stringify(Array.isArray(body) ? body.map(answerTo) : answerTo(body)));
  });
  open.push(node);
  const world = await startWorld(node, { servicesOf: createServicesOf({ airdrops }) });
  open.push(world);
  world.setNetwork({ type: 'Solana' });
  return { world, asked };
}

const codeOf = async (url: string, method: string, params: unknown[] = []) => {
  const { json } = await post(url, call(method, params));
  return json.error?.code;
};

const closed = ['exit', 'loadPlugin', 'reloadPlugin', 'unloadPlugin', 'listPlugins', 'snapshotSubscribe'];

it.each(closed)('%s reaches no node, not even from the admin URL, alone or in a batch', async (method) => {
  const { world, asked } = await startSolana();
  for (const url of [world.url(), world.url('admin')]) {
    expect(await codeOf(url, method)).toBe(-32601);
    const { json } = await post(url, [call('getSlot'), call(method, [], 2)]);
    expect(json).toEqual([
      { jsonrpc: '2.0', id: 1, result: 1 },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: expect.stringContaining(method) } },
    ]);
  }
  expect(asked.join()).not.toContain(method);
});

it('methods that change the chain directly need the admin URL, in a batch as well', async () => {
  const { world, asked } = await startSolana();
  const { json } = await post(world.url(), [call('surfnet_setAccount'), call('getSlot', [], 2)]);
  expect(json[0].error.message).toContain('use the admin URL');
  expect(asked.join()).not.toContain('surfnet_setAccount');
  expect(await codeOf(world.url('admin'), 'surfnet_setAccount')).toBeUndefined();
});

it.each([
  ['it is set', { skipSigVerify: true }],
  ['it is switched off', { skipSigVerify: false }],
  ['it stands below others', { encoding: 'base64', more: [{ skipSigVerify: 1 }] }],
])('a transaction that skips signatures needs the admin URL: %s', async (_case, options) => {
  const { world, asked } = await startSolana();
  const { json } = await post(world.url(), call('sendTransaction', ['AQ==', options]));
  expect(json.error.message).toMatch(/skipSigVerify .*use the admin URL/);
  expect(asked).toEqual([]);
  expect(await codeOf(world.url('admin'), 'sendTransaction', ['AQ==', options])).toBeUndefined();
  expect(await codeOf(world.url(), 'sendTransaction', ['AQ==', { encoding: 'base64' }])).toBeUndefined();
});

it('no way of writing it hides it', () => {
  const access = (text: string) => solanaMethodAccess('sendTransaction', { airdrops: 'public', text });
  expect(access('{"params":["AQ==",{"skipSigVerif\\u0079":true}]}')).toBe('admin');
  expect(access('{"params":["AQ==",{"skipSigVerify":true,"skipSigVerify":false}]}')).toBe('admin');
  expect(access('{"params":["skipSigVerify",{}]}')).toBe('public');
});

it.each([
  ['public', undefined, undefined],
  ['admin', -32601, undefined],
  ['never', -32601, -32601],
] as const)('airdrops are for those whom the installation names: %s', async (airdrops, ...codes) => {
  const { world } = await startSolana(airdrops);
  const urls = [world.url(), world.url('admin')];
  expect(await Promise.all(urls.map((url) => codeOf(url, 'requestAirdrop')))).toEqual(codes);
});

it('judges each message of a WebSocket', async () => {
  const asked: string[] = [];
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  open.push({ close: () => server.close() });
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      asked.push(String(data));
      socket.send('{"id":1,"result":7}');
    }),
  );
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const upstreams = { find: () => ({ host: '127.0.0.1', port }), onChange: () => () => undefined };
  const world = await startWorld(undefined, { upstreams });
  open.push(world);
  world.setNetwork({ type: 'Solana' });
  const client = await openSocket(world.url('ws'));
  open.push({ close: () => client.socket.terminate() });
  const refused = await client.ask(call('snapshotSubscribe', ['http://169.254.169.254/']));
  expect(refused.error?.code).toBe(-32601);
  expect(await client.ask(call('slotSubscribe'))).toEqual({ id: 1, result: 7 });
  expect(asked.map((text) => JSON.parse(text).method)).toEqual(['slotSubscribe']);
});
