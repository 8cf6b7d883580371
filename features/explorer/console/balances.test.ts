import type { Network } from '../../../sdk/src/generated/types.ts';
import { readBalances } from './balances.ts';

const [first, second] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const;
const network = { id: 'one', spec: { chain: { type: 'Ethereum' } } } as unknown as Network;

it('balances are read in one request, and one that the node does not know is left out', async () => {
  const asked: unknown[] = [];
  const readChain = async (_id: string, body: unknown) => {
    asked.push(body);
    return { answers: [{ result: '0x14d1120d7b160000' }, { error: { message: 'away' } }] };
  };
  const balances = await readBalances({ networks: { readChain } } as never, network, [first, second]);
  expect([...balances]).toEqual([[first, '1.5 ETH']]);
  expect(asked).toHaveLength(1);
});

it('accounts of other families are not asked for', async () => {
  expect((await readBalances({} as never, network, ['So1'])).size).toBe(0);
});
