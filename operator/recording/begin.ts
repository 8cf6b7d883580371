import { idOf } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordingResource } from '../../core/api/resources/recordingResource.ts';
import { checkInstance } from '../../core/evm/instance.ts';
import type { Kube, Stored } from '../../core/kube/kube.ts';
import { type Clock, parseRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError } from '../../core/lib/errors.ts';
import { incarnationOf } from '../../core/networks/incarnation.ts';
import { baseOf, begunAt, type CaptureState } from './captureState.ts';
import type { ChainSnapshot, WalletReader } from './chain.ts';

/** How far before its recording a chain may be rolled back. Beyond that, new blocks are recognised by hash, not by timestamp. */
const rememberedBlocks = 64;
/**
 * Within this time after its creation, a recording begins with the next block. Creation and block times are whole seconds: by
 * those, it would include what was mined in the second before.
 */
const promptMs = 2_000;

/** One step of a recording: the chain, and the recording. */
export interface Step {
  kube: Pick<Kube, 'serverTimeMs'>;
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

/**
 * Begins a recording that does not say where its chain was. The first block is the one after the head, or, when that is late
 * or the network did not run, the first one that is not older than the recording.
 */
export async function begin(state: CaptureState, step: Step): Promise<void> {
  const { network } = step;
  const isLate = state.progress.state === 'waiting' || !(await isPrompt(step));
  const first = isLate ? await firstByTime(step) : (await look(step, [])).head + 1;
  const [hash] = (await look(step, [first - 1])).hashes;
  if (!hash) throw changedMeanwhile();
  state.progress = begunAt({
    network: state.progress.network,
    networkID: idOf(network),
    enclaveID: incarnationOf(network) ?? '',
    chainID: network.status?.chainID ?? '',
    block: first - 1,
    hash,
  });
}

/** Remembers the last blocks before the recording, if its chain still has them. */
export async function rememberBefore(state: CaptureState, step: Step): Promise<void> {
  const base = baseOf(state);
  const length = Math.min(rememberedBlocks, base.number + 1);
  const numbers = Array.from({ length }, (_, index) => base.number - index);
  const [genesisHash, ...hashes] = (await look(step, [0, ...numbers])).hashes;
  if (hashes[0] === base.hash) {
    state.blocksBefore = numbers.map((number, index) => ({ number, hash: hashes[index] ?? '' }));
  }
  // Also says that the chain was read.
  state.progress = { ...state.progress, ...compact({ genesisHash }) };
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

const createdMs = ({ clock, recording: { metadata } }: Step): number =>
  parseRfc3339(metadata.creationTimestamp) ?? clock.nowMs();

/** By the cluster's time: the local clock may be wrong. */
async function isPrompt(step: Step): Promise<boolean> {
  return (await step.kube.serverTimeMs()) - createdMs(step) < promptMs;
}

function firstByTime(step: Step): Promise<number> {
  return step.reader.firstBlockSince(Math.floor(createdMs(step) / 1000));
}

const changedMeanwhile = () => new AppError('Unavailable', "the network's chain changed while it was read");
