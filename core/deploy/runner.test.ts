import { aRawReceipt } from '../evm/testing/receipts.ts';
import { systemClock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { hashOf } from '../lib/hash.ts';
import type { TokenPorts } from './ports.ts';
import { createMemoryProgress, idempotencyKeyOf } from './progress.ts';
import { runSteps, summarise } from './runner.ts';
import type { CallStep, CreateStep, Step } from './step.ts';

/** A chain that keeps no state but what was sent. */
function createFakeChain() {
  const sent: string[] = [];
  const failing = new Set<string>();
  const chain = {
    sent,
    failing,
    refuse: undefined as AppError | undefined,
    ports: (): TokenPorts => ({
      accounts: { deployer: '0xd', service: '0x5' },
      clock: systemClock,
      progress,
      chain: async () => ({
        async call(method, params) {
          if (method === 'eth_getCode') return '0x01';
          if (method === 'eth_call') return '0x01';
          const hash = String(params[0]);
          const status = failing.has(hash) ? '0x0' : '0x1';
          return aRawReceipt({ status, blockNumber: '0x7', contractAddress: addressOf(hash) });
        },
        async send(idempotencyKey) {
          if (chain.refuse) throw chain.refuse;
          if (!sent.includes(idempotencyKey)) sent.push(idempotencyKey);
          return idempotencyKey;
        },
      }),
    }),
  };
  const progress = createMemoryProgress();
  return chain;
}

/** The contract that a transaction of a hash creates. */
const addressOf = (hash: string) => `0x${hashOf(hash).slice(0, 40)}`;

const common = { network: 'n', signer: 'deployer', scope: 's' } as const;
const creation = (name: string, more: Partial<CreateStep> = {}): CreateStep => ({
  kind: 'create',
  ...common,
  name,
  title: `makes ${name}`,
  after: [],
  initCode: () => '0x00',
  ...more,
});
const calling = (name: string, more: Partial<CallStep> = {}): CallStep => ({
  kind: 'call',
  ...common,
  name,
  title: `calls ${name}`,
  after: [],
  transaction: () => ({ to: '0x1', data: '0x' }),
  reads: () => [],
  ...more,
});
const run = (chain: ReturnType<typeof createFakeChain>, steps: Step[], isRetrying = false) =>
  runSteps({ steps, ports: chain.ports(), abis: [], isRetrying });
const read = (isMet: () => boolean) => [{ what: 'it is so', to: '0x1', data: '0x', isMet }];

it('takes steps in their order across networks, and hands on what they brought', async () => {
  const chain = createFakeChain();
  const seen: string[] = [];
  const steps = [
    creation('second', {
      after: ['other/first'],
      initCode(known) {
        seen.push(known.get('other', 'first'));
        return '0x00';
      },
    }),
    creation('first', { network: 'other' }),
  ];
  const { known } = await run(chain, steps);
  expect(chain.sent).toEqual(['s/first', 's/second']);
  expect(seen).toEqual([addressOf('s/first')]);
  expect(known.get('n', 'second')).toBe(addressOf('s/second'));
});

it('does not send what holds already, and nothing for a contract that is not needed', async () => {
  const chain = createFakeChain();
  const steps = [
    calling('held', { reads: () => read(() => true) }),
    creation('unneeded', { initCode: () => undefined }),
  ];
  const { outcomes } = await run(chain, steps);
  expect([...outcomes.values()].map(({ state }) => state)).toEqual(['done', 'done']);
  expect(chain.sent).toEqual([]);
});

it('follows what was sent before it died, though by then nothing is left to be sent', async () => {
  const chain = createFakeChain();
  await chain.ports().progress.save('s', 'granted', { attempt: 0, hash: 's/granted' });
  const steps = [calling('granted', { transaction: () => undefined, reads: () => read(() => true) })];
  const { outcomes } = await run(chain, steps);
  expect([...outcomes.values()].map(({ state }) => state)).toEqual(['done']);
  expect((await chain.ports().progress.load('s')).granted?.state).toBe('mined');
});

it('reads back what it did, and says what is not as it should be', async () => {
  const chain = createFakeChain();
  const steps = [calling('broken', { reads: () => read(() => false) })];
  const result = await run(chain, steps);
  expect(summarise('n', steps, result)).toEqual({
    state: 'failed',
    done: 0,
    total: 1,
    message: 'calls broken: read back otherwise after transaction s/broken: not true that it is so',
  });
});

it('holds up the steps after one that failed, tells others what they wait for, and takes it again only when asked', async () => {
  const chain = createFakeChain();
  chain.failing.add('s/first');
  const steps = [
    creation('first'),
    creation('after', { network: 'other', after: ['n/first'] }),
    creation('beside', { network: 'third' }),
  ];
  const first = await run(chain, steps);
  expect(summarise('n', steps, first)).toMatchObject({
    state: 'failed',
    message: 'makes first: its transaction failed (transaction s/first)',
  });
  expect(summarise('other', steps, first)).toMatchObject({ state: 'retry', message: 'waits for network n' });
  expect(summarise('third', steps, first)).toMatchObject({ state: 'done', done: 1, total: 1 });
  await run(chain, steps);
  expect(chain.sent).toEqual(['s/first', 's/beside']);
  const again = await run(chain, steps, true);
  expect(chain.sent).toEqual(['s/first', 's/beside', 's/first#1', 's/after']);
  expect(summarise('other', steps, again).state).toBe('done');
});

it.each([
  ['is away', new AppError('Unavailable', 'is away'), 'retry'],
  ['has too much to do', new AppError('TooManyRequests', 'slow down'), 'retry'],
  ['refuses', new AppError('BadRequest', 'no'), 'failed'],
] as const)('a network that %s: %#', async (_reason, error, state) => {
  const chain = createFakeChain();
  chain.refuse = error;
  const steps = [creation('first')];
  const result = await run(chain, steps);
  expect(summarise('n', steps, result)).toMatchObject({ state, message: `makes first: ${error.message}` });
});

it('begins nothing further once it is interrupted', async () => {
  const chain = createFakeChain();
  const controller = new AbortController();
  const steps = [creation('first'), creation('second', { after: ['n/first'] })];
  const result = await runSteps({
    steps,
    ports: chain.ports(),
    abis: [],
    signal: controller.signal,
    onDone: () => controller.abort(),
  });
  expect(chain.sent).toEqual(['s/first']);
  expect(summarise('n', steps, result)).toMatchObject({ state: 'retry', done: 1 });
});

it.each([
  ['wait for each other', [creation('a', { after: ['n/b'] }), creation('b', { after: ['n/a'] })]],
  ['wait for what is not there', [creation('a', { after: ['n/none'] })]],
])('refuses steps that %s', async (_reason, steps) => {
  await expect(run(createFakeChain(), steps)).rejects.toThrow(/wait for each other|no such step/);
});

it('an idempotency key tells scope, step and attempt, and fits the Outbox', () => {
  const long = 'n'.repeat(250);
  expect(idempotencyKeyOf('scope', 'step', { attempt: 0 })).toBe('scope/step');
  expect(idempotencyKeyOf('scope', 'step', { attempt: 2 })).toBe('scope/step#2');
  expect(idempotencyKeyOf(long, 'step', { attempt: 0 })).toHaveLength(64);
  expect(idempotencyKeyOf(long, 'step', { attempt: 0 })).not.toBe(
    idempotencyKeyOf(long, 'step', { attempt: 1 }),
  );
});
