import { aNetwork } from '../../api/testing/builders.ts';
import { asStored } from '../../api/testing/stored.ts';
import { AppError } from '../../lib/errors.ts';
import { silentLog } from '../../lib/log.ts';
import { createManualClock } from '../../lib/manualClock.ts';
import { createChangeLog } from './changeLog.ts';
import { createRetention } from './retention.ts';

const namespace = 'a';
const version = (resourceVersion: string, message = resourceVersion, name = 'n') =>
  asStored({
    ...aNetwork({ name, namespace, status: { message } }),
    metadata: { name, namespace, uid: name, resourceVersion },
  });

/** A log over a cluster that remembers no changes, and of objects only what is `known`. */
function scene(known?: ReturnType<typeof version>[]) {
  const clock = createManualClock();
  let isRead = true;
  const log = createChangeLog({
    clock,
    log: silentLog,
    retention: createRetention({ clock, maxBytes: 1_000_000, maxAgeMs: 60_000 }),
    isRead: () => isRead,
    async *readPast() {
      if (known) yield { type: 'LISTED', items: known };
      throw new AppError('Conflict', 'too old');
    },
    onRead: () => undefined,
    onEntry: () => undefined,
    onAll: () => undefined,
  });
  const change = (resourceVersion: string, message?: string) => {
    const object = version(resourceVersion, message);
    log.tap.changed('MODIFIED', object, object);
  };
  const revisionsAfter = (after: bigint) => {
    const reading = log.read(namespace, after);
    return typeof reading === 'string' ? reading : reading.entries.map(({ revision }) => Number(revision));
  };
  return {
    log,
    change,
    revisionsAfter,
    setRead(next: boolean) {
      isRead = next;
    },
    async extend(after: bigint) {
      const found = log.extend(after);
      for (let turn = 0; turn < 5; turn += 1) {
        clock.advance(500);
        await new Promise(setImmediate);
      }
      return found;
    },
  };
}

it('what came before a list can still be read, up to where the watch ended', () => {
  const { log, change, revisionsAfter } = scene();
  log.tap.listed([version('10')], '10');
  change('11');
  change('12');
  log.tap.listed([version('20')], '20');
  change('21');
  expect([revisionsAfter(10n), revisionsAfter(11n)]).toEqual([[11, 12], [12]]);
  expect([revisionsAfter(12n), revisionsAfter(20n)]).toEqual(['behind', [21]]);
});

it('a list that shows no difference has lost nothing of what the cluster has forgotten', async () => {
  const { log, extend } = scene();
  log.tap.listed([version('10')], '10');
  log.tap.reached('15');
  log.tap.listed([version('10')], '20');
  expect(await extend(15n)).toBe(false);
  expect(log.skip(namespace, 15n)).toEqual({ position: 20n, entries: [], isWhole: true });
  // Who had not read up to the end of the watch does not know what came then.
  expect(log.skip(namespace, 9n).isWhole).toBe(false);
});

it('a list that differs tells of the last change of each object', () => {
  const { log } = scene();
  log.tap.listed([version('10'), version('11', 'x', 'gone')], '12');
  log.tap.listed([version('18'), version('19', 'x', 'new')], '20');
  const { entries, isWhole, position } = log.skip(namespace, 12n);
  const told = entries.map(({ revision, events }) => [Number(revision), ...events.map(({ type }) => type)]);
  expect(told).toEqual([
    [18, 'network.status'],
    [19, 'network.created'],
    [20, 'network.deleted'],
  ]);
  expect([isWhole, position]).toEqual([false, 20n]);
});

it('while nobody reads, it keeps the objects and begins where it is', () => {
  const { log, change, revisionsAfter, setRead } = scene();
  setRead(false);
  log.tap.listed([version('10')], '10');
  change('11');
  setRead(true);
  expect([revisionsAfter(10n), revisionsAfter(11n)]).toEqual(['behind', []]);
  change('12');
  const reading = log.read(namespace, 11n);
  expect(reading).toMatchObject({ entries: [{ events: [{ type: 'network.status' }] }], position: 12n });
  log.forget();
  expect([revisionsAfter(11n), revisionsAfter(12n), log.objectsIn(namespace).length]).toEqual([
    'behind',
    [],
    1,
  ]);
});

it('positions of a cluster that was restored to an older state are lost, until it has as many revisions again', () => {
  const { log, change, revisionsAfter } = scene();
  log.tap.listed([version('10')], '50');
  log.tap.listed([version('10')], '20');
  expect([revisionsAfter(50n), log.skip(namespace, 50n)]).toEqual([
    'lost',
    { position: 20n, entries: [], isWhole: true },
  ]);
  change('21');
  expect([revisionsAfter(20n), revisionsAfter(45n)]).toEqual([[21], 'lost']);
  // A replica that is behind others does not take their positions for lost ones.
  expect(revisionsAfter(60n)).toEqual([]);
});

it('what the cluster has forgotten after objects that it still knows is found by comparison as well', async () => {
  const { log, extend } = scene([version('3'), version('4', 'x', 'same')]);
  log.tap.listed([version('3'), version('4', 'x', 'same')], '10');
  await extend(5n);
  expect(log.skip(namespace, 5n)).toEqual({ position: 10n, entries: [], isWhole: true });
  log.tap.listed([version('12'), version('4', 'x', 'same')], '15');
  await extend(5n);
  expect(log.skip(namespace, 5n)).toMatchObject({ entries: [{ revision: 12n }], isWhole: false });
});

it('what the log has of an object after its start is not told before by a comparison', async () => {
  const { log, change, revisionsAfter, extend } = scene([version('3')]);
  log.tap.listed([version('3')], '10');
  change('20');
  await extend(5n);
  const { entries, isWhole, position } = log.skip(namespace, 5n);
  expect([entries, position, revisionsAfter(position)]).toEqual([[], 10n, [20]]);
  // Nobody knows whether the object changed in between as well.
  expect(isWhole).toBe(false);
});
