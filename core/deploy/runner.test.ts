import { AppError } from '../lib/errors.ts';
import { idempotencyKeyOf, type ProgressStore, type StepProgress } from './progress.ts';
import { runSteps, summarise } from './runner.ts';
import type { CallStep, CreateStep, Step } from './step.ts';
import { addressOf, createFakeChain } from './testing/fakeChain.ts';

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
const run = (chain: ReturnType<typeof createFakeChain>, steps: Step[], isAsked = false) =>
  runSteps({
    steps,
    ports: chain.ports(),
    abis: [],
    repeats: () => ({ failed: isAsked, undone: isAsked, remedy: 'ask again' }),
  });
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
  expect(chain.sent()).toEqual(['s/first', 's/second']);
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
  expect(chain.sent()).toEqual([]);
});

it('follows what was sent before it died, though by then nothing is left to be sent', async () => {
  const chain = createFakeChain();
  await chain.ports().progress.save('s', 'granted', { attempt: 0, hash: 's/granted' });
  const steps = [calling('granted', { transaction: () => undefined, reads: () => read(() => true) })];
  const { outcomes } = await run(chain, steps);
  expect([...outcomes.values()].map(({ state }) => state)).toEqual(['done']);
  expect((await chain.ports().progress.load('s')).granted?.state).toBe('mined');
});

describe('the hash of a transaction', () => {
  const storedBy = (chain: ReturnType<typeof createFakeChain>) => {
    const { progress, ...ports } = chain.ports();
    const stored: StepProgress[] = [];
    const save: ProgressStore['save'] = (scope, step, one) => {
      stored.push(one);
      return progress.save(scope, step, one);
    };
    return { stored, ports: { ...ports, progress: { ...progress, save } } };
  };

  it('is stored with what came of it, if it is mined at once', async () => {
    const { stored, ports } = storedBy(createFakeChain());
    await runSteps({ steps: [creation('it')], ports, abis: [] });
    expect(stored).toMatchObject([{ hash: 's/it', state: 'mined', address: addressOf('s/it') }]);
  });

  it('is stored before its outcome is known, if that takes longer', async () => {
    const chain = createFakeChain();
    chain.open.set('s/it', { isKnown: true });
    const { stored, ports } = storedBy(chain);
    const sleep = async (ms: number) => {
      await ports.clock.sleep(ms);
      if (stored.length > 0) chain.open.clear();
    };
    await runSteps({
      steps: [creation('it')],
      ports: { ...ports, clock: { ...ports.clock, sleep } },
      abis: [],
    });
    expect(stored).toEqual([
      { attempt: 0, hash: 's/it' },
      expect.objectContaining({ hash: 's/it', block: 7, address: addressOf('s/it'), state: 'mined' }),
    ]);
  });

  it('is the same for a run that died before it stored anything', async () => {
    const chain = createFakeChain();
    const { progress, ...ports } = chain.ports();
    const dead = { ...progress, save: () => Promise.reject(new AppError('Unavailable', 'died')) };
    const steps = [creation('it')];
    const first = await runSteps({ steps, ports: { ...ports, progress: dead }, abis: [] });
    expect(first.outcomes.get('n/it')?.state).toBe('retry');
    const { outcomes } = await run(chain, steps);
    expect(outcomes.get('n/it')).toMatchObject({ state: 'done', progress: { hash: 's/it', attempt: 0 } });
    expect(chain.sent()).toEqual(['s/it']);
  });

  it('is stored if the chain cannot be asked what came of it', async () => {
    const { stored, ports } = storedBy(createFakeChain());
    const away = async (network: string) => ({
      ...(await ports.chain(network)),
      call: () => Promise.reject(new AppError('Unavailable', 'is away')),
    });
    const { outcomes } = await runSteps({
      steps: [creation('it')],
      ports: { ...ports, chain: away },
      abis: [],
    });
    expect(outcomes.get('n/it')).toMatchObject({ state: 'retry', message: 'makes it: is away' });
    expect(stored).toEqual([{ attempt: 0, hash: 's/it' }]);
  });
});

it('reads back what it did, and says what is not as it should be', async () => {
  const chain = createFakeChain();
  const steps = [calling('broken', { reads: () => read(() => false) })];
  const result = await run(chain, steps);
  expect(summarise('n', steps, result)).toEqual({
    state: 'failed',
    done: 0,
    total: 1,
    message: 'calls broken: transaction s/broken succeeded, but the chain does not confirm that it is so',
  });
});

it('blocks the steps after a failed one, says what others wait for, and retries it only on request', async () => {
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
  expect(summarise('other', steps, first)).toMatchObject({
    state: 'retry',
    message: 'waiting for network n',
  });
  expect(summarise('third', steps, first)).toMatchObject({ state: 'done', done: 1, total: 1 });
  await run(chain, steps);
  expect(chain.sent()).toEqual(['s/first', 's/beside']);
  const again = await run(chain, steps, true);
  expect(chain.sent()).toEqual(['s/first', 's/beside', 's/first#1', 's/after']);
  expect(summarise('other', steps, again).state).toBe('done');
});

it('a payment to another account is another payment, though it has the same data', async () => {
  const chain = createFakeChain();
  const paid = (to: string, key: string) =>
    calling('pay', {
      transaction: () => ({ to, data: '0x', value: 1n }),
      reads: () => read(() => chain.sent().includes(key)),
    });
  await run(chain, [paid('0xa', 's/pay')]);
  await run(chain, [paid('0xb', 's/pay#1')]);
  expect([...chain.payloads.values()].map(({ to }) => to)).toEqual(['0xa', '0xb']);
});

describe.each([
  ['creation', (more: object = {}) => creation('it', { initCode: () => '0xc0de', ...more })],
  [
    'call',
    (more: object = {}) => calling('it', { transaction: () => ({ to: '0x1', data: '0xc0de' }), ...more }),
  ],
] as const)('a %s', (_kind, step) => {
  const unmet = () => ({ reads: () => read(() => false) });
  const met = (chain: ReturnType<typeof createFakeChain>, key: string) => ({
    reads: () => read(() => chain.sent().includes(key)),
  });

  /** A chain after the first run of a step, which reads back as done unless its transaction is open. */
  const runOnce = async () => {
    const chain = createFakeChain();
    const steps = [step({ reads: () => read(() => !chain.open.has('s/it') && chain.sent().length > 0) })];
    await run(chain, steps);
    return { chain, steps };
  };

  it('that failed on the chain is repeated with its data', async () => {
    const chain = createFakeChain();
    chain.failing.add('s/it');
    await run(chain, [step(unmet())]);
    const { outcomes } = await run(chain, [step(met(chain, 's/it#1'))], true);
    expect(outcomes.get('n/it')?.state).toBe('done');
    expect(Object.fromEntries(chain.payloads)).toMatchObject({
      's/it': { data: '0xc0de' },
      's/it#1': { data: '0xc0de' },
    });
  });

  it('whose transaction was dropped is reported, and repeated under a fresh key by the next run', async () => {
    const chain = createFakeChain();
    chain.open.set('s/it', { dropped: 'its nonce was used', isKnown: false });
    const steps = [step(met(chain, 's/it#1'))];
    const first = await run(chain, steps);
    expect(summarise('n', steps, first)).toMatchObject({
      state: 'retry',
      message: expect.stringContaining('s/it was dropped and is replaced by another: its nonce was used'),
    });
    const { outcomes } = await run(chain, steps);
    expect(outcomes.get('n/it')?.state).toBe('done');
    expect(chain.sent()).toEqual(['s/it', 's/it#1']);
    expect(chain.payloads.get('s/it#1')?.data).toBe('0xc0de');
  });

  it('whose transaction a node may still mine is awaited, whatever the record says', async () => {
    const chain = createFakeChain();
    chain.open.set('s/it', { dropped: 'settled', isKnown: true });
    const steps = [step(unmet())];
    expect(summarise('n', steps, await run(chain, steps)).message).toContain('is not in a block yet');
    await run(chain, steps);
    expect(chain.sent()).toEqual(['s/it']);
  });

  it('that the chain was rolled back past is reported, whatever stands at its address, and made again on request', async () => {
    const chain = createFakeChain();
    let isThere = true;
    const steps = [step({ reads: () => read(() => isThere && chain.sent().length > 0) })];
    await run(chain, steps);
    isThere = false;
    chain.hasBlock = false;
    chain.open.set('s/it', { isKnown: false });
    expect(summarise('n', steps, await run(chain, steps))).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('the chain was rolled back past its transaction s/it: ask again'),
    });
    expect(chain.sent()).toEqual(['s/it']);
    chain.onSend = () => {
      isThere = true;
    };
    const { outcomes } = await run(chain, steps, true);
    expect(outcomes.get('n/it')?.state).toBe('done');
    expect(chain.sent()).toEqual(['s/it', 's/it#1']);
  });

  it('whose block a reorganization took waits for its transaction, which the node has again', async () => {
    const { chain, steps } = await runOnce();
    chain.open.set('s/it', { isKnown: true });
    await run(chain, steps, true);
    expect(chain.sent()).toEqual(['s/it']);
    chain.open.clear();
    expect(summarise('n', steps, await run(chain, steps)).state).toBe('done');
  });

  it('whose transaction left the pool after a reorganization is reported, and made again on request', async () => {
    const { chain, steps } = await runOnce();
    chain.hasBlock = false;
    const { clock, ...ports } = chain.ports();
    const sleep = async (ms: number) => {
      await clock.sleep(ms);
      chain.open.set('s/it', { dropped: 'its nonce was used', isKnown: false });
    };
    chain.open.set('s/it', { isKnown: true });
    const repeats = () => ({ failed: false, undone: false, remedy: 'ask again' });
    const result = await runSteps({
      steps,
      ports: { ...ports, clock: { ...clock, sleep } },
      abis: [],
      repeats,
    });
    for (const one of [result, await run(chain, steps)]) {
      expect(summarise('n', steps, one)).toMatchObject({
        state: 'failed',
        message: expect.stringContaining('the chain was rolled back past its transaction s/it: ask again'),
      });
    }
    expect(chain.sent()).toEqual(['s/it']);
    chain.onSend = () => void chain.open.clear();
    expect(summarise('n', steps, await run(chain, steps, true)).state).toBe('done');
    expect(chain.sent()).toEqual(['s/it', 's/it#1']);
  });

  it('that failed in another block after a reorganization is reported, and made again on request', async () => {
    const chain = createFakeChain();
    const met = () => [...chain.payloads.keys()].some((key) => !chain.failing.has(key));
    const steps = [step({ reads: () => read(met) })];
    await run(chain, steps);
    chain.failing.add('s/it');
    expect(summarise('n', steps, await run(chain, steps)).message).toContain('transaction s/it');
    expect(summarise('n', steps, await run(chain, steps, true)).state).toBe('done');
    expect(chain.sent()).toEqual(['s/it', 's/it#1']);
  });

  it('whose transaction the node no longer finds is done while the chain has its block', async () => {
    const { chain, steps } = await runOnce();
    chain.open.set('s/it', { isKnown: false });
    const { outcomes } = await run(chain, steps, true);
    expect(outcomes.get('n/it')).toMatchObject({ state: 'done', anchor: { block: 7 } });
    expect(chain.sent()).toEqual(['s/it']);
  });

  it('has the block of its transaction as its anchor, in the first run and in later ones', async () => {
    const chain = createFakeChain();
    const steps = [step({ reads: () => read(() => chain.sent().length > 0) })];
    for (let runs = 0; runs < 2; runs += 1) {
      const { outcomes } = await run(chain, steps);
      expect(outcomes.get('n/it')).toMatchObject({ anchor: { block: 7, hash: `0x${'22'.repeat(32)}` } });
    }
  });

  it('that failed unnoticed is attempted again when somebody asks, instead of being judged again', async () => {
    const chain = createFakeChain();
    chain.failing.add('s/it');
    await chain.ports().progress.save('s', 'it', { attempt: 0, hash: 's/it' });
    const { outcomes } = await run(chain, [step(met(chain, 's/it#1'))], true);
    expect(outcomes.get('n/it')?.state).toBe('done');
    expect(chain.sent()).toEqual(['s/it#1']);
  });
});

it('a contract that was created for another one that was undone is reported, and made again on request', async () => {
  const chain = createFakeChain();
  const initCode: CreateStep['initCode'] = (known) => `0x00${known.get('n', 'first').slice(2)}`;
  const steps = [creation('first'), creation('second', { after: ['n/first'], initCode })];
  await run(chain, steps);
  chain.hasBlock = false;
  chain.open.set('s/first', { isKnown: false });
  await run(chain, steps, true);
  expect(chain.sent()).toEqual(['s/first', 's/second', 's/first#1', 's/second#1']);
  expect(chain.payloads.get('s/second#1')?.data).toBe(`0x00${addressOf('s/first#1').slice(2)}`);
  await chain
    .ports()
    .progress.save('s', 'first', { attempt: 2, hash: 's/first', state: 'mined', address: addressOf('x') });
  chain.open.clear();
  const { outcomes } = await run(chain, steps);
  expect(outcomes.get('n/second')).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('ask again'),
  });
});

it('wiring that did not read back is reported by every later run, until it reads back or is made again', async () => {
  const chain = createFakeChain();
  let isMet = false;
  const steps = [calling('wire', { reads: () => read(() => isMet) })];
  for (let runs = 0; runs < 3; runs += 1) {
    expect(summarise('n', steps, await run(chain, steps))).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('does not confirm that it is so'),
    });
  }
  expect(chain.sent()).toEqual(['s/wire']);
  await run(chain, steps, true);
  expect(chain.sent()).toEqual(['s/wire', 's/wire#1']);
  isMet = true;
  expect(summarise('n', steps, await run(chain, steps)).state).toBe('done');
  expect(chain.sent()).toEqual(['s/wire', 's/wire#1']);
});

it.each([
  [
    'refused',
    new AppError('BadRequest', 'EVM error OutOfGas', { cause: { code: -32003 } }),
    'EVM error OutOfGas',
  ],
  ['timed out', new AppError('Unavailable', 'does not answer'), 'its transaction failed'],
])(
  'a creation whose failure the node could not explain, because it %s, is attempted again when somebody asks',
  async (_reason, error, message) => {
    const chain = createFakeChain();
    chain.failing.add('s/it');
    chain.callError = error;
    const steps = [creation('it')];
    expect(summarise('n', steps, await run(chain, steps))).toMatchObject({
      state: 'failed',
      message: `makes it: ${message} (transaction s/it)`,
    });
    chain.callError = undefined;
    const { outcomes } = await run(chain, steps, true);
    expect(outcomes.get('n/it')?.state).toBe('done');
    expect(chain.sent()).toEqual(['s/it', 's/it#1']);
  },
);

it('a contract without code counts as missing, although its transaction succeeded', async () => {
  const chain = createFakeChain();
  chain.code = '0x';
  const steps = [creation('it')];
  const first = summarise('n', steps, await run(chain, steps));
  expect(first).toMatchObject({ state: 'failed', message: expect.stringContaining('there is no code at') });
  expect(summarise('n', steps, await run(chain, steps))).toEqual(first);
});

it('what the owner changed after a step was done is left alone, unless the step means something else by now', async () => {
  const chain = createFakeChain();
  let isMet = true;
  let data = '0xaa';
  const steps = [
    calling('wire', {
      transaction: () => ({ to: '0x1', data }),
      reads: () => read(() => isMet && chain.sent().length > 0),
    }),
  ];
  await run(chain, steps);
  isMet = false;
  expect(summarise('n', steps, await run(chain, steps)).state).toBe('done');
  expect(chain.sent()).toEqual(['s/wire']);
  data = '0xbb';
  await run(chain, steps);
  expect(chain.payloads.get('s/wire#1')?.data).toBe('0xbb');
});

it('what somebody changed after a step was done is done again where that was asked for', async () => {
  const chain = createFakeChain();
  let isMet = true;
  const steps = [calling('wire', { reads: () => read(() => isMet && chain.sent().length > 0) })];
  await run(chain, steps);
  isMet = false;
  chain.onSend = () => {
    isMet = true;
  };
  const repeats = () => ({ failed: true, undone: true, changed: true, remedy: '' });
  const { outcomes } = await runSteps({ steps, ports: chain.ports(), abis: [], repeats });
  expect(outcomes.get('n/wire')?.state).toBe('done');
  expect(chain.sent()).toEqual(['s/wire', 's/wire#1']);
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
  expect(chain.sent()).toEqual(['s/first']);
  expect(summarise('n', steps, result)).toMatchObject({ state: 'retry', done: 1 });
});

it.each([
  ['wait for each other', [creation('a', { after: ['n/b'] }), creation('b', { after: ['n/a'] })]],
  ['wait for what is not there', [creation('a', { after: ['n/none'] })]],
])('refuses steps that %s', async (_reason, steps) => {
  await expect(run(createFakeChain(), steps)).rejects.toThrow(/wait for each other|no such step/);
});

it('an idempotency key contains scope, step and attempt, and fits the Outbox', () => {
  const long = 'n'.repeat(250);
  expect(idempotencyKeyOf('scope', 'step', { attempt: 0 })).toBe('scope/step');
  expect(idempotencyKeyOf('scope', 'step', { attempt: 2 })).toBe('scope/step#2');
  expect(idempotencyKeyOf(long, 'step', { attempt: 0 })).toHaveLength(64);
  expect(idempotencyKeyOf(long, 'step', { attempt: 0 })).not.toBe(
    idempotencyKeyOf(long, 'step', { attempt: 1 }),
  );
});
