import { labels } from '../../../core/api/names.ts';
import { ownerReferenceTo } from '../../../core/api/resources/kubeObject.ts';
import type { RecordingChunkResource } from '../../../core/api/resources/recordingChunk.ts';
import { recordingChunkType, recordingType } from '../../../core/api/resources/resources.ts';
import { createOrFind } from '../../../core/kube/createOrFind.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { ownedBy } from '../../../core/kube/ownedBy.ts';
import { retryOnConflict } from '../../../core/kube/retryOnConflict.ts';
import { compact } from '../../../core/lib/compact.ts';
import { hashOf } from '../../../core/lib/hash.ts';
import { readShared, sharedChunkNameOf } from '../../../core/recordings/chunks.ts';
import type { BlockRef } from '../blocks.ts';
import { type ChunkKube, type ChunkList, createChunkObjects, renderChunk } from './objects.ts';

/** A text that several recordings of a wallet have captured. */
interface SharedText {
  lines: readonly string[];
  /** The lines as they are stored. */
  data: string;
  upTo: BlockRef;
}

/**
 * Texts that recordings share, named by their content and never changed. Each is a list of chunks: the first is empty and owned
 * by all recordings that use the text, and owns the others, so that they are deleted with the last recording.
 */
export interface SharedTexts {
  /** Stores the text for the recording, or finds it, and returns its name. */
  keep(text: SharedText): Promise<string>;
  read(name: string): Promise<string[]>;
  /** The recording does not use the text any more. */
  release(name: string): Promise<void>;
}

type Head = Stored<RecordingChunkResource>;

/** An object in etcd has no room for more owners; further recordings store another copy. */
const maxOwners = 500;
/** In hex: 128 bits, so that no two texts of a workspace collide. A name has at most 63 characters. */
const hashLength = 32;
/** Each recording that takes the text at the same time costs one more attempt. */
const maxAttempts = 32;

/** The owner of the texts. */
interface Taker {
  kube: ChunkKube;
  /** The chunks of the recording on one network. */
  own: ChunkList;
}

/** Those of one network of the recording that owns `own`. */
export function createSharedTexts(kube: ChunkKube, own: ChunkList): SharedTexts {
  const taker = { kube, own };
  return {
    async keep(text) {
      const hash = hashOf([own.of.network, text.lines]).slice(0, hashLength);
      for (let copy = 0; ; copy++) {
        const name = `shared-${hash}-${copy}`;
        if (await retryOnConflict({ attempts: maxAttempts }, () => join(taker, name, text))) return name;
      }
    },
    read: (name) => readShared(async (index) => (await find(taker, name, index))?.spec),
    release: (name) => retryOnConflict({ attempts: maxAttempts }, () => leave(taker, name)),
  };
}

/** Whether the recording is now one of the owners; then the text is complete. */
async function join(taker: Taker, name: string, { lines, data, upTo }: SharedText): Promise<boolean> {
  const { kube, own } = taker;
  const { object: head } = await createOrFind(kube, recordingChunkType, headOf(taker, name, upTo));
  const isOurs = ownedBy(own.owner)(head);
  const isWhole = head.spec.total > 0;
  if (isOurs && isWhole) return true;
  if (!isOurs && !(await isOpen(kube, head))) return false;
  const list = { ...listOf(taker, name), owner: head };
  const content = { first: 1, data, upTo, total: lines.length };
  if (!isWhole) await createChunkObjects(kube, list).write(content, []);
  const owners = [...ownersOf(head, own.owner.metadata.uid), ownerReferenceTo(own.owner)];
  const spec = { ...head.spec, total: lines.length };
  await kube.replace(recordingChunkType, { ...withOwners(head, owners), spec });
  return true;
}

async function leave(taker: Taker, name: string): Promise<void> {
  const { kube, own } = taker;
  const head = await find(taker, name, 0);
  if (!head || !ownedBy(own.owner)(head)) return;
  const owners = ownersOf(head, own.owner.metadata.uid);
  const { uid, resourceVersion } = head.metadata;
  const options = { uid, resourceVersion, propagationPolicy: 'Background' } as const;
  if (owners.length === 0) await kube.delete(recordingChunkType, head.metadata, options);
  else await kube.replace(recordingChunkType, withOwners(head, owners));
}

function find({ kube, own }: Taker, name: string, index: number) {
  const { namespace } = own.owner.metadata;
  return kube.get(recordingChunkType, { namespace, name: sharedChunkNameOf(name, index) });
}

function listOf({ own }: Taker, name: string): Omit<ChunkList, 'owner'> {
  const { network, networkID } = own.of;
  const given = compact({ [labels.workspace]: own.labels[labels.workspace] });
  return { labels: given, of: { network, networkID }, nameOf: (index) => sharedChunkNameOf(name, index) };
}

/** The first chunk of a text that is not stored yet. */
function headOf(taker: Taker, name: string, upTo: BlockRef): RecordingChunkResource {
  const { owner } = taker.own;
  const empty = { index: 0, data: '', continues: true, total: 0, upTo };
  const chunk = renderChunk({ ...listOf(taker, name), owner }, empty);
  return { ...chunk, metadata: { ...chunk.metadata, ownerReferences: [ownerReferenceTo(owner)] } };
}

const ownersOf = ({ metadata }: Head, besides: string) =>
  (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== besides);

function withOwners(head: Head, ownerReferences: ReturnType<typeof ownersOf>): Head {
  return { ...head, metadata: { ...head.metadata, ownerReferences } };
}

/** Not full, and one of its owners exists: Kubernetes may be deleting what has none left. */
async function isOpen(kube: ChunkKube, { metadata: { namespace, ownerReferences = [] } }: Head) {
  if (ownerReferences.length >= maxOwners) return false;
  for (const { name, uid } of ownerReferences) {
    const owner = await kube.get(recordingType, { namespace, name });
    if (owner?.metadata.uid === uid && !owner.metadata.deletionTimestamp) return true;
  }
  return false;
}
