import { growthOf, tooMuchGrowth } from '../lib/testing/growth.ts';
import { parseFieldSelector, parseLabelSelector } from './selector.ts';

describe('a selector', () => {
  it.each([
    ['an unterminated set', 'a in (b'],
    ['an operator without a key', '=b'],
    ['two words', 'a b'],
    ['a comparison', 'a>1'],
  ])('of labels is a BadRequest with %s', (_reason, selector) => {
    expect(() => parseLabelSelector(selector)).toThrow(expect.objectContaining({ reason: 'BadRequest' }));
  });

  it.each([
    ['nothing', '', {}, true],
    ['an empty value', 'a=', { a: '' }, true],
    ['an empty value that is absent', 'a=', {}, false],
    ['keys with a prefix', 'slipway.dev/owner=u-1', { 'slipway.dev/owner': 'u-1' }, true],
  ])('of labels matches %s', (_reason, selector, labels, expected) => {
    expect(parseLabelSelector(selector)(labels)).toBe(expected);
  });

  it.each(['(', '(a', ',', ' ', 'a in ('])('of many "%s" takes linear time', (part) => {
    const textOf = (length: number) => part.repeat(Math.ceil(length / part.length));
    const parse = (text: string) => {
      try {
        parseLabelSelector(text);
      } catch {
        // It is no selector.
      }
    };
    expect(growthOf((length) => () => parse(textOf(length)))).toBeLessThan(tooMuchGrowth);
  });

  it('of fields supports any path, and is a BadRequest when it is invalid', () => {
    expect(parseFieldSelector('spec.a.b=1,spec.c!=2')({ spec: { a: { b: 1 } } })).toBe(true);
    expect(() => parseFieldSelector('spec.a')).toThrow(expect.objectContaining({ reason: 'BadRequest' }));
  });
});
