import type { TokenChain } from '../../core/deploy/ports.ts';
import type { Clock } from '../../core/lib/clock.ts';

/** Loops with the same source poll its head at about the same time. */
const freshMs = 250;

/** Shares one `eth_blockNumber` call between all callers at about the same time. */
export function createHeads(clock: Clock) {
  const asked = new Map<string, { atMs: number; answer: Promise<unknown> }>();
  return {
    share: (id: string, chain: TokenChain): TokenChain => ({
      ...chain,
      call(method, params) {
        if (method !== 'eth_blockNumber') return chain.call(method, params);
        const known = asked.get(id);
        // The caller that sent it may have been stopped since, which aborts the call.
        if (known && clock.nowMs() - known.atMs < freshMs) {
          return known.answer.catch(() => chain.call(method, params));
        }
        const answer = chain.call(method, params);
        asked.set(id, { atMs: clock.nowMs(), answer });
        return answer;
      },
    }),
  };
}
