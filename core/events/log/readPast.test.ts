import { networkType } from '../../api/resources/resources.ts';
import { aNetwork } from '../../api/testing/builders.ts';
import { createFakeKube } from '../../kube/testing/fake/fake.ts';
import { settle } from '../../kube/testing/settle.ts';
import { createManualClock } from '../../lib/manualClock.ts';
import { createReadPast } from './readPast.ts';

/** What a reader of the past has got so far, and how it ends. */
async function scene() {
  const clock = createManualClock();
  const kube = createFakeKube({ clock });
  kube.seed(networkType, aNetwork({ name: 'a' }));
  const { resourceVersion } = await kube.list(networkType);
  const read: string[] = [];
  const stop = new AbortController();
  const end = (async () => {
    for await (const { type } of createReadPast({ kube, clock }, networkType)(resourceVersion, stop.signal)) {
      read.push(type);
    }
  })();
  const message = end.then(
    () => 'it ended',
    (error: Error) => error.message,
  );
  await settle();
  return { clock, kube, read, message };
}

it('a watch that the server ends has not told of everything', async () => {
  const { kube, read, message } = await scene();
  await kube.create(networkType, aNetwork({ name: 'b' }));
  await settle();
  kube.endWatches();
  expect([await message, read]).toEqual(['the watch has ended', ['LISTED', 'ADDED']]);
});

it('a watch that is silent for longer than between two bookmarks is dead', async () => {
  const { clock, kube, message } = await scene();
  clock.advance(100_000);
  kube.bookmark();
  await settle();
  clock.advance(100_000);
  await settle();
  expect(kube.watchCount()).toBe(1);
  clock.advance(60_000);
  expect([await message, kube.watchCount()]).toEqual(['the watch has ended', 0]);
});
