import { AppError } from '../lib/errors.ts';
import { growthOf, tooMuchGrowth } from '../lib/testing/growth.ts';
import { createCreationTracer } from './createdContracts.ts';
import type { RpcCall, RpcOutcome } from './rpc.ts';
import { innerOfList } from './traces.ts';

const a = `0x${'a'.repeat(40)}`;
const b = `0x${'b'.repeat(40)}`;
const c = `0x${'C'.repeat(40)}`;
const hash = `0x${'1'.repeat(64)}`;
const refusal = (code: number, message: string) =>
  new AppError('BadRequest', message, { cause: { code, message } });
const missing = refusal(-32601, 'Method not found');

/** A node that answers only these methods. */
function nodeWith(answers: Record<string, unknown>) {
  const asked: string[] = [];
  const batch = async (calls: readonly RpcCall[]): Promise<RpcOutcome[]> =>
    calls.map(({ method }) => {
      asked.push(method);
      return method in answers ? { result: answers[method] } : { error: missing };
    });
  return { asked, tracer: createCreationTracer({ batch }) };
}

const create = (address: string, traceAddress: number[], more: object = {}) => ({
  type: 'create',
  traceAddress,
  result: { address },
  ...more,
});
const call = (traceAddress: number[], more: object = {}) => ({ type: 'call', traceAddress, ...more });
const frame = (type: string, to: string, more: object = {}) => ({ type, to, ...more });

test.each<[string, unknown[], string[]]>([
  ['what inner calls create, in order', [call([]), create(b, [0]), create(a, [1])], [b, a]],
  ['not the contract that the transaction itself creates', [create(a, []), create(b, [0])], [b]],
  ['nothing of a call that failed', [call([]), call([0], { error: 'Reverted' }), create(a, [0, 0])], []],
  [
    'what is created next to a call that failed',
    [call([]), call([1], { error: 'x' }), create(a, [1, 0]), create(b, [10])],
    [b],
  ],
  ['nothing of a transaction that failed', [call([], { error: 'Reverted' }), create(a, [0])], []],
  ['addresses in lower case', [call([]), create(c, [0])], [c.toLowerCase()]],
])('trace_transaction reports %s', async (_name, traces, expected) => {
  const { tracer } = nodeWith({ trace_transaction: traces });
  expect(await tracer.createdBy([hash])).toEqual([expected]);
});

test.each<[string, object, string[]]>([
  [
    'what inner calls create, in order',
    frame('CALL', a, {
      calls: [frame('CREATE', b, { calls: [frame('CREATE2', a)] }), frame('DELEGATECALL', a)],
    }),
    [b, a],
  ],
  [
    'not the contract that the transaction itself creates',
    frame('CREATE', a, { calls: [frame('CREATE', b)] }),
    [b],
  ],
  [
    'nothing of a call that failed',
    frame('CALL', a, { calls: [frame('CALL', a, { error: 'x', calls: [frame('CREATE', b)] })] }),
    [],
  ],
])('the call tracer reports %s', async (_name, tree, expected) => {
  const { tracer, asked } = nodeWith({ debug_traceTransaction: tree });
  expect(await tracer.createdBy([hash])).toEqual([expected]);
  await tracer.createdBy([hash]);
  expect(asked).toEqual(['trace_transaction', 'debug_traceTransaction', 'debug_traceTransaction']);
});

test('a node without traces gives undefined for each transaction', async () => {
  const { tracer } = nodeWith({});
  expect(await tracer.createdBy([hash, hash])).toEqual([undefined, undefined]);
});

test('an unreachable node is not taken for one without traces', async () => {
  const error = new AppError('Unavailable', 'not reached');
  const tracer = createCreationTracer({ batch: async () => [{ error }] });
  await expect(tracer.createdBy([hash])).rejects.toBe(error);
});

test('the calls of a transaction, most of which failed, are read in linear time', async () => {
  const calls = (length: number) =>
    Array.from({ length: length / 20 }, (_, at) => call([at], { error: 'Reverted' }));
  const read = (traces: unknown[]) => nodeWith({ trace_transaction: traces }).tracer.createdBy([hash]);
  // What a node answered is read at once, when it is there.
  expect(await read([call([]), ...calls(1000), create(a, [50])])).toEqual([[a]]);
  expect(growthOf((length) => () => innerOfList([call([]), ...calls(length)]))).toBeLessThan(tooMuchGrowth);
});
