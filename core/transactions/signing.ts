import { keccak256, SigningKey, Transaction } from 'ethers';

/** A transaction that lacks its nonce and signature. Amounts are decimal text, in wei. */
export interface UnsignedTransaction {
  chainId: string;
  /** Absent: creates a contract. */
  to?: string;
  value: string;
  /** 0x and hexadecimal digits. */
  data: string;
  gasLimit: string;
  fees: Fees;
}

export type Fees = { gasPrice: string } | { maxFeePerGas: string; maxPriorityFeePerGas: string };

export interface NumberedTransaction extends UnsignedTransaction {
  nonce: number;
}

/** Both 0x and hexadecimal digits. */
export interface SignedTransaction {
  hash: string;
  raw: string;
}

/**
 * Signs with a secp256k1 private key of 32 raw bytes; the same input gives the same bytes (RFC 6979). Half a
 * millisecond each: for worker threads.
 */
export function signTransactions(
  key: Uint8Array,
  transactions: readonly NumberedTransaction[],
): SignedTransaction[] {
  const signingKey = new SigningKey(`0x${Buffer.from(key).toString('hex')}`);
  return transactions.map(({ fees, ...fields }) => {
    const transaction = Transaction.from({ ...fields, ...fees, type: 'gasPrice' in fees ? 0 : 2 });
    transaction.signature = signingKey.sign(transaction.unsignedHash);
    const raw = transaction.serialized;
    return { hash: keccak256(raw), raw };
  });
}
