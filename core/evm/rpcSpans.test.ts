import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startTraced, type Traced } from '../tracing/testing/traced.ts';
import { createEvmRpc, type EvmRpc } from './rpc.ts';

const root = { name: 'reconcile', kind: 'internal' } as const;
const server = createServer(async (request, response) => {
  const body = JSON.parse(await text(request));
  const answer = ({ id, method }: { id: number; method: string }) =>
    method === 'eth_call'
      ? { jsonrpc: '2.0', id, error: { code: 3, message: 'hidden reason' } }
      : { jsonrpc: '2.0', id, result: '0x1' };
  response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)));
});

let traced: Traced;
let rpc: EvmRpc;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(async () => {
  traced = await startTraced();
  const { port } = server.address() as AddressInfo;
  rpc = createEvmRpc({ url: `http://user:hidden@127.0.0.1:${port}/v3/hidden-key` });
});
afterEach(() => traced.stop());
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function spansOf(work: () => Promise<unknown>) {
  await traced.tracer.run(root, work);
  await traced.close();
  expect(traced.collector.requests()[0]?.text).not.toContain('hidden');
  return traced.collector.spans().filter(({ name }) => name !== 'reconcile');
}

it('a call to a node is a span with its method, without URL and parameters', async () => {
  const spans = await spansOf(() => rpc.call('eth_getBalance', ['hidden parameter']));
  expect(spans).toMatchObject([
    { name: 'rpc eth_getBalance', kind: 3, isError: false, attributes: { 'rpc.method': 'eth_getBalance' } },
  ]);
});

it('a call that the node refuses is marked, without what the node said', async () => {
  const spans = await spansOf(() => rpc.call('eth_call', []).catch(() => undefined));
  expect(spans).toMatchObject([
    { name: 'rpc eth_call', isError: true, attributes: { 'error.type': 'BadRequest' } },
  ]);
});

it.each<[string, string[], string]>([
  ['of one method is named after it', ['eth_getCode', 'eth_getCode'], 'rpc eth_getCode'],
  ['of several methods has only their number', ['eth_getCode', 'eth_getLogs'], 'rpc'],
])('a batch %s', async (_what, methods, name) => {
  const calls = methods.map((method) => ({ method, params: [] }));
  expect(await spansOf(() => rpc.batch(calls))).toMatchObject([{ name, attributes: { 'slipway.count': 2 } }]);
});
