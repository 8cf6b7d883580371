import { ownerReferenceTo } from '../../../core/api/resources/kubeObject.ts';
import type { RecordingChunkResource } from '../../../core/api/resources/recordingChunk.ts';
import { recordingChunkType, recordingType } from '../../../core/api/resources/resources.ts';
import { createOrFind } from '../../../core/kube/createOrFind.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { ownedBy } from '../../../core/kube/ownedBy.ts';
import { isAppError } from '../../../core/lib/errors.ts';
import { hashOf } from '../../../core/lib/hash.ts';
import { readShared, sharedChunkNameOf } from '../../../core/recordings/chunks.ts';
import type { BlockRef } from '../blocks.ts';
import { type ChunkKube, type ChunkList, createChunkObjects, renderChunk } from './objects.ts';

/** A text that recordings of a wallet captured alike. */
interface SharedText {
  lines: readonly string[];
  /** The lines as they are stored. */
  data: string;
  upTo: BlockRef;
}

/**
 * Texts that recordings store together, by what is in them; nothing in them ever changes. Each is a list of chunks, of which
 * the first is empty and owned by all recordings that use it, and the others by the first: so they are deleted with the last one.
 */
export interface SharedTexts {
  /** Stores the text, or finds it, for the recording, and answers with its name. */
  keep(text: SharedText): Promise<string>;
  read(name: string): Promise<string[]>;
  /** The recording does not use the text any more. */
  release(name: string): Promise<void>;
}

type Head = Stored<RecordingChunkResource>;

/** An object of etcd has room for no more owners; further ones store another copy. */
const maxOwners = 500;
/** In hex: 128 bits, with which no two texts of a workspace meet. A name has at most 63 characters. */
const hashLength = 32;
/** Each recording that takes the text at the same time costs one more attempt. */
const maxAttempts = 32;

/** Those of one network of the recording that owns `own`. */
export function createSharedTexts(kube: ChunkKube, own: ChunkList): SharedTexts {
  const { owner: recording, labels, of } = own;
  const { namespace } = recording.metadata;
  const { network, networkID } = of;
  const isOurs = ownedBy(recording);
  const listOf = (name: string): Omit<ChunkList, 'owner'> => ({
    labels,
    of: { network, networkID },
    nameOf: (index) => sharedChunkNameOf(name, index),
  });
  const find = (name: string, index: number) =>
    kube.get(recordingChunkType, { namespace, name: sharedChunkNameOf(name, index) });

  function headOf(name: string, upTo: BlockRef): RecordingChunkResource {
    const empty = { index: 0, data: '', continues: true, total: 0, upTo };
    const chunk = renderChunk({ ...listOf(name), owner: recording }, empty);
    return { ...chunk, metadata: { ...chunk.metadata, ownerReferences: [ownerReferenceTo(recording)] } };
  }

  /** Whether the recording is one of the owners now; the text is whole then. */
  async function join(name: string, { lines, data, upTo }: SharedText): Promise<boolean> {
    const { object: head } = await createOrFind(kube, recordingChunkType, headOf(name, upTo));
    const isWhole = head.spec.total > 0;
    if (isOurs(head) && isWhole) return true;
    if (!isOurs(head) && !(await isOpen(kube, head))) return false;
    const content = { first: 1, data, upTo, total: lines.length };
    if (!isWhole) await createChunkObjects(kube, { ...listOf(name), owner: head }).write(content, []);
    await kube.replace(recordingChunkType, {
      ...withOwners(head, [...ownersOf(head, recording.metadata.uid), ownerReferenceTo(recording)]),
      spec: { ...head.spec, total: lines.length },
    });
    return true;
  }

  return {
    async keep(text) {
      const address = `shared-${hashOf([network, text.lines]).slice(0, hashLength)}`;
      for (let copy = 0; ; copy++) {
        const name = `${address}-${copy}`;
        if (await retrying(() => join(name, text))) return name;
      }
    },
    read: (name) => readShared(async (index) => (await find(name, index))?.spec),
    release: (name) =>
      retrying(async () => {
        const head = await find(name, 0);
        if (!head || !isOurs(head)) return;
        const owners = ownersOf(head, recording.metadata.uid);
        const { uid, resourceVersion } = head.metadata;
        const options = { uid, resourceVersion, propagationPolicy: 'Background' } as const;
        if (owners.length === 0) await kube.delete(recordingChunkType, head.metadata, options);
        else await kube.replace(recordingChunkType, withOwners(head, owners));
      }),
  };
}

const ownersOf = ({ metadata }: Head, besides: string) =>
  (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== besides);

function withOwners(head: Head, ownerReferences: ReturnType<typeof ownersOf>): Head {
  return { ...head, metadata: { ...head.metadata, ownerReferences } };
}

/** Not full, and one of its owners is there: Kubernetes may be deleting what lacks all of them. */
async function isOpen(kube: ChunkKube, { metadata: { namespace, ownerReferences = [] } }: Head) {
  if (ownerReferences.length >= maxOwners) return false;
  for (const { name, uid } of ownerReferences) {
    const owner = await kube.get(recordingType, { namespace, name });
    if (owner?.metadata.uid === uid && !owner.metadata.deletionTimestamp) return true;
  }
  return false;
}

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isAppError(error, 'Conflict') || attempt === maxAttempts) throw error;
    }
  }
}
