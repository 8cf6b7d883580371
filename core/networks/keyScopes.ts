import { formerKeysSeal, type KeyScope } from '../accounts/accessKeys.ts';
import { currentKeyOf, type Keyring } from '../accounts/keyring.ts';
import { idOf, labelledId } from '../api/ids.ts';
import { annotations } from '../api/names.ts';
import type { NetworkResource } from '../api/resources/network.ts';
import type { Stored } from '../kube/kube.ts';

/** The first one is in the network's URLs; the other ones open it as well. */
export type KeyScopes = [KeyScope, ...KeyScope[]];

/**
 * What the access keys of a network cover: its namespace and id. A network of 0.3 keeps its URLs, whose keys cover the id alone: before the
 * operator has labelled it, and with the annotation that the operator then gave it. Its uid opens a network as well, which the
 * operator of 0.3 may have published during an upgrade.
 */
export function keyScopesOf(network: Stored<NetworkResource>, keyring: Keyring): KeyScopes {
  const { namespace, uid } = network.metadata;
  const id = idOf(network);
  const own: KeyScope = hasFormerKeys(network, keyring) ? { id } : { id, namespace };
  return id === uid ? [own] : [own, { id: uid }];
}

/** Whether its keys are those of 0.3, which cover its id alone. */
function hasFormerKeys(network: Stored<NetworkResource>, keyring: Keyring): boolean {
  if (labelledId(network.metadata) === undefined) return isFromBefore(network);
  const seal = network.metadata.annotations?.[annotations.formerKeys];
  return seal !== undefined && [...keyring.keys.values()].some((key) => sealOf(network, key) === seal);
}

/** Whether an operator that knew no ids has published its URLs. */
export function isFromBefore({ metadata, status }: Stored<NetworkResource>): boolean {
  return labelledId(metadata) === undefined && status?.accessKeys !== undefined;
}

/** The annotation that a network keeps its keys with; undefined if it has none to keep, or has it already. */
export function dueSeal(network: Stored<NetworkResource>, keyring: Keyring): string | undefined {
  if (!hasFormerKeys(network, keyring)) return undefined;
  const seal = sealOf(network, currentKeyOf(keyring));
  return network.metadata.annotations?.[annotations.formerKeys] === seal ? undefined : seal;
}

function sealOf(network: Stored<NetworkResource>, key: Uint8Array): string {
  return formerKeysSeal(key, { namespace: network.metadata.namespace, id: idOf(network) });
}
