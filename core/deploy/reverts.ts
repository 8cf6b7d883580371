import { Interface } from 'ethers';
import { type ChainError, chainErrorOf } from '../evm/contractCalls.ts';

const builtin = new Interface(['error Error(string)', 'error Panic(uint256)']);

/** Why a call reverted, in words: a reason string, a custom error of one of `abis`, else the bytes. */
export function explainRevert(error: unknown, abis: readonly Interface[]): string {
  const cause = chainErrorOf(error);
  if (!cause) return 'reverted';
  return explainData(cause, abis) ?? cause.message ?? 'reverted';
}

function explainData({ data }: ChainError, abis: readonly Interface[]): string | undefined {
  if (data === undefined || data === '0x') return undefined;
  for (const abi of [builtin, ...abis]) {
    const parsed = parseError(abi, data);
    if (!parsed) continue;
    if (parsed.name === 'Error') return `reverted: ${String(parsed.args[0])}`;
    return `reverted with ${parsed.name}(${parsed.args.map(String).join(', ')})`;
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
