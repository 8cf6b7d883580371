import { chainTypes } from '../resources/chainSpecs.ts';
import type { ChainSpec } from '../resources/network.ts';

/** How many of a chain's newest blocks have their state kept, also over restarts; undefined if the spec does not say. */
export function historyOf(chain: ChainSpec): number | undefined {
  const spec = chain[chainTypes[chain.type].member];
  return spec && 'history' in spec ? spec.history : undefined;
}
