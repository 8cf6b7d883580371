import { z } from 'zod';
import { AppError } from '../lib/errors.ts';
import type { RpcOutcome } from './rpc.ts';

/** A JSON-RPC quantity. */
export const quantitySchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => BigInt(text));

/** The result of a call, validated. Throws the error of a call that failed; Unavailable for an unexpected format. */
export function read<T>(schema: z.ZodType<T>, outcome: RpcOutcome | undefined): T {
  if (outcome && 'error' in outcome) throw outcome.error;
  const parsed = schema.safeParse(outcome?.result);
  if (parsed.success) return parsed.data;
  throw unlikeNode();
}

/** For an answer in an unexpected format. */
export function unlikeNode(): AppError {
  const message = "the network's node cannot be used: it does not answer like an EVM node";
  return new AppError('Unavailable', message, { retryAfterSeconds: 2 });
}

/** The result of a call that only some nodes know, unchecked; undefined when it failed. */
export function resultIn(outcome: RpcOutcome | undefined): unknown {
  return outcome && 'result' in outcome ? outcome.result : undefined;
}
