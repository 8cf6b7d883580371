import type { OutboxBatch } from '../api/resources/outbox.ts';
import type { SignedTransaction } from '../signing/signing.ts';

/** A stored hash has no 0x. */
const hashLength = 64;

/** Hashes and bytes as an Outbox stores them. */
export function packed(signed: readonly SignedTransaction[]): { hashes: string; raw: string } {
  return {
    hashes: signed.map(({ hash }) => hash.slice(2)).join(''),
    raw: signed.map(({ raw }) => packRaw(raw)).join(','),
  };
}

/** The stored form of signed bytes (0x and hexadecimal): base64. */
export function packRaw(raw: string): string {
  return Buffer.from(raw.slice(2), 'hex').toString('base64');
}

export function unpackRaw(stored: string): string {
  return `0x${Buffer.from(stored, 'base64').toString('hex')}`;
}

/** One of the concatenated hashes, without 0x; empty if there are not so many. */
export function packedHashAt(hashes: string, index: number): string {
  return hashes.slice(index * hashLength, (index + 1) * hashLength);
}

/** The hashes of a batch that contains them itself, each with 0x. */
export function hashesIn({ hashes = '' }: OutboxBatch): string[] {
  const length = hashes.length / hashLength;
  return Array.from({ length }, (_, index) => `0x${packedHashAt(hashes, index)}`);
}

/** The transactions of a batch that contains them itself. */
export function entriesIn(batch: OutboxBatch): SignedTransaction[] {
  const raws = (batch.raw ?? '').split(',');
  return hashesIn(batch).map((hash, index) => ({
    nonce: batch.first + index,
    hash,
    raw: unpackRaw(raws[index] ?? ''),
  }));
}

/** The signed bytes of the transaction with this hash and nonce; undefined if the batch does not contain it itself. */
export function rawIn(
  { first, hashes = '', raw = '' }: OutboxBatch,
  { hash, nonce }: Pick<SignedTransaction, 'hash' | 'nonce'>,
): string | undefined {
  const index = nonce - first;
  if (`0x${packedHashAt(hashes, index)}` !== hash) return undefined;
  const stored = raw.split(',')[index];
  return stored ? unpackRaw(stored) : undefined;
}
