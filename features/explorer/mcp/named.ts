import type { Abi } from '../../../core/abi/calls.ts';
import { eventOf } from '../../../core/abi/logs.ts';

/** The event that a text means, whose logs are to be found. Throws Error with what to write instead. */
export function foundEvent(text: string, abi: Abi | undefined): ReturnType<typeof eventOf> {
  const event = eventOf(text, abi);
  if (!event.anonymous) return event;
  throw new Error(
    `${event.format('sighash')} is anonymous, so its logs cannot be found by its name: leave the event out, and all logs are shown`,
  );
}

/** Whether a text says what its function returns, `balanceOf(address)(uint256)`. An ABI says it of others. */
export function saysReturns(text: string): boolean {
  return /\) *\(|\breturns\b/.test(text);
}
