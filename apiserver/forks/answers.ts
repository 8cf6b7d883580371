import type { Clock } from '../../core/lib/clock.ts';

/** JSON texts by key, at most `maxBytes` in all. The least recently used ones are evicted first. */
export interface AnswerCache {
  get(key: string): string | undefined;
  set(key: string, text: string, lifetimeMs: number): void;
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
}

/** What an entry occupies in addition to its texts. */
const entryBytes = 256;
/** A larger answer would evict too many others. */
const largestPortion = 1 / 16;

export function createAnswerCache({ maxBytes, clock, onSize }: Options): AnswerCache {
  // In the order of their last use.
  const entries = new Map<string, Entry>();
  let size = 0;

  function remove(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    entries.delete(key);
    size -= bytesOf(key, entry.text);
    return entry;
  }

  return {
    get(key) {
      const entry = remove(key);
      if (entry && entry.endsAtMs > clock.nowMs()) {
        entries.set(key, entry);
        size += bytesOf(key, entry.text);
      }
      onSize(size);
      return entries.get(key)?.text;
    },
    set(key, text, lifetimeMs) {
      const bytes = bytesOf(key, text);
      if (lifetimeMs <= 0 || bytes > maxBytes * largestPortion) return;
      remove(key);
      entries.set(key, { text, endsAtMs: clock.nowMs() + lifetimeMs });
      size += bytes;
      for (const oldest of entries.keys()) {
        if (size <= maxBytes) break;
        remove(oldest);
      }
      onSize(size);
    },
  };
}

/** Strings have up to two bytes per character. */
function bytesOf(key: string, text: string): number {
  return 2 * (key.length + text.length) + entryBytes;
}
