import { concat, toBeHex, zeroPadValue } from 'ethers';
import { decodePacket } from './packet.ts';

const sender = zeroPadValue('0x1111111111111111111111111111111111111111', 32);
const receiver = '0x2222222222222222222222222222222222222222';
const guid = `0x${'33'.repeat(32)}`;
const encoded = concat([
  '0x01',
  toBeHex(7n, 8),
  toBeHex(30_001, 4),
  sender,
  toBeHex(30_002, 4),
  zeroPadValue(receiver, 32),
  guid,
  '0xabcd',
]);

it('a packet is read as LayerZero lays it out', () => {
  expect(decodePacket(encoded)).toEqual({
    nonce: 7n,
    srcEid: 30_001,
    sender,
    dstEid: 30_002,
    receiver,
    guid,
    message: '0xabcd',
  });
});

it.each([
  ['another version', encoded.replace('0x01', '0x02')],
  ['one that is too short', encoded.slice(0, 200)],
  ['nothing', '0x'],
])('%s is not a packet', (_reason, bytes) => {
  expect(decodePacket(bytes)).toBeUndefined();
});
