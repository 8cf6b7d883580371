import { parseExactly } from './exactJson.ts';

it.each([
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', '9007199254740993'],
  ['-500000000000000000', '-500000000000000000'],
  ['[1,{"lamports":500000000000000001}]', [1, { lamports: '500000000000000001' }]],
  ['{"fee":1.2345678901234567e30}', { fee: 1.2345678901234567e30 }],
  ['{"text":"9007199254740993"}', { text: '9007199254740993' }],
])('%s has the same digits afterwards', (text, value) => {
  expect(parseExactly(text)).toEqual(value);
});
