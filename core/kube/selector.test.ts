import { growthOf, tooMuchGrowth } from '../lib/testing/growth.ts';
import { escapeFieldValue, parseFieldSelector, parseLabelSelector } from './selector.ts';

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
        // It is not a selector.
      }
    };
    expect(growthOf((length) => () => parse(textOf(length)))).toBeLessThan(tooMuchGrowth);
  });

  it('of fields supports any path, and is a BadRequest when it is invalid', () => {
    expect(parseFieldSelector('spec.a.b=1,spec.c!=2')({ spec: { a: { b: 1 } } })).toBe(true);
    expect(() => parseFieldSelector('spec.a')).toThrow(expect.objectContaining({ reason: 'BadRequest' }));
  });

  it('of fields is not extended by a value that is escaped', () => {
    const value = 'a\\,spec.b=2';
    const fits = parseFieldSelector(`spec.a=${escapeFieldValue(value)},spec.c=1`);
    expect(fits({ spec: { a: value, c: 1 } })).toBe(true);
    expect(fits({ spec: { a: 'a\\', b: '2', c: 1 } })).toBe(false);
    expect(() => parseFieldSelector('spec.a=b=c')).toThrow(expect.objectContaining({ reason: 'BadRequest' }));
  });
});
