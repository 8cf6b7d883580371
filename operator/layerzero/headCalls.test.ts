import { headCall } from '../../core/crosschain/relay/logs.ts';
import type { TokenChain } from '../../core/deploy/ports.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { createHeadCalls } from './headCalls.ts';

function chainThat(answer: () => Promise<unknown>): TokenChain & { asked: number } {
  const chain = {
    asked: 0,
    call() {
      chain.asked += 1;
      return answer();
    },
    send: async () => '0x',
  };
  return chain;
}

it('callers at about the same time share one call, and later callers make a new one', async () => {
  const clock = createManualClock();
  const headCalls = createHeadCalls(clock);
  const [one, other] = [chainThat(async () => '0x1'), chainThat(async () => '0x2')];
  const ask = (chain: TokenChain) => headCalls.share('a', chain).call(headCall.method, headCall.params);
  expect([await ask(one), await ask(other)]).toEqual(['0x1', '0x1']);
  clock.advance(300);
  expect([await ask(other), one.asked, other.asked]).toEqual(['0x2', 1, 1]);
});

it('callers that share a failed call make their own', async () => {
  const headCalls = createHeadCalls(createManualClock());
  const stopped = headCalls.share(
    'a',
    chainThat(() => Promise.reject(new Error('aborted'))),
  );
  await expect(stopped.call(headCall.method, headCall.params)).rejects.toThrow('aborted');
  expect(
    await headCalls
      .share(
        'a',
        chainThat(async () => '0x2'),
      )
      .call(headCall.method, headCall.params),
  ).toBe('0x2');
});
