import { getBytes, hashMessage, Transaction, TypedDataEncoder } from 'ethers';
import { compact } from '../../../core/lib/compact.ts';
import { AppError, messageOf } from '../../../core/lib/errors.ts';
import { cut } from '../../../core/lib/text/foreignText.ts';
import type { SignatureBody } from './bodies.ts';
import type { Keys } from './keys.ts';
import type { SignatureRecord } from './records.ts';

interface Signer {
  keys: Keys;
  keyId: string;
  /** In decimal: of a wallet, which signs for no other chain; absent for a key. */
  chainId?: string;
}

type Signed = Pick<SignatureRecord, 'signature' | 'signedData' | 'txHash'>;

/** Signs what a request asks for. Throws BadRequest when it cannot be decoded, or is for another chain than the wallet. */
export function signatureOf(body: SignatureBody, signer: Signer): Signed {
  const { keys, keyId } = signer;
  if (body.kind === 'Transaction') return signedTransaction(body.transaction, signer);
  return { signature: keys.sign(keyId, digestOf(body)) };
}

function digestOf(body: Exclude<SignatureBody, { kind: 'Transaction' }>): string {
  if (body.kind === 'Hash') return body.hash.startsWith('0x') ? body.hash : `0x${body.hash}`;
  if (body.kind === 'Message' || body.kind === 'Eip191') return hashMessage(getBytes(body.message));
  // The domain's own type is implied, and ethers refuses it.
  const { EIP712Domain: _implied, ...types } = body.types;
  return decoded('message', () => TypedDataEncoder.hash(compact(body.domain), types, body.message));
}

function signedTransaction(text: string, { keys, keyId, chainId }: Signer): Signed {
  const transaction = decoded('transaction', () => Transaction.from(text));
  if (chainId !== undefined && String(transaction.chainId) !== chainId) {
    const message = `transaction: is for chain id ${transaction.chainId}, but this network has ${chainId}`;
    throw new AppError('BadRequest', message);
  }
  const signature = keys.sign(keyId, transaction.unsignedHash);
  transaction.signature = signature.encoded;
  return { signature, signedData: transaction.serialized, txHash: String(transaction.hash) };
}

function decoded<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new AppError('BadRequest', `${field}: cannot be decoded: ${cut(messageOf(error), 300)}`);
  }
}
