import type { TokenChain } from '../../core/deploy/ports.ts';
import type { Clock } from '../../core/lib/clock.ts';

/** Loops of one source ask for its head at about the same time. */
const freshMs = 250;

/** Answers `eth_blockNumber` to all who ask at about the same time with one question. */
export function createHeads(clock: Clock) {
  const asked = new Map<string, { atMs: number; answer: Promise<unknown> }>();
  return {
    share: (id: string, chain: TokenChain): TokenChain => ({
      send: chain.send,
      call(method, params) {
        if (method !== 'eth_blockNumber') return chain.call(method, params);
        const known = asked.get(id);
        // Who asked may have been stopped since, and its question with it.
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
