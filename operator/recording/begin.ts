import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordingResource } from '../../core/api/resources/recordingResource.ts';
import { checkInstance } from '../../core/evm/instance.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { type Clock, parseRfc3339 } from '../../core/lib/clock.ts';
import { AppError } from '../../core/lib/errors.ts';
import { incarnationOf } from '../../core/networks/incarnation.ts';
import type { CaptureState } from './captureState.ts';
import type { ChainSnapshot, WalletReader } from './chain.ts';

/** How far before its recording a chain may be rolled back. Beyond that, new blocks are recognised by hash, not by timestamp. */
const rememberedBlocks = 64;

/** One step of a recording: the chain, and the recording. */
export interface Step {
  clock: Clock;
  reader: WalletReader;
  recording: Stored<RecordingResource>;
  network: Stored<NetworkResource>;
}

/** Reads a chain. Throws Unavailable unless the process that answers is known to run the network's chain. */
export async function look({ reader, network }: Step, numbers: readonly number[]): Promise<ChainSnapshot> {
  const snapshot = await reader.look(numbers);
  checkInstance(snapshot.instance, network.status?.instance);
  return snapshot;
}

/** The first block is the one after the head or, on a chain that started after the recording, its first block. */
export async function begin(state: CaptureState, step: Step): Promise<void> {
  const { network } = step;
  const wasWaiting = state.progress.state === 'waiting';
  const first = wasWaiting ? await firstByTime(step) : (await look(step, [])).head + 1;
  const length = Math.min(rememberedBlocks, first);
  const numbers = Array.from({ length }, (_, index) => first - 1 - index);
  const [genesisHash, ...hashes] = (await look(step, [0, ...numbers])).hashes;
  const [baseHash] = hashes;
  if (!genesisHash || !baseHash) throw changedMeanwhile();
  state.blocksBefore = numbers.map((number, index) => ({ number, hash: hashes[index] ?? '' }));
  const { message: _, ...rest } = state.progress;
  state.progress = {
    ...rest,
    state: 'recording',
    networkID: network.metadata.uid,
    enclaveID: incarnationOf(network) ?? '',
    chainID: network.status?.chainID ?? '',
    // Read by 0.3.
    genesisHash,
    ...{ firstBlock: first, baseHash, lastBlock: first - 1, lastHash: baseHash },
    ...{ transactions: 0, chunks: 0 },
  };
}

/** The chain was rolled back past the start of the recording: what was mined since then is newer than the recording. */
export async function beginAgain(state: CaptureState, step: Step): Promise<void> {
  const firstBlock = (await firstAfterCommon(state, step)) ?? (await firstByTime(step));
  const [baseHash] = (await look(step, [firstBlock - 1])).hashes;
  if (!baseHash) throw changedMeanwhile();
  state.progress = { ...state.progress, firstBlock, baseHash };
}

/** The block after the last one from before the recording that still exists; undefined when it cannot be determined. */
async function firstAfterCommon({ blocksBefore }: CaptureState, step: Step): Promise<number | undefined> {
  const { hashes } = await look(
    step,
    blocksBefore.map(({ number }) => number),
  );
  const last = blocksBefore.find(({ hash }, index) => hash === hashes[index]);
  return last && last.number + 1;
}

function firstByTime({ clock, reader, recording: { metadata } }: Step): Promise<number> {
  const startMs = parseRfc3339(metadata.creationTimestamp) ?? clock.nowMs();
  return reader.firstBlockSince(Math.floor(startMs / 1000));
}

const changedMeanwhile = () => new AppError('Unavailable', "the network's chain changed while it was read");
