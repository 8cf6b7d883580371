import type { Open, Send } from './call.ts';
import { type Groups, groupsOf } from './generated/groups.ts';
import { type ClientOptions, configOf } from './options.ts';
import { createRequest } from './request.ts';
import { createEvents, type Events } from './streams/events.ts';
import { createFollow } from './streams/follow.ts';
import { createFollowLogs, type FollowLogs } from './streams/logs.ts';
import { createWaitFor, type WaitFor } from './wait.ts';
import { createWaitForTransaction, type WaitForTransaction } from './waitForTransaction.ts';

/** A client of one installation. */
export interface Client extends Omit<Groups, 'networks'> {
  networks: Groups['networks'] & { followLogs: FollowLogs };
  events: Events;
  /** Makes any request of the API and answers its parsed body. */
  request: Send;
  /** Makes any request of the API and answers its response unread. */
  open: Open;
  /** Waits until a network is in a state; ends at once when it is in state Error. */
  waitFor: WaitFor;
  /** Waits until a submitted transaction is mined; ends at once when it failed or was dropped. */
  waitForTransaction: WaitForTransaction;
}

/**
 * A client of the installation at `url`. Throws TypeError for options that cannot work. Calls fail with SlipwayError, or
 * with the reason of their signal.
 */
export function createClient(options: ClientOptions): Client {
  const config = configOf(options);
  const { send, open } = createRequest(config);
  const { runtime } = config;
  const groups = groupsOf({ send, follow: createFollow(open, runtime) });
  const events = createEvents(open, runtime);
  return {
    ...groups,
    networks: { ...groups.networks, followLogs: createFollowLogs(open, runtime) },
    events,
    request: send,
    open,
    waitFor: createWaitFor({ networks: groups.networks, events, runtime }),
    waitForTransaction: createWaitForTransaction(groups.transactions, runtime),
  };
}
