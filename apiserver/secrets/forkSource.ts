import { readOwnSource } from '../../core/accounts/ownSources.ts';
import type { OwnSources } from '../../core/api/installation.ts';
import { chainTypes } from '../../core/api/resources/chainSpecs.ts';
import type { NetworkSpec } from '../../core/api/resources/network.ts';
import { forkingOf } from '../../core/api/rules/forking.ts';
import type { ErrorDetail } from '../../core/lib/errors.ts';
import type { SecretDeps } from './deps.ts';

interface ForkSourceDeps extends Pick<SecretDeps, 'cache' | 'sealer'> {
  ownSources: OwnSources;
}

/** Why a network of this namespace must not fork from the source that its spec names. */
export type RefuseForkSource = (namespace: string, spec: NetworkSpec) => ErrorDetail[];

/**
 * Unlike other secrets, that of a fork source must exist before its network: a URL that is not allowed is better
 * refused than reported later.
 */
export function createRefuseForkSource({ cache, sealer, ownSources }: ForkSourceDeps): RefuseForkSource {
  return (namespace, { chain }) => {
    const name = forkingOf(chain)?.sourceRef?.name;
    if (name === undefined) return [];
    const source = readOwnSource(sealer, { name, secret: cache.byName(namespace, name) }, ownSources);
    if (!('refusal' in source)) return [];
    const path = `spec.chain.${chainTypes[chain.type].member}.forking.sourceRef`;
    return [{ path, message: source.refusal }];
  };
}
