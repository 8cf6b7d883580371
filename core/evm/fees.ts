import { Transaction } from 'ethers';
import type { TransactionItem } from '../api/rest/transaction.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import type { Fees } from '../signing/signing.ts';
import type { ChainState } from './chainState.ts';

type FeeState = Pick<ChainState, 'baseFee' | 'gasPrice' | 'tip'>;

/** The fees of an item as the chain has them: EIP-1559, or one price; or what is wrong with those given. */
export function feesOf(item: TransactionItem, state: FeeState): { fees: Fees } | { details: ErrorDetail[] } {
  return state.baseFee === undefined
    ? priceOf(item, state.gasPrice)
    : tippedOf(item, state.baseFee, state.tip);
}

function priceOf(item: TransactionItem, gasPrice: bigint): { fees: Fees } | { details: ErrorDetail[] } {
  if (item.max_priority_fee_per_gas !== undefined) {
    const message =
      'this network has no EIP-1559 fees: leave it out, and send max_fee_per_gas as the price of gas';
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
  const tip = wanted === undefined ? least(proposed, given) : BigInt(wanted);
  const most = given ?? 2n * baseFee + tip;
  if (most < baseFee) {
    const message =
      `is less than the base fee of the network’s next block, ${baseFee}: ` +
      'send more, or leave it out to offer twice the base fee';
    return { details: [{ path: 'max_fee_per_gas', message }] };
  }
  if (tip > most) {
    const message = 'must not be larger than max_fee_per_gas';
    return { details: [{ path: 'max_priority_fee_per_gas', message }] };
  }
  return { fees: { maxFeePerGas: most.toString(), maxPriorityFeePerGas: tip.toString() } };
}

function least(a: bigint, b: bigint | undefined): bigint {
  return b !== undefined && b < a ? b : a;
}

/** The most that a unit of gas may cost. */
export function mostPerGas(fees: Fees | undefined): bigint {
  if (!fees) return 0n;
  return BigInt('gasPrice' in fees ? fees.gasPrice : fees.maxFeePerGas);
}

/** The fees of signed bytes, 0x and hexadecimal digits. */
export function feesOfSigned(raw: string): Fees {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = Transaction.from(raw);
  if (maxFeePerGas === null) return { gasPrice: String(gasPrice ?? 0n) };
  return { maxFeePerGas: String(maxFeePerGas), maxPriorityFeePerGas: String(maxPriorityFeePerGas ?? 0n) };
}

/** The gas limit of signed bytes, 0x and hexadecimal digits. */
export function gasOfSigned(raw: string): bigint {
  return Transaction.from(raw).gasLimit;
}

/** Fees with which a node takes one transaction for another of the same nonce: each a tenth more (geth, reth). */
export function outbidding(usual: Fees, former: Fees): Fees {
  if ('gasPrice' in usual) return { gasPrice: raised(mostPerGas(former), usual.gasPrice) };
  const formerTip = 'gasPrice' in former ? former.gasPrice : former.maxPriorityFeePerGas;
  const tip = raised(BigInt(formerTip), usual.maxPriorityFeePerGas);
  const most = BigInt(usual.maxFeePerGas) + BigInt(tip);
  return { maxFeePerGas: raised(mostPerGas(former), String(most)), maxPriorityFeePerGas: tip };
}

/** A quarter more than the former, and no less than usual. */
function raised(former: bigint, usual: string): string {
  const least = (former * 5n) / 4n + 1n;
  return String(least > BigInt(usual) ? least : BigInt(usual));
}
