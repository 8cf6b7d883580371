import type { Network } from '../../../../sdk/src/generated/types.ts';
import { encoded, keyBytes, sizeOf, usersOf } from './secrets.ts';

function aNetwork(name: string, chain: object): Network {
  return {
    kind: 'Network',
    version: 'v1alpha',
    id: name,
    name,
    metadata: { name },
    spec: { chain: { type: 'Ethereum', ...chain } },
  };
}

test('networks use the secrets that their specs refer to, wherever they do', () => {
  const users = usersOf([
    aNetwork('a', { ethereum: { privateKeyRef: { name: 'key' } } }),
    aNetwork('b', {
      ethereum: { forking: { sourceRef: { name: 'key' } }, list: [{ xRef: { name: 'other' } }] },
    }),
    aNetwork('c', { layerzero: { networks: [{ networkRef: { name: 'key' } }] } }),
  ]);
  expect(Object.fromEntries(users)).toEqual({ key: ['a', 'b'], other: ['b'] });
});

test.each([
  ['hex', '0x00ff10', 'AP8Q'],
  ['hex', '00FF10', 'AP8Q'],
  ['hex', '0x0', undefined],
  ['hex', 'xy', undefined],
  ['text', ' test words \n', 'dGVzdCB3b3Jkcw=='],
  ['text', 'ä', 'w6Q='],
  ['text', ' ', undefined],
  ['base64', ' AP8Q\n', 'AP8Q'],
  ['base64', 'a-b', undefined],
] as const)('%s %j is %j', (source, given, expected) => {
  expect(encoded(source, given)).toBe(expected);
});

test('a random key has 32 bytes, and is another one each time', () => {
  const [one = '', other = ''] = [encoded('random', ''), encoded('random', '')];
  expect(atob(one)).toHaveLength(32);
  expect(one).not.toBe(other);
});

test.each([0, 1, 31, keyBytes, 33, 64])('base64 of %i bytes stands for as many', (bytes) => {
  expect(sizeOf(btoa('x'.repeat(bytes)))).toBe(bytes);
});
