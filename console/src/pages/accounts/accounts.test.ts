import { originOf } from './accounts.ts';

const first = { address: `0x${'11'.repeat(20)}`, source: 'privateKeyRef', secret: 'hot', hasKey: true };
const second = { address: `0x${'22'.repeat(20)}`, source: 'developmentAccounts', index: 3, hasKey: true };

it('an account says where its key is', () => {
  expect([first, second, { ...first, source: 'caller' }].map(originOf)).toEqual([
    'Secret hot',
    'Development account #3',
    'Your account',
  ]);
});
