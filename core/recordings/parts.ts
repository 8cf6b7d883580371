import { idOf } from '../api/ids.ts';
import type { RecordingChunkSpec } from '../api/resources/recordingChunk.ts';
import type { RecordedProgress, RecordingResource } from '../api/resources/recordingResource.ts';
import { recordingChunkType } from '../api/resources/resources.ts';
import type { RecordedTransaction } from '../api/rest/replay.ts';
import { stateOf } from '../api/views/recordingView.ts';
import type { Kube, Stored } from '../kube/kube.ts';
import { ownedBy } from '../kube/ownedBy.ts';
import { chunkNameOf, type GetChunk, readChunks, sharedChunkNameOf } from './chunks.ts';
import { parseLine } from './recordedLines.ts';

/** A line takes a tenth of the memory of the transaction parsed from it. */
const parsedAtATime = 250;

/** What was recorded on one network up to now. */
export interface RecordedPart {
  /** Id of the network. */
  id: string;
  chainId: string;
  firstBlock: number;
  lastBlock: number;
  /**
   * The transactions in block order, some at a time. Can be called again. Throws Unavailable when the recording is
   * changed meanwhile.
   */
  read(): AsyncIterable<RecordedTransaction[]>;
}

/**
 * What a recording has captured up to now, by network id in ascending order; the transactions are read only when they
 * are asked for. Networks whose recording has not begun are omitted.
 */
export async function openParts(
  kube: Pick<Kube, 'get'>,
  recording: Stored<RecordingResource>,
): Promise<RecordedPart[]> {
  const begun = (recording.status?.networks ?? []).filter(({ firstBlock }) => firstBlock !== undefined);
  const parts: RecordedPart[] = [];
  for (const progress of begun) parts.push(await openPart(kube, recording, progress));
  return parts.sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function openPart(
  kube: Pick<Kube, 'get'>,
  recording: Stored<RecordingResource>,
  progress: RecordedProgress,
): Promise<RecordedPart> {
  const { namespace } = recording.metadata;
  const { network, networkID = network, chainID = '', firstBlock = 0, chunks = 0 } = progress;
  const named = (name: string) => kube.get(recordingChunkType, { namespace, name });
  const get: GetChunk = async (index) => {
    const chunk = await named(chunkNameOf(idOf(recording), network, index));
    return chunk && ownedBy(recording)(chunk) ? chunk.spec : undefined;
  };
  const getShared = async (source: string, index: number) =>
    (await named(sharedChunkNameOf(source, index)))?.spec;
  const isOpen = stateOf(recording) === 'recording';
  const { end, last } = isOpen ? await findEnd(get, chunks) : { end: chunks, last: undefined };
  const lastBlock = Math.max(progress.lastBlock ?? 0, last?.lastBlock ?? 0);
  return {
    id: networkID,
    chainId: chainID,
    firstBlock,
    lastBlock,
    async *read() {
      for await (const lines of readChunks({ get, getShared }, end)) {
        for (let at = 0; at < lines.length; at += parsedAtATime) {
          const transactions = lines.slice(at, at + parsedAtATime).map((line) => parseLine(line).transaction);
          // The last chunk of an open recording may have grown since.
          yield isOpen ? transactions.filter(({ block }) => block <= lastBlock) : transactions;
        }
      }
    },
  };
}

interface End {
  /** How many chunks there are. */
  end: number;
  last: RecordingChunkSpec | undefined;
}

/** The status of an open recording follows its chunks; a reorganization removes some, and a crash leaves halves. */
async function findEnd(get: GetChunk, known: number): Promise<End> {
  const found = await lastCompleteBefore(get, known);
  return found.end < known ? found : lastCompleteFrom(get, found);
}

async function lastCompleteBefore(get: GetChunk, known: number): Promise<End> {
  for (let end = known; end > 0; end--) {
    const last = await get(end - 1);
    if (last && !last.continues) return { end, last };
  }
  return { end: 0, last: undefined };
}

async function lastCompleteFrom(get: GetChunk, known: End): Promise<End> {
  let found = known;
  for (let at = known.end; ; at++) {
    const next = await get(at);
    if (!next) return found;
    if (!next.continues) found = { end: at + 1, last: next };
  }
}
