import type { Installation } from '../../core/api/installation.ts';
import { chainTypes } from '../../core/api/resources/chainSpecs.ts';
import type { NetworkSpec } from '../../core/api/resources/network.ts';
import { forkingOf, hasForkSource, noForkSource } from '../../core/api/rules/forking.ts';
import { driverOf } from '../../core/chains/registry.ts';
import type { ErrorDetail } from '../../core/lib/errors.ts';

/** What the operator would refuse later: a chain id of a public network, and a fork of a chain without a source. */
export function refuseIdentity({ chain }: NetworkSpec, forks: Installation['forks']): ErrorDetail[] {
  const { type } = chain;
  const { member } = chainTypes[type];
  const spec = chain[member];
  const details: ErrorDetail[] = [];
  const forking = forkingOf(chain);
  const chainId = spec && 'chainID' in spec ? spec.chainID : undefined;
  const refusal =
    chainId === undefined ? undefined : driverOf(type)?.refuseChainId(chainId, forking !== undefined);
  if (refusal) details.push({ path: `spec.chain.${member}.chainID`, message: refusal });
  if (forking && !forking.sourceRef && !hasForkSource(forks, type)) {
    details.push({ path: `spec.chain.${member}.forking`, message: noForkSource(type) });
  }
  return details;
}
