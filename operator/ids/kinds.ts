import { featureResources } from '../../core/api/features.ts';
import type { NamespacedObject, ResourceType } from '../../core/api/resources/kubeObject.ts';
import {
  networkType,
  recordingType,
  secretType,
  snapshotType,
  tokenType,
} from '../../core/api/resources/resources.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';

const ofFeatures = featureResources.filter(({ hasId }) => hasId).map(({ type }) => type);

/** The kinds whose objects have ids over REST that a restore keeps, by their plurals. Those of accounts are their names. */
export const types: ReadonlyMap<string, ResourceType> = new Map(
  [networkType, secretType, tokenType, recordingType, snapshotType, ...ofFeatures].map((type) => [
    type.plural,
    type,
  ]),
);

export type IdCache = Pick<Reflector<NamespacedObject>, 'get' | 'list' | 'byIndex' | 'onChange' | 'observe'>;

/** By the plurals of their kinds. */
export type IdCaches = Readonly<Record<string, IdCache>>;
