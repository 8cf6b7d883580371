import { compact } from '../lib/compact.ts';
import { type EvmRpc, rpcErrorOf } from './rpc.ts';

/**
 * What a node said to a signed transaction. sent: it has it, now or before. used: its nonce is used up, by itself or by
 * another one. refused: it does not take it as things are. unreached: nobody knows.
 */
export type SendResult = { kind: 'sent' | 'used' } | { kind: 'refused' | 'unreached'; reason: string };

/** Words of geth, reth, erigon, nethermind, besu and anvil. */
const knownPattern = /already known|already imported|known transaction|already exists|AlreadyKnown/i;
const usedPattern = /nonce too low|nonce is too low|OldNonce|nonce has already been used/i;

/** Sends signed bytes in their order; bytes that the node has already change nothing. Never rejects. */
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
