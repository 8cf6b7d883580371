import { isDeepStrictEqual } from 'node:util';
import { apiVersion } from '../../../core/api/names.ts';
import { controllerReferenceTo, type NamespacedObject } from '../../../core/api/resources/kubeObject.ts';
import {
  maxChunkData,
  type RecordingChunkResource,
  type RecordingChunkSpec,
} from '../../../core/api/resources/recordingChunk.ts';
import { recordingChunkType } from '../../../core/api/resources/resources.ts';
import { createOrFind } from '../../../core/kube/createOrFind.ts';
import type { Kube, Stored } from '../../../core/kube/kube.ts';
import { ownedBy } from '../../../core/kube/ownedBy.ts';
import { compact } from '../../../core/lib/compact.ts';
import type { BlockRef } from '../blocks.ts';

export type ChunkKube = Pick<Kube, 'get' | 'create' | 'replace' | 'delete'>;

/** A list of chunks: what they belong to, and what they have in common. */
export interface ChunkList {
  owner: Stored<NamespacedObject>;
  labels: Record<string, string>;
  of: Pick<RecordingChunkSpec, 'recording' | 'network' | 'networkID'>;
  nameOf(index: number): string;
}

/** The desired content of consecutive chunks. */
interface ChunkContent {
  /** Index of the first of them. */
  first: number;
  data: string;
  /** Where the data is, if it is shared. */
  source?: string | undefined;
  upTo: BlockRef;
  total: number;
}

/** The chunks of a list, by index. The index determines the name, so a repeated write makes no second chunk. */
export interface ChunkObjects {
  get(index: number): Promise<Stored<RecordingChunkResource> | undefined>;
  /** Writes the content to as many chunks as it takes; `before` are the chunks that it replaces. */
  write(
    content: ChunkContent,
    before: readonly Stored<RecordingChunkResource>[],
  ): Promise<Stored<RecordingChunkResource>[]>;
  /** Deletes the last chunk first, so that a partial deletion never looks complete. */
  remove(chunks: readonly RecordingChunkResource[]): Promise<void>;
}

export function createChunkObjects(kube: ChunkKube, list: ChunkList): ChunkObjects {
  const isOwn = ownedBy(list.owner);

  async function put(chunk: RecordingChunkResource): Promise<Stored<RecordingChunkResource>> {
    if (chunk.metadata.resourceVersion) return kube.replace(recordingChunkType, chunk);
    const { object, isNew } = await createOrFind(kube, recordingChunkType, chunk);
    if (isNew || (isOwn(object) && isDeepStrictEqual(object.spec, chunk.spec))) return object;
    const { resourceVersion } = object.metadata;
    return kube.replace(recordingChunkType, { ...chunk, metadata: { ...chunk.metadata, resourceVersion } });
  }

  async function remove(chunks: readonly RecordingChunkResource[]): Promise<void> {
    for (const { metadata } of chunks.toReversed()) await kube.delete(recordingChunkType, metadata);
  }

  return {
    async get(index) {
      const chunk = await kube.get(recordingChunkType, refOf(list, index));
      // A former recording with the same id may have left chunks that are not collected yet.
      return chunk && isOwn(chunk) ? chunk : undefined;
    },
    remove,
    async write(content, before) {
      const pieces = piecesOf(content.data);
      const isInPlace = pieces.length === 1 && before.length <= 1;
      // A text in several parts never mixes an old part with a new one.
      if (!isInPlace) await remove(before);
      const [present] = isInPlace ? before : [];
      const written: Stored<RecordingChunkResource>[] = [];
      for (const [at, data] of pieces.entries()) {
        const index = content.first + at;
        const chunk = renderChunk(list, { ...content, data, index, continues: at < pieces.length - 1 });
        const { resourceVersion } = present?.metadata ?? {};
        const metadata = { ...chunk.metadata, ...compact({ resourceVersion }) };
        written.push(await put({ ...chunk, metadata }));
      }
      return written;
    },
  };
}

function piecesOf(data: string): string[] {
  const count = Math.max(1, Math.ceil(data.length / maxChunkData));
  return Array.from({ length: count }, (_, at) => data.slice(at * maxChunkData, (at + 1) * maxChunkData));
}

interface Piece extends ChunkContent {
  index: number;
  continues: boolean;
}

function refOf({ owner, nameOf }: ChunkList, index: number) {
  return { namespace: owner.metadata.namespace, name: nameOf(index) };
}

/** A chunk as it is written; its list is its only owner. */
export function renderChunk(
  list: ChunkList,
  { index, upTo, total, continues, source, data }: Omit<Piece, 'first'>,
): RecordingChunkResource {
  const { owner, labels, of } = list;
  return {
    apiVersion,
    kind: 'RecordingChunk',
    metadata: { ...refOf(list, index), labels, ownerReferences: [controllerReferenceTo(owner)] },
    spec: {
      ...of,
      index,
      lastBlock: upTo.number,
      lastHash: upTo.hash,
      total,
      ...compact({ continues: continues || undefined, source }),
      data,
    },
  };
}
