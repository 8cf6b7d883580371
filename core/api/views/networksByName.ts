import type { Stored } from '../resources/kubeObject.ts';
import type { NetworkResource } from '../resources/network.ts';

/** Finds networks by name: objects name their networks, and REST shows ids. */
export interface NetworksByName {
  byName(namespace: string, name: string): Stored<NetworkResource> | undefined;
}
