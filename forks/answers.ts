import type { Clock } from '../core/lib/clock.ts';
import { createTally } from '../core/lib/work/tally.ts';

/**
 * JSON texts by key, at most `maxBytes` in all. The account that brought most of them loses its least recently used ones
 * first, so that one which reads much costs nobody else.
 */
export interface AnswerCache {
  get(key: string): string | undefined;
  set(key: string, answer: KeptAnswer): void;
}

interface KeptAnswer {
  text: string;
  lifetimeMs: number;
  /** Whose call brought it, and whose share it takes; everybody may get it. */
  share: string;
}

interface Options {
  maxBytes: number;
  clock: Pick<Clock, 'nowMs'>;
  /** Called with the bytes that are kept now. */
  onSize(bytes: number): void;
}

interface Entry {
  text: string;
  endsAtMs: number;
  share: string;
}

/** What an entry occupies in addition to its texts. */
const entryBytes = 256;
/** A larger answer would evict too many others. */
const largestPortion = 1 / 16;

export function createAnswerCache({ maxBytes, clock, onSize }: Options): AnswerCache {
  const entries = new Map<string, Entry>();
  /** Of each share, in the order of their last use. */
  const keys = new Map<string, Set<string>>();
  const bytes = createTally();

  function add(key: string, entry: Entry): void {
    const own = keys.get(entry.share) ?? new Set();
    keys.set(entry.share, own.add(key));
    bytes.add(entry.share, bytesOf(key, entry.text));
    entries.set(key, entry);
  }

  function remove(key: string): Entry | undefined {
    const entry = entries.get(key);
    const own = entry && keys.get(entry.share);
    if (!own) return undefined;
    own.delete(key);
    if (own.size === 0) keys.delete(entry.share);
    bytes.add(entry.share, -bytesOf(key, entry.text));
    entries.delete(key);
    return entry;
  }

  function evict(): void {
    const [oldest = ''] = keys.get(bytes.largest() ?? '') ?? [];
    remove(oldest);
  }

  return {
    get(key) {
      const entry = remove(key);
      if (entry && entry.endsAtMs > clock.nowMs()) add(key, entry);
      onSize(bytes.total());
      return entries.get(key)?.text;
    },
    set(key, { text, lifetimeMs, share }) {
      if (lifetimeMs <= 0 || bytesOf(key, text) > maxBytes * largestPortion) return;
      remove(key);
      add(key, { text, endsAtMs: clock.nowMs() + lifetimeMs, share });
      while (bytes.total() > maxBytes) evict();
      onSize(bytes.total());
    },
  };
}

/** Strings have up to two bytes per character. */
function bytesOf(key: string, text: string): number {
  return 2 * (key.length + text.length) + entryBytes;
}
