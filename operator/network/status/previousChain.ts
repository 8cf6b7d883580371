import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';

type PreviousChain = NonNullable<NetworkStatus['previousChain']>;

/** A clause for status.message about the chain before the running one. */
export function describePrevious(previous: PreviousChain | undefined): string | undefined {
  return previous && `the chain before this one ${describeEnd(previous)}`;
}

/** `ended at block 7 on …: why`. */
export function describeEnd({ lastBlock, endedAt, reason }: PreviousChain): string {
  return `ended${lastBlock === undefined ? '' : ` at block ${lastBlock}`} on ${endedAt}: ${reason}`;
}
