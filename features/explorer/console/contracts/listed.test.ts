import { listedOf } from './listed.ts';

const at = (digit: string) => `0x${digit.repeat(40)}`;
const known = (digit: string, name: string) =>
  ({ address: at(digit), name, origin: 'verified', networkID: 'n', network: 'net' }) as const;

it('contracts have the names that people use, and where those come from', () => {
  const rows = listedOf([known('B', 'src/Counter.sol:Counter')], [{ address: at('a'), name: 'Box' }], '');
  expect(rows.map(({ name, fullName, origin }) => [name, fullName, origin])).toEqual([
    ['Box', 'Box', 'ABI in this browser'],
    ['Counter', 'src/Counter.sol:Counter', 'Verified'],
  ]);
});

it('what the service knows goes before what this browser does', () => {
  const rows = listedOf([known('b', 'Counter')], [{ address: at('B'), name: 'Old' }], '');
  expect(rows.map(({ name }) => name)).toEqual(['Counter']);
});

it('what this browser knows is searched as well', () => {
  const kept = [
    { address: at('a'), name: 'Box' },
    { address: at('c'), name: 'Counter' },
  ];
  expect(listedOf([], kept, ' bo').map(({ name }) => name)).toEqual(['Box']);
});
