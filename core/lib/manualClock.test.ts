import { createManualClock } from './manualClock.ts';

it('calls the timers that fall due, in order, each at its own time', () => {
  const clock = createManualClock(0);
  const calls: [string, number][] = [];
  clock.after(20, () => calls.push(['late', clock.nowMs()]));
  clock.after(10, () => calls.push(['early', clock.nowMs()]));
  clock.after(30, () => calls.push(['cancelled', clock.nowMs()]))();
  clock.advance(40);
  expect(calls).toEqual([
    ['early', 10],
    ['late', 20],
  ]);
});

it.each<[string, (controller: AbortController) => void, (controller: AbortController) => void]>([
  ['before it starts', (controller) => controller.abort(), () => undefined],
  ['while it is pending', () => undefined, (controller) => controller.abort()],
])('a sleep rejects when its signal aborts %s', async (_when, before, meanwhile) => {
  const controller = new AbortController();
  before(controller);
  const sleep = createManualClock().sleep(1000, controller.signal);
  meanwhile(controller);
  await expect(sleep).rejects.toMatchObject({ name: 'AbortError' });
});

it('a sleep resolves when its time is up', async () => {
  const clock = createManualClock();
  const sleep = clock.sleep(1000, new AbortController().signal);
  clock.advance(1000);
  await expect(sleep).resolves.toBeUndefined();
});
