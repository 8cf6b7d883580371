import { join } from 'node:path';
import { layout } from '../setup/layout.ts';
import { LINK_PREFIX, type NodePlace } from '../setup/place.ts';

/** The folder of an added node. The node itself sees it at the place of `layout.root`. */
export function workerFolder({ name }: NodePlace): string {
  return join(layout.nodes, name);
}

/** Where a path of the node's own is seen from outside: `layout.bin` of an added node, for example. */
export function outside(place: NodePlace, path: string): string {
  return join(workerFolder(place), path.slice(layout.root.length));
}

/** The interface on the first node that leads to an added one. */
export function linkOf({ number }: NodePlace): string {
  return `${LINK_PREFIX}${number}`;
}
