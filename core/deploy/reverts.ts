import type { Interface } from 'ethers';
import { type ChainError, chainErrorOf } from '../evm/contractCalls.ts';
import { decodeBuiltin } from '../evm/revertReason.ts';

/** Digits of what a contract returned that are decoded; an error with longer arguments is shown as raw bytes. */
const maxDigits = 16 * 1024;

/** Why a call reverted: a reason string, a custom error from one of `abis`, otherwise the raw bytes. */
export function explainRevert(error: unknown, abis: readonly Interface[]): string {
  const cause = chainErrorOf(error);
  if (!cause) return 'reverted';
  return explainData(cause, abis) ?? cause.message ?? 'reverted';
}

function explainData({ data }: ChainError, abis: readonly Interface[]): string | undefined {
  if (data === undefined || data === '0x') return undefined;
  const reason = decodeBuiltin(data);
  if (reason !== undefined) return reason;
  for (const abi of data.length > maxDigits ? [] : abis) {
    const parsed = parseError(abi, data);
    if (parsed) return `reverted with ${parsed.name}(${parsed.args.map(String).join(', ')})`;
  }
  return `reverted with ${data.slice(0, 138)}`;
}

function parseError(abi: Interface, data: string) {
  try {
    return abi.parseError(data);
  } catch {
    return null;
  }
}
