import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { AnyObject } from './kinds.ts';
import { uidsIn } from './renames.ts';

/** Without what was being deleted, and without what Kubernetes would delete because its owner is gone. */
export function livingOf(objects: readonly Stored<AnyObject>[]): Stored<AnyObject>[] {
  let living = objects.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  for (;;) {
    const uids = new Set(living.map(({ metadata }) => metadata.uid));
    const kept = living.filter((object) => {
      const owners = ownersOf(object);
      return owners.length === 0 || owners.some((uid) => uids.has(uid));
    });
    if (kept.length === living.length) return living;
    living = kept;
  }
}

/**
 * The objects in waves: each names by uid only what is in earlier waves or not among `objects`, so that all uids that it
 * names are known when it is created. A status may name any object: it is written last.
 */
export function wavesOf(objects: readonly Stored<AnyObject>[]): Stored<AnyObject>[][] {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  const named = new Map(objects.map((object) => [object.metadata.uid, namesOf(object, uids)]));
  const placed = new Set<string>();
  const waves: Stored<AnyObject>[][] = [];
  let rest = [...objects];
  while (rest.length > 0) {
    const isFree = ({ metadata }: Stored<AnyObject>) =>
      (named.get(metadata.uid) ?? []).every((uid) => placed.has(uid));
    const free = rest.filter(isFree);
    // Objects whose texts name each other: their owners alone decide, or nothing where those do so too.
    const byOwners = (object: AnyObject) =>
      ownersOf(object).every((uid) => placed.has(uid) || !uids.has(uid));
    const wave = [free, rest.filter(byOwners), rest].find(({ length }) => length > 0) ?? rest;
    for (const { metadata } of wave) placed.add(metadata.uid);
    waves.push(wave);
    rest = rest.filter(({ metadata }) => !placed.has(metadata.uid));
  }
  return waves;
}

const ownersOf = ({ metadata }: AnyObject) => (metadata.ownerReferences ?? []).map(({ uid }) => uid);

function namesOf(object: Stored<AnyObject>, uids: ReadonlySet<string>): string[] {
  const { status: _, metadata, ...rest } = object;
  const { uid: own, ...others } = metadata;
  return [...new Set(uidsIn([rest, others]))].filter((uid) => uid !== own && uids.has(uid));
}
