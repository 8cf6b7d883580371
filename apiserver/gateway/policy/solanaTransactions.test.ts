import { once } from 'node:events';
import { encodeBase58 } from 'ethers';
import { WebSocketServer } from 'ws';
import { call, post, startNode, startWorld } from '../testing/fixtures.ts';
import { openSocket } from '../testing/socketFixtures.ts';
import { solanaFault } from './solanaTransactions.ts';

/** A message without instructions, after its header; what comes of it is for the node to say. */
const message = [1, ...Array(32).fill(7), ...Array(32).fill(9), 0];
const signature = Array(64).fill(5);
const wires = {
  signed: [1, ...signature, 1, 0, 0, ...message],
  'signed, of version 0': [1, ...signature, 0x80, 1, 0, 0, ...message, 0],
  unsigned: [0, 0, 0, 0, ...message],
  'unsigned, of version 0': [0, 0x80, 0, 0, 0, ...message, 0],
  'unsigned, of version 1': [0x81, 0, 0xff, 0xff, ...message],
  'signed, of version 1': [0x81, 1, 0, 0, 0, 0, 0, 0, ...message, ...signature],
  empty: [],
};
type Wire = keyof typeof wires;
const encoders: Record<string, (bytes: number[]) => string> = {
  base64: (bytes) => Buffer.from(bytes).toString('base64'),
  base58: (bytes) => {
    const zeros = bytes.findIndex((byte) => byte !== 0);
    return (
      '1'.repeat(Math.max(zeros, 0)) + (bytes.length > zeros ? encodeBase58(Uint8Array.from(bytes)) : '')
    );
  },
};
const textOf = (wire: Wire, encoding: string) => encoders[encoding]?.(wires[wire]) ?? '';

/** Each method with a transaction after one that is signed, where it takes several. */
const calls: [string, (text: string, signed: string) => unknown][] = [
  ['sendTransaction', (text) => text],
  ['simulateTransaction', (text) => text],
  ['sendBundle', (text, signed) => [signed, text]],
  ['sendBundle', (text) => [text]],
  ['simulateBundle', (text, signed) => ({ encodedTransactions: [signed, text] })],
];

const faultOf = (method: string, params: unknown) =>
  solanaFault(method, JSON.stringify({ ...call(method), params }));

describe.each(calls)('%s', (method, argument) => {
  const fault = (wire: Wire, encoding: string, config: unknown) =>
    faultOf(method, [argument(textOf(wire, encoding), textOf('signed', encoding)), config]);

  it.each(['unsigned', 'unsigned, of version 0', 'unsigned, of version 1'] as const)(
    'refuses a transaction that is %s',
    (wire) => {
      expect(fault(wire, 'base64', { encoding: 'base64' })).toContain('has no signature');
      if (method === 'simulateBundle') return;
      for (const config of [undefined, null, {}, { encoding: 'base58' }, { encoding: 'binary' }]) {
        expect(fault(wire, 'base58', config)).toBeDefined();
      }
    },
  );

  it('lets pass what is signed', () => {
    for (const wire of ['signed', 'signed, of version 0', 'signed, of version 1'] as const) {
      expect(fault(wire, 'base64', { encoding: 'base64' })).toBeUndefined();
    }
    if (method === 'simulateBundle') return;
    expect(fault('signed', 'base58', undefined)).toBeUndefined();
    expect(fault('signed, of version 0', 'base58', undefined)).toBeUndefined();
    expect(fault('signed, of version 1', 'base58', undefined)).toContain('base64');
  });

  it.each([
    [[]],
    [[[]]],
    [[{}]],
    [[null]],
    [[7]],
    [[[7, null, {}, []]]],
    [['']],
    [{}],
    ['text'],
    [null],
    [7],
  ])('leaves what is not a transaction to the node: %j', (params) => {
    expect(faultOf(method, params)).toBeUndefined();
  });
});

it('no way of writing it hides it', () => {
  const unsigned = textOf('unsigned', 'base64');
  const escaped = [...unsigned].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const text = `{"params":[["${escaped.join('')}"],{"encoding":"base58","encoding":"base64"}],"method":"sendBundle"}`;
  expect(solanaFault('sendBundle', text)).toContain('has no signature');
  const padded = unsigned.replace(/=+$/, '');
  expect(faultOf('sendBundle', [[padded], { encoding: 'base64' }])).toContain('has no signature');
});

it.each([
  ['options in a list', [false, null, 'base64', null, null]],
  ['an encoding as an object', { encoding: { base64: null } }],
  ['an encoding in a list', { encoding: ['base64'] }],
  ['an encoding for what is read', { encoding: 'jsonParsed' }],
  ['options that are a text', 'base64'],
])('does not guess what is in %s', (_case, options) => {
  expect(faultOf('sendBundle', [[textOf('signed', 'base64')], options])).toContain('encoding');
});

it('is asked of other methods neither', () => {
  expect(faultOf('getAccountInfo', ['1'.repeat(32)])).toBeUndefined();
  expect(faultOf('surfnet_setAccount', ['1'.repeat(32)])).toBeUndefined();
});

it.each(['base58', 'base64'])('takes time in proportion to the text: %s', (encoding) => {
  const long = encoding === 'base58' ? 'z'.repeat(5000) : 'A'.repeat(5000).replace(/^A/, 'B');
  const text = JSON.stringify(call('sendBundle', [Array(1000).fill(long), { encoding }]));
  const startMs = performance.now();
  JSON.parse(text);
  const parseMs = performance.now() - startMs;
  solanaFault('sendBundle', text);
  expect(performance.now() - startMs).toBeLessThan(100 * Math.max(parseMs, 10));
});

describe('the gateway', () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
  const unsigned = [[textOf('unsigned', 'base64')], { encoding: 'base64' }];
  const signed = [[textOf('signed', 'base64')], { encoding: 'base64' }];

  it('sends a bundle that nobody signed to no node, from no URL, alone or in a batch', async () => {
    const asked: string[] = [];
    const node = await startNode(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      asked.push(text);
      const body = JSON.parse(text);
      const answer = ({ id }: { id: number }) => ({ jsonrpc: '2.0', id, result: 1 });
      response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)));
    });
    open.push(node);
    const world = await startWorld(node);
    open.push(world);
    world.setNetwork({ type: 'Solana' });
    for (const url of [world.url(), world.url('admin')]) {
      const { json } = await post(url, call('sendBundle', unsigned));
      expect(json.error).toMatchObject({ code: -32602, message: expect.stringContaining('no signature') });
      const batch = await post(url, [call('sendBundle', unsigned), call('sendBundle', signed, 2)]);
      expect(batch.json).toEqual([
        expect.objectContaining({ id: 1, error: expect.objectContaining({ code: -32602 }) }),
        { jsonrpc: '2.0', id: 2, result: 1 },
      ]);
    }
    expect(asked.map((text) => JSON.parse(text)[0].params)).toEqual([signed, signed]);
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
    expect((await client.ask(call('sendBundle', unsigned))).error?.code).toBe(-32602);
    expect(await client.ask(call('sendBundle', signed))).toEqual({ id: 1, result: 7 });
    expect(asked).toHaveLength(1);
  });
});
