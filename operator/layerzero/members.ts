import type { NetworkResource } from '../../core/api/network.ts';
import { withEids } from '../../core/tokens/layerZeroMembers.ts';

/** A member of a LayerZero network that is there. */
export interface Member {
  /** uid of the network. */
  id: string;
  name: string;
  eid: number;
  network: NetworkResource;
}

/** The members that are there, with their endpoint ids; `find` knows the networks of the workspace by name. */
export function membersOf(
  layerZero: NetworkResource,
  find: (name: string) => NetworkResource | undefined,
): Member[] {
  const { networks = [] } = layerZero.spec.chain.layerzero ?? {};
  const there = networks.flatMap(({ networkRef: { name }, eid }) => {
    const network = find(name);
    if (!network || network.metadata.deletionTimestamp) return [];
    return [{ id: network.metadata.uid ?? '', name, network, ...(eid === undefined ? {} : { eid }) }];
  });
  return withEids(there);
}
