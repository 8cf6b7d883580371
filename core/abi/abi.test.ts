import { artifactOf, creationData } from './artifact.ts';
import { callableOf } from './calls.ts';
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

  it('takes arguments as text, and says which one is wrong', () => {
    const { encode } = callableOf('f(uint256 amount,bool,address[])', 3);
    expect(encode(['1', 'true', `["${account}"]`])).toMatch(/^0x[0-9a-f]{8}/);
    expect(() => encode(['1'])).toThrow('f takes 3 arguments (uint256 amount, bool, address[]), not 1');
    expect(() => encode(['one', 'true', '[]'])).toThrow('amount is uint256: use a whole number');
    expect(() => encode(['1', 'yes', '[]'])).toThrow('argument 2 is bool: use true or false');
    expect(() => encode(['1', 'true', account])).toThrow('argument 3 is address[]: use JSON');
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
  [`0x4e487b71${word(17)}`, 'panic 17'],
  [undefined, undefined],
  ['0x', undefined],
])('the revert %s says %s', (data, reason) => {
  expect(revertReason(data, abi)).toBe(reason);
});
