import { compact } from '../lib/compact.ts';
import { type EvmRpc, rpcErrorOf } from './rpc.ts';

/**
 * How a node answered a signed transaction. sent: the node has it, now or from before. used: its nonce is already
 * used, by this or another transaction. refused: the node rejects it for now. unreached: the outcome is unknown.
 */
export type SendResult = { kind: 'sent' | 'used' } | { kind: 'refused' | 'unreached'; reason: string };

/** Error messages of geth, reth, erigon, nethermind, besu and anvil. */
const knownPattern = /already known|already imported|known transaction|already exists|AlreadyKnown/i;
const usedPattern = /nonce too low|nonce is too low|OldNonce|nonce has already been used/i;

/** Sends signed bytes in order; resending bytes that the node already has is harmless. Never rejects. */
export async function broadcast(
  rpc: EvmRpc,
  raws: readonly string[],
  signal?: AbortSignal,
): Promise<SendResult[]> {
  const calls = raws.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] }));
  const outcomes = await rpc.batch(calls, compact({ signal }));
  return outcomes.map((outcome): SendResult => {
    if ('result' in outcome) return { kind: 'sent' };
    const error = rpcErrorOf(outcome.error);
    if (!error) return { kind: 'unreached', reason: outcome.error.message };
    if (knownPattern.test(error.message)) return { kind: 'sent' };
    if (usedPattern.test(error.message)) return { kind: 'used' };
    return { kind: 'refused', reason: error.message };
  });
}
