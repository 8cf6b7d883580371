import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';

/** Those of the native node. Names of families are part of what a build in the cache is found by, so they stay when a folder moves. */
const ofNativeNode = ['node', 'ingress', 'runc'];

/** The folder of a family's sources. */
export function familyFolder(family: string): string {
  if (family.startsWith('engines/')) return join(projectRoot, family);
  const isOfNativeNode = ofNativeNode.includes(family);
  return join(projectRoot, isOfNativeNode ? 'hack/nativeNode/programs' : 'hack/tools', family);
}
