import { AbiCoder } from 'ethers';
import { growthOf, tooMuchGrowth } from '../lib/testing/growth.ts';
import { revertReason } from './revertReason.ts';

const encode = (type: string, value: unknown) => AbiCoder.defaultAbiCoder().encode([type], [value]).slice(2);
const errorOf = (text: string) => `0x08c379a0${encode('string', text)}`;

test.each<[string, object, string]>([
  ['Error(string)', { data: errorOf('too poor') }, 'reverted: too poor'],
  ['Error(string) in an object', { data: { data: errorOf('too poor') } }, 'reverted: too poor'],
  ['control characters', { data: errorOf('a\n\u0000b') }, 'reverted: a b'],
  [
    'Panic(uint256)',
    { data: `0x4e487b71${encode('uint256', 0x11n)}` },
    'panicked: arithmetic overflow or underflow (0x11)',
  ],
  [
    'a Panic with an unknown code',
    { data: `0x4e487b71${encode('uint256', 99n)}` },
    'panicked: unknown (0x63)',
  ],
  ['a custom error', { data: '0xAABBCCDD01' }, 'reverted with the custom error 0xaabbccdd with 0x01'],
  ['no data', { data: '0x', message: 'execution reverted' }, 'reverted without a reason'],
  ['no data at all', {}, 'reverted without a reason'],
  [
    'an Error that cannot be decoded',
    { data: '0x08c379a0ff' },
    'reverted with the custom error 0x08c379a0 with 0xff',
  ],
  ['a message of the node', { message: 'out of gas' }, 'out of gas'],
  ['data that is not a string', { data: 5, message: 'stack underflow' }, 'stack underflow'],
])('%s', (_reason, error, words) => {
  expect(revertReason(error)).toBe(words);
});

test('a long text is truncated', () => {
  const words = revertReason({ data: errorOf('x'.repeat(10_000)) });
  expect(words).toHaveLength(300);
  expect(words).toMatch(/^reverted: x+…$/);
});

test.each([
  ['an Error with a string that is not whole', `0x08c379a0${encode('string', 'too poor').slice(0, 140)}`],
  ['an Error whose string is elsewhere', `0x08c379a0${'f'.repeat(64)}`],
  ['a Panic without a code', '0x4e487b71'],
])('%s is shown as its data', (_what, data) => {
  expect(revertReason({ data })).toMatch(/^reverted with the custom error 0x/);
});

test.each([
  ['text', (text: string) => ({ data: errorOf(text) }), 'x'],
  ['control characters', (text: string) => ({ data: errorOf(text) }), '\u0000'],
  ['data', (text: string) => ({ data: `0xaabbccdd${text}` }), '0'],
  ['a message of the node', (message: string) => ({ message }), '\n'],
])('a long reason is read in linear time: %s', (_what, errorWith, part) => {
  const work = (length: number) => {
    const error = errorWith(part.repeat(length));
    return () => revertReason(error);
  };
  expect(growthOf(work)).toBeLessThan(tooMuchGrowth);
  expect(work(1_000_000)()).toMatch(/^.{0,300}$/);
});
