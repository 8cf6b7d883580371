import { Interface } from 'ethers';
import { artifactOf, creationData } from './artifact.ts';
import { callableOf, functionsOf } from './calls.ts';
import { revertReason } from './reverts.ts';

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const word = (value: number) => value.toString(16).padStart(64, '0');
const abi = [
  { type: 'function', name: 'get', inputs: [], outputs: [{ type: 'uint256' }], stateMutability: 'view' },
  {
    type: 'function',
    name: 'set',
    inputs: [{ name: 'value', type: 'uint256' }],
    outputs: [],
    stateMutability: 'nonpayable',
  },
  {
    type: 'function',
    name: 'set',
    inputs: [{ name: 'on', type: 'bool' }],
    outputs: [],
    stateMutability: 'nonpayable',
  },
  { type: 'error', name: 'TooLarge', inputs: [{ name: 'value', type: 'uint256' }] },
];

it('data that somebody else made is decoded up to a length of 64 KiB', () => {
  const list = callableOf('list()(uint256[])', 0);
  const listOf = (count: number) => `0x${word(32)}${word(count)}${word(1).repeat(count)}`;
  expect(list.decode(listOf(2000))).toHaveLength(2000);
  expect(() => list.decode(listOf(2047))).toThrow('it has more than 64 KiB, which are not decoded');
  expect(() => list.decode(`0x${word(32)}${word(2)}${word(1)}`)).toThrow('it is not uint256[]');
});

it('arguments have a bound of values, and of digits', () => {
  const lists = callableOf('f(uint8[][])', 1);
  const listOf = (count: number) => [`[${Array(count).fill('[]').join()}]`];
  expect(lists.encode(listOf(2047))).toMatch(/^0x/);
  expect(() => lists.encode(listOf(2048))).toThrow('argument 1 has more than 2048 values: use several calls');
  const number = callableOf('f(uint256)', 1);
  expect(() => number.encode(['9'.repeat(1000)])).toThrow('use a whole number from 0 to 2^256-1');
});

it('an ABI is read up to a bound of entries, and of letters of its texts', () => {
  const entry = (index: number) => `function f${index}()`;
  expect(
    functionsOf(
      Array.from({ length: 5000 }, (_, index) => ({ type: 'function', name: `f${index}`, inputs: [] })),
    ),
  ).toHaveLength(4096);
  const long = Array.from(
    { length: 20 },
    (_, index) => `${entry(index)} view returns (${Array(500).fill('uint8').join()})`,
  );
  expect(functionsOf(long)).toHaveLength(5);
  expect(functionsOf([0, null, 'no', entry(1)])).toHaveLength(1);
});

describe('a function', () => {
  it.each([
    ['transfer(address,uint256)', 'transfer(address,uint256)', false],
    ['balanceOf(address)(uint256)', 'balanceOf(address)', true],
    ['function f(uint a) view returns (uint)', 'f(uint256)', true],
    ['pairs((address,uint256)[])(bool)', 'pairs((address,uint256)[])', true],
  ])('may be written as %s', (text, signature, isRead) => {
    expect(callableOf(text, 0)).toMatchObject({ signature, isRead });
  });

  it('is found by its name in an ABI, or asks which one is meant', () => {
    expect(callableOf('get', 0, abi).signature).toBe('get()');
    expect(() => callableOf('set', 1, abi)).toThrow('write set(bool) or set(uint256)');
    expect(() => callableOf('put', 1, abi)).toThrow('has no function "put": it has get, set');
    expect(() => callableOf('get', 0)).toThrow('is not verified');
    expect(() => callableOf('what(', 0)).toThrow('is not a function');
  });

  it('is found beside entries that are none, of which nothing is printed', () => {
    const print = jest.spyOn(console, 'log');
    expect(callableOf('get', 0, [1, { type: 'function' }, ...abi]).signature).toBe('get()');
    expect(print).not.toHaveBeenCalled();
    print.mockRestore();
  });

  it('takes arguments as text, and says which one is wrong', () => {
    const { encode } = callableOf('f(uint256 amount,bool,address[])', 3);
    expect(encode(['1', 'true', `["${account}"]`])).toMatch(/^0x[0-9a-f]{8}/);
    expect(() => encode(['1'])).toThrow('f takes 3 arguments (uint256 amount, bool, address[]), not 1');
    expect(() => encode(['one', 'true', '[]'])).toThrow('amount is uint256: use a whole number');
    expect(() => encode(['1', 'yes', '[]'])).toThrow('argument 2 is bool: use true or false');
    expect(() => encode(['1', 'true', account])).toThrow('argument 3 is address[]: use JSON');
  });

  it.each([
    ['uint8', '256', 'argument 1 is uint8: use a whole number from 0 to 2^8-1'],
    ['uint256', '-1', 'argument 1 is uint256: use a whole number from 0 to 2^256-1'],
    ['int8 n', '-129', 'n is int8: use a whole number from -2^7 to 2^7-1'],
    ['address to', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', undefined],
    ['address to', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'to is an address with a wrong checksum'],
    ['address', '5aaeb6', 'argument 1 is address: use 0x and 40 hexadecimal digits'],
    ['bytes4', '0x01', 'argument 1 is bytes4: use 0x and 8 hexadecimal digits'],
    ['bytes', '0x012', 'argument 1 is bytes: use 0x and an even number of hexadecimal digits'],
    ['uint8[2]', '[1]', 'argument 1 is uint8[2]: it takes 2 values, not 1'],
    ['uint8[] list', '[1, 300]', 'list[1] is uint8: use a whole number from 0 to 2^8-1'],
    ['uint256[]', '[1e30, 1.5]', 'argument 1[0] is uint256: use a whole number'],
    ['string[]', '[1]', 'argument 1[0] is string: use a text in quotes'],
    ['(uint8 x, bool on) p', '{"x": 1}', 'p has the members x, on: "on" is missing'],
    [
      '(uint8 x, bool on) p',
      '{"x": 1, "on": true, "zz": 2}',
      'p has the members x, on: "zz" is none of them',
    ],
    ['(uint8 x, bool on) p', '[1]', 'p has the members x, on: the list has 1 values, not 2'],
    ['(uint8 x, bool on) p', '[1, "yes"]', 'p.on is bool: use true or false'],
    [
      '(uint8 x, (address who)[] all) p',
      '{"x": 1, "all": [["0x1"]]}',
      'p.all[0].who is address: use 0x and 40',
    ],
    ['(uint8 x, bool on) p', '5', 'p is (uint8,bool): use JSON'],
  ])('takes %s as %s, or says what it should be', (type, text, message) => {
    const encode = () => callableOf(`f(${type})`, 1).encode([text]);
    if (message === undefined) expect(encode()).toMatch(/^0x/);
    else expect(encode).toThrow(message);
  });

  it('takes structs as objects and as lists', () => {
    const { encode } = callableOf('f((uint8 x, address[] all) p)', 1);
    expect(encode([`{"all": ["${account}"], "x": 1}`])).toBe(encode([`[1, ["${account}"]]`]));
  });

  it('says which answer it cannot read', () => {
    const { decode } = callableOf('f()(string)', 0);
    expect(() => decode(`0x${word(1)}`)).toThrow(`it is not string: 0x${word(1)}`);
    const notUtf8 = `0x${word(32)}${word(2)}${'c328'.padEnd(64, '0')}`;
    expect(() => decode(notUtf8)).toThrow('it is not string: 0x');
  });

  it('gives back what JSON can hold, with all digits', () => {
    expect(callableOf('f()(uint256)', 0).decode(`0x${'f'.repeat(64)}`)).toBe((2n ** 256n - 1n).toString());
    expect(callableOf('f()(uint256 a, bool b)', 0).decode(`0x${word(5)}${word(1)}`)).toEqual(['5', true]);
    const pair = callableOf('function f() view returns ((uint256 a, bool b))', 0);
    expect(pair.decode(`0x${word(5)}${word(0)}`)).toEqual({ a: '5', b: false });
    expect(() => callableOf('f()(uint256)', 0).decode('0x')).toThrow('there is no contract at this address');
  });
});

it('an artifact is taken as each tool writes it', () => {
  const forms = [
    { bytecode: '0x6001' },
    { bytecode: { object: '6001' } },
    { evm: { bytecode: { object: '6001' } } },
  ];
  for (const form of forms) expect(artifactOf({ abi, ...form }).bytecode).toBe('0x6001');
  expect(() => artifactOf({ abi })).toThrow('no bytecode');
  expect(() => artifactOf({ bytecode: '0x' })).toThrow('no "abi"');
  expect(() => artifactOf({ abi, bytecode: '0x60__$lib$__' })).toThrow('link them first');
});

it('creation data ends with the arguments of the constructor', () => {
  const artifact = { abi: [{ type: 'constructor', inputs: [{ type: 'uint256' }] }], bytecode: '0x6001' };
  expect(creationData(artifact, ['7'])).toBe(`0x6001${word(7)}`);
  expect(() => creationData({ ...artifact, abi: [] }, ['7'])).toThrow('the constructor takes 0 arguments');
});

it.each([
  [`0x08c379a0${word(32)}${word(2)}${'6e6f'.padEnd(64, '0')}`, 'no'],
  [`0x4e487b71${word(17)}`, 'panic: arithmetic overflow or underflow (0x11)'],
  [{ data: `0x4e487b71${word(18)}` }, 'panic: division by zero (0x12)'],
  [new Interface(abi).encodeErrorResult('TooLarge', [7]), 'TooLarge(7)'],
  [undefined, undefined],
  ['0x', undefined],
])('the revert %s says %s', (data, reason) => {
  expect(revertReason(data, abi)).toBe(reason);
});
