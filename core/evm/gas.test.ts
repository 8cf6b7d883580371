import { AppError } from '../lib/errors.ts';
import { estimateGas, planGas } from './gas.ts';
import type { EvmRpc, RpcOutcome } from './rpc.ts';

const chain = {
  ...{ chainId: '1', instance: '0x', pendingCount: 0, balance: 0n, gasPrice: 1n, tip: 1n, baseFee: 1n },
  ...{ blockGasLimit: 30_000_000n, limitsCreationCode: true, hasDataFloor: true },
};
const call = { from: '0x01', to: '0x02', value: '0', data: '0x1234' };

/** An answer of a node that is an error of JSON-RPC. */
function refusedWith(code: number, message: string): RpcOutcome {
  return { error: new AppError('BadRequest', message, { cause: { code, message } }) };
}

/** A node that answers each estimate in turn, and cannot simulate. */
function nodeWith(estimates: RpcOutcome[]): EvmRpc {
  const answers = [estimates, [refusedWith(-32601, 'no such method')]];
  return {
    call: () => Promise.reject(new Error('not used')),
    batch: async () => answers.shift() ?? [],
  };
}

const plan = async (node: EvmRpc, items: (typeof call)[]) =>
  planGas(node, items, { state: chain, estimates: await estimateGas(node, items) });

it('an estimate is raised by a quarter if code runs, and kept for a plain transfer', async () => {
  const node = nodeWith([{ result: '0xc350' }, { result: '0x5208' }]);
  const { limits } = await plan(node, [call, { ...call, data: '0x' }]);
  expect(limits).toEqual([62_500n, 21_000n]);
});

it('what fails alone and cannot be simulated gets 3,000,000, or 15 times its intrinsic gas', async () => {
  const reverted = refusedWith(3, 'execution reverted');
  const large = { ...call, data: `0x${'ff'.repeat(6_000)}` };
  const node = nodeWith([{ result: '0xc350' }, reverted, reverted]);
  const { limits } = await plan(node, [call, { ...call, data: '0x5678' }, large]);
  expect(limits).toEqual([62_500n, 3_000_000n, 15n * (21_000n + 40n * 6_000n)]);
});
