import { isDeepStrictEqual } from 'node:util';
import { featureResources } from '../../core/api/features.ts';
import { idOf } from '../../core/api/ids.ts';
import { annotations } from '../../core/api/names.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { type KeyEpochsResource, keyEpochsName } from '../../core/api/resources/records/keyEpochs.ts';
import { keyEpochsType, networkType } from '../../core/api/resources/resources.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { inParallel } from '../../core/lib/work/inParallel.ts';
import {
  beginningAt,
  raisedKeyEpochs,
  raisedKeys,
  rotatedAccessKeys,
} from '../../core/networks/accessEpochs.ts';
import { firstKeyEpochOf } from '../../core/networks/firstKeyEpoch.ts';
import { type AnyObject, isNetwork, placeOf, typeOf } from './objects.ts';

/** By kind, what counts up: a restore writes no lower numbers over those that are there, or revoked keys would return. */
const kinds = new Map([
  [keyEpochsType.kind, { of: networkType.kind, raised: raisedKeyEpochs }],
  ...featureResources.flatMap(({ type, countsUp }) => (countsUp ? [[type.kind, countsUp] as const] : [])),
]);

/** Objects that are read at the same time. */
const atATime = 8;

type Objects = ReadonlyMap<string, Stored<AnyObject>>;

/** The objects of a backup, counting on from those that are there: no key that was rotated or revoked since opens anything again. */
export async function countOn(
  kube: Kube,
  formers: readonly Stored<AnyObject>[],
  there: readonly Stored<AnyObject>[],
): Promise<Stored<AnyObject>[]> {
  const lives = byPlace(there);
  const counting = there.filter((one) => kinds.has(one.kind) || isNetwork(one));
  await inParallel(counting, atATime, async (one) => {
    const whole = await kube.get(typeOf(one), one.metadata);
    if (whole) lives.set(placeOf(one), whole);
  });
  const before = byPlace(formers);
  return formers.map((former) => {
    if (former.kind === namespaceType.kind) return withFirstEpoch(former, lives);
    return isNetwork(former) ? withKeys(former, before, lives) : withCounts(former, lives);
  });
}

const byPlace = (objects: readonly Stored<AnyObject>[]) => new Map(objects.map((one) => [placeOf(one), one]));

/** The epoch with which the keys of a namespace begin that is there. */
function firstIn(lives: Objects, name: string | undefined): number {
  const live = lives.get(placeOf({ kind: namespaceType.kind, metadata: { name: name ?? '' } }));
  return live ? firstKeyEpochOf(live) : 0;
}

/** A namespace that was created again since keeps the epoch with which its keys begin. */
function withFirstEpoch(former: Stored<AnyObject>, lives: Objects): Stored<AnyObject> {
  const { metadata } = former;
  const epoch = firstIn(lives, metadata.name);
  if (epoch <= firstKeyEpochOf(former)) return former;
  const notes = { ...metadata.annotations, [annotations.firstKeyEpoch]: String(epoch) };
  return { ...former, metadata: { ...metadata, annotations: notes } };
}

function withCounts(former: Stored<AnyObject>, lives: Objects): Stored<AnyObject> {
  const { kind, metadata, spec } = former;
  const rule = kinds.get(kind);
  if (!rule || !spec) return former;
  const uidOf = (name: string) =>
    lives.get(placeOf({ kind: rule.of, metadata: { ...metadata, name } }))?.metadata.uid;
  const first = firstIn(lives, metadata.namespace);
  return { ...former, spec: rule.raised(spec, lives.get(placeOf(former))?.spec, { first, uidOf }) };
}

/** A network has at least the keys that it has reached, or with which it would begin if it were created there. */
function withKeys(
  former: Stored<AnyObject & NetworkResource>,
  before: Objects,
  lives: Objects,
): Stored<AnyObject> {
  const { metadata, status } = former;
  if (!status?.accessKeys) return former;
  const record = placeOf({ kind: keyEpochsType.kind, metadata: { ...metadata, name: keyEpochsName } });
  const [was, is] = [before, lives].map((all) => (all.get(record) as KeyEpochsResource | undefined)?.spec);
  // Nothing was summed up since in a record that is still that of the backup.
  const floor = isDeepStrictEqual(was, is) ? 0 : (is?.floor ?? 0);
  const live = lives.get(placeOf(former)) as NetworkResource | undefined;
  const least = beginningAt(Math.max(floor, firstIn(lives, metadata.namespace)));
  const kept = is?.networks[idOf(former)] ?? live?.status?.accessKeys ?? least;
  const accessKeys = raisedKeys(status.accessKeys, live ? rotatedAccessKeys(live, kept) : kept);
  return { ...former, status: { ...status, accessKeys } };
}
