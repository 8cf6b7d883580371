import { asStored } from '../../api/testing/stored.ts';
import { AppError } from '../../lib/errors.ts';
import { silentLog } from '../../lib/log.ts';
import { createManualClock } from '../../lib/manualClock.ts';
import type { Kube } from '../kube.ts';
import { createFakeKube, type FakeKube } from '../testing/fake/fake.ts';
import { settle } from '../testing/settle.ts';
import { coreEventType } from '../types.ts';
import { createEventRecorder } from './recorder.ts';

const network = asStored({
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'Network',
  metadata: { name: 'net', namespace: 'n', uid: 'uid-net', resourceVersion: '7' },
});
const ready = { type: 'Normal', reason: 'Ready', message: 'it works' } as const;

describe('an event recorder', () => {
  let kube: FakeKube;
  let clock: ReturnType<typeof createManualClock>;
  let recorder: ReturnType<typeof createEventRecorder>;
  beforeEach(() => {
    clock = createManualClock();
    kube = createFakeKube({ clock });
    recorder = createEventRecorder({ kube, component: 'test', log: silentLog, clock });
  });
  const written = async () => {
    await recorder.flush();
    return (await kube.list(coreEventType, { namespace: 'n' })).items;
  };

  it('writes an event in the namespace of the object, as kubectl describe expects it', async () => {
    recorder.record(network, ready);
    expect(await written()).toMatchObject([
      {
        ...ready,
        count: 1,
        involvedObject: {
          kind: 'Network',
          name: 'net',
          namespace: 'n',
          uid: 'uid-net',
          resourceVersion: '7',
        },
        source: { component: 'test' },
        firstTimestamp: '2023-11-14T22:13:20Z',
      },
    ]);
  });

  it('aggregates equal events', async () => {
    for (let count = 0; count < 3; count += 1) {
      recorder.record(network, ready);
      clock.advance(60_000);
    }
    const [event, ...others] = await written();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      count: 3,
      firstTimestamp: '2023-11-14T22:13:20Z',
      lastTimestamp: '2023-11-14T22:15:20Z',
    });
  });

  it('writes a new event when the previous one is old or was deleted by the server', async () => {
    recorder.record(network, ready);
    clock.advance(3_600_000);
    recorder.record(network, ready);
    const [first] = await written();
    expect(await written()).toHaveLength(2);
    await kube.delete(coreEventType, first?.metadata ?? { name: '' });
    for (const { metadata } of await written()) await kube.delete(coreEventType, metadata);
    recorder.record(network, ready);
    expect(await written()).toMatchObject([{ count: 2 }]);
  });

  it('limits the events of one object, and accepts more later', async () => {
    for (let count = 0; count < 100; count += 1) recorder.record(network, { ...ready, message: `${count}` });
    expect(await written()).toHaveLength(25);
    recorder.record({ ...network, metadata: { ...network.metadata, uid: 'other' } }, ready);
    expect(await written()).toHaveLength(26);
    clock.advance(10_000);
    recorder.record(network, ready);
    expect(await written()).toHaveLength(27);
  });

  it('never throws, and continues after a failure', async () => {
    kube.failNext({ verb: 'create', error: new AppError('Unavailable', 'outage') });
    recorder.record(network, ready);
    recorder.record(network, { ...ready, message: 'second' });
    expect(await written()).toMatchObject([{ message: 'second' }]);
  });

  describe('writes one log line', () => {
    let lines: string[];
    const recordFor = (to: Pick<Kube, 'create' | 'patch'>, count: number) => {
      lines = [];
      const log = { ...silentLog, warn: (message: string) => void lines.push(message) };
      const flooded = createEventRecorder({ kube: to, component: 'test', log, clock });
      for (let index = 0; index < count; index += 1) {
        flooded.record({ ...network, metadata: { ...network.metadata, uid: `uid-${index}` } }, ready);
      }
      return flooded.flush();
    };

    it('when many events were dropped', async () => {
      await recordFor({ ...kube, create: async (_type, object) => asStored(object) }, 10_020);
      expect(lines).toEqual(['dropped events: too many were queued']);
    });

    it('when many fail', async () => {
      kube.failNext({ verb: 'create', times: 20, error: new AppError('Unavailable', 'outage') });
      await recordFor(kube, 20);
      expect(lines).toEqual(['failed to write events']);
    });
  });

  it('slows down while there is other work, and loses nothing', async () => {
    let isBusy = true;
    const polite = createEventRecorder({
      kube,
      component: 'test',
      log: silentLog,
      clock,
      isBusy: () => isBusy,
    });
    const count = async () => (await kube.list(coreEventType, { namespace: 'n' })).items.length;
    for (const message of ['1', '2', '3']) polite.record(network, { ...ready, message });
    await settle();
    expect(await count()).toBe(0);
    clock.advance(100);
    await settle();
    expect(await count()).toBe(1);
    isBusy = false;
    clock.advance(100);
    await polite.flush();
    expect(await count()).toBe(3);
  });

  describe('when the process ends', () => {
    let lines: unknown[];
    const recordWith = (to: Pick<Kube, 'create' | 'patch'>) => {
      lines = [];
      const log = {
        ...silentLog,
        warn: (message: string, fields?: object) => void lines.push({ message, ...fields }),
      };
      const ending = createEventRecorder({ kube: to, component: 'test', log, clock, isBusy: () => true });
      for (const message of ['1', '2', '3']) ending.record(network, { ...ready, message });
      return ending;
    };

    it('writes what is left without yielding to other work, also what is recorded meanwhile', async () => {
      const create: Kube['create'] = (type, object) => {
        if (Object.entries(object).some(([name, value]) => name === 'message' && value === '3'))
          ending.record(network, { ...ready, message: '4' });
        return kube.create(type, object);
      };
      const ending = recordWith({ ...kube, create });
      await settle();
      await ending.close(1_000);
      expect((await kube.list(coreEventType, { namespace: 'n' })).items).toHaveLength(4);
      expect(lines).toEqual([]);
    });

    it('gives up after its time, says how many events are lost, and calls nothing a failure', async () => {
      const broken = Promise.withResolvers<never>();
      const ending = recordWith({ ...kube, create: () => broken.promise });
      const closed = ending.close(1_000);
      await settle();
      clock.advance(1_000);
      await closed;
      broken.reject(new AppError('Unavailable', 'kube-apiserver did not answer'));
      await ending.flush();
      expect(lines).toEqual([{ message: 'events are not written: the process ends', count: 3 }]);
    });
  });

  it('puts events of objects without a namespace into default', async () => {
    recorder.record(asStored({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node' } }), ready);
    await recorder.flush();
    expect((await kube.list(coreEventType, { namespace: 'default' })).items).toHaveLength(1);
  });
});
