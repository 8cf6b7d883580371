import type { AddressName } from '../../../sdk/src/generated/types.ts';
import { matching, toSpec } from './book.ts';

test.each([
  ['without a note', { name: ' treasury ', note: ' ' }, { name: 'treasury' }],
  ['with one', { name: 'treasury', note: ' Safe ' }, { name: 'treasury', note: 'Safe' }],
])('an address is saved %s', (_what, form, spec) => {
  expect(toSpec({ address: '0x', ...form })).toEqual(spec);
});

const entry = (address: string, name: string, note?: string): AddressName => ({
  kind: 'AddressName',
  version: 'v1alpha',
  createdAt: '2031-01-01T00:00:00Z',
  address,
  name,
  ...(note === undefined ? {} : { note }),
});
const book = [entry('0xab', 'Treasury', 'Safe of Ann'), entry('0xcd', 'Deployer')];

test.each([
  ['a name', 'TREAS', ['Treasury']],
  ['an address', '0xCD', ['Deployer']],
  ['a note', ' ann', ['Treasury']],
  ['nothing', '', ['Treasury', 'Deployer']],
  ['what no entry has', 'bridge', []],
])('a search for %s', (_what, text, names) => {
  expect(matching(book, text).map(({ name }) => name)).toEqual(names);
});
