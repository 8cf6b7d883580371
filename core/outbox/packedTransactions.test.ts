import { entriesIn, hashesIn, packed, rawIn } from './packedTransactions.ts';

const signed = [3, 4, 5].map((nonce) => ({
  nonce,
  hash: `0x${String(nonce).repeat(64)}`,
  raw: `0xf8${String(nonce).repeat(2)}`,
}));

const batch = { id: 'b-1', first: 3, count: 3, acceptedAt: '2026-01-01T00:00:00Z', ...packed(signed) };

describe('packed transactions', () => {
  it('unpack to what they were', () => {
    expect(entriesIn(batch)).toEqual(signed);
    expect(hashesIn(batch)).toEqual(signed.map(({ hash }) => hash));
  });

  it('give the bytes of each one alone', () => {
    expect(signed.map((one) => rawIn(batch, one))).toEqual(signed.map(({ raw }) => raw));
  });

  it.each([
    ['its nonce has another hash', { nonce: 3, hash: `0x${'4'.repeat(64)}` }],
    ['its nonce is before the batch', { nonce: 2, hash: `0x${'2'.repeat(64)}` }],
    ['its nonce is after the batch', { nonce: 6, hash: `0x${'6'.repeat(64)}` }],
  ])('give no bytes for a transaction when %s', (_reason, transaction) => {
    expect(rawIn(batch, transaction)).toBeUndefined();
  });

  it('give no bytes when they are in a part', () => {
    const { raw: _, ...inPart } = batch;
    expect(rawIn(inPart, { nonce: 3, hash: `0x${'3'.repeat(64)}` })).toBeUndefined();
  });
});
