import { chainTypes, hasParticipants, isEvmChain } from '../resources/chainSpecs.ts';
import type { ChainSpec, NetworkSpec } from '../resources/network.ts';
import type { SnapshotResource } from '../resources/snapshot.ts';
import { forkingOf } from './forking.ts';

/** Why a chain runs on an engine without snapshots; undefined if it runs on anvil, which has them. */
export function snapshotRefusal(chain: ChainSpec): string | undefined {
  const { type } = chain;
  const member = chain[chainTypes[type].member];
  const remedy = 'use an EVM network that runs on anvil';
  if (!isEvmChain(type)) return `snapshots of ${type} networks are not possible: ${remedy}`;
  if (hasParticipants(chain)) {
    return `snapshots of Ethereum networks with participants are not possible, because their nodes do not return to an earlier state together: ${remedy}`;
  }
  if (!member || !('profile' in member) || member.profile !== 'real') return undefined;
  return `snapshots of ${type} networks with profile "real" are not possible: ${remedy}`;
}

/** Why the chains of a network must not begin from this snapshot; undefined if they may. */
export function fromRefusal(
  { chain }: NetworkSpec,
  { metadata: { name }, status }: SnapshotResource,
): string | undefined {
  const refusal = snapshotRefusal(chain);
  if (refusal !== undefined) return refusal;
  if (status?.state === 'Failed') return `the snapshot "${name}" failed (${status.message}): use another one`;
  if (status?.state !== 'Ready') return `the snapshot "${name}" is not Ready yet: wait until it is`;
  if (status.chainType !== chain.type) {
    return `the snapshot "${name}" is of type ${status.chainType}: use one of type ${chain.type}`;
  }
  return forkRefusal(chain, name, status.forkBlock);
}

export function missingSnapshot(name: string): string {
  return `the snapshot "${name}" does not exist in this workspace: use another one`;
}

/** A fork reads what it did not change from its source, at one block. */
function forkRefusal(chain: ChainSpec, name: string, forkBlock: string | undefined): string | undefined {
  const forking = forkingOf(chain);
  if (forkBlock === undefined) {
    return forking && `the snapshot "${name}" is not of a fork: omit forking`;
  }
  if (!forking) return `the snapshot "${name}" is of a fork at block ${forkBlock}: enable forking`;
  const { blockHeight = 'latest' } = forking;
  if (blockHeight === 'latest' || blockHeight === forkBlock) return undefined;
  return `the snapshot "${name}" is of a fork at block ${forkBlock}, and forking.blockHeight is ${blockHeight}: omit it`;
}
