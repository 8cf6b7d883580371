import { inEther, inFewEther, inGwei, inUnits, percentOf, short, whole } from './amounts.ts';
import { targetsOf } from './search/targets.ts';
import { readerOf } from './testing/nodeReader.ts';
import { visible } from './visible.ts';

describe('amounts keep their digits, in lists six of a fraction', () => {
  it.each([
    [inEther(1n), '0.000000000000000001'],
    [inEther(10n ** 18n), '1'],
    [inEther(123456789123456789123456789n), '123,456,789.123456789123456789'],
    [inEther(-15n * 10n ** 17n), '-1.5'],
    [inGwei(1_771_484_014n), '1.771484014'],
    [inUnits(42n, 0), '42'],
    [inFewEther(0n), '0'],
    [inFewEther(1n), '<0.000001'],
    [inFewEther(15n * 10n ** 17n), '1.5'],
    [inFewEther(1_234_567_891n * 10n ** 9n), '1.234567'],
    [whole(12345678901234567890n), '12,345,678,901,234,567,890'],
    [whole(999), '999'],
    [percentOf(1n, 3n), '33.3%'],
    [percentOf(1n, 0n), '0%'],
    [short(`0x${'ab'.repeat(20)}`), '0xababab…ababab'],
  ])('%s', (shown, expected) => {
    expect(shown).toBe(expected);
  });
});

describe('a search', () => {
  const evm = `0x${'aB'.repeat(20)}`;
  const hash = `0x${'0c'.repeat(32)}`;
  it.each([
    ['evm', ' 12 ', ['block']],
    ['evm', '#1,234', ['block']],
    ['evm', evm, ['address']],
    ['evm', hash, ['tx', 'block']],
    ['evm', '0x12', []],
    ['evm', 'ann', []],
    ['solana', '7', ['block']],
    ['solana', 'So11111111111111111111111111111111111111112', ['address']],
    ['solana', '5'.repeat(88), ['tx']],
    ['solana', evm, []],
    ['thorchain', 'tthor1qk8c8sfrmfm0tkncs0zxeutc8v5mx3pjh7xqgs', ['address']],
    ['thorchain', 'AB'.repeat(32), ['tx']],
    ['thorchain', evm, []],
  ] as const)('on %s for %s finds %j', (family, text, kinds) => {
    expect(targetsOf(family, text).map(({ kind }) => kind)).toEqual(kinds);
  });

  it('takes a number without what groups its digits', () => {
    expect(targetsOf('evm', '#1,234,567')).toEqual([{ kind: 'block', value: '1234567' }]);
  });
});

describe('reads', () => {
  const answer = { kind: 'ChainAnswers', version: 'v1alpha', enclaveID: 'e-1' } as const;

  it('are sent in parts of 50 and answered in order', async () => {
    const sizes: number[] = [];
    const reader = readerOf(async ({ reads = [] }) => {
      sizes.push(reads.length);
      return { ...answer, contracts: [], answers: reads.map((read) => ({ result: read })) };
    });
    const answers = await reader.ask(Array.from({ length: 120 }, (_, index) => ['method', index] as const));
    expect(sizes).toEqual([50, 50, 20]);
    expect(answers[119]?.result).toEqual({ method: 'method', params: [119] });
  });

  it('are refused when the network runs another chain by now', async () => {
    const reader = readerOf(async () => ({ ...answer, enclaveID: 'e-2', answers: [], contracts: [] }));
    await expect(reader.ask([['eth_chainId']])).rejects.toThrow('another chain');
  });

  it('ask for the name of an address once, and again after a failure', async () => {
    const asked: string[][] = [];
    let isDown = true;
    const reader = readerOf(async ({ contracts = [] }) => {
      if (contracts.length > 0) asked.push(contracts);
      if (isDown) throw new Error('away');
      const named = contracts
        .slice(0, 1)
        .map((address) => ({ address, name: 'Token', origin: 'token', abi: [] }));
      return { ...answer, answers: [], contracts: named };
    });
    await expect(reader.name(['0xA'])).rejects.toThrow('away');
    isDown = false;
    expect([...(await reader.name(['0xA', '0xa', '0xb'])).keys()]).toEqual(['0xa']);
    await reader.name(['0xB', '0xa']);
    expect(asked).toEqual([['0xa'], ['0xa', '0xb']]);
  });
});

test.each([
  ['the direction of writing', 'note \u202e rtl', 'note \\u{202e} rtl'],
  ['controls', 'A\u001b[2J', 'A\\u{1b}[2J'],
  [
    'nothing that texts have for good reasons',
    'a\n\tb \u{1f469}\u200d\u{1f680}',
    'a\n\tb \u{1f469}\u200d\u{1f680}',
  ],
])('codes stand for %s in a text of strangers', (_what, text, shown) => {
  expect(visible(text)).toBe(shown);
});
