import { createTestKube, testKubeconfig } from '../../../hack/testenv/testKube.ts';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import type { KubeClient } from '../client/client.ts';
import { createRealSubject } from '../testing/conformance/realSubject.ts';
import type { ConformanceSubject } from '../testing/conformance/subject.ts';
import { leaseType } from '../types.ts';
import { createLeaderElector, type LeaderElector } from './lease.ts';

const durations = { leaseDurationMs: 2_000, renewDeadlineMs: 1_200, retryPeriodMs: 200 };

describe('leader election on kube-apiserver', () => {
  let subject: ConformanceSubject;
  let kubes: KubeClient[];
  let electors: LeaderElector[];
  /** What happened, in order: `a begins`, `a ends`. */
  let history: string[];
  beforeAll(async () => {
    subject = await createRealSubject(testKubeconfig());
  });
  afterAll(() => subject?.close());
  beforeEach(() => {
    [kubes, electors, history] = [[], [], []];
  });
  afterEach(async () => {
    await Promise.all(electors.map((elector) => elector.stop()));
    await Promise.all(kubes.map((kube) => kube.close()));
  });

  /** Resolves with the first term's signal. */
  function contend(identity: string, name: string) {
    const kube = createTestKube({ requestTimeoutMs: 1_000 });
    const started = Promise.withResolvers<AbortSignal>();
    const elector = createLeaderElector({
      kube,
      namespace: subject.namespace,
      name,
      identity,
      clock: systemClock,
      log: silentLog,
      ...durations,
      onStarted(signal) {
        history.push(`${identity} begins`);
        signal.addEventListener('abort', () => history.push(`${identity} ends`));
        started.resolve(signal);
      },
      onStopped: () => undefined,
    });
    kubes.push(kube);
    electors.push(elector);
    elector.start();
    return { kube, elector, started: started.promise };
  }

  it('hands over when the leader stops', async () => {
    const a = contend('a', 'handover');
    await a.started;
    const b = contend('b', 'handover');
    await a.elector.stop();
    const lease = await subject.kube.get(leaseType, { namespace: subject.namespace, name: 'handover' });
    expect(lease?.spec?.holderIdentity ?? '').not.toMatch(/^a_/);
    await b.started;
    expect(history).toEqual(['a begins', 'a ends', 'b begins']);
  });

  it('ends the term of a disconnected leader before another begins', async () => {
    const a = contend('a', 'cut-off');
    await a.started;
    const b = contend('b', 'cut-off');
    await a.kube.close();
    await b.started;
    expect(history).toEqual(['a begins', 'a ends', 'b begins']);
    expect([a.elector.isLeader(), b.elector.isLeader()]).toEqual([false, true]);
  });

  it('elects one leader among many that start together', async () => {
    const contenders = ['a', 'b', 'c', 'd', 'e'].map((identity) => contend(identity, 'crowd'));
    for (let terms = 0; terms < 3; terms += 1) {
      const leading = await Promise.race(
        contenders.map(async ({ started, elector }) => ({ elector, signal: await started })),
      );
      const index = contenders.findIndex(({ elector }) => elector === leading.elector);
      contenders.splice(index, 1);
      await leading.elector.stop();
    }
    const begun = history.filter((_entry, index) => index % 2 === 0);
    const ended = history.filter((_entry, index) => index % 2 === 1);
    expect(begun.every((entry) => entry.endsWith('begins'))).toBe(true);
    expect(ended.every((entry, index) => entry === begun[index]?.replace('begins', 'ends'))).toBe(true);
  });
});
