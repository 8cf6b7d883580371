import { mineEmptyBlock, type QuietHead, readQuietHead } from '../../../core/evm/emptyBlocks.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import type { BoundedMap } from '../../../core/lib/boundedMap.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { createRecentMap } from '../../../core/lib/recentMap.ts';
import type { NodeCalls } from './nodeCalls.ts';

/**
 * Makes empty blocks for callers that wait for confirmations on a chain that makes a block for each transaction and none
 * without. Nothing is mined unless somebody waits.
 */
export interface Confirmations {
  /**
   * Call it before a poll for new blocks is forwarded. Resolves once the chain has the block that the caller is due, so
   * that nothing moves after the answer; undefined when the poll need not wait. Never rejects.
   */
  beforePoll(networkUid: string): Promise<void> | undefined;
  /** Records that somebody mines by hand, takes snapshots or sets the clock: for a while that alone makes blocks. */
  noteControl(networkUid: string): void;
  /** Of a connection that subscribes to new blocks. */
  watch(networkUid: string): HeadWatch;
  close(): void;
}

interface HeadWatch {
  /** The connection has subscribed, or a new block was sent to it: the next one is due in a while. */
  isWaiting(): void;
  /** It has unsubscribed or is closed. */
  end(): void;
}

export interface ConfirmationsDeps {
  clock: Clock;
  nodes: Pick<NodeCalls, 'ask' | 'isPresent'>;
}

/** Between two empty blocks. */
const intervalMs = 1000;
/** A client that polls once per interval is sometimes a little early. */
const earlyMs = 100;
/** Replicas that wait for the same chain are apart by up to this much, and the later ones see the block of the first. */
const jitterMs = 300;
/** So many polls, an interval apart, that see the same block are not accidental: somebody waits for the next. */
const minPolls = 3;
/** Whoever polls less often than this does not wait. */
const maxGapMs = 20_000;
/** How long after the last control of its blocks a chain is left alone. */
const controlMs = 30_000;
/** How long a node that mines in another way is not asked again. */
const unfitMs = 10_000;
const maxRemembered = 10_000;

interface Polls {
  /** How many polls in a row have seen no transaction since the first of them. */
  count: number;
  hash: string;
  nextMs: number;
  isBusy?: Promise<void> | undefined;
}

export function createConfirmations(deps: ConfirmationsDeps): Confirmations {
  const { clock, nodes } = deps;
  const controlled = createRecentMap<string, true>({ maxEntries: maxRemembered, ageMs: controlMs, clock });
  const isControlled = controlled.has;
  const ask: Ask = async (uid, work) => {
    if (!isControlled(uid)) {
      await nodes.ask(uid, 'cannot make blocks for callers that wait for confirmations', work);
    }
  };
  const watches = createWatches(clock, { ask, isControlled });
  const polls = createRecentMap<string, Polls>({ maxEntries: maxRemembered, ageMs: maxGapMs, clock });
  return {
    beforePoll: (uid) => (nodes.isPresent(uid) ? poll(uid, { polls, clock, ask }) : undefined),
    noteControl: (uid) => {
      controlled.set(uid, true);
      polls.delete(uid);
    },
    watch: watches.open,
    close: watches.close,
  };
}

/** Calls a network's node, unless it is gone or its blocks are controlled by hand. Never rejects. */
type Ask = (uid: string, work: (rpc: EvmRpc) => Promise<void>) => Promise<void>;

interface Polling {
  polls: BoundedMap<string, Polls>;
  clock: Clock;
  ask: Ask;
}

function poll(uid: string, { polls, clock, ask }: Polling): Promise<void> | undefined {
  const nowMs = clock.nowMs();
  const known = polls.get(uid);
  if (known?.isBusy) return known.isBusy;
  if (known && nowMs < known.nextMs) return undefined;
  const before = known ?? { count: 0, hash: '' };
  const state: Polls = { ...before, nextMs: nowMs + intervalMs - earlyMs };
  polls.set(uid, state);
  state.isBusy = ask(uid, async (rpc) => {
    const head = await readQuietHead(rpc);
    if (!head) {
      state.nextMs = nowMs + unfitMs;
      return;
    }
    const isSame = head.hash === state.hash;
    state.hash = head.hash;
    state.count = isSame || !head.hasTransactions ? state.count + 1 : 1;
    // Another replica, or this one, has made an empty block for those who wait.
    const isDue = isSame || isOld(head, nowMs);
    if (state.count >= minPolls && isDue) await mineEmptyBlock(rpc, head);
  }).finally(() => {
    state.isBusy = undefined;
  });
  return state.isBusy;
}

function isOld({ timestamp }: QuietHead, nowMs: number): boolean {
  return nowMs - timestamp * 1000 >= intervalMs;
}

interface Watched {
  watches: Set<HeadWatch>;
  cancel(): void;
}

/** One timer per network with connections that wait for new blocks. */
function createWatches(
  clock: Clock,
  { ask, isControlled }: { ask: Ask; isControlled(uid: string): boolean },
): { open(uid: string): HeadWatch; close(): void } {
  const byNetwork = new Map<string, Watched>();
  const arm = (uid: string, watched: Watched) => {
    watched.cancel();
    watched.cancel = clock.after(
      intervalMs + Math.random() * jitterMs,
      () => mine(uid, watched),
      'background',
    );
  };
  const mine = (uid: string, watched: Watched) => {
    if (isControlled(uid)) return arm(uid, watched);
    // The subscribers are sent the block that is mined, and then they wait for the next.
    void ask(uid, async (rpc) => {
      const head = await readQuietHead(rpc);
      if (head) await mineEmptyBlock(rpc, head);
    });
  };
  return {
    open(uid) {
      const watch: HeadWatch = {
        isWaiting() {
          const watched = byNetwork.get(uid) ?? { watches: new Set(), cancel: () => {} };
          byNetwork.set(uid, watched);
          watched.watches.add(watch);
          arm(uid, watched);
        },
        end() {
          const watched = byNetwork.get(uid);
          if (!watched?.watches.delete(watch) || watched.watches.size > 0) return;
          watched.cancel();
          byNetwork.delete(uid);
        },
      };
      return watch;
    },
    close() {
      for (const { cancel } of byNetwork.values()) cancel();
      byNetwork.clear();
    },
  };
}
