import { isObject } from '../../../core/lib/json/members.ts';
import { isNotification } from '../jsonrpc/notification.ts';
import type { Screened } from '../policy/screen.ts';
import type { SubscriptionUse } from '../policy/subscriptions.ts';
import type { OpenCalls } from './openCalls.ts';
import type { SubscriptionRoom } from './subscriptionRoom.ts';

/** The subscriptions of a connection. */
export interface Subscriptions {
  /**
   * Handles a message that makes or ends subscriptions: after what came before it is answered, and until it is answered itself. Rejects
   * with TooManyRequests if it makes too many.
   */
  handle(
    screened: Pick<Screened, 'subscriptions' | 'calls'>,
    work: () => Promise<void> | void,
  ): Promise<void>;
  /** A message of the node. */
  noteSent(message: Buffer): void;
}

/** An answer that makes or ends one is shorter. */
const maxAnswerBytes = 1024;

/**
 * What is made counts, unless the node refuses it, until the node says that it has ended it. Which answer is that to which call
 * is told by their order alone: ids are chosen by the client, who may use one twice. Where that is not certain, as in a batch, nothing is given back
 * before the connection ends.
 */
export function createSubscriptions(room: SubscriptionRoom, open: OpenCalls): Subscriptions {
  const weights = new Map<string, number>();
  let expected: SubscriptionUse | undefined;

  function settle(use: SubscriptionUse, { result, error }: Record<string, unknown>): void {
    if ('weight' in use) {
      if (error !== undefined) room.give(use.weight);
      else weights.set(String(result), use.weight);
      return;
    }
    const weight = weights.get(use.ends);
    if (result !== true || weight === undefined) return;
    weights.delete(use.ends);
    room.give(weight);
  }

  return {
    async handle({ subscriptions, calls }, work) {
      await open.whenAnswered();
      const isAlone = calls === 1 && open.isIdle();
      room.take(subscriptions.reduce((sum, use) => sum + weightOf(use), 0));
      if (isAlone) [expected] = subscriptions;
      await work();
      await open.whenAnswered();
      expected = undefined;
    },
    noteSent(message) {
      if (!expected || isNotification(message)) return;
      const use = expected;
      expected = undefined;
      const answer = message.length > maxAnswerBytes ? undefined : parsed(message);
      if (isObject(answer)) settle(use, answer);
    },
  };
}

const weightOf = (use: SubscriptionUse): number => ('weight' in use ? use.weight : 0);

function parsed(message: Buffer): unknown {
  try {
    return JSON.parse(message.toString());
  } catch {
    return undefined;
  }
}
