import { networkType } from '../../api/resources/resources.ts';
import { aNetwork } from '../../api/testing/builders.ts';
import { asStored } from '../../api/testing/stored.ts';
import { AppError } from '../../lib/errors.ts';
import { silentLog } from '../../lib/log.ts';
import { createManualClock } from '../../lib/manualClock.ts';
import { createPrefix } from './prefix.ts';
import type { ReadPast } from './readPast.ts';
import type { Segment } from './segment.ts';

const namespace = 'a';
const version = (resourceVersion: string, message = '', within = namespace) =>
  asStored({
    ...aNetwork({ name: 'n', namespace: within, status: { message } }),
    metadata: { name: 'n', namespace: within, uid: within, resourceVersion },
  });

/** A prefix of a log that begins at revision 100, over reads that the test steers. */
function scene(readPast: ReadPast) {
  const clock = createManualClock();
  const completed: Segment[] = [];
  const reads: number[] = [];
  const prefix = createPrefix(
    {
      clock,
      log: silentLog,
      readPast,
      onRead: () => void reads.push(clock.nowMs()),
      onEntry: () => undefined,
      onAll: () => undefined,
    },
    { main: { start: 100n }, onComplete: (segment) => void completed.push(segment), onLost: () => undefined },
  );
  /** Lets the reads go on, with whatever they wait for. */
  const settle = async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      clock.advance(500);
      await new Promise(setImmediate);
    }
  };
  return { prefix, completed, reads, settle };
}

const forever = () => new Promise<never>(() => undefined);

it(`streams read the past of ${networkType.plural} while it is not known to be complete`, async () => {
  const { prefix, completed, settle } = scene(async function* () {
    yield { type: 'LISTED', items: [version('50')] };
    yield { type: 'MODIFIED', object: version('60', 'x') };
    yield forever();
  });
  const opened = prefix.extend(55n);
  await settle();
  expect(await opened).toBe(true);
  const reading = prefix.read(namespace, 55n);
  expect(reading).toMatchObject({ entries: [{ revision: 60n }], position: 60n });
  expect([completed, prefix.read(namespace, 40n)]).toEqual([[], 'behind']);
});

it('a bookmark from the time of the log completes it', async () => {
  const { prefix, completed, settle } = scene(async function* () {
    yield { type: 'LISTED', items: [] };
    yield { type: 'ADDED', object: version('60') };
    yield { type: 'BOOKMARK', resourceVersion: '120' };
  });
  void prefix.extend(55n);
  await settle();
  expect(completed.map(({ start, entries }) => [start, entries.get(namespace)?.length])).toEqual([[55n, 1]]);
});

it('streams that resume together share one read, from the oldest', async () => {
  const from: string[] = [];
  const { prefix, reads, settle } = scene(async function* (resourceVersion) {
    from.push(resourceVersion);
    yield { type: 'LISTED', items: [] };
    yield forever();
  });
  const opened = [55n, 44n, 66n].map((after) => prefix.extend(after));
  await settle();
  expect([await Promise.all(opened), from, reads.length]).toEqual([[true, true, true], ['44'], 1]);
});

it('a read that breaks is tried again, and whoever reads waits for that', async () => {
  let attempts = 0;
  const { prefix, completed, settle } = scene(async function* () {
    attempts += 1;
    yield { type: 'LISTED', items: [] };
    if (attempts < 3) throw new AppError('Unavailable', 'cut');
    yield { type: 'BOOKMARK', resourceVersion: '120' };
  });
  void prefix.extend(55n);
  await settle();
  expect([attempts, completed.length]).toEqual([3, 1]);
});

it('what Kubernetes has forgotten is gone for everybody who needs it', async () => {
  let attempts = 0;
  const { prefix, settle } = scene(async function* () {
    attempts += 1;
    yield* [];
    throw new AppError('Conflict', 'too old');
  });
  const opened = prefix.extend(55n);
  await settle();
  expect([await opened, await prefix.extend(50n), attempts]).toEqual([false, false, 1]);
});

it('of a past that is too long, the workspace with most of it loses its own, and nobody else does', async () => {
  const long = 'x'.repeat(2_000_000);
  const { prefix, completed, settle } = scene(async function* () {
    yield { type: 'LISTED', items: [] };
    yield { type: 'ADDED', object: version('56', '', 'quiet') };
    for (let at = 60; at < 70; at += 1)
      yield { type: 'MODIFIED', object: version(String(at), `${at} ${long}`) };
    yield { type: 'BOOKMARK', resourceVersion: '120' };
  });
  void prefix.extend(55n);
  await settle();
  const [past] = completed;
  const kept = (within: string) => past?.entries.get(within)?.map(({ revision }) => Number(revision));
  expect([kept('quiet'), kept(namespace), past?.lost]).toEqual([
    [56],
    [65, 66, 67, 68, 69],
    new Map([[namespace, 64n]]),
  ]);
});
