import { annotations, apiVersion, labels } from '../../core/api/names.ts';
import type { ReplaySpec } from '../../core/api/resources/replayResource.ts';
import { recordingType, replayType } from '../../core/api/resources/resources.ts';
import { createOutages } from '../../core/kube/outages.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { toRfc3339 } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock } from '../../core/lib/manualClock.ts';
import { newRun } from '../../core/replays/runs.ts';
import { storeSource } from '../../core/replays/sources.ts';
import { createReplayReconcile, type PerformDeps } from './reconcile.ts';

const caller = `0x${'1'.repeat(40)}`;
const startMs = Date.parse('2026-01-01T12:00:00Z');
const key = 'ws/replay-1';

/** A run that replays nothing, and what a reconcile makes of it. */
async function reconcile(spec: Partial<ReplaySpec>, more: Partial<PerformDeps> = {}, kube?: FakeKube) {
  const clock = createManualClock(startMs);
  const cluster = kube ?? createFakeKube({ clock });
  const run = newRun('1', { namespace: 'ws', workspaceId: 'w', userId: 'ann' });
  if (!kube) await cluster.create(replayType, { ...run, spec: { ...run.spec, ...spec } });
  const ownerOf = () => ({
    user: 'ann',
    address: caller,
    withKey: () => Promise.reject(new Error('unused')),
  });
  const { kube: noted, isOutage } = createOutages({ ...cluster, ...more.kube });
  const own = { clock, log: silentLog, ownerOf, holder: 'me', ...more };
  const deps = { ...own, kube: noted, isOutage } as unknown as PerformDeps;
  const result = await createReplayReconcile(deps)(key, new AbortController().signal);
  return { result, spec: (await cluster.get(replayType, { namespace: 'ws', name: 'replay-1' }))?.spec };
}

const order = { caller, networks: [] };

it('an ordered run is performed, and nobody holds it afterwards', async () => {
  const { result, spec } = await reconcile({ order });
  expect([result.state, spec]).toEqual([
    'Finished',
    { role: 'run', order, finished: true, endedAt: toRfc3339(startMs) },
  ]);
});

test.each<[string, Partial<ReplaySpec>, string]>([
  ['that an API server of an earlier version performs', {}, 'Over'],
  ['that is finished', { order, finished: true }, 'Over'],
  ['that failed', { order, failure: { reason: 'Conflict', message: 'gone' } }, 'Over'],
  ['that another process holds', { order, holder: 'it', heldUntil: toRfc3339(startMs + 1000) }, 'Held'],
])('a run %s is left as it is', async (_, given, state) => {
  const { result, spec } = await reconcile(given);
  expect([result.state, spec]).toEqual([state, { role: 'run', ...given }]);
});

it('a run whose holder is gone is taken over after its minute', async () => {
  const { result } = await reconcile({ order, holder: 'dead', heldUntil: toRfc3339(startMs - 1000) });
  expect(result.state).toBe('Finished');
});

test.each([
  [
    'what the caller can correct',
    new AppError('BadRequest', 'too many contracts'),
    { reason: 'BadRequest', message: 'too many contracts' },
  ],
  [
    'nothing of the cluster',
    new AppError('Forbidden', 'the role lacks a verb'),
    {
      reason: 'Unavailable',
      message: 'the cluster cannot process the request at the moment; retry',
      retryAfterSeconds: 5,
    },
  ],
])('why a run failed is stored: %s', async (_, error, failure) => {
  const kube = createFakeKube();
  const run = newRun('1', { namespace: 'ws', workspaceId: 'w', userId: 'ann' });
  const networks = [{ recorded: 'a', target: 'b' }];
  const spec = { role: 'run' as const, order: { caller, recording: 'rec', networks } };
  await kube.create(replayType, { ...run, spec });
  const failing = {
    ...kube,
    get: (type: { kind: string }, ref: object) =>
      type.kind === 'Recording' ? Promise.reject(error) : kube.get(type as never, ref as never),
  };
  const done = await reconcile({}, { kube: failing as never }, kube);
  expect([done.result.state, done.spec]).toEqual([
    'Failed',
    { ...spec, failure, endedAt: expect.any(String) },
  ]);
});

it('a run that was restored from a backup sends nothing', async () => {
  const kube = createFakeKube();
  const run = newRun('1', { namespace: 'ws', workspaceId: 'w', userId: 'ann' });
  const metadata = { ...run.metadata, annotations: { [annotations.restoredFrom]: 'backup' } };
  await kube.create(replayType, { ...run, metadata, spec: { role: 'run', order } });
  const { result, spec } = await reconcile({}, {}, kube);
  expect([result.state, spec?.failure?.reason]).toEqual(['Failed', 'Conflict']);
});

it('a run without an owner, as one of an earlier version, is signed by nobody', async () => {
  const kube = createFakeKube();
  const run = newRun('1', { namespace: 'ws', workspaceId: 'w', userId: 'ann' });
  const metadata = { ...run.metadata, labels: { [labels.role]: 'run' } };
  await kube.create(replayType, { ...run, metadata, spec: { role: 'run', order } });
  const { result, spec } = await reconcile({}, {}, kube);
  expect([result.state, spec?.failure?.reason]).toEqual(['Failed', 'Conflict']);
});

it('a run whose caller has replaced the default key before anything was sent fails', async () => {
  const clock = {
    ...createManualClock(startMs),
    sleep: async () => undefined,
    steadyMs: () => (nowMs += 1000),
  };
  let nowMs = startMs;
  const { result, spec } = await reconcile({ order: { ...order, caller: `0x${'2'.repeat(40)}` } }, { clock });
  expect([result.state, spec?.failure]).toEqual([
    'Failed',
    { reason: 'Conflict', message: 'your default key was replaced during the replay' },
  ]);
});

/** A run of a document with one transaction on one network. */
async function aDocumentRun(kube: FakeKube) {
  const run = await kube.create(
    replayType,
    newRun('1', { namespace: 'ws', workspaceId: 'w', userId: 'ann' }),
  );
  const transaction = {
    hash: `0x${'f'.repeat(64)}`,
    from: caller,
    value: '0',
    data: '0x',
    nonce: 0,
    block: 1,
  };
  const read = async function* () {
    yield [
      { ...transaction, gas_limit: 21_000, timestamp: '2026-01-15T09:30:00Z', status: 'success' as const },
    ];
  };
  const texts = await storeSource(kube, run, { id: 'a', read });
  const networks = [{ recorded: 'a', target: 'b', texts }];
  return kube.replace(replayType, { ...run, spec: { ...run.spec, order: { caller, networks } } });
}

/** A network whose node does not answer. */
const placeOf: PerformDeps['placeOf'] = async () => {
  const dead = () => Promise.reject(new AppError('Unavailable', 'the node is away'));
  return { network: { metadata: {} }, node: { incarnation: '1', rpc: { call: dead, batch: dead } } } as never;
};

it.each([
  ['reading the document', { get: 2 }],
  ['noting the chain, when a network is opened', { replace: 2 }],
])('an error of the cluster at %s is not the end of a run, which is tried again', async (_, cutAt) => {
  const kube = createFakeKube();
  await aDocumentRun(kube);
  const cut = cutting(kube, cutAt);
  await expect(reconcile({}, { kube: cut as never, placeOf }, kube)).rejects.toThrow('did not answer');
  const held = await kube.get(replayType, { namespace: 'ws', name: 'replay-1' });
  expect([held?.spec.failure, held?.spec.holder]).toEqual([undefined, 'me']);
  // The same process need not wait for its own hold.
  const { result, spec } = await reconcile({}, { placeOf }, kube);
  expect([result.state, spec?.finished]).toEqual(['Finished', true]);
});

/** A Kube whose request number `at` of a kind is not answered. */
function cutting(kube: FakeKube, at: { get?: number; replace?: number }) {
  const cut = (verb: 'get' | 'replace') => {
    let count = 0;
    return async (...request: never[]) => {
      count += 1;
      if (count === at[verb]) throw new AppError('Unavailable', 'kube-apiserver did not answer');
      return (kube[verb] as (...given: never[]) => unknown)(...request);
    };
  };
  return { ...kube, get: cut('get'), replace: cut('replace') };
}

it('a run does not continue in another recording of the same name', async () => {
  const kube = createFakeKube();
  const metadata = { name: 'rec', namespace: 'ws' };
  await kube.create(recordingType, { apiVersion, kind: 'Recording', metadata, spec: {} } as never);
  const run = newRun('1', { namespace: 'ws', workspaceId: 'w', userId: 'ann' });
  const former = { caller, recording: 'rec', recordingUid: 'of-another', networks: [] };
  await kube.create(replayType, { ...run, spec: { role: 'run', order: former } });
  const { result, spec } = await reconcile({}, {}, kube);
  expect([result.state, spec?.failure?.message]).toEqual([
    'Failed',
    'the recording was deleted or changed during the replay',
  ]);
});
