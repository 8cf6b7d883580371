import type { Interface } from 'ethers';
import { decodeValues } from '../abi/decode.ts';
import { type ChainError, chainErrorOf } from '../evm/contractCalls.ts';
import { decodeBuiltin } from '../evm/revertReason.ts';
import { cut } from '../lib/text/foreignText.ts';

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
  for (const abi of abis) {
    const error = abi.getError(data.slice(0, 10));
    const args = error && decodeValues(error.inputs, `0x${data.slice(10)}`);
    if (args) return cut(`reverted with ${error.name}(${args.map(String).join(', ')})`);
  }
  return `reverted with ${data.slice(0, 138)}`;
}
