import type { Clock } from '../../core/lib/clock.ts';
import { memberOf } from '../../core/lib/json/members.ts';
import type { Cursors } from '../http/paging/cursor.ts';

/** A question travels as a text that only replicas can make, and that ends soon. */
interface Questions {
  seal(topic: string, question: unknown): string;
  /** Throws BadRequest if no replica has asked this, or not lately. */
  open(topic: string, sealed: string): unknown;
}

/** Clocks of nodes differ. */
const validMs = 60_000;

export function createQuestions(cursors: Cursors, clock: Pick<Clock, 'nowMs'>): Questions {
  const scopeOf = (topic: string) => ({ caller: 'replica', endpoint: topic, filter: '' });
  return {
    seal: (topic, question) =>
      cursors.seal(scopeOf(topic), JSON.stringify({ question, atMs: clock.nowMs() })),
    open(topic, sealed) {
      const opened: unknown = JSON.parse(cursors.open(scopeOf(topic), sealed));
      const atMs = memberOf(opened, 'atMs');
      const isRecent = typeof atMs === 'number' && Math.abs(clock.nowMs() - atMs) <= validMs;
      return isRecent ? memberOf(opened, 'question') : undefined;
    },
  };
}
