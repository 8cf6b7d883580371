import { compact } from '../../lib/compact.ts';
import { hashOf } from '../../lib/hash.ts';
import { idOf } from '../ids.ts';
import type { Stored } from '../resources/kubeObject.ts';
import type { NetworkResource } from '../resources/network.ts';
import type { TokenResource, TokenSpec } from '../resources/tokenResource.ts';
import type { Deployment } from '../rest/token.ts';
import type { TokenArgs } from '../rules/tokenArgs.ts';
import { idOfNamed, type NetworksByName } from './networksByName.ts';

export type DeploymentEntry = TokenSpec['deployments'][number];
type DeploymentStatus = NonNullable<NonNullable<TokenResource['status']>['deployments']>[number];

/** The entry of a desired deployment in the resource. */
export function entryOf(network: Stored<NetworkResource>, args: TokenArgs): DeploymentEntry {
  return { network: network.metadata.name, networkID: idOf(network), args };
}

/** The Deployments of REST, in the order in which they were requested. */
export function deploymentsOf(resource: Stored<TokenResource>, networks: NetworksByName): Deployment[] {
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

/** The decimals of a deployed token: a wrapped one has those of its contract. */
export function decimalsOf(
  { spec }: Pick<TokenResource, 'spec'>,
  deployed: Pick<DeploymentStatus, 'extraAddresses'> | undefined,
): number {
  return Number(deployed?.extraAddresses?.decimals ?? spec.decimals);
}

/** Id of the network of a deployment; its name if the network does not exist (yet). */
export function networkIdOf(
  resource: Stored<TokenResource>,
  entry: DeploymentEntry,
  networks: NetworksByName,
): string {
  const { namespace } = resource.metadata;
  const known = entry.networkID ?? statusOf(resource, entry)?.networkID;
  return known ?? idOfNamed(networks, namespace, entry.network);
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
  networks: NetworksByName,
): Deployment {
  const networkId = networkIdOf(resource, entry, networks);
  const status = statusOf(resource, entry);
  const message = status ? status.message : 'the deployment has not started yet';
  return {
    id: deploymentIdOf(idOf(resource), networkId),
    token_id: idOf(resource),
    network_id: networkId,
    state: status?.state ?? 'Pending',
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
