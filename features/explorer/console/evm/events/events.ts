import { eventsOf } from '../../../../../core/abi/logs.ts';
import type { Abi } from '../abi.ts';
import type { Log } from '../model.ts';

/** An event that a contract can emit. */
interface EventKind {
  /** The first topic of its logs. */
  topic: string;
  signature: string;
}

/** The events of an ABI by their signatures, but those without a topic of their own (`anonymous`). */
export function eventKindsOf(abi: Abi | undefined): EventKind[] {
  return eventsOf(abi)
    .filter(({ anonymous }) => !anonymous)
    .map((event) => ({ topic: event.topicHash, signature: event.format() }))
    .sort((a, b) => a.signature.localeCompare(b.signature, 'en'));
}

/** Sorts logs by their places on the chain, the newest first. */
export function newestFirst(a: Log, b: Log): number {
  if (a.block !== b.block) return (a.block ?? 0n) > (b.block ?? 0n) ? -1 : 1;
  return a.index > b.index ? -1 : 1;
}
