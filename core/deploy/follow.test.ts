import { aRawReceipt } from '../evm/testing/receipts.ts';
import { systemClock } from '../lib/clock.ts';
import { followSent } from './follow.ts';
import type { TokenChain } from './ports.ts';
import { createMemoryProgress } from './progress.ts';
import { runSteps } from './runner.ts';
import type { CallStep } from './step.ts';

/** Time passes only in sleeps. */
function createClock() {
  let nowMs = 0;
  return {
    ...systemClock,
    nowMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  };
}

/** A chain that mines only what is sent under these keys, and says that all else was dropped. */
function createChain(mined: string[]) {
  const sent: string[] = [];
  const chain: TokenChain = {
    async call(method, [hash]) {
      if (method === 'eth_getTransactionReceipt') return mined.includes(String(hash)) ? aRawReceipt() : null;
      if (method === 'eth_getTransactionByHash') return null;
      return sent.some((key) => mined.includes(key)) ? '0x1' : '0x0';
    },
    async send(idempotencyKey) {
      sent.push(idempotencyKey);
      return idempotencyKey;
    },
    whyDropped: async (idempotencyKey) => (mined.includes(idempotencyKey) ? undefined : 'its nonce is used'),
  };
  return { chain, sent };
}

const sentAs = (key: string) => ({ idempotencyKey: key, hash: key });

it('a dropped transaction ends the wait with its reason', async () => {
  const { chain } = createChain([]);
  expect(await followSent(chain, sentAs('a'), createClock())).toEqual({ dropped: 'its nonce is used' });
});

it('a receipt that arrives while the reason is looked up wins', async () => {
  const mined: string[] = [];
  const { chain } = createChain(mined);
  const whyDropped = async () => {
    mined.push('a');
    return 'it is gone';
  };
  expect(await followSent({ ...chain, whyDropped }, sentAs('a'), createClock())).toMatchObject({
    isSuccess: true,
  });
});

it('a step whose transaction was dropped is sent again under another key, once', async () => {
  const { chain, sent } = createChain(['scope/pay#1']);
  const read = { what: 'it is paid', balanceOf: '0x01', isMet: (result?: string) => result === '0x1' };
  const step: CallStep = {
    kind: 'call',
    network: 'n',
    name: 'pay',
    title: 'pays',
    after: [],
    scope: 'scope',
    signer: 'deployer',
    transaction: () => ({ to: '0x01', data: '0x' }),
    reads: () => [read],
  };
  const ports = {
    chain: async () => chain,
    progress: createMemoryProgress(),
    accounts: { deployer: '0x0a', service: '0x0b' },
    clock: createClock(),
  };
  const run = async () => (await runSteps({ steps: [step], ports, abis: [] })).outcomes.get('n/pay');
  expect(await run()).toMatchObject({ state: 'retry', message: expect.stringContaining('was dropped') });
  expect(await run()).toMatchObject({ state: 'done', progress: { state: 'mined', attempt: 1 } });
  expect(sent).toEqual(['scope/pay', 'scope/pay#1']);
});
