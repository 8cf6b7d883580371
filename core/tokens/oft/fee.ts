import { parseUnits, zeroPadValue } from 'ethers';
import type { ArgIssue } from '../definition.ts';

/** LayerZero's options of type 3: 200,000 gas for lzReceive at the destination. */
export const usualOptions = '0x00030100110100000000000000000000000000030d40';

const knownKeys = ['lz_fee'];
const amount = /^(0|[1-9][0-9]{0,77})(\.[0-9]{1,18})?$/;

/**
 * The most that a message may cost in the native currency: whole numbers are wei, numbers with a decimal point units of
 * the currency ("0.01"). Undefined when the parameters name no limit.
 */
export function feeLimitOf(parameters: Record<string, unknown> = {}): bigint | undefined {
  const { lz_fee: text } = parameters;
  if (typeof text !== 'string' || !amount.test(text)) return undefined;
  return text.includes('.') ? parseUnits(text, 18) : BigInt(text);
}

/** What is wrong with adapter_parameters; it tolerates values of other types. */
export function parameterIssues({ adapter_parameters: given }: Record<string, unknown>): ArgIssue[] {
  if (typeof given !== 'object' || given === null) return [];
  const unknown = Object.keys(given).filter((key) => !knownKeys.includes(key));
  const issues = unknown.map((key) => ({
    member: `adapter_parameters.${key}`,
    message: `unknown parameter: the known ones are ${knownKeys.join(', ')}`,
  }));
  const { lz_fee: fee } = given as Record<string, unknown>;
  if (fee === undefined || (typeof fee === 'string' && amount.test(fee))) return issues;
  const message = 'use text: wei as a decimal number, or units of the native currency with a decimal point';
  return [...issues, { member: 'adapter_parameters.lz_fee', message }];
}

/** The parameters of `quoteSend` for the smallest amount that a message can carry. */
export function smallestMessage(eid: string, decimals: number, to: string): unknown[] {
  // Messages count in millionths.
  return [eid, zeroPadValue(to, 32), 10n ** BigInt(decimals - 6), 0n, usualOptions, '0x', '0x'];
}
