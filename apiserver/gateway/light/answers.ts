import { rpcErrorOf } from '../../../core/evm/rpc.ts';
import type { OwnAnswer } from '../policy/policy.ts';
import { rpcCodes } from '../policy/screen.ts';

/** Errors that the gateway answers in the node's place. */

export const invalidParams = (message: string): OwnAnswer => ({
  error: { code: rpcCodes.invalidParams, message },
});

export const limitExceeded = (message: string): OwnAnswer => ({
  error: { code: rpcCodes.limitExceeded, message },
});

/** What geth answers with its code for errors of all kinds. */
export const serverError = (message: string): OwnAnswer => ({ error: { code: -32000, message } });

/** What the node refused is its answer; without one, `message` says what the call may have done. */
export const unanswered = (error: unknown, message: string): OwnAnswer => ({
  error: rpcErrorOf(error) ?? { code: rpcCodes.internal, message },
});
