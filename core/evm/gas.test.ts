import { AppError } from '../lib/errors.ts';
import { estimateGas, planGas } from './gas.ts';
import type { EvmRpc, RpcOutcome } from './rpc.ts';

const chain = {
  chainId: '1',
  instance: '0x',
  pendingCount: 0,
  balance: 0n,
  gasPrice: 1n,
  tip: 1n,
  baseFee: 1n,
  blockGasLimit: 30_000_000n,
  maxTransactionGas: 30_000_000n,
  limitsCreationCode: true,
  hasDataFloor: true,
};
const call = { from: '0x01', to: '0x02', value: '0', data: '0x1234' };

/** An answer of a node that is an error of JSON-RPC. */
function refusedWith(code: number, message: string): RpcOutcome {
  return { error: new AppError('BadRequest', message, { cause: { code, message } }) };
}

/** A node that answers each estimate in turn, and neither traces nor simulates unless `simulated` says what is used. */
function nodeWith(estimates: RpcOutcome[], simulated = refusedWith(-32601, 'no such method')): EvmRpc {
  const answerOf = (method: string): RpcOutcome => {
    if (method === 'eth_simulateV1') return simulated;
    return (method === 'eth_estimateGas' && alone.shift()) || refusedWith(-32601, 'no such method');
  };
  // The first estimate is asked beside the first trace, and again when there is none.
  const alone = estimates.length > 1 ? [...estimates.slice(0, 1), ...estimates] : estimates;
  return {
    call: () => Promise.reject(new Error('not used')),
    batch: async (calls) => calls.map(({ method }) => answerOf(method)),
  };
}

const plan = async (node: EvmRpc, items: (typeof call)[]) =>
  planGas(items, { state: chain, estimates: await estimateGas(node, items) });

it('an estimate is raised by a quarter if code runs, and kept for a plain transfer', async () => {
  const node = nodeWith([{ result: '0xc350' }, { result: '0x5208' }]);
  const { limits } = await plan(node, [call, { ...call, data: '0x' }]);
  expect(limits).toEqual([62_500n, 21_000n]);
});

it('a node that cannot trace says by eth_simulateV1 what items use after those before them', async () => {
  const calls = [
    { status: '0x1', gasUsed: '0xc350' },
    { status: '0x1', gasUsed: '0x186a0' },
  ];
  const node = nodeWith([{ result: '0xc350' }, { result: '0xc350' }], { result: [{ calls }] });
  const { limits } = await plan(node, [call, { ...call, data: '0x5678' }]);
  expect(limits).toEqual([62_500n, 150_000n]);
});

it('what needs more than a transaction may have is refused, and only the margin is cut', async () => {
  const node = (gas: number) => nodeWith([{ result: `0x${gas.toString(16)}` }]);
  expect((await plan(node(29_000_000), [call])).limits).toEqual([30_000_000n]);
  expect((await plan(node(30_000_001), [call])).details).toEqual([
    {
      path: '[0].gas_limit',
      message: expect.stringMatching(/have to be 30000001, .*block gas limit.* 30000000$/),
    },
  ]);
});

it('what fails alone and cannot be simulated gets 3,000,000, or 15 times its intrinsic gas', async () => {
  const reverted = refusedWith(3, 'execution reverted');
  const large = { ...call, data: `0x${'ff'.repeat(6_000)}` };
  const node = nodeWith([{ result: '0xc350' }, reverted, reverted]);
  const { limits } = await plan(node, [call, { ...call, data: '0x5678' }, large]);
  expect(limits).toEqual([62_500n, 3_000_000n, 15n * (21_000n + 40n * 6_000n)]);
});
