import { annotations } from '../../core/api/names.ts';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { AnyObject } from './kinds.ts';

/** The members with the uid of another object: an owner, a membership, and the Workspace of a namespace. */
const members = ['uid', 'membership', annotations.workspaceUid];

/** The value with other uids in these members, at every depth. */
export function withUids<T>(value: T, change: (uid: string) => string): T {
  return JSON.parse(JSON.stringify(value), (member, own) =>
    members.includes(member) && typeof own === 'string' ? change(own) : own,
  );
}

/** The uids of other objects in these members. */
export function uidsIn(value: object): string[] {
  const found: string[] = [];
  withUids(value, (uid) => {
    found.push(uid);
    return uid;
  });
  return found;
}

interface Waves {
  /** Each wave links only to those before it. */
  waves: Stored<AnyObject>[][];
  /** What was being deleted, and what Kubernetes would delete because its owners are gone. */
  left: Stored<AnyObject>[];
}

/** The order in which objects can be written. A status may link to any object: it is written when all are there. */
export function wavesOf(objects: readonly Stored<AnyObject>[]): Waves {
  const links = new Map(objects.map((one) => [one, uidsIn([one.metadata.ownerReferences, one.spec])]));
  const placed = new Set<string>();
  const waves: Stored<AnyObject>[][] = [];
  const hasOwner = ({ metadata: { ownerReferences = [] } }: AnyObject) =>
    ownerReferences.length === 0 || ownerReferences.some(({ uid }) => placed.has(uid));
  let open = objects.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  for (;;) {
    const waiting = new Set(open.map(({ metadata }) => metadata.uid));
    const owned = open.filter(hasOwner);
    const free = owned.filter((one) => !links.get(one)?.some((uid) => waiting.has(uid)));
    // An object with a second owner that is gone waits for nothing else.
    const wave = free.length > 0 ? free : owned;
    if (wave.length === 0) break;
    for (const { metadata } of wave) placed.add(metadata.uid);
    waves.push(wave);
    open = open.filter(({ metadata }) => !placed.has(metadata.uid));
  }
  return { waves, left: objects.filter(({ metadata }) => !placed.has(metadata.uid)) };
}
