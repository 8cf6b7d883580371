import { maxConnections } from '../../../core/kube/client/connection.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { createTally } from '../../../core/lib/work/tally.ts';
import type { AccessWatch } from '../../events/accessWatch.ts';
import type { Principal } from '../../http/auth/principal.ts';
import type { CallerLimits } from '../../http/limits/callerLimits.ts';

/**
 * How many logs may be open in a replica. An account has 32 requests at a time: logs leave most of them. Each keeps a
 * connection to kube-apiserver: half of those are for everything else.
 */
const all = maxConnections / 2;
const limits = { account: 4, network: 8, owner: all / 4, all };
const kinds = ['account', 'network', 'owner'] as const;
/** A client that is away without a word holds its place no longer than this. */
const longestMs = 900_000;

export interface LogStream {
  /** Aborts when the time is over, the caller loses access or the process stops. */
  signal: AbortSignal;
  /** Frees the place; may be called again. */
  end(): void;
}

/** Who has a log open, and of what. */
interface LogReader {
  principal: Principal;
  /** uid of the network. */
  network: string;
}

/** The logs that callers have open. */
export interface LogStreams {
  /** Throws TooManyRequests when the account, the network, the owner of the workspace or this replica has too many. */
  open(reader: LogReader): LogStream;
  /** Ends all, and whatever is opened later. */
  close(): void;
}

interface LogStreamsOptions extends Pick<CallerLimits, 'budgets' | 'shares'> {
  access: AccessWatch;
  clock: Clock;
}

export function createLogStreams(options: LogStreamsOptions): LogStreams {
  const { budgets, shares, access, clock } = options;
  const counts = createTally();
  const open = new Set<AbortController>();
  let isClosed = false;
  const refuse = (message: string) => {
    budgets.refused('logStreams');
    return new AppError('TooManyRequests', message, { retryAfterSeconds: 5 });
  };
  return {
    open(reader) {
      const { principal, network } = reader;
      const { userId: account, namespace } = principal;
      const ids = { account, network, owner: shares.of(namespace, account) };
      const holders = kinds.map((kind) => `${kind}/${ids[kind]}`);
      const full = kinds.find((kind) => counts.of(`${kind}/${ids[kind]}`) >= limits[kind]);
      if (full)
        throw refuse(tooMany(full === 'owner' ? 'the owner of the workspace' : `the ${full}`, limits[full]));
      if (open.size >= limits.all) throw refuse(tooMany('this replica', limits.all));
      const controller = new AbortController();
      open.add(controller);
      for (const holder of holders) counts.add(holder, 1);
      const cancel = clock.after(longestMs, () => controller.abort(), 'background');
      const unfollow = access.follow(principal, () => controller.abort());
      if (isClosed) controller.abort();
      return {
        signal: controller.signal,
        end() {
          cancel();
          unfollow();
          controller.abort();
          if (open.delete(controller)) for (const holder of holders) counts.add(holder, -1);
        },
      };
    },
    close() {
      isClosed = true;
      for (const controller of open) controller.abort();
    },
  };
}

function tooMany(holder: string, limit: number): string {
  return `${holder} has ${limit} logs open, which is the limit: close one, or retry later`;
}
