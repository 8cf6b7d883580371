import type { Network } from '../../../../sdk/src/generated/types.ts';
import { originOf, readBalances } from './accounts.ts';

const first = { address: `0x${'11'.repeat(20)}`, source: 'privateKeyRef', secret: 'hot', hasKey: true };
const second = { address: `0x${'22'.repeat(20)}`, source: 'developmentAccounts', index: 3, hasKey: true };
const network = { id: 'one', spec: { chain: { type: 'Ethereum' } } } as unknown as Network;

it('an account says where its key is', () => {
  expect([first, second, { ...first, source: 'caller' }].map(originOf)).toEqual([
    'Secret hot',
    'Development account #3',
    'Your account',
  ]);
});

it('balances are read in one request, and one that the node does not know is left out', async () => {
  const asked: unknown[] = [];
  const readChain = async (_id: string, body: unknown) => {
    asked.push(body);
    return { answers: [{ result: '0x14d1120d7b160000' }, { error: { message: 'away' } }] };
  };
  const balances = await readBalances({ networks: { readChain } } as never, network, [first, second]);
  expect([...balances]).toEqual([[first.address, '1.5 ETH']]);
  expect(asked).toHaveLength(1);
});

it('accounts of other families are not asked for', async () => {
  const solana = [{ address: 'So1', source: 'privateKeyRef', secret: 'hot', hasKey: false }];
  expect((await readBalances({} as never, network, solana)).size).toBe(0);
});
