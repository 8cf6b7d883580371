import { currentKeyOf, type Keyring } from '../../core/accounts/keyring.ts';
import type { Installation } from '../../core/api/installation.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { accessEpochsOf } from '../../core/networks/accessEpochs.ts';
import { endpointUrls } from '../../core/networks/endpointUrls.ts';
import { keyScopesOf } from '../../core/networks/keyScopes.ts';
import type { Principal } from '../http/auth/principal.ts';

/** The URLs of a network that a caller may see; undefined until the operator has set them. */
export type EndpointsOf = (
  network: Stored<NetworkResource>,
  isWriter: boolean,
) => Record<string, string> | undefined;

/**
 * URLs with the admin key are for callers who may change the network: they are computed here and are in no object that
 * others read. While a key is being replaced, its URLs are left out.
 */
export function createEndpointsOf(
  options: { accessKeys: Keyring } & Pick<Installation, 'publicUrl' | 'serviceDomain'>,
): EndpointsOf {
  const { accessKeys, publicUrl, serviceDomain } = options;
  return (network, isWriter) => {
    const { endpoints, adminServices = [] } = network.status ?? {};
    if (!endpoints) return undefined;
    const epochs = accessEpochsOf(network);
    const key = currentKeyOf(accessKeys);
    const admin =
      isWriter && epochs.admin !== undefined
        ? endpointUrls(adminServices, {
            publicUrl,
            serviceDomain,
            key,
            scope: keyScopesOf(network, accessKeys)[0],
            access: 'admin',
            epoch: epochs.admin,
          })
        : {};
    return { ...(epochs.public === undefined ? {} : endpoints), ...admin };
  };
}

/** Whether a caller may see the URLs that change a chain by hand. */
export function isWriter({ permissions }: Pick<Principal, 'permissions'>): boolean {
  return permissions.has('networks:write');
}
