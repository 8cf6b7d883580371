import { forkPathOf } from '../../core/accounts/forkTokens.ts';
import type { Keyring } from '../../core/accounts/keyring.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';

interface ForkSourceDeps {
  installation: Pick<Installation, 'forks'>;
  keys: { forks: Keyring };
}

/**
 * Where the engine of a network reads what it forks: at the fork proxy, which alone knows the URL of the source. Undefined
 * if the installation has no source for the chain type.
 */
export function forkSourceOf(
  { installation, keys }: ForkSourceDeps,
  { metadata, spec }: Stored<NetworkResource>,
): string | undefined {
  const { url, types } = installation.forks;
  const { type } = spec.chain;
  if (url === '' || types?.includes(type) === false) return undefined;
  return `${url}${forkPathOf(keys.forks, { networkUid: metadata.uid, type })}`;
}
