import { isEvmChain } from '../../core/api/resources/chainSpecs.ts';
import { memberNamesOf } from '../../core/api/resources/layerZero.ts';
import type { NetworkResource, NetworkSpec } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';
import type { ErrorDetail } from '../../core/lib/errors.ts';
import type { NetworkDeps } from './deps.ts';

export type MemberDeps = Pick<NetworkDeps, 'cache'>;

/** The errors in the members that a LayerZero network of this namespace names. */
export function refuseMembers(
  { cache }: MemberDeps,
  namespace: string,
  { chain }: NetworkSpec,
): ErrorDetail[] {
  const names = memberNamesOf(chain);
  if (names.length === 0) return [];
  return names.flatMap((name, index) => {
    const path = `spec.chain.layerzero.networks[${index}].networkRef.name`;
    const member = cache.byName(namespace, name);
    if (!member || member.metadata.deletionTimestamp) {
      return [{ path, message: `network "${name}" not found in this workspace: create it first` }];
    }
    const { type } = member.spec.chain;
    if (isEvmChain(type)) return [];
    return [{ path, message: `the network "${name}" is of type ${type}: members must be EVM networks` }];
  });
}

/** The names of the LayerZero networks that a network is a member of. */
export function layerZerosOf(
  { cache }: MemberDeps,
  { metadata: { namespace, name } }: Stored<NetworkResource>,
): string[] {
  return cache
    .inNamespace(namespace)
    .filter(({ metadata, spec }) => !metadata.deletionTimestamp && memberNamesOf(spec.chain).includes(name))
    .map(({ metadata }) => metadata.name);
}
