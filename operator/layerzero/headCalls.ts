import { headCall } from '../../core/crosschain/relay/logs.ts';
import type { TokenChain } from '../../core/deploy/ports.ts';
import type { Clock } from '../../core/lib/clock.ts';

/** Loops with the same source poll its head at about the same time. */
const freshMs = 250;

/** Shares one question for the latest block between all callers of a chain, by a key of their choice, at about the same time. */
export function createHeadCalls(clock: Clock) {
  const asked = new Map<string, { atMs: number; answer: Promise<unknown> }>();
  return {
    share: (chainKey: string, chain: TokenChain): TokenChain => ({
      ...chain,
      call(method, params) {
        const isHead = method === headCall.method && params[0] === headCall.params[0];
        if (!isHead) return chain.call(method, params);
        const known = asked.get(chainKey);
        // The caller that sent it may have been stopped since, which aborts the call.
        if (known && clock.nowMs() - known.atMs < freshMs) {
          return known.answer.catch(() => chain.call(method, params));
        }
        const answer = chain.call(method, params);
        asked.set(chainKey, { atMs: clock.nowMs(), answer });
        return answer;
      },
    }),
  };
}
