import type { OutboxBatch, OutboxResource } from '../../core/api/resources/outbox.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { AppError } from '../../core/lib/errors.ts';
import { rawIn } from '../../core/outbox/packedTransactions.ts';
import type { OutboxDeps } from './deps.ts';
import { type OpenEntry, readPart } from './openEntries.ts';

/** Reads the signed bytes of an entry: 0x and hexadecimal digits. */
export type ReadRaw = (entry: OpenEntry) => Promise<string>;

/** Keeps only the part that it read last, because entries are asked for in the order of their nonces. */
export function createReadRaw({ kube }: Pick<OutboxDeps, 'kube'>, head: Stored<OutboxResource>): ReadRaw {
  let opened: { part: string; pieces: readonly OutboxBatch[] } | undefined;

  async function piecesIn(part: string): Promise<readonly OutboxBatch[]> {
    if (opened?.part !== part) opened = { part, pieces: await readPart(kube, head, part) };
    return opened.pieces;
  }

  return async ({ batch, part, nonce, hash }) => {
    const pieces = part === undefined ? [batch] : await piecesIn(part);
    const piece = pieces.find(
      ({ id, first, count }) => id === batch.id && nonce >= first && nonce < first + count,
    );
    const raw = piece && rawIn(piece, { hash, nonce });
    if (raw === undefined) throw new AppError('Internal', `the bytes of transaction ${hash} are missing`);
    return raw;
  };
}
