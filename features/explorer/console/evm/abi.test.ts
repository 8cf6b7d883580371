import { AbiCoder, Interface } from 'ethers';
import { type Abi, decodeInput, decodeLog, interfaceOf, oneLine, revertReason } from './abi.ts';
import { argumentsOf, callablesOf } from './contract/callForm.ts';

const text = [
  'function set(uint256 amount, address to, bool isOpen, string note, bytes data) payable',
  'function many(uint256[] amounts, (address owner, uint256 share)[] parts)',
  'function small(uint8 value) view returns (uint8)',
  'error TooMuch(uint256 wanted, uint256 had)',
];
const abi: Abi = JSON.parse(new Interface(text).formatJson());
const callable = (name: string) => {
  const found = callablesOf(abi).find(({ signature }) => signature.startsWith(name));
  if (!found) throw new Error(name);
  return found;
};
/** The data of a call with what was typed. */
const dataOf = (name: string, texts: string[]) => {
  const { fragment } = callable(name);
  const parsed = argumentsOf(fragment.inputs, texts);
  if (!('values' in parsed)) throw new Error(JSON.stringify(parsed));
  return interfaceOf(abi).encodeFunctionData(fragment, parsed.values);
};
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const huge = '115792089237316195423570985008687907853269984665640564039457584007913129639935';

it('encodes what was typed with all its digits, and reads the same from the data', () => {
  const data = dataOf('set', [huge, address, 'true', ' as is ', '0x00ff']);
  expect(decodeInput(data, abi)?.values.map(oneLine)).toEqual([huge, address, 'true', ' as is ', '0x00ff']);
});

it('takes lists and structs as JSON, with all digits of long numbers', () => {
  const data = dataOf('many', [`[1, ${huge}, "2"]`, `[["${address}", ${huge}]]`]);
  const [amounts, parts] = decodeInput(data, abi)?.values ?? [];
  expect(amounts && oneLine(amounts)).toBe(`[1, ${huge}, 2]`);
  expect([amounts?.type, parts?.type, parts?.parts?.[0]?.type]).toEqual(['uint256[]', 'struct[]', 'struct']);
  expect(parts?.parts?.[0]?.parts?.map(({ name, text: shown }) => [name, shown])).toEqual([
    ['owner', address],
    ['share', huge],
  ]);
});

it.each([
  ['a fraction', 'set', ['1.5', address, 'true', '', '0x'], 0],
  ['a name instead of an address', 'set', ['1', 'ann', 'true', '', '0x'], 1],
  ['an address with a wrong checksum', 'set', ['1', address.replace('C', 'c'), 'true', '', '0x'], 1],
  ['a word that is not a boolean', 'set', ['1', address, 'maybe', '', '0x'], 2],
  ['half a byte', 'set', ['1', address, 'true', '', '0xf'], 4],
  ['a list without brackets', 'many', ['1, 2', '[]'], 0],
  ['a struct without a member', 'many', ['[1]', `[["${address}"]]`], 1],
  ['a number that is too large', 'small', ['256'], 0],
  ['nothing', 'small', [''], 0],
])('says at its input what is wrong: %s', (_what, name, texts, index) => {
  const parsed = argumentsOf(callable(name).fragment.inputs, texts);
  expect('errors' in parsed && Object.keys(parsed.errors)).toEqual([String(index)]);
});

const coder = AbiCoder.defaultAbiCoder();
it.each([
  ['require', `0x08c379a0${coder.encode(['string'], ['not today']).slice(2)}`, 'not today'],
  [
    'a division by zero',
    `0x4e487b71${coder.encode(['uint256'], [18]).slice(2)}`,
    'Panic: division by zero (0x12)',
  ],
  ['its own error', new Interface(text).encodeErrorResult('TooMuch', [2n, 1n]), 'TooMuch(2, 1)'],
  ['nothing', '0x', undefined],
  ['an error of nobody', '0x12345678', undefined],
])('a call that reverts with %s', (_what, data, reason) => {
  expect(revertReason(data, abi)).toBe(reason);
});

it('decodes well-known interfaces without an ABI, and says that it guesses', () => {
  const erc721 = new Interface([
    'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  ]);
  const log = erc721.encodeEventLog('Transfer', [address, address, 5n]);
  expect(decodeLog(log)).toMatchObject({
    name: 'Transfer',
    isGuess: true,
    values: [{ name: 'from' }, { name: 'to' }, { name: 'tokenId', text: '5' }],
  });
  expect(decodeInput('0xa9059cbb')).toBeUndefined();
  expect(decodeInput(`0xdeadbeef${'0'.repeat(64)}`)).toBeUndefined();
});

it('an anonymous event is not read from a log, whose first topic is one of its values', () => {
  const inputs = [{ name: 'id', type: 'uint256', indexed: true }];
  const declared = (anonymous: boolean): Abi => [{ type: 'event', name: 'Named', anonymous, inputs }];
  const log = interfaceOf(declared(false)).encodeEventLog('Named', [5n]);
  expect(decodeLog(log, declared(false))?.name).toBe('Named');
  expect(decodeLog(log, declared(true))).toBeUndefined();
});
