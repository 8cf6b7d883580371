import { labels } from '../../core/api/names.ts';
import type { RecordingChunkSpec } from '../../core/api/resources/recordingChunk.ts';
import type { RecordedProgress, RecordingResource } from '../../core/api/resources/recordingResource.ts';
import { recordingChunkType } from '../../core/api/resources/resources.ts';
import type { RecordedNetwork, RecordedNetworks } from '../../core/api/rest/replay.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError } from '../../core/lib/errors.ts';
import { parseLine, unpackChunks } from '../../core/recordings/recordedLines.ts';
import { forCaller, type Store } from '../store/kubeErrors.ts';

/** Chunks on one page of a list: 10 MB at most. */
const pageSize = 20;
/** Maximum size of the transactions in one answer; more would take the memory of other requests. */
const maxCharacters = 128 * 1024 * 1024;

/**
 * The data that a recording has captured so far, read from its chunks, by network id in ascending order. Networks whose
 * recording has not begun are omitted. Throws TooLarge if the data does not fit into one answer.
 */
export async function readData(
  kube: Pick<Store, 'list'>,
  recording: Stored<RecordingResource>,
): Promise<RecordedNetworks> {
  const chunks = await readChunks(kube, recording);
  const begun = (recording.status?.networks ?? []).filter(({ firstBlock }) => firstBlock !== undefined);
  const sorted = begun.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const budget = { left: maxCharacters };
  const networks: RecordedNetworks = {};
  for (const progress of sorted) {
    const own = chunks.filter(({ network }) => network === progress.network);
    networks[idOf(progress)] = await toNetwork(progress, own, budget);
  }
  return networks;
}

const idOf = ({ networkID, network }: RecordedProgress): string => networkID ?? network;

/** Ordered by index. */
async function readChunks(
  kube: Pick<Store, 'list'>,
  { metadata }: Stored<RecordingResource>,
): Promise<RecordingChunkSpec[]> {
  const { namespace, uid } = metadata;
  const specs: RecordingChunkSpec[] = [];
  let characters = 0;
  let continueToken: string | undefined;
  do {
    const page = await forCaller(
      kube.list(recordingChunkType, {
        namespace,
        labelSelector: `${labels.recording}=${uid}`,
        limit: pageSize,
        ...compact({ continueToken }),
      }),
    );
    for (const { spec } of page.items) {
      characters += spec.data.length;
      specs.push(spec);
    }
    if (characters > maxCharacters) throw tooLarge();
    continueToken = page.continueToken;
  } while (continueToken);
  return specs.sort((a, b) => a.index - b.index);
}

async function toNetwork(
  { chainID = '', firstBlock = 0, lastBlock = 0 }: RecordedProgress,
  chunks: readonly RecordingChunkSpec[],
  budget: { left: number },
): Promise<RecordedNetwork> {
  const lines = await unpackChunks(chunks).catch((error: unknown) => {
    throw isTooLong(error) ? tooLarge() : error;
  });
  budget.left -= lines.reduce((sum, { length }) => sum + length, 0);
  if (budget.left < 0) throw tooLarge();
  return {
    chainId: chainID,
    firstBlock,
    lastBlock: Math.max(lastBlock, chunks.at(-1)?.lastBlock ?? 0),
    transactions: lines.map((line) => parseLine(line).transaction),
  };
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

function tooLarge(): AppError {
  const message = 'the recording is too large for one answer: read its RecordingChunk objects with kubectl';
  return new AppError('TooLarge', message);
}
