import { compact } from '../../lib/compact.ts';
import type { ObjectMeta } from '../common.ts';
import { labels } from '../names.ts';
import type { KubeObject, Stored } from '../resources/kubeObject.ts';
import { readLabel, userLabelsIn } from '../userLabels.ts';

/** Id of the user that an object belongs to; undefined if that is the whole workspace, as with kubectl. */
export function ownerOf({ metadata }: Stored<KubeObject>): string | undefined {
  return metadata.labels?.[labels.owner];
}

/** The revision of REST is the generation: it increases with changes of the spec, not of the status. */
export function revOf({ metadata }: Stored<KubeObject>): number {
  return metadata.generation ?? 0;
}

interface MetaView {
  workspaceId: string;
  /** RFC 3339; that of its creation by default. */
  updatedAt?: string | undefined;
}

/** The metadata of an object in REST. */
export function toObjectMeta(resource: Stored<KubeObject>, { workspaceId, updatedAt }: MetaView): ObjectMeta {
  const { name, creationTimestamp } = resource.metadata;
  return {
    name,
    rev: revOf(resource),
    createdAt: creationTimestamp,
    updatedAt: updatedAt ?? creationTimestamp,
    ...compact({ ownerID: ownerOf(resource) }),
    workspace: workspaceId,
    ...userLabelsIn(resource),
  };
}

/** A selectable field of the metadata as text. */
export function readMetaField(resource: Stored<KubeObject>, field: string): string | undefined {
  if (field === 'metadata.name') return resource.metadata.name;
  return field === 'metadata.ownerID' ? ownerOf(resource) : readLabel(resource, field);
}
