import { parseUnits, zeroPadValue } from 'ethers';
import { feePattern } from './parameters.ts';

/** LayerZero's options of type 3: 200,000 gas for lzReceive at the destination. */
const usualOptions = '0x00030100110100000000000000000000000000030d40';

/**
 * The most that a message may cost in the native currency: whole numbers are wei, numbers with a decimal point units of
 * the currency ("0.01"). Undefined when the parameters name no limit.
 */
export function feeLimitOf(parameters: Record<string, unknown> = {}): bigint | undefined {
  const { lz_fee: text } = parameters;
  if (typeof text !== 'string' || !feePattern.test(text)) return undefined;
  return text.includes('.') ? parseUnits(text, 18) : BigInt(text);
}

/** The parameters of `quoteSend` for the smallest amount that a message can carry. */
export function smallestMessage(eid: string, decimals: number, to: string): unknown[] {
  // Messages count in millionths.
  return [eid, zeroPadValue(to, 32), 10n ** BigInt(decimals - 6), 0n, usualOptions, '0x', '0x'];
}
