import { compact } from '../../../core/lib/compact.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { Dfns } from './dfns.ts';
import { type KeyRecord, newRecordId, type WalletRecord } from './records.ts';
import type { Request } from './request.ts';

const maxKeys = 20_000;

/** The key with an id. Throws NotFound. */
export function keyNamed({ store }: Dfns, id: string): KeyRecord {
  const key = store.find('key', id);
  if (key) return key;
  throw new AppError('NotFound', 'key not found: check its id');
}

/** Adds a key; only its public part is stored. */
export function addKey(dfns: Dfns, { name }: { name?: string | undefined }): KeyRecord {
  const { store, keys } = dfns;
  if (store.count('key') >= maxKeys) {
    throw new AppError('TooManyRequests', `there are ${maxKeys} keys, which is the most`);
  }
  const record: KeyRecord = {
    ...keys.publicKeyOf(newRecordId('key')),
    status: 'Active',
    custodial: true,
    dateCreated: dfns.now(),
    ...compact({ name }),
  };
  store.add('key', { owner: '', record, body: null });
  return record;
}

/** The wallet that the path names. Throws NotFound. */
export function walletNamed({ dfns, params: [id = ''] }: Request): WalletRecord {
  const wallet = dfns.store.find('wallet', id);
  if (wallet) return wallet;
  throw new AppError('NotFound', 'wallet not found: check its id');
}
