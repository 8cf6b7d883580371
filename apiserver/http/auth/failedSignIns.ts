import type { Clock } from '../../../core/lib/clock.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { Log } from '../../../core/lib/log.ts';
import { createBucket } from '../../../core/lib/work/tokenBucket.ts';

/** The failures of a source within this time make one line at its beginning and one at its end. */
const windowMs = 60_000;
/** Sources that get lines of their own: the others share one, which also bounds what is remembered. */
const ownLines = { perSecond: 5, burst: 50 };
const others = 'others';

interface FailedSignIn {
  /** The address, as far as trusted proxies report it. */
  source: string;
  /** What the request claims as its API key's id; logged only if it has the form of an id. */
  keyId: string | undefined;
  operation: string;
  outcome: string;
  requestId: string;
}

export interface FailedSignIns {
  note(failure: FailedSignIn): void;
}

/**
 * Writes the audit lines of wrong API keys and invitation tokens. A flood of them does not flood the log: the first one
 * of a source is a line at once, and the later ones are counted in one line a minute.
 */
export function createFailedSignIns(log: Log, clock: Clock): FailedSignIns {
  const later = new Map<string, number>();
  const bucket = createBucket(ownLines, clock);

  function open(source: string): void {
    later.set(source, 0);
    const end = () => {
      const failures = later.get(source) ?? 0;
      later.delete(source);
      if (failures > 0) write(log, { source, failures, seconds: windowMs / 1000 });
    };
    clock.after(windowMs, end, 'background');
  }

  function count(source: string): void {
    later.set(source, (later.get(source) ?? 0) + 1);
  }

  return {
    note({ keyId, ...failure }) {
      const { source } = failure;
      if (later.has(source)) return count(source);
      if (bucket.take() === 0) {
        open(source);
        return write(log, { ...failure, failures: 1, ...compact({ apiKey: idOf(keyId) }) });
      }
      if (!later.has(others)) open(others);
      count(others);
    },
  };
}

/** Ids of stored keys and of the chart's first key: a secret that was sent in place of an id has another form. */
function idOf(keyId: string | undefined): string | undefined {
  return keyId && /^(k[0-9a-f]{24}|bootstrap[a-z0-9]{12})$/.test(keyId) ? keyId : undefined;
}

function write(log: Log, fields: Record<string, string | number>): void {
  log.info('audit', { audit: true, event: 'failed sign-in', user: 'anonymous', ...fields });
}
