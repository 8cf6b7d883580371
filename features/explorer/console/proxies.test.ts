import { proxiesAmong } from './proxies.ts';

const at = (digit: string) => `0x${digit.repeat(40)}`;
const word = (address: string) => `0x${'0'.repeat(24)}${address.slice(2)}`;
const implementation = at('e');
const slots = {
  own: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  old: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
};

/** A chain with these codes and words of storage; whatever is called answers with the implementation. */
function chainOf(codes: Record<string, string>, storage: Record<string, string> = {}) {
  const asked: string[] = [];
  const ask = async (reads: readonly (readonly [string, ...unknown[]])[]) =>
    reads.map(([method, target, slot]) => {
      asked.push(`${method} ${typeof target === 'string' ? target : ''}`.trim());
      if (method === 'eth_getCode') return { result: codes[String(target)] ?? '0x' };
      if (method === 'eth_call') return { result: word(implementation) };
      return { result: storage[`${target}/${slot}`] ?? word(at('0')) };
    });
  return { ask, asked };
}

test.each([
  ['EIP-1967', '0x6080', { [`${at('a')}/${slots.own}`]: word(implementation) }],
  ['EIP-1967 beacon', '0x6080', { [`${at('a')}/${slots.beacon}`]: word(at('b')) }],
  ['OpenZeppelin', '0x6080', { [`${at('a')}/${slots.old}`]: word(implementation) }],
  ['EIP-1167', `0x363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`, {}],
  ['EIP-7702', `0xef0100${implementation.slice(2)}`, {}],
])('%s says where its calls go', async (kind, code, storage) => {
  const { ask } = chainOf({ [at('a')]: code }, storage);
  expect([...(await proxiesAmong(ask, [at('a')]))]).toEqual([[at('a'), { kind, implementation }]]);
});

test('an ordinary contract is not a proxy, and of accounts only the code is read', async () => {
  const { ask, asked } = chainOf({ [at('a')]: '0x6080' });
  expect((await proxiesAmong(ask, [at('a'), at('b')])).size).toBe(0);
  expect(asked.filter((one) => one.endsWith(at('b')))).toEqual([`eth_getCode ${at('b')}`]);
});

test('a word of storage that is not an address is not an implementation', async () => {
  const { ask } = chainOf({ [at('a')]: '0x6080' }, { [`${at('a')}/${slots.own}`]: `0x${'f'.repeat(64)}` });
  expect((await proxiesAmong(ask, [at('a')])).size).toBe(0);
});
