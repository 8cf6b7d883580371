import { deriveChildKey, deriveMasterKey, validatorKeyOfMnemonic } from './validatorKeys.ts';

/** Test cases of EIP-2333. */
const cases: [reason: string, seed: string, master: bigint, index: number, child: bigint][] = [
  [
    'of a mnemonic',
    'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
    6083874454709270928345386274498605044986640685124978867557563392430687146096n,
    0,
    20397789859736650942317412262472558107875392172444076792671091975210932703118n,
  ],
];

describe('keys of validators', () => {
  it.each(cases)('derive by EIP-2333: %s', (_reason, seed, master, index, child) => {
    expect(deriveMasterKey(Buffer.from(seed, 'hex'))).toBe(master);
    expect(deriveChildKey(master, index)).toBe(child);
  });

  it('depend on the words only, not on the white space between them', () => {
    const words =
      'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
    const key = validatorKeyOfMnemonic(Buffer.from(words));
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(validatorKeyOfMnemonic(Buffer.from(`  ${words.replaceAll(' ', '\n')} `))).toBe(key);
  });

  it('are refused for words that are not a mnemonic', () => {
    expect(() => validatorKeyOfMnemonic(Buffer.from('abandon abandon'))).toThrow(
      /does not hold a BIP-39 mnemonic/,
    );
  });
});
