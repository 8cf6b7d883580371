import fc from 'fast-check';
import { AppError } from '../../lib/errors.ts';
import { silentLog } from '../../lib/log.ts';
import { createManualClock, type ManualClock } from '../../lib/manualClock.ts';
import { createFakeKube, type FakeKube } from '../testing/fake/fake.ts';
import { settle } from '../testing/settle.ts';
import { leaseType } from '../types.ts';
import { createLeaderElector, type LeaderElector } from './lease.ts';

const ref = { namespace: 'n', name: 'lock' };
const outage = new AppError('Unavailable', 'outage');

interface Contender {
  elector: LeaderElector;
  /** Between onStarted and the abort of its signal. */
  isActive(): boolean;
  terms(): number;
  /** Set to make its requests fail. */
  link: { isCut: boolean };
}

describe('leader election', () => {
  let clock: ManualClock;
  let kube: FakeKube;
  let contenders: Contender[];
  beforeEach(() => {
    clock = createManualClock();
    kube = createFakeKube({ clock });
    contenders = [];
  });
  afterEach(() => stopAll());

  async function stopAll(): Promise<void> {
    const stops = contenders.map(({ elector }) => elector.stop());
    await pass(25_000);
    await Promise.all(stops);
  }

  /** Advances time in small steps, so that reactions to a timer happen at its time. */
  async function pass(ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += 500) {
      clock.advance(500);
      await settle();
      expect(contenders.filter(({ isActive }) => isActive()).length).toBeLessThanOrEqual(1);
    }
  }

  function contend(
    identity: string,
    own: { work?: (signal: AbortSignal) => void | Promise<void>; clock?: ManualClock } = {},
  ): Contender {
    const link = { isCut: false };
    let signal: AbortSignal | undefined;
    let terms = 0;
    const guard = async <R>(work: () => Promise<R>): Promise<R> => {
      if (link.isCut) throw outage;
      return work();
    };
    const linked: typeof kube = {
      ...kube,
      get: (type, of) => guard(() => kube.get(type, of)),
      create: (type, object) => guard(() => kube.create(type, object)),
      replace: (type, object) => guard(() => kube.replace(type, object)),
    };
    const ownClock = own.clock ?? clock;
    const elector = createLeaderElector({
      kube: linked,
      ...ref,
      identity,
      clock: ownClock,
      monotonic: ownClock.nowMs,
      log: silentLog,
      random: () => 0,
      onStarted(given) {
        signal = given;
        terms += 1;
        return own.work?.(given);
      },
      onStopped: () => undefined,
    });
    const contender = {
      elector,
      isActive: () => signal !== undefined && !signal.aborted,
      terms: () => terms,
      link,
    };
    contenders.push(contender);
    elector.start();
    return contender;
  }

  it('leads immediately when nobody else does', async () => {
    const a = contend('a');
    await settle();
    expect(a.isActive()).toBe(true);
    expect(a.elector.isLeader()).toBe(true);
    expect((await kube.get(leaseType, ref))?.spec).toMatchObject({
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
    });
  });

  it('keeps leading as long as it renews', async () => {
    const a = contend('a');
    const b = contend('b');
    await pass(120_000);
    expect([a.terms(), b.terms()]).toEqual([1, 0]);
    expect([a.elector.isLeader(), b.elector.isLeader()]).toEqual([true, false]);
  });

  it('hands over when it is stopped, immediately after its work has ended', async () => {
    const ending = Promise.withResolvers<void>();
    const a = contend('a', { work: () => ending.promise });
    await settle();
    const b = contend('b');
    const stopped = a.elector.stop();
    await pass(3_000);
    expect([a.isActive(), b.isActive()]).toEqual([false, false]);
    ending.resolve();
    await stopped;
    await pass(3_000);
    expect(b.isActive()).toBe(true);
    expect((await kube.get(leaseType, ref))?.spec?.leaseTransitions).toBe(1);
  });

  it('stops leading before another can begin when it cannot renew, and leads again later', async () => {
    const a = contend('a');
    await settle();
    const b = contend('b');
    a.link.isCut = true;
    await pass(9_500);
    expect(a.isActive()).toBe(true);
    await pass(500);
    expect([a.isActive(), a.elector.isLeader(), b.isActive()]).toEqual([false, false, false]);
    await pass(10_000);
    expect(b.isActive()).toBe(true);
    a.link.isCut = false;
    b.link.isCut = true;
    await pass(30_000);
    expect([a.isActive(), a.terms()]).toEqual([true, 2]);
  });

  it.each([500, 1_000, 1_500, 2_000])(
    'takes over within the lease and 1.5 s from a leader that dies, with a standby that started %s ms after it',
    async (startMs) => {
      const a = contend('a');
      await settle();
      await pass(startMs);
      const b = contend('b');
      await settle();
      // The leader renews every 2 s, and dies just after it did.
      await pass(20_000 - startMs);
      a.link.isCut = true;
      await pass(16_500);
      expect(b.isActive()).toBe(true);
    },
  );

  it('survives occasional failures to renew', async () => {
    const a = contend('a');
    await settle();
    a.link.isCut = true;
    await pass(6_000);
    a.link.isCut = false;
    await pass(30_000);
    expect([a.isActive(), a.terms()]).toEqual([true, 1]);
  });

  it('stops immediately when another holds the lease', async () => {
    const a = contend('a');
    await settle();
    await kube.patch(leaseType, ref, { spec: { holderIdentity: 'someone' } });
    await pass(2_000);
    expect(a.isActive()).toBe(false);
  });

  it('does not trust the times that another machine wrote', async () => {
    const spec = {
      holderIdentity: 'other',
      leaseDurationSeconds: 15,
      renewTime: '2001-01-01T00:00:00.000000Z',
    };
    kube.seed(leaseType, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { ...ref }, spec });
    const a = contend('a');
    await pass(14_500);
    expect(a.isActive()).toBe(false);
    await pass(2_500);
    expect(a.isActive()).toBe(true);
  });

  it('knows that it no longer leads after its process was suspended, before any timer runs', async () => {
    const a = contend('a');
    await settle();
    const frozen = clock.nowMs;
    clock.nowMs = () => frozen() + 10_000;
    expect(a.elector.isLeader()).toBe(false);
    clock.nowMs = frozen;
  });

  it('ends its work as soon as anybody finds that it no longer leads, before any timer runs', async () => {
    const a = contend('a');
    await settle();
    const frozen = clock.nowMs;
    clock.nowMs = () => frozen() + 10_000;
    a.elector.isLeader();
    expect(a.isActive()).toBe(false);
    clock.nowMs = frozen;
  });

  it('releases the lease when the work of the leader fails, and competes again', async () => {
    let isBroken = true;
    const a = contend('a', {
      work: async () => {
        if (isBroken) throw new Error('broken');
      },
    });
    const b = contend('b');
    await pass(3_000);
    isBroken = false;
    expect(b.isActive() || a.isActive()).toBe(true);
  });

  /** Delays the next write. */
  function slowDownNext(delayMs: number): void {
    const stop = kube.intercept(({ verb }) => {
      if (verb !== 'replace') return;
      stop();
      return clock.sleep(delayMs);
    });
  }

  function disturb(contender: (typeof contenders)[number] | undefined, what: string, forMs: number): void {
    if (contender && (what === 'cut' || what === 'mend')) contender.link.isCut = what === 'cut';
    if (what === 'loseAnswer') kube.failNext({ verb: 'replace', when: 'after', error: outage });
    if (what === 'refuse') kube.failNext({ error: outage, times: 3 });
    if (what === 'slow') slowDownNext(forMs);
  }

  it('never has two leaders, whatever is disconnected, lost or slow', async () => {
    const step = fc.record({
      who: fc.nat(2),
      what: fc.constantFrom('cut', 'mend', 'loseAnswer', 'refuse', 'slow', 'wait'),
      forMs: fc.integer({ min: 1, max: 40 }).map((count) => count * 500),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        clock = createManualClock();
        kube = createFakeKube({ clock });
        contenders = [];
        for (const identity of ['a', 'b', 'c']) contend(identity);
        for (const { who, what, forMs } of steps) {
          disturb(contenders[who], what, forMs);
          await pass(forMs);
        }
        for (const { link } of contenders) link.isCut = false;
        await pass(40_000);
        expect(contenders.filter(({ isActive }) => isActive())).toHaveLength(1);
        await stopAll();
      }),
      { numRuns: 25 },
    );
  });
});
