import type { Clock } from '../../../core/lib/clock.ts';
import type { BudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import { createTurns, type Turns } from '../../http/limits/turns.ts';

/** Calls of an account that a replica works on at the same time: more of them would not end sooner. */
const atOnce = 16;
/** A call that its node works on for longer costs the replica nothing, and makes room for another. */
const workMs = 50;
/** With one key of a network. */
const maxWaiting = 2048;

/** Access to the gateway's work. */
export interface CallTurns {
  /** Resolves when it is the turn of the call; call the returned function at its end. Rejects with TooManyRequests. */
  begin(call: { networkUid: string; workspace: string; key: string }): Promise<() => void>;
}

interface Options {
  clock: Clock;
  budgets: Pick<BudgetMetrics, 'refused'>;
  shareOf(workspace: string): string;
}

interface Running {
  sinceMs: number;
  end(): void;
}

interface Account {
  /** Those of its networks. */
  turns: Turns;
  /** Calls that run or wait. */
  open: number;
  /** In the order in which they started. */
  running: Set<Running>;
  isArmed: boolean;
}

/**
 * The calls of an account start in turn. A flood of calls at one URL would otherwise be read and sent on as a whole before the next
 * call of anybody else.
 */
export function createCallTurns({ clock, budgets, shareOf }: Options): CallTurns {
  const accounts = new Map<string, Account>();
  const newAccount = (): Account => ({
    turns: createTurns({ atOnce, maxWaitingPerCaller: maxWaiting, budgets, refusal }),
    open: 0,
    running: new Set(),
    isArmed: false,
  });
  return {
    async begin({ networkUid, workspace, key }) {
      const name = shareOf(workspace);
      const account = accounts.get(name) ?? newAccount();
      accounts.set(name, account);
      account.open += 1;
      const leave = () => {
        account.open -= 1;
        if (account.open === 0) accounts.delete(name);
      };
      makeRoomInTime(account, clock);
      try {
        // The keys of a network take turns, too: its owner does not wait behind all who have its public URL.
        const release = await account.turns.begin(`${networkUid}/${key}`, { group: networkUid });
        const end = start(account, clock.nowMs(), { release, leave });
        makeRoomInTime(account, clock);
        return end;
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

/** Only while calls wait, so that a call costs no timer otherwise. */
function makeRoomInTime(account: Account, clock: Clock): void {
  const [oldest] = account.running;
  if (account.isArmed || !oldest || account.running.size < atOnce) return;
  account.isArmed = true;
  const makeRoom = () => {
    account.isArmed = false;
    const dueMs = clock.nowMs() - workMs;
    for (const one of account.running) {
      if (one.sinceMs > dueMs) break;
      one.end();
    }
    makeRoomInTime(account, clock);
  };
  clock.after(Math.max(1, oldest.sinceMs + workMs - clock.nowMs()), makeRoom, 'background');
}

function start(
  { running }: Account,
  sinceMs: number,
  { release, leave }: { release(): void; leave(): void },
): () => void {
  const one = {
    sinceMs,
    end() {
      if (!running.delete(one)) return;
      release();
      leave();
    },
  };
  running.add(one);
  return one.end;
}

const refusal = (waiting: number) =>
  `${waiting} calls with the key in the URL wait for their turn: wait for their answers before you send more`;
