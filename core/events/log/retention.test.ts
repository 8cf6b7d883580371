import { createManualClock } from '../../lib/manualClock.ts';
import { createRetention } from './retention.ts';
import { append, createSegment, type Entry } from './segment.ts';

const clock = createManualClock();

function scene() {
  const retention = createRetention({ clock, maxBytes: 100, maxAgeMs: 60_000 });
  const log = createSegment(0n);
  retention.manage(log);
  let revision = 0n;
  const add = (namespace: string, bytes: number) => {
    revision += 1n;
    const entry: Entry = {
      kind: 'Network',
      namespace,
      revision,
      events: [],
      bytes,
      arrivedMs: clock.nowMs(),
    };
    append(log, entry);
    retention.added(entry);
  };
  const kept = (namespace: string) => log.entries.get(namespace)?.map((entry) => Number(entry.revision));
  return { retention, log, add, kept };
}

it('a workspace with many changes loses its own oldest, and nobody else does', () => {
  const { retention, log, add, kept } = scene();
  add('quiet', 10);
  for (let count = 0; count < 5; count += 1) add('busy', 30);
  expect([kept('quiet'), kept('busy'), retention.bytes()]).toEqual([[1], [4, 5, 6], 100]);
  expect(log.lost).toEqual(new Map([['busy', 3n]]));
});

it('what is older than Kubernetes remembers goes', () => {
  const { log, add, kept } = scene();
  add('a', 1);
  clock.advance(70_000);
  add('b', 1);
  expect([kept('a'), kept('b'), log.lost.get('a')]).toEqual([undefined, [2], 1n]);
});
