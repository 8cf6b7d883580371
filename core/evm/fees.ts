import { Transaction } from 'ethers';
import type { TransactionItem } from '../api/rest/transaction.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import type { Fees } from '../signing/signing.ts';
import type { ChainState } from './chainState.ts';

type FeeState = Pick<ChainState, 'baseFee' | 'gasPrice' | 'tip'>;

/**
 * The fees of an item in the form that its type needs, or else the one that the chain uses (EIP-1559 or a gas price), or
 * errors in the given ones.
 */
export function feesOf(item: TransactionItem, state: FeeState): { fees: Fees } | { details: ErrorDetail[] } {
  if (state.baseFee === undefined) return priceOf(item, state.gasPrice);
  const found = tippedOf(item, state.baseFee, state.tip);
  const isPriced = item.type === 0 || item.type === 1;
  return 'fees' in found && isPriced ? { fees: { gasPrice: String(maxPerGas(found.fees)) } } : found;
}

function priceOf(item: TransactionItem, gasPrice: bigint): { fees: Fees } | { details: ErrorDetail[] } {
  if (item.max_priority_fee_per_gas !== undefined) {
    const message =
      'is not supported: this network does not have EIP-1559 fees; leave it out and send the gas price as max_fee_per_gas';
    return { details: [{ path: 'max_priority_fee_per_gas', message }] };
  }
  return { fees: { gasPrice: BigInt(item.max_fee_per_gas ?? gasPrice).toString() } };
}

/** Twice the base fee: enough for at least five full blocks in a row (EIP-1559). */
function tippedOf(
  item: TransactionItem,
  baseFee: bigint,
  proposed: bigint,
): { fees: Fees } | { details: ErrorDetail[] } {
  const given = item.max_fee_per_gas === undefined ? undefined : BigInt(item.max_fee_per_gas);
  const wanted = item.max_priority_fee_per_gas;
  const tip = wanted === undefined ? min(proposed, given) : BigInt(wanted);
  const max = given ?? 2n * baseFee + tip;
  if (max < baseFee) {
    const message =
      `is less than the base fee of the network's next block, ${baseFee}: ` +
      'increase it, or leave it out to offer twice the base fee';
    return { details: [{ path: 'max_fee_per_gas', message }] };
  }
  if (tip > max) {
    const message = 'must not be larger than max_fee_per_gas';
    return { details: [{ path: 'max_priority_fee_per_gas', message }] };
  }
  return { fees: { maxFeePerGas: max.toString(), maxPriorityFeePerGas: tip.toString() } };
}

function min(a: bigint, b: bigint | undefined): bigint {
  return b !== undefined && b < a ? b : a;
}

/** The highest price of a unit of gas, in wei. */
export function maxPerGas(fees: Fees | undefined): bigint {
  if (!fees) return 0n;
  return BigInt('gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas);
}

/** The fees of a signed transaction in 0x-prefixed hexadecimal. */
export function feesOfSigned(raw: string): Fees {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = Transaction.from(raw);
  if (maxFeePerGas === null) return { gasPrice: String(gasPrice ?? 0n) };
  return { maxFeePerGas: String(maxFeePerGas), maxPriorityFeePerGas: String(maxPriorityFeePerGas ?? 0n) };
}

/** The gas limit of a signed transaction in 0x-prefixed hexadecimal. */
export function gasOfSigned(raw: string): bigint {
  return Transaction.from(raw).gasLimit;
}

/** Fees with which a node replaces a transaction of the same nonce: geth and reth require each to be 10 % higher. */
export function replacementFees(usual: Fees, former: Fees): Fees {
  if ('gasPrice' in usual) return { gasPrice: raised(maxPerGas(former), usual.gasPrice) };
  const formerTip = 'gasPrice' in former ? former.gasPrice : former.maxPriorityFeePerGas;
  const tip = raised(BigInt(formerTip), usual.maxPriorityFeePerGas);
  const max = BigInt(usual.maxFeePerGas) + BigInt(tip);
  return { maxFeePerGas: raised(maxPerGas(former), String(max)), maxPriorityFeePerGas: tip };
}

/** A quarter more than the former fee, and not less than the usual one. */
function raised(former: bigint, usual: string): string {
  const min = (former * 5n) / 4n + 1n;
  return String(min > BigInt(usual) ? min : BigInt(usual));
}
