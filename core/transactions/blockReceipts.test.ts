import { AppError } from '../lib/errors.ts';
import { createBlockReceipts } from './blockReceipts.ts';
import type { RpcCall, RpcOutcome } from './rpc.ts';

const refusal = new AppError('BadRequest', 'no', { cause: { code: -32601, message: 'Method not found' } });

test('gives the receipts of each block', async () => {
  const asked: RpcCall[] = [];
  const batch = async (calls: readonly RpcCall[]): Promise<RpcOutcome[]> => {
    asked.push(...calls);
    return calls.map(({ params }) => ({ result: [params[0]] }));
  };
  expect(await createBlockReceipts({ batch })([10, 17])).toEqual([['0xa'], ['0x11']]);
  expect(asked[0]).toEqual({ method: 'eth_getBlockReceipts', params: ['0xa'] });
});

test('a node that does not know the method is not asked again', async () => {
  let count = 0;
  const batch = async (): Promise<RpcOutcome[]> => {
    count++;
    return [{ error: refusal }];
  };
  const receipts = createBlockReceipts({ batch });
  expect([await receipts([1]), await receipts([1])]).toEqual([undefined, undefined]);
  expect(count).toBe(1);
});

test('a node that is not reached is asked again', async () => {
  const error = new AppError('Unavailable', 'not reached');
  const receipts = createBlockReceipts({ batch: async () => [{ error }] });
  await expect(receipts([1])).rejects.toBe(error);
  await expect(receipts([1])).rejects.toBe(error);
});
