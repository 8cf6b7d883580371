import { annotations, writtenLease } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { networkType, secretType } from '../../core/api/resources/resources.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { Kube } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { leaseType } from '../../core/kube/types.ts';
import { type Clock, systemClock } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import { silentLog } from '../../core/lib/log.ts';
import { createManualClock, type ManualClock } from '../../core/lib/manualClock.ts';
import { advanceUntilSettled } from '../../core/lib/testing/advanceUntilSettled.ts';
import { createLaggingKube } from '../testing/laggingKube.ts';
import { createCacheReflector } from './cache.ts';
import { createReadsAfterWrites, type ReadsAfterWrites } from './readsAfterWrites.ts';
import { createWritten } from './written.ts';

const namespace = 'ws';
const home = 'slipway';
const ref = { namespace, name: 'a' };
const never = new Promise<never>(() => undefined);

interface Replica {
  reads: ReadsAfterWrites;
  kube: Kube;
  reflector: Reflector<NetworkResource>;
  /** Its watch stands still from now on, until what this returns is called. */
  hold(): () => void;
}

let cluster: FakeKube;
let clock: ManualClock;
let started: Reflector<NetworkResource>[];
/** Lets go what a test holds, whether it passes or not. */
let releases: (() => void)[];
beforeEach(() => {
  cluster = createFakeKube();
  clock = createManualClock();
  started = [];
  releases = [];
});
afterEach(async () => {
  for (const release of releases) release();
  await Promise.all(started.map((reflector) => reflector.stop()));
});

async function startReplica(kube: Kube = cluster, watchClock: Clock = systemClock): Promise<Replica> {
  const lagging = createLaggingKube(kube);
  const reflector = createCacheReflector({
    kube: lagging.kube,
    type: networkType,
    log: silentLog,
    clock: watchClock,
  });
  const written = createWritten({ kube, namespace: home, clock });
  const reads = createReadsAfterWrites({ written, clock, log: silentLog });
  reads.follow(reflector);
  reflector.start();
  started.push(reflector);
  await reflector.whenSynced();
  return { reads, reflector, kube: reads.noting(kube), hold: lagging.hold };
}

const isQuestion = ({ verb, kind }: FakeKube['requests'][number]) =>
  verb === 'get' && kind === leaseType.kind;

async function create({ kube, reads }: Replica): Promise<void> {
  await kube.create(networkType, aNetwork(ref));
  await reads.acknowledge();
}

/** Lets the waiting time elapse as soon as something waits for it. */
const pass = (work: Promise<unknown>) => advanceUntilSettled(clock, work);

it('waits until the watch reports what another replica acknowledged', async () => {
  const [writer, reader] = [await startReplica(), await startReplica()];
  await create(writer);
  await reader.reads.catchUp();
  expect(reader.reflector.get(ref)?.metadata.name).toBe('a');
});

it('lists a kind whose watch stands still', async () => {
  const [writer, reader] = [await startReplica(), await startReplica()];
  releases.push(reader.hold());
  await create(writer);
  const caughtUp = reader.reads.catchUp();
  await pass(caughtUp);
  await caughtUp;
  expect(reader.reflector.get(ref)?.metadata.name).toBe('a');
});

it('does not wait until a watch that failed is tried again', async () => {
  const standing = createManualClock();
  const writer = await startReplica();
  const reader = await startReplica(cluster, standing);
  while (cluster.watchCount() < 2) await new Promise(setImmediate);
  cluster.endWatches(new AppError('Unavailable', 'connection reset'));
  await create(writer);
  const caughtUp = reader.reads.catchUp();
  await pass(caughtUp);
  await expect(caughtUp).resolves.toBeUndefined();
  expect(reader.reflector.get(ref)?.metadata.name).toBe('a');
});

it('answers 503 instead of an old state when the kind cannot be listed either', async () => {
  const { promise: stalled, resolve: release } = Promise.withResolvers<void>();
  let mayList = Promise.resolve();
  const writer = await startReplica();
  const reader = await startReplica({
    ...cluster,
    list: (...args) => mayList.then(() => cluster.list(...args)),
  });
  releases.push(release, reader.hold());
  mayList = stalled;
  await create(writer);
  const caughtUp = reader.reads.catchUp();
  await pass(caughtUp);
  await expect(caughtUp).rejects.toMatchObject({ reason: 'Unavailable', retryAfterSeconds: 1 });
});

it('is answered from the caches while kube-apiserver does not answer', async () => {
  const reader = await startReplica({ ...cluster, get: () => never });
  const caughtUp = reader.reads.catchUp();
  await pass(caughtUp);
  await expect(caughtUp).resolves.toBeUndefined();
});

it('asks once for all who ask together', async () => {
  const { reads } = await startReplica();
  await Promise.all(Array.from({ length: 50 }, () => reads.catchUp()));
  expect(cluster.requests.filter(isQuestion)).toHaveLength(1);
});

it('acknowledges a deletion that its own watch has reported, and another replica has it too', async () => {
  const [writer, reader] = [await startReplica(), await startReplica()];
  await create(writer);
  await writer.reads.catchUp();
  const releaseWriter = writer.hold();
  let isAnswered = false;
  const deleted = writer.kube.delete(networkType, ref).then(() => {
    isAnswered = true;
  });
  while (await cluster.get(networkType, ref)) await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  releaseWriter();
  await deleted;
  await writer.reads.acknowledge();
  await reader.reads.catchUp();
  expect(reader.reflector.get(ref)).toBeUndefined();
});

it('a replica that is throttled does not answer what it knew, as of a key that was revoked', async () => {
  const throttled = () =>
    Promise.reject(new AppError('TooManyRequests', 'slow down', { retryAfterSeconds: 3 }));
  const reader = await startReplica({ ...cluster, get: throttled });
  const caughtUp = reader.reads.catchUp();
  await pass(caughtUp);
  await expect(caughtUp).rejects.toMatchObject({ reason: 'Unavailable', retryAfterSeconds: 3 });
});

it('what a cache knew is not answered once kube-apiserver has been away for minutes', async () => {
  const reader = await startReplica({ ...cluster, get: () => never }, clock);
  clock.advance(200_000);
  const caughtUp = reader.reads.catchUp();
  await pass(caughtUp);
  await expect(caughtUp).rejects.toMatchObject({ reason: 'Unavailable', retryAfterSeconds: 5 });
});

describe('a version of another history of the cluster', () => {
  const lease = { namespace: home, name: writtenLease };
  const claimed = async () =>
    (await cluster.get(leaseType, lease))?.metadata.annotations?.[`${annotations.written}lost`];
  beforeEach(async () => {
    const lost = createWritten({ kube: cluster, namespace: home, clock, replica: 'lost' });
    lost.note('Network', 9_000_000n);
    lost.note('Token', 9_000_001n);
    await lost.publish();
  });

  it('holds nobody up once the kind was listed, and is taken back', async () => {
    const reader = await startReplica();
    const first = reader.reads.catchUp();
    await pass(first);
    await expect(first).resolves.toBeUndefined();
    while ((await claimed())?.includes('9000000')) await new Promise(setImmediate);
    expect(await claimed()).toContain('"Token":"9000001"');
    const beforeMs = clock.nowMs();
    await reader.reads.catchUp();
    expect(clock.nowMs()).toBe(beforeMs);
  });

  it('does not hide what was written since', async () => {
    const [writer, reader] = [await startReplica(), await startReplica()];
    await create(writer);
    for (const { reads } of [writer, reader]) {
      const caughtUp = reads.catchUp();
      await pass(caughtUp);
      await caughtUp;
    }
    await writer.kube.delete(networkType, ref);
    await writer.reads.acknowledge();
    const caughtUp = reader.reads.catchUp();
    await pass(caughtUp);
    await caughtUp;
    expect(reader.reflector.get(ref)).toBeUndefined();
  });
});

it('a kind that cannot be listed holds up only who reads it', async () => {
  const reader = await startReplica();
  const broken = createCacheReflector({
    kube: { ...cluster, list: () => never },
    type: secretType,
    log: silentLog,
    clock: systemClock,
  });
  reader.reads.follow(broken);
  const other = createWritten({ kube: cluster, namespace: home, clock });
  other.note('Secret', 5n);
  await other.publish();
  await reader.reads.catchUp(['Network']);
  const ofSecrets = reader.reads.catchUp(['Secret']);
  await pass(ofSecrets);
  await expect(ofSecrets).rejects.toMatchObject({ reason: 'Unavailable' });
});

describe('a write that was made', () => {
  const patchOfLease = { verb: 'patch', kind: leaseType.kind } as const;

  it('is answered although the Lease could not be written at first', async () => {
    const writer = await startReplica();
    cluster.failNext({ ...patchOfLease, times: 3, error: new AppError('Unavailable', 'leader changed') });
    const created = create(writer);
    await pass(created);
    await expect(created).resolves.toBeUndefined();
  });

  it.each([
    ['unavailable', new AppError('Unavailable', 'leader changed')],
    ['forbidden', new AppError('Forbidden', 'RBAC')],
    ['contended', new AppError('Conflict', 'modified')],
  ])('has an unknown outcome if the Lease stays %s', async (_how, error) => {
    const writer = await startReplica();
    cluster.failNext({ ...patchOfLease, times: 10_000, error });
    const created = create(writer);
    await pass(created);
    await expect(created).rejects.toMatchObject({ reason: 'Unavailable', isOutcomeUnknown: true });
  });

  it('is a deletion that a live list confirms where no watch reports it', async () => {
    const { promise: stalled, resolve: release } = Promise.withResolvers<void>();
    let mayList = Promise.resolve();
    const writer = await startReplica();
    const lagging = createLaggingKube({
      ...cluster,
      list: (...args) => mayList.then(() => cluster.list(...args)),
    });
    const held = createCacheReflector({
      kube: lagging.kube,
      type: networkType,
      log: silentLog,
      clock: systemClock,
    });
    started.push(held);
    held.start();
    await held.whenSynced();
    writer.reads.follow(held);
    await create(writer);
    releases.push(release, lagging.hold());
    mayList = stalled;
    const deleted = writer.kube.delete(networkType, ref).then(() => writer.reads.acknowledge());
    await pass(deleted);
    await expect(deleted).resolves.toBeUndefined();
    const reader = await startReplica();
    await reader.reads.catchUp();
    expect(reader.reflector.get(ref)).toBeUndefined();
  });
});

describe('what replicas publish', () => {
  const entries = async () => {
    const lease = await cluster.get(leaseType, { namespace: home, name: writtenLease });
    return Object.entries(lease?.metadata.annotations ?? {});
  };
  const writtenBy = (replica: string) =>
    createWritten({ kube: cluster, namespace: home, clock: systemClock, replica });

  it('becomes one entry when there are many, and loses no version', async () => {
    for (let index = 1; index <= 40; index += 1) {
      const written = writtenBy(`replica-${index}`);
      written.note(index === 7 ? 'Token' : 'Network', BigInt(index));
      await written.publish();
    }
    const reader = writtenBy('reader');
    await reader.read();
    expect(Object.fromEntries(reader.known())).toEqual({ Network: 40n, Token: 7n });
    expect((await entries()).length).toBeLessThanOrEqual(17);
  });

  it('is not written again while it is known to be there', async () => {
    const written = writtenBy('one');
    written.note('Network', 5n);
    await written.publish();
    const before = cluster.requests.length;
    await written.publish();
    expect(cluster.requests.length).toBe(before);
  });

  it('comes back after somebody has deleted the Lease', async () => {
    const written = writtenBy('one');
    written.note('Network', 5n);
    await written.publish();
    await cluster.delete(leaseType, { namespace: home, name: writtenLease });
    await written.read();
    await written.publish();
    expect(await entries()).toEqual([[`${annotations.written}one`, '{"Network":"5"}']]);
  });

  it('says nothing where somebody has written something else by hand', async () => {
    const written = writtenBy('one');
    written.note('Network', 5n);
    await written.publish();
    const other = { [`${annotations.written}other`]: 'x', [`${annotations.written}third`]: '{"Token":"y"}' };
    await cluster.patch(
      leaseType,
      { namespace: home, name: writtenLease },
      { metadata: { annotations: other } },
    );
    const reader = writtenBy('reader');
    await reader.read();
    expect(Object.fromEntries(reader.known())).toEqual({ Network: 5n });
  });

  it('is all there when many write at once', async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const written = writtenBy(`replica-${index}`);
        written.note(`Kind${index}`, 1n);
        return written.publish();
      }),
    );
    expect(await entries()).toHaveLength(12);
  });
});
