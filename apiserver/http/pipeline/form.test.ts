import fc from 'fast-check';
import { growthOf, tooMuchGrowth } from '../../../core/lib/testing/growth.ts';
import { parseForm } from './form.ts';

const maxFields = 100;
const fieldsIn = (text: string) => parseForm(Buffer.from(text), maxFields);

it('reads what URLSearchParams reads', () => {
  const piece = fc.oneof(
    fc.constantFrom('&', '=', '+', '%', '%4', '%41', '%c3%A4', '%C3', '%zz', 'a', '?', '&&', '=='),
    fc.string({ unit: 'binary-ascii', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      // It takes a question mark at the beginning for that of a query.
      const expected = [...new URLSearchParams(text.startsWith('?') ? `?${text}` : text)];
      expect(fieldsIn(text)).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  ['ä=ö+ü', 'ä', 'ö ü'],
  ['ä%=%41ö', 'ä%', 'Aö'],
  ['=', '', ''],
  ['a==%3D', 'a', '=='],
])('reads %s, which no browser writes', (text, name, value) => {
  expect(fieldsIn(text)).toEqual([[name, value]]);
});

it('refuses more fields than that', () => {
  expect(fieldsIn('a&'.repeat(maxFields))).toHaveLength(maxFields);
  expect(() => fieldsIn('a&'.repeat(maxFields + 1))).toThrow('the form has more than 100 fields');
});

it.each(['+', '%41', '%C3%A4', '%zz', '%', '=', 'a', 'ä', '&', '&='])(
  'takes time in proportion to a form of %s',
  (piece) => {
    const growth = growthOf((length) => {
      const form = Buffer.from(`a=${piece.repeat(length / piece.length)}`);
      return () => {
        try {
          parseForm(form, maxFields);
        } catch {
          // Too many fields.
        }
      };
    });
    expect(growth).toBeLessThan(tooMuchGrowth);
  },
);
