import { unknownValue } from '../../sdk/src/unknownValue.ts';
import { originOf } from './accounts.ts';

it.each([
  [{ source: 'privateKeyRef', secret: 'hot' }, 'secret hot'],
  [{ source: 'mnemonicRef', secret: 'words', index: 3 }, 'secret words #3'],
  [{ source: 'developmentAccounts', index: 0 }, 'test … junk #0'],
  [{ source: 'caller', secret: 'default-key' }, 'your account'],
])('%j is shown as %s', (account, text) => {
  expect(originOf({ address: '0x', hasKey: true, ...account, source: unknownValue(account.source) })).toBe(
    text,
  );
});
