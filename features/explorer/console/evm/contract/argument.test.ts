import { ParamType } from 'ethers';
import { argumentOf, exampleOf, typeText } from './argument.ts';

const point = ParamType.from('tuple(uint256 x, int8 y, string label) p');
const points = ParamType.from('tuple(uint256 x, int8 y, string label)[] ps');
const deep = ParamType.from('tuple(tuple(uint256 x, int8 y)[] ps, bytes32[2] h, address who) q');
const type = (text: string) => ParamType.from(text);
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

test.each([
  [type('uint256 a'), 'uint256'],
  [point, '(uint256 x, int8 y, string label)'],
  [points, '(uint256 x, int8 y, string label)[]'],
  [deep, '((uint256 x, int8 y)[] ps, bytes32[2] h, address who)'],
])('a struct is written with the names of its members: %#', (one, text) => {
  expect(typeText(one)).toBe(text);
});

test.each([
  [type('uint256 a'), ''],
  [type('bool[] a'), '[true]'],
  [point, '{"x": 1, "y": 1, "label": "text"}'],
  [deep, '{"ps": [{"x": 1, "y": 1}], "h": ["0x…", "0x…"], "who": "0x…"}'],
  [type('tuple(uint256, string) a'), '[1, "text"]'],
])('an example has the names of the members: %#', (one, text) => {
  expect(exampleOf(one)).toBe(text);
});

test.each([
  [point, '{"label": "a", "x": 1, "y": -2}', [1n, -2n, 'a']],
  [point, '[1, -2, "a"]', [1n, -2n, 'a']],
  [points, '[{"x": "0x10", "y": 0, "label": ""}]', [[16n, 0n, '']]],
  [type('uint256[] a'), '[99999999999999999999999, "5"]', [99999999999999999999999n, 5n]],
  [type('bool[2] a'), '[true, "false"]', [true, false]],
])('a list or a struct is JSON, by names or by places: %#', (one, text, value) => {
  expect(argumentOf(one, text)).toEqual({ value });
});

const notJson = 'Use JSON, for example {"x": 1, "y": 1, "label": "text"}';

test.each([
  [point, 'abc', notJson],
  [point, '', notJson],
  [point, '{"x": 1}', 'The member "y" is missing'],
  [point, '[1, 2]', 'Give 3 values: x, y, label'],
  [point, '{"x": 1, "y": 2, "label": "q", "zz": 1}', 'There is no member "zz", only x, y, label'],
  [point, '{"x": 1, "y": 200, "label": "q"}', 'At y: An int8 is from -128 to 127'],
  [points, '[{"x": 1, "y": 2, "label": 3}]', 'At [0].label: Use a text in quotes'],
  [points, '{"x": 1, "y": 2, "label": "q"}', 'Use a list in brackets'],
  [deep, `{"ps": [{"x": 1, "y": true}], "h": [], "who": "${address}"}`, 'At ps[0].y: Use a whole number'],
  [deep, `{"ps": [], "h": ["0x00"], "who": "${address}"}`, 'At h: Give 2 values'],
  [type('bytes32[1] h'), '["0x00"]', 'At [0]: Use 0x and 64 digits'],
  [type('uint8 a'), '-1', 'A uint8 is from 0 to 255'],
  [type('uint256 a'), '-1', 'A uint256 is from 0 to 2^256 - 1'],
  [type('int256 a'), String(2n ** 255n), 'An int256 is from -2^255 to 2^255 - 1'],
  [type('address a'), '0x12', 'Use an address: 0x and 40 digits'],
  [type('address a'), address.replace('C', 'c'), 'A letter of this address is wrong'],
  [type('bytes4 a'), '0x123456', 'Use 0x and 8 digits'],
  [type('bytes a'), '0x1', 'Use 0x and an even number of digits'],
])('says what is wrong and where: %#', (one, text, problem) => {
  const found = argumentOf(one, text);
  expect('error' in found && found.error).toContain(problem);
});
