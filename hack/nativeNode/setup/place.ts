import { CGROUP, NODE_ADDRESS, NODE_NAME } from './layout.ts';

/** Where a node is: what differs between the first node, which has the control plane, and those that are added. */
export interface NodePlace {
  /** 1 for the first node. */
  number: number;
  name: string;
  address: string;
  /** The addresses of its pods. */
  podRange: string;
  /** The parent of its pods' cgroups, below the mount point of each hierarchy. */
  cgroup: string;
}

/** The interfaces on the first node that lead to the others begin with this. */
export const LINK_PREFIX = 'slipway-n';

/** A quarter of the pods' range for each node. A small range would give an address to the next pod too soon. */
const MAX_NODES = 4;
const RANGE_SIZE = 256 / MAX_NODES;

export const firstNode: NodePlace = {
  number: 1,
  name: NODE_NAME,
  address: NODE_ADDRESS,
  podRange: podRangeOf(1),
  cgroup: CGROUP,
};

/** All nodes that can be added: `slipway-2` at 10.201.0.2, and so on. */
export const workerPlaces: readonly NodePlace[] = Array.from({ length: MAX_NODES - 1 }, (_unused, index) => {
  const number = index + 2;
  const name = `${NODE_NAME}-${number}`;
  const address = NODE_ADDRESS.replace(/1$/, String(number));
  // Below the first node's, so that whatever removes that one removes this one as well.
  return { number, name, address, podRange: podRangeOf(number), cgroup: `${CGROUP}/${name}` };
});

function podRangeOf(number: number): string {
  return `10.244.${(number - 1) * RANGE_SIZE}.0/18`;
}
