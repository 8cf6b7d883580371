import { forkPathOf, openForkPath } from './forkTokens.ts';
import { aKeyring } from './testing/keyrings.ts';

const keys = aKeyring('fork key');
const scope = { networkUid: 'u-1', type: 'Base' } as const;
const path = forkPathOf(keys, scope);

it('opens the source of its own chain type for its own network', () => {
  expect(openForkPath(keys, path)).toEqual(scope);
});

it.each([
  ['another chain type', path.replace('/Base/', '/Ethereum/')],
  ['another network', path.replace('/u-1/', '/u-2/')],
  ['a chain type that does not exist', path.replace('/Base/', '/constructor/')],
  ['another token', `${path.slice(0, -24)}${'A'.repeat(24)}`],
  ['a short token', path.slice(0, -1)],
  ['no token', '/forks/Base/u-1/'],
  ['more path', `${path}/more`],
  ['a query', `${path}?a=b`],
])('does not open %s', (_reason, other) => {
  expect(openForkPath(keys, other)).toBeUndefined();
});

it('opens with every installed key, and with no other one', () => {
  const next = aKeyring('next key');
  const both = {
    currentId: 'k2',
    keys: new Map([...keys.keys, ['k2', [...next.keys.values()][0] ?? Buffer.alloc(32)]]),
  };
  expect(openForkPath(both, path)).toEqual(scope);
  expect(openForkPath(next, path)).toBeUndefined();
});
