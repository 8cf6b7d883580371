import { AbiCoder, EventFragment, Interface, ParamType } from 'ethers';
import fc from 'fast-check';
import { checkLength, decodeLogValues, decodeValues } from './decode.ts';

const coder = AbiCoder.defaultAbiCoder();
const typesOf = (...types: string[]) => types.map((one) => ParamType.from(one));
const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0');

const digits = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((one) => `0x${Buffer.from(one).toString('hex')}`);
const wrapped = (text: string, bits: number, isSigned: boolean) =>
  isSigned ? BigInt.asIntN(bits, BigInt(text)) : BigInt.asUintN(bits, BigInt(text));

/** Types of one word and of any length, each with its values. No contract has a type without any. */
const leaves: [string, fc.Arbitrary<unknown>][] = [
  ['bool', fc.boolean()],
  ['string', fc.string({ unit: 'binary', maxLength: 70 })],
  ['bytes', fc.nat(70).chain(digits)],
  ['bytes32', digits(32)],
  ['bytes3', digits(3)],
  [
    'address',
    digits(20).map((one) => String(coder.decode(['address'], `0x${one.slice(2).padStart(64, '0')}`)[0])),
  ],
  ...['uint256', 'uint8', 'int256', 'int24'].map((type): [string, fc.Arbitrary<unknown>] => [
    type,
    digits(32).map((one) => wrapped(one, Number(type.replace(/\D/g, '')), type.startsWith('i'))),
  ]),
];

interface Typed {
  type: string;
  value: unknown;
}

const { typed } = fc.letrec<{ typed: Typed }>((tie) => ({
  typed: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    ...leaves.map(([type, values]) => values.map((value) => ({ type, value }))),
    fc.array(tie('typed'), { minLength: 1, maxLength: 3 }).map((all) => ({
      type: `tuple(${all.map(({ type }) => type)})`,
      value: all.map(({ value }) => value),
    })),
    fc.tuple(tie('typed'), fc.nat(3), fc.boolean()).map(([{ type, value }, count, isFixed]) => ({
      type: `${type}[${isFixed && count > 0 ? count : ''}]`,
      value: Array(count).fill(value),
    })),
  ),
}));

it('what ethers encodes is decoded as ethers does', () => {
  fc.assert(
    fc.property(fc.array(typed, { maxLength: 4 }), (all) => {
      const types = typesOf(...all.map(({ type }) => type));
      const values = all.map(({ value }) => value);
      const data = coder.encode(types, values);
      expect(decodeValues(types, data)).toEqual(coder.decode(types, data).toArray(true));
    }),
    { numRuns: 500 },
  );
});

it('any data of any types is decoded or refused, and nothing is thrown', () => {
  fc.assert(
    fc.property(fc.array(typed, { maxLength: 3 }), fc.nat(400).chain(digits), (all, data) => {
      const decoded = decodeValues(typesOf(...all.map(({ type }) => type)), data);
      expect(decoded === undefined || decoded.length === all.length).toBe(true);
    }),
    { numRuns: 500 },
  );
});

describe('data is refused', () => {
  const offsets = word(32 * 1999).repeat(1999);

  it.each([
    ['that is not hexadecimal', 'uint256', `0x${'zz'.repeat(32)}`],
    ['that has half a byte', 'uint256', `0x${word(1)}0`],
    ['that is shorter than its type', 'uint256[3]', `0x${word(1)}${word(1)}`],
    ['whose offset is beyond its end', 'string', `0x${word(2n ** 255n)}${word(1)}`],
    ['whose list is longer than it', 'uint256[]', `0x${word(32)}${word(2n ** 200n)}${word(1)}`],
    ['whose address has more than 20 bytes', 'address', `0x${word(2n ** 160n)}`],
    ['whose text is not UTF-8', 'string', `0x${word(32)}${word(1)}ff${'0'.repeat(62)}`],
    ['for a list of more elements of no size', 'tuple()[100000000]', `0x${word(32)}${word(1)}`],
    [
      'for arrays that are larger than it',
      'tuple(uint256[10000][10000] a)[]',
      `0x${word(32)}${word(1)}${word(1)}`,
    ],
    [
      'whose offsets name one text many times',
      'string[]',
      `0x${word(32)}${word(1999)}${offsets}${'f'.repeat(64)}`,
    ],
    [
      'whose offsets name one list many times',
      'uint256[][]',
      `0x${word(32)}${word(30)}${word(960).repeat(30)}${word(30)}${word(1).repeat(30)}`,
    ],
  ])('%s', (_case, type, data) => {
    expect(decodeValues(typesOf(type), data)).toBeUndefined();
  });

  it('that has more than 64 KiB', () => {
    const long = `0x${'0'.repeat(64 * 2048 + 2)}`;
    expect(decodeValues(typesOf('uint256'), long)).toBeUndefined();
    expect(() => checkLength(long)).toThrow('it has more than 64 KiB');
    expect(() => checkLength(long.slice(0, -2))).not.toThrow();
  });
});

it('a type is looked through once, however many lists of it there are', () => {
  let looks = 0;
  const type = ParamType.from('tuple(uint8 a, uint8 b)[][]');
  const struct = type.arrayChildren?.arrayChildren;
  const components = () => {
    looks += 1;
    return struct?.components;
  };
  const seen = Object.create(struct ?? null, { components: { get: components } });
  const list = Object.create(type.arrayChildren, { arrayChildren: { value: seen } });
  const lists = Object.create(type, { arrayChildren: { value: list } });
  const count = 1000;
  const data = `0x${word(32)}${word(count)}${word(32 * count).repeat(count)}${word(0)}`;
  expect(decodeValues([lists], data)).toEqual([Array(count).fill([])]);
  expect(looks).toBeLessThan(10);
});

describe('a log', () => {
  const event = EventFragment.from('event E(address indexed a, string b, string indexed c, uint8 d)');
  const own = new Interface([event]);
  const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const log = own.encodeEventLog(event, [account, 'text', 'hashed', 7]);

  it('has its values in the order of the event, and the hash of an indexed text', () => {
    const hash = log.topics[2];
    expect(decodeLogValues(event, log)).toEqual([account, 'text', { hash }, 7n]);
  });

  it.each([
    ['has fewer topics than the event', { ...log, topics: log.topics.slice(0, 2) }],
    ['has more topics', { ...log, topics: [...log.topics, `0x${word(1)}`] }],
    ['has a topic that is not of its type', { ...log, topics: log.topics.with(1, `0x${word(2n ** 200n)}`) }],
    ['has other data', { ...log, data: '0x' }],
  ])('that %s is not of the event', (_case, other) => {
    expect(decodeLogValues(event, other)).toBeUndefined();
  });

  it('of an anonymous event is not told apart', () => {
    const anonymous = EventFragment.from({ type: 'event', name: 'E', anonymous: true, inputs: [] });
    expect(decodeLogValues(anonymous, { topics: [`0x${word(1)}`], data: '0x' })).toBeUndefined();
  });
});
