import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { TokenResource, TokenSpec } from '../../core/api/resources/tokenResource.ts';
import type { Deployment } from '../../core/api/rest/token.ts';
import type { TokenArgs } from '../../core/api/rules/tokenArgs.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { hashOf } from '../../core/lib/hash.ts';
import type { ObjectCache } from '../store/cache.ts';
import { idOf } from './identity.ts';

export type DeploymentEntry = TokenSpec['deployments'][number];
type DeploymentStatus = NonNullable<NonNullable<TokenResource['status']>['deployments']>[number];
type Networks = Pick<ObjectCache<NetworkResource>, 'byName'>;

/** The entry of a desired deployment in the resource. */
export function entryOf({ metadata }: Stored<NetworkResource>, args: TokenArgs): DeploymentEntry {
  return { network: metadata.name, networkID: metadata.uid, args };
}

/** The Deployments of REST, in the order in which they were requested. */
export function deploymentsOf(resource: Stored<TokenResource>, networks: Networks): Deployment[] {
  return resource.spec.deployments.map((entry) => toDeployment(resource, entry, networks));
}

/** The status of a deployment; undefined while the operator has not begun the requested one. */
export function statusOf(
  { status }: Stored<TokenResource>,
  entry: DeploymentEntry,
): DeploymentStatus | undefined {
  const found = status?.deployments?.find(({ network }) => network === entry.network);
  if (!found || (found.observedNonce ?? 0) !== (entry.nonce ?? 0)) return undefined;
  // It may be the status of an earlier network with the same name.
  const isOther = entry.networkID && found.networkID && entry.networkID !== found.networkID;
  return isOther ? undefined : found;
}

/** Id of the network of a deployment; its name if the network does not exist (yet). */
export function networkIdOf(
  resource: Stored<TokenResource>,
  entry: DeploymentEntry,
  networks: Networks,
): string {
  const { namespace } = resource.metadata;
  const known = entry.networkID ?? statusOf(resource, entry)?.networkID;
  return known ?? networks.byName(namespace, entry.network)?.metadata.uid ?? entry.network;
}

/** Whether the JSON of a token depends only on its resource. */
export function knowsItsNetworks(resource: Stored<TokenResource>): boolean {
  return resource.spec.deployments.every(
    (entry) => (entry.networkID ?? statusOf(resource, entry)?.networkID) !== undefined,
  );
}

function toDeployment(
  resource: Stored<TokenResource>,
  entry: DeploymentEntry,
  networks: Networks,
): Deployment {
  const networkId = networkIdOf(resource, entry, networks);
  const status = statusOf(resource, entry);
  const message = status ? status.message : 'the deployment has not started yet';
  return {
    id: deploymentIdOf(idOf(resource), networkId),
    token_id: idOf(resource),
    network_id: networkId,
    token_address: status?.tokenAddress ?? '',
    ...compact({
      args: entry.args,
      extra_addresses: status?.extraAddresses,
      deployment_tx: status?.deploymentTx,
      deployed_at: status?.deployedAt,
      message,
    }),
  };
}

/** A deterministic UUID (RFC 9562, version 8) for a token on a network. */
function deploymentIdOf(tokenId: string, networkId: string): string {
  const hex = hashOf([tokenId, networkId]);
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`];
  return [...groups, hex.slice(20, 32)].join('-');
}
