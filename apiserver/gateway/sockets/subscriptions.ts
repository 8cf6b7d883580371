import { isObject } from '../../../core/lib/json/members.ts';
import { isNotification } from '../jsonrpc/notification.ts';
import type { Screened } from '../policy/screen.ts';
import { endedWith, parsed, type SubscriptionUse } from '../policy/subscriptions.ts';
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
  const known = new Map<string, Extract<SubscriptionUse, { weight: number }>>();
  let expected: SubscriptionUse | undefined;

  function end(id: string): void {
    room.give(known.get(id)?.weight ?? 0);
    known.delete(id);
  }

  function settle(use: SubscriptionUse, { result, error }: Record<string, unknown>): void {
    if ('ends' in use) {
      if (result === true) end(use.ends);
      return;
    }
    const id = String(result);
    // A node may have one for all that ask for the same.
    if (error !== undefined || known.has(id)) room.give(use.weight);
    else known.set(id, use);
  }

  return {
    async handle({ subscriptions, calls }, work) {
      await open.whenAnswered();
      const isAlone = calls === 1 && open.isIdle();
      const weight = subscriptions.reduce((sum, use) => sum + weightOf(use), 0);
      room.take(weight);
      if (isAlone) [expected] = subscriptions;
      try {
        await work();
        await open.whenAnswered();
      } catch (error) {
        // It was not forwarded.
        room.give(weight);
        throw error;
      } finally {
        expected = undefined;
      }
    },
    noteSent(message) {
      const ended = endedWith(message);
      if (ended !== undefined && known.get(ended)?.isOnce && isNotification(message)) end(ended);
      if (!expected || isNotification(message)) return;
      const use = expected;
      expected = undefined;
      const answer = message.length > maxAnswerBytes ? undefined : parsed(message);
      if (isObject(answer)) settle(use, answer);
    },
  };
}

const weightOf = (use: SubscriptionUse): number => ('weight' in use ? use.weight : 0);
