import { Signature, Transaction, toBeHex } from 'ethers';
import { z } from 'zod';

const quantity = z.string().regex(/^0x[0-9a-f]{1,64}$/i);
const signedShape = { r: quantity, s: quantity, v: quantity.optional(), yParity: quantity.optional() };

/** A transaction as nodes describe it: what of it is signed, and by what. */
export const poolTransactionSchema = z.object({
  hash: z.string(),
  type: quantity.optional(),
  chainId: quantity.nullish(),
  nonce: quantity.optional(),
  to: z.string().nullish(),
  value: quantity.optional(),
  input: z.string().optional(),
  gas: quantity.optional(),
  gasPrice: quantity.nullish(),
  maxFeePerGas: quantity.nullish(),
  maxPriorityFeePerGas: quantity.nullish(),
  accessList: z.array(z.object({ address: z.string(), storageKeys: z.array(z.string()) })).nullish(),
  authorizationList: z
    .array(z.object({ chainId: quantity, address: z.string(), nonce: quantity, ...signedShape }))
    .nullish(),
  r: quantity.optional(),
  s: quantity.optional(),
  v: quantity.optional(),
  yParity: quantity.optional(),
});
export type PoolTransaction = z.infer<typeof poolTransactionSchema>;

/** Its signed bytes; undefined when they cannot be made from what the node describes, as with blobs. */
export function rawOf(transaction: PoolTransaction): string | undefined {
  try {
    const {
      hash,
      type = '0x0',
      nonce = '0x0',
      gas,
      input,
      to,
      value,
      accessList,
      authorizationList,
    } = transaction;
    const { gasPrice = null, maxFeePerGas = null, maxPriorityFeePerGas = null } = transaction;
    const fees = Number(type) < 2 ? { gasPrice } : { maxFeePerGas, maxPriorityFeePerGas };
    const made = Transaction.from({
      type: Number(type),
      chainId: transaction.chainId ?? 0,
      nonce: Number(nonce),
      to: to ?? null,
      value: value ?? 0,
      data: input ?? '0x',
      gasLimit: gas ?? 0,
      ...fees,
      accessList: accessList ?? null,
      authorizationList: authorizationList?.map(authorizationOf) ?? null,
      signature: signatureOf(transaction),
    });
    return made.hash === hash ? made.serialized : undefined;
  } catch {
    return undefined;
  }
}

type Signed = Pick<PoolTransaction, 'r' | 's' | 'v' | 'yParity'>;
type Authorization = NonNullable<PoolTransaction['authorizationList']>[number];

function signatureOf({ r = '0x0', s = '0x0', v, yParity }: Signed): Signature {
  const words = { r: toBeHex(r, 32), s: toBeHex(s, 32) };
  return Signature.from(v === undefined ? { ...words, yParity: isOne(yParity) ? 1 : 0 } : { ...words, v });
}

const isOne = (quantity = '0x0') => Number(quantity) === 1;

const authorizationOf = ({ chainId, address, nonce, ...signed }: Authorization) => ({
  chainId: BigInt(chainId),
  address,
  nonce: BigInt(nonce),
  signature: signatureOf(signed),
});
