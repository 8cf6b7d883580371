import { randomBytes } from 'node:crypto';
import { idOf } from '../../../core/plugins/dfns/ids.ts';

/** The objects of Dfns's API, as callers see them; members are in Dfns's own form. */
export interface Records {
  key: KeyRecord;
  wallet: WalletRecord;
  signature: SignatureRecord;
  transfer: SendRecord;
  transaction: SendRecord;
}
export type RecordKind = keyof Records;

export interface SigningKey {
  id: string;
  scheme: 'ECDSA';
  curve: 'secp256k1';
  /** Compressed, in hexadecimal without 0x. */
  publicKey: string;
}

export interface KeyRecord extends SigningKey {
  name?: string;
  status: 'Active';
  custodial: true;
  dateCreated: string;
}

export interface WalletRecord {
  id: string;
  network: string;
  address: string;
  signingKey: SigningKey;
  status: 'Active';
  dateCreated: string;
  name?: string;
  externalId?: string;
  custodial: true;
  tags: string[];
}

interface Requested {
  id: string;
  requester: { userId: string };
  requestBody: unknown;
  dateRequested: string;
  externalId?: string;
}

export interface SignatureRecord extends Requested {
  walletId?: string;
  keyId: string;
  network?: string;
  status: 'Signed';
  signature: { r: string; s: string; recid: number; encoded: string };
  /** Of a transaction: its signed bytes. */
  signedData?: string;
  txHash?: string;
  dateSigned: string;
}

/** A transfer or a transaction. */
export interface SendRecord extends Requested {
  walletId: string;
  network: string;
  status: 'Pending' | 'Broadcasted' | 'Confirmed' | 'Failed';
  reason?: string;
  txHash?: string;
  fee?: string;
  metadata?: object;
  dateBroadcasted?: string;
  dateConfirmed?: string;
}

const prefixes = { key: 'key', wallet: 'wa', signature: 'sig', transfer: 'xfr', transaction: 'tx' } as const;

/** A new id in the form of Dfns: `wa-5b41k-8f2qd-9c0d1e2f3a4b5c6d`. */
export function newRecordId(kind: RecordKind): string {
  return idOf(prefixes[kind], randomBytes(13).toString('hex'));
}
