import { chainTypes } from '../resources/chainSpecs.ts';
import type { NetworkSpec } from '../resources/network.ts';

/** Whether a network starts as a fork of another chain. */
export function isFork({ chain }: NetworkSpec): boolean {
  const spec = chain[chainTypes[chain.type].member];
  return spec !== undefined && 'forking' in spec && spec.forking?.enabled === true;
}

/** Why the maintenance request of a spec can never be carried out; undefined when it can, or when there is none. */
export function maintenanceRefusal(spec: NetworkSpec): string | undefined {
  if (spec.maintenanceRequest?.action !== 'Resync' || isFork(spec)) return undefined;
  return 'Resync is for forked networks (spec.chain.*.forking.enabled): use ResetState to start a new chain';
}
