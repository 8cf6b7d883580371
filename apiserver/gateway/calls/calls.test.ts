import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import {
  adminKey,
  call,
  type Node,
  post,
  startNode,
  startWorld,
  testUid,
  type World,
} from '../testing/fixtures.ts';
import { openSocket } from '../testing/socketFixtures.ts';
import type { ObservedCall } from './observed.ts';

let isOn: boolean;
let observed: ObservedCall[];
let arrived: () => void;
const observeCalls = (uid: string) => {
  if (!isOn || uid !== testUid) return undefined;
  return (one: ObservedCall) => {
    observed.push(one);
    arrived();
  };
};
/** Resolves once so many calls were observed. */
const seen = async (count: number) => {
  while (observed.length < count) {
    await new Promise<void>((resolve) => {
      arrived = resolve;
    });
  }
  return observed;
};
const shown = () =>
  observed.map(({ method, params, error }) => [method, params, error?.code, error?.message]);

beforeEach(() => {
  isOn = true;
  observed = [];
  arrived = () => undefined;
});

describe('over HTTP', () => {
  let node: Node;
  let world: World;
  let answer: (response: ServerResponse, body: string) => void;
  beforeAll(async () => {
    node = await startNode((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => answer(response, body));
    });
    world = await startWorld(node, { observeCalls });
  });
  afterAll(async () => {
    await world.close();
    await node.close();
  });
  const answerWith = (text: string, status = 200) => {
    answer = (response) => void response.writeHead(status).end(text);
  };

  it('a call that succeeds has its method, parameters and key', async () => {
    answerWith('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
    await post(world.url(), call('eth_getBalance', ['0xabc', 'latest']));
    await post(world.url('admin'), call('anvil_mine', []));
    expect(await seen(2)).toEqual([
      {
        service: 'rpc',
        transport: 'http',
        key: 'public',
        method: 'eth_getBalance',
        params: '["0xabc","latest"]',
        durationMs: expect.any(Number),
        error: undefined,
      },
      expect.objectContaining({ service: 'admin', key: 'admin', method: 'anvil_mine' }),
    ]);
    expect(JSON.stringify(observed)).not.toContain(adminKey);
  });

  it('nothing is observed while it is off, and the answer is the same', async () => {
    answerWith('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
    const on = await post(world.url(), call('eth_chainId'));
    isOn = false;
    const off = await post(world.url(), call('eth_chainId'));
    expect(off.text).toBe(on.text);
    expect(observed).toHaveLength(1);
  });

  it.each([
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"reverted"}}', 200, [3, 'reverted']],
    ['an error before the id', '{"error":{"code":3,"message":"a \\" b"},"id":1}', 200, [3, 'a " b']],
    [
      'an error with much data',
      JSON.stringify({ id: 1, error: { code: 3, message: 'no', data: 'x'.repeat(9e4) } }),
      200,
      [3, 'no'],
    ],
    [
      'a long error',
      JSON.stringify({ id: 1, error: { code: 3, message: 'x'.repeat(9000) } }),
      200,
      [3, `${'x'.repeat(299)}…`],
    ],
    ['an error of null', '{"id":1,"error":null,"result":5}', 200, [undefined, undefined]],
    ['a result with the word in it', '{"id":1,"result":{"error":{"code":3}}}', 200, [undefined, undefined]],
    [
      'an answer without JSON',
      'overloaded',
      500,
      [undefined, 'the node did not answer in the form of JSON-RPC'],
    ],
    ['no answer', '', 200, [undefined, 'the node did not answer the call']],
  ])('the node answers with %s', async (_what, text, status, error) => {
    answerWith(text, status);
    await post(world.url(), call('eth_call', [{}]));
    await seen(1);
    expect(shown()).toEqual([['eth_call', '[{}]', ...error]]);
  });

  it('a large answer is read although its id comes last', async () => {
    answerWith(`{"result":"${'x'.repeat(100_000)}","id":"a"}`);
    await post(world.url(), call('eth_getLogs', ['0x'], 'a'));
    await seen(1);
    expect(shown()).toEqual([['eth_getLogs', '["0x"]', undefined, undefined]]);
  });

  it('each call of a batch has its own outcome, in whichever order the node answers', async () => {
    answerWith('[{"id":3,"error":{"code":-32000,"message":"no"}} , {"id":1,"result":[1,{"a":"]"}]}]');
    const batch = [call('eth_a', [], 1), call('evm_mine', [], 2), call('eth_b', [], 3)];
    await post(world.url(), batch);
    await seen(3);
    expect(shown()).toEqual([
      ['evm_mine', undefined, -32601, expect.stringContaining('not available on the public URL')],
      ['eth_b', '[]', -32000, 'no'],
      ['eth_a', '[]', undefined, undefined],
    ]);
  });

  it('an invalid member of a batch takes no outcome of another call', async () => {
    answerWith('[{"id":1,"result":"0x1"}]');
    await post(world.url(), [{}, call('eth_chainId', [], 1)]);
    await seen(2);
    expect(shown().map(([method, , code]) => [method, code])).toEqual([
      [undefined, -32600],
      ['eth_chainId', undefined],
    ]);
  });

  it('a URL in an error, or written with escapes, has nothing after its host', async () => {
    answerWith('{"id":1,"error":{"code":-32602,"message":"invalid: wss://eth.example.com/v3/SECRET"}}');
    await post(
      world.url(),
      '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["https:\\/\\/eth.example.com\\/v3\\/SECRET"]}',
    );
    await seen(1);
    expect(JSON.stringify(shown())).not.toContain('SECRET');
  });

  it('what is not a call has no method', async () => {
    await post(world.url(), '{"jsonrpc":"2.0","id":1,"method":7}');
    await post(world.url(), '{');
    await seen(2);
    expect(shown()).toEqual([
      [undefined, undefined, -32600, expect.stringContaining('"method" must be')],
      [undefined, undefined, -32700, expect.stringContaining('JSON')],
    ]);
  });

  it('a notification expects no answer', async () => {
    answerWith('');
    await post(world.url(), '{"jsonrpc":"2.0","method":"eth_chainId"}');
    await seen(1);
    expect(shown()).toEqual([['eth_chainId', undefined, undefined, undefined]]);
  });

  it('parameters are cut, and have no secrets', async () => {
    answerWith('{"id":1,"result":1}');
    const url = 'https://mainnet.example.com/v3/0123456789abcdef';
    await post(world.url(), call('eth_call', ['x'.repeat(2000)]));
    await post(world.url(), call('eth_call', [url, `https://a.example/rpc/x/${'k'.repeat(24)}/rpc`]));
    await post(world.url('admin'), call('personal_unlockAccount', ['0xabc', 'my words']));
    await post(world.url(), call('personal_importRawKey', ['0xkey', 'my words']));
    await seen(4);
    expect(observed.map(({ params }) => params)).toEqual([
      `["${'x'.repeat(497)}…`,
      '["https://mainnet.example.com/(redacted)","https://a.example/(redacted)"]',
      undefined,
      undefined,
    ]);
  });

  it('a call of CometBFT may be the path of a URL', async () => {
    world.setNetwork({ type: 'Thorchain' });
    answerWith('{"jsonrpc":"2.0","id":-1,"error":{"code":-32603,"message":"no block"}}');
    await fetch(`${world.url()}/block?height=7`);
    world.setNetwork({ type: 'Ethereum' });
    await seen(1);
    expect(shown()).toEqual([['block', '"height=7"', -32603, 'no block']]);
  });

  it('a network that cannot be reached fails its calls', async () => {
    world.setNetwork({ state: 'Error', message: 'no disk' });
    await post(world.url(), [call('eth_a', [], 1), call('eth_b', [], 2)]);
    world.setNetwork({ state: 'Operational' });
    await seen(2);
    expect(shown().map(([method, , , message]) => [method, message])).toEqual([
      ['eth_a', expect.stringContaining('no disk')],
      ['eth_b', expect.stringContaining('no disk')],
    ]);
  });

  it('a caller who goes away leaves a failed call', async () => {
    const caller = new AbortController();
    answer = () => caller.abort();
    const asked = fetch(world.url(), {
      method: 'POST',
      body: JSON.stringify(call('eth_call')),
      signal: caller.signal,
    });
    await expect(asked).rejects.toThrow();
    await seen(1);
    expect(shown()).toEqual([['eth_call', '[]', undefined, 'the caller disconnected']]);
  });
});

describe('over a WebSocket', () => {
  let server: WebSocketServer;
  let world: World;
  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    world = await startWorld({ host: '127.0.0.1', port }, { observeCalls });
  });
  afterEach(async () => {
    for (const socket of server.clients) socket.terminate();
    await world.close();
    server.close();
  });

  it('calls are matched with their answers by their ids', async () => {
    server.on('connection', (socket) => {
      socket.once('message', () => {
        socket.send(
          '{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":{}}}',
        );
        socket.once('message', () => {
          socket.send('{"id":"b","error":{"code":-32000,"message":"no"}}');
          socket.send('{"result":"0x2", "id": 1}');
        });
      });
    });
    const client = await openSocket(world.url('ws'));
    client.socket.send(JSON.stringify(call('eth_subscribe', ['newHeads'], 1)));
    client.socket.send(JSON.stringify(call('eth_blockNumber', [], 'b')));
    await seen(2);
    expect(observed[0]).toMatchObject({ service: 'ws', transport: 'webSocket', key: 'public' });
    expect(shown()).toEqual([
      ['eth_blockNumber', '[]', -32000, 'no'],
      ['eth_subscribe', '["newHeads"]', undefined, undefined],
    ]);
    client.socket.terminate();
  });

  it('a batch, a refused call and a call without an answer are observed', async () => {
    server.on('connection', (socket) => {
      socket.once('message', () => socket.send('[{"id":1,"result":1}]'));
    });
    const client = await openSocket(world.url('ws'));
    await client.ask([call('eth_a', [], 1), call('evm_mine', [], 2)]);
    client.socket.send(JSON.stringify(call('eth_c')));
    while (server.clients.size === 0) await new Promise(setImmediate);
    client.socket.close();
    await seen(3);
    expect(shown()).toEqual([
      ['evm_mine', undefined, -32601, expect.any(String)],
      ['eth_a', '[]', undefined, undefined],
      ['eth_c', '[]', undefined, 'the connection was closed before the answer'],
    ]);
  });

  it('an open connection follows the switch', async () => {
    server.on('connection', (socket) => {
      socket.on('message', (data) => socket.send(`{"id":${JSON.parse(String(data)).id},"result":1}`));
    });
    const client = await openSocket(world.url('ws'));
    isOn = false;
    await client.ask(call('eth_a', [], 1));
    isOn = true;
    await client.ask(call('eth_b', [], 2));
    expect(shown()).toEqual([['eth_b', '[]', undefined, undefined]]);
    client.socket.terminate();
  });
});
