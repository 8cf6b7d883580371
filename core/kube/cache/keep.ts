import { apiGroup } from '../../api/names.ts';
import { createBoundedMap } from '../../lib/boundedMap.ts';
import { compact } from '../../lib/compact.ts';
import type { KubeObject, OwnerReference, Stored } from '../kube.ts';
import { strip } from '../objects.ts';

/** Enough for the texts that the objects of a cluster have in common, and those that are repeated within one object. */
const maxShared = 1_000;
const shared = createBoundedMap<string, string>(maxShared);

/**
 * The text in a copy that equal texts share: otherwise each label of each parsed object is a string of its own. A text that is
 * forgotten is shared again when it is next seen.
 */
function share(text: string): string {
  const known = shared.get(text);
  if (known !== undefined) return known;
  shared.set(text, text);
  return text;
}

/** A copy of a JSON value that takes as little memory as it can: parsed objects have no room to grow, and strings are shared. */
function packed<T>(value: T): T {
  const parsed: T = JSON.parse(JSON.stringify(value));
  shareIn(parsed);
  return parsed;
}

function shareIn(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (typeof member === 'string') members[name] = share(member);
    else shareIn(member);
  }
}

/** Enough for the networks of a cluster. */
const maxOwners = 20_000;
const owners = createBoundedMap<string, OwnerReference[]>(maxOwners);

/** Objects whose only owner is the same one of Slipway's share the list that names it, and the text of its uid. */
function shareOwner({ metadata }: KubeObject): void {
  const { ownerReferences: list = [], labels = {} } = metadata;
  const [owner] = list;
  if (!owner?.apiVersion.startsWith(`${apiGroup}/`) || list.length > 1) return;
  const known = owners.get(owner.uid) ?? [];
  const isSame = known.some(({ name, kind, apiVersion }) => {
    return name === owner.name && kind === owner.kind && apiVersion === owner.apiVersion;
  });
  const sole = isSame ? known : list;
  const [{ uid } = owner] = sole;
  metadata.ownerReferences = sole;
  owners.set(uid, sole);
  for (const name of Object.keys(labels)) if (labels[name] === uid) labels[name] = uid;
}

/** A whole object, as small as it can be in memory. */
export function keepAll<T extends KubeObject>(object: Stored<T>): Stored<T> {
  return packed(strip(object));
}

/** The identity and the owners of an object, without its content. */
export function keepIdentity<T extends KubeObject>(object: Stored<T>): Stored<T> {
  return keepOf(object, {});
}

/** The identity of an object and `content`, which must have all that is read of the cached object. */
export function keepOf<T extends KubeObject>(object: Stored<T>, content: object): Stored<T> {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp } = metadata;
  const kept = {
    ...compact({ name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp }),
    ...compact({ labels: ownOf(metadata.labels), annotations: ownOf(metadata.annotations) }),
    ...compact({
      ownerReferences: metadata.ownerReferences?.map((owner) => ({
        apiVersion: owner.apiVersion,
        kind: owner.kind,
        name: owner.name,
        uid: owner.uid,
      })),
    }),
  };
  const small = packed({ apiVersion, kind, metadata: kept, ...content }) as unknown as Stored<T>;
  shareOwner(small);
  return small;
}

/** Slipway's own ones: annotations of others are not read. */
function ownOf(texts: Record<string, string> | undefined): Record<string, string> | undefined {
  const own = Object.entries(texts ?? {}).filter(([name]) => name.startsWith(`${apiGroup}/`));
  return own.length === 0 ? undefined : Object.fromEntries(own);
}
