import { outboxType } from '../api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../kube/testing/fake/fake.ts';
import { systemClock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import type { Signer } from '../signing/signer.ts';
import { batchesOf } from './batches.ts';
import { createSenderQueues } from './senderQueues.ts';
import {
  aSubmission,
  entriesOf,
  expectWhole,
  headOf,
  queuesOver,
  settle,
  signer,
} from './testing/senderQueues.ts';

let kube: FakeKube;
beforeEach(() => {
  kube = createFakeKube();
});

test('a write that lost against a concurrent one is repeated, and signed again only if the nonces differ', async () => {
  const counted: number[] = [];
  const counting: Signer = {
    ...signer,
    sign: (key, transactions) => {
      counted.push(transactions.length);
      return signer.sign(key, transactions);
    },
  };
  const queues = createSenderQueues({ kube, signer: counting, clock: systemClock });
  const { hashes: first } = await queues.submit(aSubmission({ count: 2 }));
  // The operator touches the sender queue; nonces stay as they are.
  const touched = await headOf(kube);
  await kube.replace(outboxType, { ...touched!, spec: { ...touched!.spec, archived: 1 } });
  const { hashes: second } = await queues.submit(aSubmission({ count: 3 }));
  // Another process takes nonces.
  const { hashes: third } = await queuesOver(kube).submit(aSubmission());
  const { hashes: fourth } = await queues.submit(aSubmission({ count: 4 }));
  expect(counted).toEqual([2, 3, 4, 4]);
  await expectWhole(kube, [...first, ...second, ...third, ...fourth]);
});

test.each([
  ['has reported', 'a change of the operator costs nothing', ['replace']],
  ['has not reported', 'a change of the operator costs two requests', ['replace', 'get', 'replace']],
])('what a watch %s: %s', async (_reason, _cost, expected) => {
  const seen = new Map<string, Awaited<ReturnType<typeof headOf>>>();
  const watched = ({ name }: { name: string }) => seen.get(name);
  const queues = createSenderQueues({ kube, signer, clock: systemClock, watched });
  const { hashes: first } = await queues.submit(aSubmission());
  const touched = await headOf(kube);
  const archived = await kube.replace(outboxType, { ...touched!, spec: { ...touched!.spec, archived: 1 } });
  if (expected.length === 1) seen.set(archived.metadata.name, archived);
  const before = kube.requests.length;
  const { hashes: second } = await queues.submit(aSubmission());
  expect(kube.requests.slice(before).map(({ verb }) => verb)).toEqual(expected);
  await expectWhole(kube, [...first, ...second]);
});

describe('when Kubernetes fails', () => {
  const unavailable = () => new AppError('Unavailable', 'no answer');

  test.each(['create', 'replace'] as const)(
    'a %s whose answer is lost is found, not repeated',
    async (verb) => {
      const queues = queuesOver(kube);
      const before = verb === 'replace' ? (await queues.submit(aSubmission())).hashes : [];
      kube.failNext({ verb, kind: 'Outbox', when: 'after', error: unavailable() });
      const { hashes } = await queues.submit(aSubmission({ count: 2 }));
      await expectWhole(kube, [...before, ...hashes]);
    },
  );

  test('a write whose answer is lost is found even if it was archived meanwhile', async () => {
    const queues = queuesOver(kube);
    kube.failNext({ verb: 'create', kind: 'Outbox', when: 'after', error: unavailable() });
    let isSettled = false;
    const end = kube.intercept(async ({ verb }) => {
      if (verb !== 'get' || isSettled || !(await kube.list(outboxType, {})).items.length) return;
      isSettled = true;
      end();
      await settle(kube);
    });
    const { hashes } = await queues.submit(aSubmission({ count: 2 }));
    expect(isSettled).toBe(true);
    expect(await entriesOf(kube)).toEqual([]);
    expect(hashes).toHaveLength(2);
  });

  test.each([
    ['a read', 'get', 'before'],
    ['the first write', 'create', 'before'],
  ] as const)('%s that keeps failing rejects, and nothing is written', async (_reason, verb, when) => {
    kube.failNext({ verb, kind: 'Outbox', when, times: 1000, error: new AppError('Forbidden', 'no') });
    const clock = { ...systemClock, sleep: async () => undefined };
    let nowMs = 0;
    const impatient = { ...clock, nowMs: () => (nowMs += 3000) };
    const queues = createSenderQueues({ kube, signer, clock: impatient });
    await expect(queues.submit(aSubmission())).rejects.toMatchObject({ reason: 'Forbidden' });
    expect((await kube.list(outboxType, {})).items).toEqual([]);
  });

  test('a write that may have taken effect, and cannot be looked up, has an unknown outcome', async () => {
    kube.failNext({ verb: 'create', kind: 'Outbox', when: 'after', error: unavailable() });
    let isWritten = false;
    kube.intercept(({ verb }) => {
      if (verb === 'get' && isWritten) throw unavailable();
      isWritten ||= verb === 'create';
    });
    let nowMs = 0;
    const clock = { ...systemClock, sleep: async () => undefined, nowMs: () => (nowMs += 3000) };
    const queues = createSenderQueues({ kube, signer, clock });
    const submitting = queues.submit(aSubmission());
    await expect(submitting).rejects.toMatchObject({ reason: 'Unavailable', isOutcomeUnknown: true });
    expect((await kube.list(outboxType, {})).items).toHaveLength(1);
  });

  test('after a conflict and a lost answer, only the parts of the successful write remain', async () => {
    const queues = queuesOver(kube);
    await queues.submit(aSubmission());
    const common = { verb: 'replace', kind: 'Outbox' } as const;
    kube.failNext({ ...common, when: 'before', error: new AppError('Conflict', 'another version') });
    kube.failNext({ ...common, when: 'after', error: unavailable() });
    const { hashes } = await queues.submit(aSubmission({ count: 400 }));
    expect(hashes).toHaveLength(400);
    const named = batchesOf(await headOf(kube)).flatMap(({ parts }) => parts ?? []);
    const parts = (await kube.list(outboxType, { labelSelector: 'slipway.dev/role=bytes' })).items;
    expect(parts.map(({ metadata }) => metadata.name)).toEqual(named);
    expect(await entriesOf(kube)).toHaveLength(401);
  });

  test('the parts of a submission that lost a conflict are deleted', async () => {
    const [a, b] = [queuesOver(kube), queuesOver(kube)];
    await a.submit(aSubmission());
    await b.submit(aSubmission());
    const { hashes } = await a.submit(aSubmission({ count: 400 }));
    expect(hashes).toHaveLength(400);
    const named = batchesOf(await headOf(kube)).flatMap(({ parts }) => parts ?? []);
    const parts = (await kube.list(outboxType, { labelSelector: 'slipway.dev/role=bytes' })).items;
    expect(parts.map(({ metadata }) => metadata.name)).toEqual(named);
    expect((await entriesOf(kube)).map(({ nonce }) => nonce)).toEqual(
      Array.from({ length: 402 }, (_, n) => n),
    );
  });
});
