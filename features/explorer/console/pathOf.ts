import type { OnChain } from '../../../console/src/feature.ts';

/** The page about the chain of a network, or about something on it. */
export function pathOf(network: string, target?: OnChain): string {
  const start = `/networks/${network}/explorer`;
  return target ? `${start}/${target.kind}/${target.value}` : start;
}
