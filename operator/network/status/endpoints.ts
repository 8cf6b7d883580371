import type { Access } from '../../../core/accounts/accessKeys.ts';
import { currentKeyOf, type Keyring } from '../../../core/accounts/keyring.ts';
import { servicesOfFeatures } from '../../../core/api/features.ts';
import type { Installation } from '../../../core/api/installation.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { AccessKeysStatus } from '../../../core/api/resources/networkStatus.ts';
import type { EnginePlan } from '../../../core/chains/driver.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { rotatedAccessKeys } from '../../../core/networks/accessEpochs.ts';
import { endpointUrls } from '../../../core/networks/endpointUrls.ts';
import { keyScopesOf } from '../../../core/networks/keyScopes.ts';
import { hostSuffix } from '../../../core/networks/serviceHosts.ts';

/** The services that the URLs of a network may name, by the access key that they need. */
export function servicesByAccess(
  { services }: EnginePlan,
  { network, installation }: EndpointFacts,
): Record<Access, string[]> {
  const needing = (access: Access) =>
    Object.entries(services)
      .filter(([, { needs = 'public' }]) => needs === access)
      .flatMap(([service, { hasSignIn }]) => (hasSignIn ? [service, `${service}${hostSuffix}`] : [service]));
  const isCallable = services.rpc !== undefined;
  const ofFeatures = servicesOfFeatures(network.spec.chain.type, installation);
  return {
    public: [...needing('public'), ...(isCallable ? ['ws'] : []), ...ofFeatures],
    admin: [...needing('admin'), ...(isCallable ? ['admin', 'admin-ws'] : [])],
  };
}

export interface EndpointFacts {
  network: Stored<NetworkResource>;
  installation: Pick<Installation, 'publicUrl' | 'serviceDomain'> & Readonly<Record<string, unknown>>;
  accessKeys: Keyring;
  /** The keys with which a new network begins. */
  keptKeys?: AccessKeysStatus | undefined;
}

/** Services and their URLs with the network's newest key for this access. */
export function endpointsOf(
  services: readonly string[],
  access: Access,
  { network, installation, accessKeys, keptKeys }: EndpointFacts,
): Record<string, string> {
  return endpointUrls(services, {
    publicUrl: installation.publicUrl,
    serviceDomain: installation.serviceDomain,
    key: currentKeyOf(accessKeys),
    scope: keyScopesOf(network, accessKeys)[0],
    access,
    epoch: rotatedAccessKeys(network, keptKeys)[access].epoch,
  });
}
