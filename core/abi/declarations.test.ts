import { callableOf, interfaceOf } from './calls.ts';
import { eventOf } from './logs.ts';

const nested = (levels: number) => `f(${'tuple('.repeat(levels)}uint256 a${') a'.repeat(levels)})`;
const components = (levels: number): object =>
  levels === 0
    ? { type: 'uint256', name: 'a' }
    : { type: 'tuple', name: 'a', components: [components(levels - 1)] };
const abiOf = (input: object) => [{ type: 'function', name: 'f', inputs: [input] }];
const namesIn = (abi: unknown[]) => interfaceOf(abi).fragments.length;

it.each([
  ['tuples', nested],
  ['dimensions', (levels: number) => `f(uint256${'[]'.repeat(levels)})`],
])('a declaration is read up to a depth of %s', (_what, declaration) => {
  expect(callableOf(declaration(15), 1).signature).toContain('f(');
  expect(() => callableOf(declaration(17), 1)).toThrow('16 levels');
  expect(() => eventOf(declaration(2000))).toThrow('16 levels');
});

it('a declaration is read up to a length', () => {
  expect(() => callableOf(`f(${'uint256,'.repeat(2000)}uint256)`, 1)).toThrow('4096 characters');
});

it.each([
  ['components', (levels: number) => components(levels)],
  ['dimensions', (levels: number) => ({ type: `uint256${'[]'.repeat(levels)}`, name: 'a' })],
])('entries of an ABI with deeper %s are left out', (_what, inputOf) => {
  expect(namesIn(abiOf(inputOf(15)))).toBe(1);
  expect(namesIn([...abiOf(inputOf(17)), ...abiOf(inputOf(2000)), ...abiOf(inputOf(1))])).toBe(1);
});

describe('texts of an ABI that are too long', () => {
  const text = (name: string, letters: number) =>
    `function ${name}(${'uint256,'.repeat(letters / 8)}uint256)`;
  const many = Array.from({ length: 10 }, (_, at) => text(`g${at}`, 2000));

  it.each([
    ['alone', [text('g', 20_000)], 0],
    ['together', many, 8],
  ])('%s leave no other entry out', (_how, texts, read) => {
    expect(namesIn([...texts, ...abiOf({ type: 'uint256' }), 'function h()'])).toBe(read + 2);
  });

  it('are named where something is not found', () => {
    expect(() => callableOf('g9', 0, many)).toThrow(
      /^the contract has no function "g9".*; 2 entries of its ABI are not read/,
    );
    expect(() => eventOf('E', many)).toThrow('; 2 entries of its ABI');
    expect(() => callableOf('h', 0, abiOf({ type: 'uint256' }))).toThrow(/it has f$/);
  });
});
