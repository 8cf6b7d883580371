import type { Clock } from '../../../core/lib/clock.ts';
import { createBell } from '../../../core/lib/work/bell.ts';
import type { Head, SharedHeads } from '../../../core/networks/heads/sharedHeads.ts';

interface HeadStream {
  uid: string;
  enclaveID: string;
  /** Whether the network still runs this incarnation. */
  isCurrent(): Promise<boolean>;
  /** Whether later blocks follow the newest one. */
  isFollowed: boolean;
  signal: AbortSignal;
}

const heartbeatMs = 15_000;
/** Chains may have many blocks a second: who wants all of them asks for those in between. */
const spacingMs = 1_000;

/** The newest blocks as Server-Sent Events, until the network runs another chain or none, or `signal` aborts. */
export async function* headsOf(
  { heads, clock }: { heads: SharedHeads; clock: Clock },
  { uid, enclaveID, isCurrent, isFollowed, signal }: HeadStream,
): AsyncGenerator<string> {
  const bell = createBell(clock, signal);
  let newest: Head | undefined;
  let [sent, sentMs]: [Head | undefined, number] = [undefined, clock.nowMs()];
  const leave = heads.follow(uid, (head) => {
    newest = head ?? newest;
    bell.ring();
  });
  try {
    yield ': blocks\n\n';
    while (!signal.aborted && (await isCurrent())) {
      const isNews = newest !== sent;
      const waitMs = sentMs + waitOf(isNews, sent === undefined) - clock.nowMs();
      if (waitMs > 0) {
        await bell.wait(waitMs);
        continue;
      }
      yield isNews ? `data: ${JSON.stringify({ enclaveID, ...newest })}\n\n` : ': heartbeat\n\n';
      if (!isFollowed) return;
      [sent, sentMs] = [newest, clock.nowMs()];
    }
  } finally {
    leave();
  }
}

/** How long after the last part the next one is due. */
function waitOf(isNews: boolean, isFirst: boolean): number {
  if (!isNews) return heartbeatMs;
  return isFirst ? 0 : spacingMs;
}
