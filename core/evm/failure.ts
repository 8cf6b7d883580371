import { z } from 'zod';
import { compact } from '../lib/compact.ts';
import { toQuantity } from '../lib/text/quantity.ts';
import { resultIn } from './answers.ts';
import type { Receipt } from './receipts.ts';
import { decodeRevert, revertReason } from './revertReason.ts';
import { type EvmRpc, rpcErrorOf } from './rpc.ts';

const transactionSchema = z.object({
  from: z.string(),
  to: z.string().nullish(),
  value: z.string(),
  input: z.string(),
  gas: z.string(),
});

/**
 * Why a mined transaction failed: from the node's trace, or else by repeating the call on the previous block, which is
 * exact when the transaction was the first in its block. Never rejects.
 */
export async function failureReason(rpc: EvmRpc, { hash, block }: Receipt): Promise<string> {
  const tracer = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } };
  const [trace, transaction] = await rpc.batch([
    { method: 'debug_traceTransaction', params: [hash, tracer] },
    { method: 'eth_getTransactionByHash', params: [hash] },
  ]);
  const traced = tracedReason(resultIn(trace));
  if (traced !== undefined) return traced;
  const parsed = transactionSchema.safeParse(resultIn(transaction));
  if (!parsed.success) return 'reverted; the reason is unknown';
  const { from, to, value, input, gas } = parsed.data;
  const call = { from, ...compact({ to: to ?? undefined }), value, data: input, gas };
  const before = toQuantity(block - 1);
  return rpc.call('eth_call', [call, before]).then(
    () => 'reverted; the reason is unknown: the call succeeds when repeated on the previous block',
    (error: unknown) => revertReason(rpcErrorOf(error) ?? {}),
  );
}

const traceSchema = z.object({ output: z.string().optional(), error: z.string().optional() });

function tracedReason(result: unknown): string | undefined {
  const { success, data } = traceSchema.safeParse(result);
  if (!success || data.error === undefined) return undefined;
  return decodeRevert(data.output ?? '') ?? revertReason({ message: data.error });
}
