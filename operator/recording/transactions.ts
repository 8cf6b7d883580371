import { z } from 'zod';
import type { AccessList, Authorization, RecordedTransaction } from '../../core/api/rest/replay.ts';
import { hexDataSchema } from '../../core/api/values.ts';
import type { Receipt, ReceiptWithEvents } from '../../core/evm/receipts.ts';
import { compact } from '../../core/lib/compact.ts';
import { addressAnswer, amountAnswer, hashAnswer, quantityAnswer } from './answers.ts';

const authorizationSchema = z.object({
  chainId: amountAnswer,
  address: addressAnswer,
  nonce: amountAnswer,
  yParity: quantityAnswer.optional(),
  // The name that besu gives it.
  v: quantityAnswer.optional(),
  r: amountAnswer,
  s: amountAnswer,
});

/** A transaction of the recorded wallet in a node's answer. */
export const transactionSchema = z.object({
  hash: hashAnswer,
  type: quantityAnswer.nullish(),
  chainId: amountAnswer.nullish(),
  from: addressAnswer,
  to: addressAnswer.nullish(),
  value: amountAnswer,
  input: hexDataSchema,
  nonce: quantityAnswer,
  gas: quantityAnswer,
  gasPrice: amountAnswer.nullish(),
  maxFeePerGas: amountAnswer.nullish(),
  maxPriorityFeePerGas: amountAnswer.nullish(),
  accessList: z.array(z.object({ address: addressAnswer, storageKeys: z.array(hashAnswer) })).nullish(),
  authorizationList: z.array(authorizationSchema).nullish(),
  maxFeePerBlobGas: amountAnswer.nullish(),
  blobVersionedHashes: z.array(hashAnswer).nullish(),
});
export type MinedTransaction = z.infer<typeof transactionSchema>;

/** About how many bytes a node needs for a transaction. */
export function bytesOf({ input, accessList, authorizationList }: MinedTransaction): number {
  const named = (accessList ?? []).reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0);
  return 600 + input.length + 70 * named + 350 * (authorizationList?.length ?? 0);
}

/** What is known about a transaction besides its own members. */
interface Mined {
  block: { number: number; timestamp: string };
  receipt: ReceiptWithEvents;
  created: string[] | undefined;
  /** Whether each of its authorizations took effect. */
  applied: readonly (boolean | undefined)[];
}

/** Members in the order of the contract, so that equal transactions are equal texts. */
export function toRecorded(
  transaction: MinedTransaction,
  { block, receipt, created, applied }: Mined,
): RecordedTransaction {
  const { hash, type, from, to, value, input, nonce, gas } = transaction;
  const own = receipt.isSuccess && !to ? receipt.contract?.toLowerCase() : undefined;
  const authorizations = authorizationsOf(transaction).map((one, index) => ({
    ...one,
    ...compact({ applied: applied[index] }),
  }));
  return {
    hash,
    ...compact({ type: type ?? undefined }),
    from,
    ...compact({ to: to ?? undefined }),
    value: decimal(value),
    data: input,
    nonce,
    gas_limit: gas,
    gas_used: Number(receipt.gasUsed),
    ...pricesOf(transaction, receipt),
    ...compact({
      access_list: unlessEmpty(accessListOf(transaction)),
      authorizations: unlessEmpty(authorizations),
      max_fee_per_blob_gas: optionalDecimal(transaction.maxFeePerBlobGas),
      blob_versioned_hashes: unlessEmpty(transaction.blobVersionedHashes),
    }),
    block: block.number,
    timestamp: block.timestamp,
    status: receipt.isSuccess ? 'success' : 'reverted',
    ...compact({ contract_address: own, created_contracts: unlessEmpty(created) }),
    events: receipt.events,
  };
}

/** The authorizations that a transaction carries, as they are recorded. */
export function authorizationsOf({ authorizationList }: MinedTransaction): Authorization[] {
  return (authorizationList ?? []).map(({ chainId, address, nonce, yParity, v = 0, r, s }) => ({
    chain_id: decimal(chainId),
    address,
    nonce: decimal(nonce),
    y_parity: yParity ?? v,
    r,
    s,
  }));
}

function accessListOf({ accessList }: MinedTransaction): AccessList {
  return (accessList ?? []).map(({ address, storageKeys }) => ({ address, storage_keys: storageKeys }));
}

function pricesOf(
  { gasPrice, maxFeePerGas, maxPriorityFeePerGas }: MinedTransaction,
  { gasPrice: paid }: Receipt,
) {
  return compact({
    gas_price: paid === undefined ? optionalDecimal(gasPrice) : paid.toString(),
    max_fee_per_gas: optionalDecimal(maxFeePerGas),
    max_priority_fee_per_gas: optionalDecimal(maxPriorityFeePerGas),
  });
}

function unlessEmpty<T>(list: T[] | null | undefined): T[] | undefined {
  return list && list.length > 0 ? list : undefined;
}

function decimal(amount: string): string {
  return BigInt(amount).toString();
}

function optionalDecimal(amount: string | null | undefined): string | undefined {
  return amount ? decimal(amount) : undefined;
}
