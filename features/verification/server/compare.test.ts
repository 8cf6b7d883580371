import { growthOf, tooMuchGrowth } from '../../../core/lib/testing/growth.ts';
import { compareCreation, compareRuntime } from './compare.ts';

/** Metadata as solc appends it: a CBOR map with a hash of the sources and the version, and its length. */
const metadata = (digit: string) => `a2646970667358221220${digit.repeat(64)}64736f6c634300081c0033`;
const withoutHash = 'a164736f6c634300081c000a';
const code = '6080604052348015600e575f5ffd5b50';

describe('the code on the chain', () => {
  it.each([
    ['is the same', code + metadata('a'), code + metadata('a'), 'exact_match'],
    ['has another hash of its sources', code + metadata('b'), code + metadata('a'), 'match'],
    ['has no hash of its sources', code + withoutHash, code + withoutHash, 'match'],
    ['has no metadata', code, code, 'match'],
    ['differs', `${code}00${metadata('a')}`, code + metadata('a'), undefined],
    ['differs by one digit', code.replace('6080', '6081') + metadata('a'), code + metadata('a'), undefined],
    ['is longer than that without metadata', `${code}00`, code, undefined],
    ['is empty', '', '', undefined],
  ])('%s', (_what, onChain, object, expected) => {
    expect(compareRuntime(`0x${onChain.toUpperCase()}`, { object })).toBe(expected);
  });

  it('has values of its own where the compiler says that immutables are, and nowhere else', () => {
    const compiled = `60${'00'.repeat(32)}${code}`;
    const immutableReferences = { 7: [{ start: 1, length: 32 }] };
    const onChain = `0x60${'ab'.repeat(32)}${code}`;
    expect(compareRuntime(onChain, { object: compiled, immutableReferences })).toBe('match');
    expect(compareRuntime(onChain, { object: compiled })).toBeUndefined();
    const elsewhere = onChain.replace('0x60', '0x61');
    expect(compareRuntime(elsewhere, { object: compiled, immutableReferences })).toBeUndefined();
  });

  it('may have any number of immutables: they are compared in linear time', () => {
    const compare = (length: number) => {
      const object = '60'.repeat(length);
      const starts = Array.from({ length: length / 50 }, (_, at) => ({ start: at * 50, length: 32 }));
      return () => compareRuntime(`0x${object}`, { object, immutableReferences: { 7: starts } });
    };
    expect(compare(100)()).toBe('match');
    expect(growthOf(compare)).toBeLessThan(tooMuchGrowth);
  });

  it("begins with a library's own address", () => {
    const object = `73${'0'.repeat(40)}3014${code}`;
    expect(compareRuntime(`0x73${'c'.repeat(40)}3014${code}`, { object })).toBe('match');
  });
});

describe('the transaction that created it', () => {
  const object = code + metadata('a');
  const word = '29'.padStart(64, '0');
  it.each([
    [
      'has the arguments after the code',
      object + word,
      true,
      { match: 'exact_match', constructorArguments: `0x${word}` },
    ],
    [
      'has another hash of the sources',
      code + metadata('b') + word,
      true,
      { match: 'match', constructorArguments: `0x${word}` },
    ],
    ['has none', object, false, { match: 'exact_match', constructorArguments: '0x' }],
    ['has more although the constructor takes nothing', object + word, false, undefined],
    ['has other code', object.replace('6080', '6081') + word, true, undefined],
    ['is shorter', code, true, undefined],
  ])('%s', (_what, input, hasArguments, expected) => {
    expect(compareCreation(`0x${input}`, { object, hasArguments })).toEqual(expected);
  });
});
