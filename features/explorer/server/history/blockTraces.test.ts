import type { RpcCall, RpcOutcome } from '../../../../core/evm/rpc.ts';
import { AppError } from '../../../../core/lib/errors.ts';
import { createBlockTracer } from './blockTraces.ts';

const [a, b] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];
const block = (number: string, ...hashes: string[]) => ({ number, hashes });
const refusal = (code: number) =>
  new AppError('BadRequest', 'refused', { cause: { code, message: 'refused' } });

/** A node that answers a batch of so many calls at most. */
function node(answerTo: (call: RpcCall) => RpcOutcome, most = 100) {
  const tooLarge = { error: new AppError('Unavailable', 'its answer is too long') };
  return {
    batch: async (calls: readonly RpcCall[]) =>
      calls.map((call) => (calls.length > most ? tooLarge : answerTo(call))),
  };
}

const tree = { from: a, to: b, calls: [{ type: 'CALL', from: b, to: a, value: '0x2' }] };
const list = [
  { type: 'call', action: { from: a, to: b }, traceAddress: [], transactionHash: '0x1' },
  {
    type: 'suicide',
    action: { address: b, refundAddress: a, balance: '0x2' },
    traceAddress: [0],
    transactionHash: '0x1',
  },
];

it("a node that has OpenEthereum's API is asked for its lists", async () => {
  const rpc = node(({ method }) =>
    method === 'trace_block' ? { result: list } : { error: refusal(-32601) },
  );
  const [traces] = await createBlockTracer()(rpc, [block('0x1', '0x1', '0x2')]);
  expect(traces?.get('0x1')).toEqual([{ type: 'SELFDESTRUCT', from: b, to: a, value: 2n }]);
  expect(traces?.has('0x2')).toBe(false);
});

it('any other one is asked for its trees, by the order of transactions if they name none', async () => {
  const rpc = node(({ method, params }) => {
    if (method !== 'debug_traceBlockByNumber') return { error: refusal(-32601) };
    expect(params).toEqual(['0x1', { tracer: 'callTracer' }]);
    return { result: [{ result: tree }, { result: { from: a, to: b } }] };
  });
  const [traces] = await createBlockTracer()(rpc, [block('0x1', '0x1', '0x2')]);
  expect(traces && [...traces]).toEqual([
    ['0x1', [{ type: 'CALL', from: b, to: a, value: 2n }]],
    ['0x2', []],
  ]);
});

it('a block whose traces the node does not have is without them, and the others are not', async () => {
  const rpc = node(({ params: [number] }) =>
    number === '0x1' ? { result: list } : { error: refusal(-32000) },
  );
  const found = await createBlockTracer()(rpc, [block('0x1', '0x1'), block('0x2', '0x2')]);
  expect(found.map(({ size }) => size)).toEqual([1, 0]);
});

it('blocks whose traces are too long together are asked for one by one', async () => {
  const rpc = node(() => ({ result: list }), 1);
  const found = await createBlockTracer()(rpc, [block('0x1', '0x1'), block('0x2', '0x1')]);
  expect(found.map(({ size }) => size)).toEqual([1, 1]);
});

it('what a node does not know it is asked for once', async () => {
  const methods: string[] = [];
  const rpc = node(({ method }) => {
    methods.push(method);
    return method === 'trace_block' ? { error: refusal(-32601) } : { result: [] };
  });
  const trace = createBlockTracer();
  for (const number of ['0x1', '0x2']) await trace(rpc, [block(number)]);
  expect(methods).toEqual(['trace_block', 'debug_traceBlockByNumber', 'debug_traceBlockByNumber']);
});
