import type { Installation } from '../installation.ts';
import { type ChainType, chainTypes } from '../resources/chainSpecs.ts';
import type { ChainSpec, NetworkSpec } from '../resources/network.ts';

/** What a chain forks; undefined if it is not a fork. */
export function forkingOf(chain: ChainSpec) {
  const spec = chain[chainTypes[chain.type].member];
  const forking = spec && 'forking' in spec ? spec.forking : undefined;
  return forking?.enabled ? forking : undefined;
}

/** Says which members of a fork have no effect, because forking is not enabled; undefined when each has one. */
export function forkingCaveat(chain: ChainSpec): string | undefined {
  const { member } = chainTypes[chain.type];
  const spec = chain[member];
  if (!spec || !('forking' in spec) || !spec.forking || spec.forking.enabled) return undefined;
  const { enabled: _enabled, ...others } = spec.forking;
  const [given] = Object.keys(others);
  if (given === undefined) return undefined;
  const path = `spec.chain.${member}.forking`;
  return `${path}.${given} has no effect without ${path}.enabled: true`;
}

/** Whether a network starts as a fork of another chain. */
export function isFork({ chain }: NetworkSpec): boolean {
  return forkingOf(chain) !== undefined;
}

/** Whether networks of this type can fork on this installation. */
export function hasForkSource({ url, types }: Installation['forks'], type: ChainType): boolean {
  return url !== '' && types?.includes(type) !== false;
}

/** Why a fork of this type is refused where `hasForkSource` is false, and the remedy. */
export function noForkSource(type: ChainType): string {
  return `this installation has no fork source for ${type}: set forkSources.${type} in the chart values, or omit forking`;
}

/** What of a maintenance request has no effect. */
export function maintenanceCaveat({ maintenanceRequest }: NetworkSpec): string | undefined {
  if (!maintenanceRequest) return undefined;
  const { action, nonce } = maintenanceRequest;
  if (action !== undefined && nonce !== undefined) return undefined;
  const missing = action === undefined ? 'action' : 'nonce';
  return `spec.maintenanceRequest has no effect without ${missing}: send an action with a nonce other than status.observedMaintenanceNonce`;
}

/** Why the maintenance request of a spec can never be carried out; undefined when it can, or when there is none. */
export function maintenanceRefusal(spec: NetworkSpec): string | undefined {
  if (spec.maintenanceRequest?.action !== 'Resync') return undefined;
  if (spec.from) {
    return 'Resync begins at the latest block of the source, and spec.from at a snapshot: remove spec.from, or use ResetState';
  }
  if (isFork(spec)) return undefined;
  return 'Resync is for forked networks (spec.chain.*.forking.enabled): use ResetState to start a new chain';
}
