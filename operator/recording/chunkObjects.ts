import { idOf } from '../../core/api/ids.ts';
import { apiVersion, labels } from '../../core/api/names.ts';
import { controllerReferenceTo } from '../../core/api/resources/kubeObject.ts';
import { maxChunkData, type RecordingChunkResource } from '../../core/api/resources/recordingChunk.ts';
import type { RecordingResource } from '../../core/api/resources/recordingResource.ts';
import { recordingChunkType } from '../../core/api/resources/resources.ts';
import { createOrFind } from '../../core/kube/createOrFind.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { ownedBy } from '../../core/kube/ownedBy.ts';
import { compact } from '../../core/lib/compact.ts';
import { chunkNameOf } from '../../core/recordings/chunks.ts';
import type { BlockRef } from './blocks.ts';

export type ChunkKube = Pick<Kube, 'get' | 'create' | 'replace' | 'delete'>;

/** Whose chunks they are. */
export interface ChunkPlace {
  recording: Stored<RecordingResource>;
  network: string;
  networkID: string;
}

/** The desired content of consecutive chunks. */
interface ChunkContent {
  /** Index of the first of them. */
  first: number;
  data: string;
  upTo: BlockRef;
  total: number;
}

/** The chunks of one network of one recording, by index. The index determines the name, so a repeated write makes no second chunk. */
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

export function createChunkObjects(kube: ChunkKube, place: ChunkPlace): ChunkObjects {
  async function put(chunk: RecordingChunkResource): Promise<Stored<RecordingChunkResource>> {
    if (chunk.metadata.resourceVersion) return kube.replace(recordingChunkType, chunk);
    const { object, isNew } = await createOrFind(kube, recordingChunkType, chunk);
    if (isNew) return object;
    const { resourceVersion } = object.metadata;
    return kube.replace(recordingChunkType, { ...chunk, metadata: { ...chunk.metadata, resourceVersion } });
  }

  async function remove(chunks: readonly RecordingChunkResource[]): Promise<void> {
    for (const { metadata } of chunks.toReversed()) await kube.delete(recordingChunkType, metadata);
  }

  return {
    async get(index) {
      const chunk = await kube.get(recordingChunkType, refOf(place, index));
      // One with the same id may have left some that are not collected yet.
      return chunk && ownedBy(place.recording)(chunk) ? chunk : undefined;
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
        const chunk = renderChunk(place, { ...content, data, index, continues: at < pieces.length - 1 });
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

function refOf({ recording, network }: ChunkPlace, index: number) {
  const { namespace } = recording.metadata;
  return { namespace, name: chunkNameOf(idOf(recording), network, index) };
}

function renderChunk(
  place: ChunkPlace,
  { index, upTo, total, continues, data }: Piece,
): RecordingChunkResource {
  const { recording, network, networkID } = place;
  const { name } = recording.metadata;
  const workspace = recording.metadata.labels?.[labels.workspace];
  return {
    apiVersion,
    kind: 'RecordingChunk',
    metadata: {
      ...refOf(place, index),
      labels: compact({ [labels.recording]: idOf(recording), [labels.workspace]: workspace }),
      ownerReferences: [controllerReferenceTo(recording)],
    },
    spec: {
      recording: name,
      network,
      networkID,
      index,
      lastBlock: upTo.number,
      lastHash: upTo.hash,
      total,
      ...compact({ continues: continues || undefined }),
      data,
    },
  };
}
