import { idOf } from '../ids.ts';
import type { Stored } from '../resources/kubeObject.ts';
import type { NetworkResource } from '../resources/network.ts';

/** Finds networks by name: objects name their networks, and REST shows ids. */
export interface NetworksByName {
  byName(namespace: string, name: string): Stored<NetworkResource> | undefined;
}

/** The id of a network that an object names; the name if there is none (yet). */
export function idOfNamed(networks: NetworksByName, namespace: string, name: string): string {
  const network = networks.byName(namespace, name);
  return network ? idOf(network) : name;
}
