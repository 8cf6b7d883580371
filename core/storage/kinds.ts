import { featureResources } from '../api/features.ts';
import { labels } from '../api/names.ts';
import type { StoredKind } from '../api/resources/records/storedBytes.ts';
import type { ReplayRole } from '../api/resources/replayResource.ts';
import {
  journalType,
  keyEpochsType,
  networkType,
  outboxType,
  recordingChunkType,
  recordingType,
  replayType,
  secretType,
  snapshotType,
  tokenType,
} from '../api/resources/resources.ts';
import type { KubeObject, ResourceType } from '../kube/kube.ts';
import { configMapType } from '../kube/types.ts';
import { compact } from '../lib/compact.ts';

/** Objects that hold data of tenants, and how users call what they hold. */
export interface CountedObjects {
  type: ResourceType;
  kind: StoredKind;
  /** Whether processes keep all of these objects in memory, as they are. */
  isCached?: boolean;
  /** Only those with this label. */
  labelSelector?: string;
  /** Objects in one page of a list: some are as large as etcd accepts. */
  pageSize: number;
}

const small = 250;
const large = 20;

/**
 * Everything that is counted. Engines and what they need are bounded by the ResourceQuota of the namespace. The UsageRecord is a few
 * kB and not counted: each count is written into it.
 */
export const countedObjects: readonly CountedObjects[] = [
  { type: networkType, kind: 'networks', isCached: true, pageSize: small },
  { type: configMapType, kind: 'networks', labelSelector: labels.network, pageSize: small },
  { type: secretType, kind: 'secrets', isCached: true, pageSize: small },
  { type: tokenType, kind: 'tokens', isCached: true, pageSize: small },
  { type: journalType, kind: 'tokens', pageSize: small },
  { type: recordingType, kind: 'recordings', isCached: true, pageSize: small },
  { type: recordingChunkType, kind: 'recordings', pageSize: large },
  { type: snapshotType, kind: 'snapshots', isCached: true, pageSize: small },
  { type: configMapType, kind: 'snapshots', labelSelector: labels.snapshot, pageSize: large },
  { type: outboxType, kind: 'transactions', pageSize: large },
  { type: replayType, kind: 'replays', pageSize: large },
  { type: keyEpochsType, kind: 'records', pageSize: small },
  ...featureResources.flatMap(({ type, counted }) => (counted ? { type, ...counted } : [])),
];

/** The length of an object in etcd, in bytes: custom resources are stored as JSON, and ConfigMaps are hardly smaller. */
export function storedBytes(object: unknown): number {
  return Buffer.byteLength(JSON.stringify(object) ?? '');
}

/** What kube-apiserver adds to a new object: uid, time, and who manages which fields. */
export const addedBytes = 1024;

/** A name for a kind of object that no other one has. */
function typeKey({ group, kind }: Pick<ResourceType, 'group' | 'kind'>): string {
  return `${group}/${kind}`;
}

/** What objects of this type count as. */
export function countedAs(
  type: Pick<ResourceType, 'group' | 'kind'>,
): Partial<Pick<CountedObjects, 'kind' | 'isCached'>> {
  const { kind, isCached } = countedObjects.find((one) => typeKey(one.type) === typeKey(type)) ?? {};
  return compact({ kind, isCached });
}

/** Data that users ask for, and which is therefore refused at the API server when there is no room. */
const refusedOfUsers: ReadonlySet<string> = new Set(
  [
    networkType,
    secretType,
    tokenType,
    recordingType,
    snapshotType,
    replayType,
    ...featureResources.filter(({ isClosedToUsers }) => isClosedToUsers).map(({ type }) => type),
  ].map(typeKey),
);

/**
 * Whether the API server refuses this object without room for it. Never the progress of a replay, only what is to be replayed. Sender queues are not among them either: a submission is refused before it is signed.
 */
export function isClosedToUsers(type: ResourceType, object: KubeObject): boolean {
  if (!refusedOfUsers.has(typeKey(type))) return false;
  return (
    type.kind !== replayType.kind || object.metadata.labels?.[labels.role] !== ('rows' satisfies ReplayRole)
  );
}

/** Whether the operator refuses this object: what is captured, and what features say. */
export function isClosedToOperator(type: ResourceType, object: KubeObject): boolean {
  if (typeKey(type) === typeKey(recordingChunkType)) return true;
  const resource = featureResources.find((one) => typeKey(one.type) === typeKey(type));
  return resource?.isClosedToOperator?.(object) ?? false;
}
