import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppError, isAppError } from '../lib/errors.ts';
import { cut, maxForeignText } from '../lib/text/foreignText.ts';
import { isTooLong } from './readCapped.ts';
import { createEvmRpc, rpcErrorOf } from './rpc.ts';

type Answer = (request: { body: string; message: IncomingMessage }, response: ServerResponse) => void;

let answer: Answer;
let url: string;
const server = createServer(async (message, response) => {
  let body = '';
  for await (const chunk of message) body += chunk;
  answer({ body, message }, response);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const send = (text: string) => {
  answer = (_request, response) => void response.end(text);
};
const failure = async (promise: Promise<unknown>): Promise<AppError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isAppError(error)) throw new Error(`no AppError: ${String(error)}`);
  return error;
};

test('a call gives the result', async () => {
  answer = ({ body }, response) => {
    const { id, method, params } = JSON.parse(body);
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { method, params } }));
  };
  expect(await createEvmRpc({ url }).call('eth_call', ['0x1', 'latest'])).toEqual({
    method: 'eth_call',
    params: ['0x1', 'latest'],
  });
});

test('an error of the node carries its code, message and data', async () => {
  const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' };
  send(JSON.stringify({ jsonrpc: '2.0', id: 0, error }));
  const thrown = await failure(createEvmRpc({ url }).call('eth_call', []));
  expect(thrown).toMatchObject({ reason: 'BadRequest' });
  expect(rpcErrorOf(thrown)).toEqual(error);
});

test('of an error of the node, which may have any length, only the beginning is kept', async () => {
  const message = 'x'.repeat(1_000_000);
  send(JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code: 3, message } }));
  const thrown = await failure(createEvmRpc({ url }).call('eth_call', []));
  expect(thrown.message).toHaveLength(maxForeignText);
  expect(rpcErrorOf(thrown)?.message).toBe(cut(message));
});

test.each([
  ['not JSON', '<html>'],
  ['not JSON-RPC', '[1]'],
  ['an empty body', ''],
  ['null', 'null'],
])('an answer that is %s makes the node Unavailable', async (_reason, text) => {
  send(text);
  const thrown = await failure(createEvmRpc({ url }).call('eth_chainId', []));
  expect(thrown.reason).toBe('Unavailable');
  expect(rpcErrorOf(thrown)).toBeUndefined();
});

test.each([500, 302, 404])(
  'HTTP status %s makes the node Unavailable, and redirects are not followed',
  async (status) => {
    let count = 0;
    answer = (_request, response) => {
      count++;
      response.writeHead(status, { location: url }).end('{"jsonrpc":"2.0","id":0,"result":"0x1"}');
    };
    const thrown = await failure(createEvmRpc({ url }).call('eth_chainId', []));
    expect(thrown.message).toContain(`HTTP status ${status}`);
    expect(count).toBe(1);
  },
);

test('an endless answer is cut at the maximum size', async () => {
  const gone = Promise.withResolvers<void>();
  answer = ({ message }, response) => {
    message.socket.once('close', gone.resolve);
    const block = 'x'.repeat(65_536);
    const pour = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', pour);
    pour();
  };
  const thrown = await failure(createEvmRpc({ url, maxBytes: 1_000_000 }).call('eth_chainId', []));
  expect(thrown.message).toContain('longer than 1000000 bytes');
  await gone.promise;
});

test('an answer of more values than memory has room for is not parsed', async () => {
  send(`{"jsonrpc":"2.0","id":0,"result":[${'{},'.repeat(250_000)}0]}`);
  const thrown = await failure(createEvmRpc({ url }).call('eth_getLogs', [{}]));
  expect(thrown.message).toContain('longer than 250000 values');
  expect(isTooLong(thrown)).toBe(true);
});

test('a node that sends interim answers without an end is given up', async () => {
  answer = (_request, response) => {
    const hint = () =>
      void (response.destroyed || response.writeEarlyHints({ link: '</a>; rel=preload' }, hint));
    hint();
  };
  const thrown = await failure(createEvmRpc({ url }).call('eth_chainId', []));
  expect(thrown.message).toContain('too many interim answers');
});

test('a silent node is given up at the time limit, also in the middle of an answer', async () => {
  answer = (_request, response) => void response.write('{');
  const rpc = createEvmRpc({ url, timeoutMs: 50 });
  expect((await failure(rpc.call('eth_chainId', []))).message).toContain('did not answer within 0.05 s');
});

test('a caller may abort earlier', async () => {
  const caller = new AbortController();
  answer = () => caller.abort();
  const rpc = createEvmRpc({ url });
  expect((await failure(rpc.call('eth_chainId', [], { signal: caller.signal }))).reason).toBe('Unavailable');
});

test('an unreachable node is Unavailable', async () => {
  const thrown = await failure(createEvmRpc({ url: 'http://127.0.0.1:1' }).call('eth_chainId', []));
  expect(thrown.message).toContain('was not reached (ECONNREFUSED)');
});

describe('a batch', () => {
  const calls = (count: number, text = '') =>
    Array.from({ length: count }, (_, index) => ({ method: 'echo', params: [index, text] }));

  test('gives outcomes in the order of the calls, whatever the order of the answers', async () => {
    answer = ({ body }, response) => {
      const answers = JSON.parse(body).map(({ id, params: [index] }: { id: number; params: number[] }) =>
        index === 1 ? { id, error: { code: -32000, message: 'no' } } : { id, result: index },
      );
      response.end(JSON.stringify(answers.reverse()));
    };
    const outcomes = await createEvmRpc({ url }).batch(calls(3));
    expect(outcomes).toMatchObject([{ result: 0 }, { error: { reason: 'BadRequest' } }, { result: 2 }]);
  });

  test.each([
    ['of many calls', calls(1000), 4],
    ['of large calls', calls(6, 'x'.repeat(500_000)), 3],
    ['of nothing', [], 0],
  ])('%s goes in as few requests as nodes take', async (_reason, list, requests) => {
    let count = 0;
    answer = ({ body }, response) => {
      count++;
      const parsed: { id: number; params: unknown[] }[] = JSON.parse(body);
      response.end(JSON.stringify(parsed.map(({ id, params }) => ({ id, result: params[0] }))));
    };
    const outcomes = await createEvmRpc({ url }).batch(list);
    expect(outcomes).toEqual(list.map((_, result) => ({ result })));
    expect(count).toBe(requests);
  });

  test('that the node refuses as a whole fails each call with its reason', async () => {
    send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'batch too large' } }));
    const outcomes = await createEvmRpc({ url }).batch(calls(2));
    expect(outcomes.map((outcome) => rpcErrorOf('error' in outcome && outcome.error)?.message)).toEqual([
      'batch too large',
      'batch too large',
    ]);
  });

  test('stops where the node no longer answers', async () => {
    let count = 0;
    answer = (_request, response) => {
      count++;
      response.destroy();
    };
    const outcomes = await createEvmRpc({ url }).batch(calls(1000));
    expect(outcomes).toHaveLength(1000);
    expect(outcomes.every((outcome) => 'error' in outcome && outcome.error.reason === 'Unavailable')).toBe(
      true,
    );
    expect(count).toBe(1);
  });
});
