import { AppError } from '../lib/errors.ts';
import type { RpcCall, RpcOutcome } from './rpc.ts';
import { createTracing, innerOfList } from './traces.ts';

const dialectOf = (method: string) => ({ callOf: () => ({ method, params: [] }), read: () => method });
const errorOf = (code: number, message: string): RpcOutcome => ({
  error: new AppError('BadRequest', 'refused', { cause: { code, message } }),
});
const knowing = (known: string, error: RpcOutcome) => ({
  batch: async (calls: readonly RpcCall[]) =>
    calls.map(({ method }): RpcOutcome => (method === known ? { result: 1 } : error)),
});
const dialects = [dialectOf('trace_block'), dialectOf('debug_traceBlockByNumber')];

it.each([
  [-32601, 'Method not found'],
  [-32000, 'the method trace_block does not exist/is not available'],
])('asks in the next dialect after %d, %s', async (code, message) => {
  const trace = createTracing(dialects);
  const rpc = knowing('debug_traceBlockByNumber', errorOf(code, message));
  expect((await trace(rpc, [1]))?.dialect).toBe(dialects[1]);
});

it('calls at the same time learn once that the node does not know a dialect', async () => {
  const trace = createTracing(dialects);
  const rpc = knowing('debug_traceBlockByNumber', errorOf(-32601, 'Method not found'));
  const found = await Promise.all([trace(rpc, [1]), trace(rpc, [2])]);
  expect(found.map((one) => one?.dialect)).toEqual([dialects[1], dialects[1]]);
});

it('keeps a dialect whose answer is that a block does not exist', async () => {
  const trace = createTracing(dialects);
  const found = await trace(knowing('', errorOf(-32000, 'block 5 does not exist')), [5]);
  expect(found?.dialect).toBe(dialects[0]);
});

it.each([
  ['create2', 'CREATE2'],
  ['create', 'CREATE'],
  ['none', 'CREATE'],
  [undefined, 'CREATE'],
])('a creation by the method %s is a %s', (creationMethod, type) => {
  const [from, to] = [`0x${'a1'.repeat(20)}`, `0x${'c0'.repeat(20)}`];
  const call = { type: 'call', traceAddress: [], action: {} };
  const created = {
    type: 'create',
    traceAddress: [0],
    action: { from, creationMethod, value: '0x0' },
    result: { address: to },
  };
  expect(innerOfList([call, created])).toEqual([{ type, from, to, value: 0n }]);
});
