import type { Retention } from './retention.ts';
import { createSegment, type Segment } from './segment.ts';

/** The changes of a kind that are kept: those since the last list, and those before it. */
export interface KeptSegments {
  /** Since the last list, or since a past that leads up to it. */
  main(): Segment;
  /** What goes on after a revision and ends before the last list. */
  before(after: bigint): Segment | undefined;
  /** Begins at a list, with what is kept of the time before it. */
  begin(revision: bigint, previous?: Segment): void;
  /** Adds what leads up to the beginning. */
  prepend(past: Segment): void;
}

export function createKeptSegments(retention: Retention): KeptSegments {
  let main = createSegment(0n);
  let previous: Segment | undefined;
  return {
    main: () => main,
    before: (after) =>
      previous && after >= previous.start && after < previous.position ? previous : undefined,
    begin(revision, before) {
      for (const old of [previous, main]) if (old && old !== before) retention.release(old);
      previous = before;
      main = createSegment(revision);
      retention.manage(main);
    },
    prepend({ start, entries, lost }) {
      main.start = start;
      for (const [namespace, past] of entries) {
        if (main.lost.has(namespace)) continue;
        main.entries.set(namespace, [...past, ...(main.entries.get(namespace) ?? [])]);
        past.forEach(retention.added);
      }
      for (const [namespace, revision] of lost) {
        if (!main.lost.has(namespace)) main.lost.set(namespace, revision);
      }
    },
  };
}
