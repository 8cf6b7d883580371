import { featureResources } from '../../core/api/features.ts';
import { annotations } from '../../core/api/names.ts';
import { type KeyEpochsSpec, keyEpochsName } from '../../core/api/resources/records/keyEpochs.ts';
import { keyEpochsType, networkType } from '../../core/api/resources/resources.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { namespaceType } from '../../core/kube/types.ts';
import { raisedKeyEpochs } from '../../core/networks/accessEpochs.ts';
import { firstKeyEpochOf } from '../../core/networks/firstKeyEpoch.ts';
import { type AnyObject, placeOf, typeOf } from './objects.ts';

/** By kind, what counts up: a restore writes no lower numbers over those that are there, or revoked keys would return. */
const kinds = new Map([
  [keyEpochsType.kind, { of: networkType.kind, raised: raisedKeyEpochs }],
  ...featureResources.flatMap(({ type, countsUp }) => (countsUp ? [[type.kind, countsUp] as const] : [])),
]);

/** The objects of a backup, counting on from those that are there, and the rotated keys of the networks in a namespace. */
export async function countOn(
  kube: Kube,
  formers: readonly Stored<AnyObject>[],
  there: readonly Stored<AnyObject>[],
) {
  const lives = new Map(there.map((one) => [placeOf(one), one]));
  const specs = new Map<string, object | undefined>();
  for (const one of there.filter(({ kind }) => kinds.has(kind))) {
    specs.set(placeOf(one), (await kube.get(typeOf(one), one.metadata))?.spec);
  }
  const objects = formers.map((former) => {
    const { kind, metadata, spec } = former;
    if (kind === namespaceType.kind) return withFirstEpoch(former, lives.get(placeOf(former)));
    const [rule, live] = [kinds.get(kind), specs.get(placeOf(former))];
    if (!rule || !spec || !live) return former;
    const uidOf = (name: string) =>
      lives.get(placeOf({ kind: rule.of, metadata: { ...metadata, name } }))?.metadata.uid;
    return { ...former, spec: rule.raised(spec, live, uidOf) };
  });
  for (const { spec, ...one } of objects) if (kinds.has(one.kind)) specs.set(placeOf(one), spec);
  const keysIn = (namespace: string) => {
    const metadata = { namespace, name: keyEpochsName };
    const spec = specs.get(placeOf({ kind: keyEpochsType.kind, metadata }));
    return (spec as KeyEpochsSpec | undefined)?.networks ?? {};
  };
  return { objects, keysIn };
}

/** A namespace that was created again since keeps the epoch with which its keys begin. */
function withFirstEpoch(former: Stored<AnyObject>, live: Stored<AnyObject> | undefined): Stored<AnyObject> {
  const { metadata } = former;
  const epoch = live ? firstKeyEpochOf(live) : 0;
  if (epoch <= firstKeyEpochOf(former)) return former;
  const notes = { ...metadata.annotations, [annotations.firstKeyEpoch]: String(epoch) };
  return { ...former, metadata: { ...metadata, annotations: notes } };
}
