import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { RecordedProgress, RecordingResource } from '../../core/api/resources/recordingResource.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { type Clock, parseRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError, isAppError } from '../../core/lib/errors.ts';
import type { BlockRef } from './blocks.ts';
import type { ChainReader, ChainSnapshot } from './chain.ts';
import type { ChunkKube } from './chunkObjects.ts';
import { type ChunkStore, openChunkStore } from './chunks.ts';
import { judge } from './networkVerdict.ts';
import { createWindow } from './window.ts';

export interface CaptureDeps {
  kube: ChunkKube;
  /** Undefined while no engine of the network answers. */
  readerOf(network: Stored<NetworkResource>, wallet: string): ChainReader | undefined;
  clock: Clock;
  /** Tells of blocks that were taken back. */
  onReorganised(recording: Stored<RecordingResource>, message: string): void;
}

/** The recording of one network. */
export interface Capture {
  progress(): RecordedProgress;
  /** One bounded step; true when there is more to read at once. Unavailable when the node cannot be used. */
  step(recording: Stored<RecordingResource>, network: Stored<NetworkResource> | undefined): Promise<boolean>;
}

/**
 * A chain that lost blocks may have been reorganised, or be a new one whose network has not been told of it yet: what
 * was captured is dropped only after this time.
 */
const graceMs = 5_000;
/** How far before its recording a chain may go back, and what comes then is known by its blocks, not by its clock. */
const rememberedBlocks = 64;
/** A node that cannot be used when the recording is stopped is waited for so long. */
const giveUpMs = 20_000;

/** Goes on from where `before`, and the chunks there are, say. */
export function createCapture(deps: CaptureDeps, before: RecordedProgress): Capture {
  const { clock } = deps;
  const window = createWindow();
  let at: RecordedProgress = before;
  let store: ChunkStore | undefined;
  let doubtSinceMs: number | undefined;
  /** The last blocks before the recording, the newest first; empty in a process that did not begin it. */
  let blocksBefore: BlockRef[] = [];
  let stoppingSinceMs: number | undefined;

  const wasWaiting = () => at.state === 'waiting';

  function end(message?: string): false {
    const { message: _, ...rest } = at;
    at = { ...rest, state: 'recorded', ...compact({ message }) };
    store = undefined;
    return false;
  }

  function moveTo({ number, hash }: BlockRef): void {
    const { message: _, ...rest } = at;
    const counts = store ? { transactions: store.total(), chunks: store.count() } : {};
    at = { ...rest, lastBlock: number, lastHash: hash, ...counts };
  }

  const cursorOf = (): BlockRef => ({ number: at.lastBlock ?? 0, hash: at.lastHash ?? '' });
  const baseOf = (): BlockRef => ({ number: (at.firstBlock ?? 1) - 1, hash: at.baseHash ?? '' });

  function firstByTime(reader: ChainReader, { metadata }: Stored<RecordingResource>): Promise<number> {
    const startMs = parseRfc3339(metadata.creationTimestamp) ?? clock.nowMs();
    return reader.firstBlockSince(Math.floor(startMs / 1000));
  }

  /** The first block is the one after the head, or of a chain that began since the recording did, its first. */
  async function begin(
    reader: ChainReader,
    recording: Stored<RecordingResource>,
    network: Stored<NetworkResource>,
  ) {
    const first = wasWaiting() ? await firstByTime(reader, recording) : (await reader.look([])).head + 1;
    const numbers = Array.from(
      { length: Math.min(rememberedBlocks, first) },
      (_, index) => first - 1 - index,
    );
    const [genesisHash, ...hashes] = (await reader.look([0, ...numbers])).hashes;
    const [baseHash] = hashes;
    if (!genesisHash || !baseHash)
      throw new AppError('Unavailable', 'the network’s chain changed while it was read');
    blocksBefore = numbers.map((number, index) => ({ number, hash: hashes[index] ?? '' }));
    const { message: _, ...rest } = at;
    at = {
      ...rest,
      state: 'recording',
      networkID: network.metadata.uid,
      enclaveID: network.status?.enclaveID ?? '',
      chainID: network.status?.chainID ?? '',
      ...{ genesisHash, firstBlock: first, baseHash, lastBlock: first - 1, lastHash: baseHash },
      ...{ transactions: 0, chunks: 0 },
    };
  }

  async function openStore(recording: Stored<RecordingResource>): Promise<ChunkStore> {
    const place = { recording, network: at.network, networkID: at.networkID ?? '' };
    const opened = await openChunkStore(deps.kube, place, at.chunks ?? 0);
    const last = opened.last();
    store = opened;
    moveTo(last && last.number > (at.lastBlock ?? 0) ? last : cursorOf());
    return opened;
  }

  /** Reads on, when the chain is the one that was read so far. */
  async function follow(reader: ChainReader, recording: Stored<RecordingResource>): Promise<boolean> {
    const chunks = store ?? (await openStore(recording));
    const snapshot = await reader.look([cursorOf().number, baseOf().number, 0]);
    const [cursorHash, baseHash, genesisHash] = snapshot.hashes;
    if (genesisHash !== at.genesisHash) return end(`the network began a new chain; ${kept(at)}`);
    if (cursorHash !== at.lastHash || baseHash !== at.baseHash) return doubt(reader, recording, snapshot);
    doubtSinceMs = undefined;
    if (recording.spec.stopped && at.stopBlock === undefined) at = { ...at, stopBlock: snapshot.head };
    const target = Math.min(snapshot.head, at.stopBlock ?? snapshot.head);
    if (cursorOf().number < target) return readOn(reader, chunks, target);
    moveTo(cursorOf());
    return at.stopBlock === undefined ? false : end();
  }

  async function readOn(reader: ChainReader, chunks: ChunkStore, target: number): Promise<boolean> {
    const cursor = cursorOf();
    const startMs = clock.nowMs();
    const { upTo, lines, bytes } = await reader.read(cursor, Math.min(window.size(), target - cursor.number));
    window.learn(bytes, clock.nowMs() - startMs);
    if (!upTo) return false;
    if (lines.length > 0) await chunks.append(lines, upTo);
    moveTo(upTo);
    return upTo.number < target || at.stopBlock !== undefined;
  }

  async function doubt(
    reader: ChainReader,
    recording: Stored<RecordingResource>,
    snapshot: ChainSnapshot,
  ): Promise<boolean> {
    doubtSinceMs ??= clock.nowMs();
    if (clock.nowMs() - doubtSinceMs < graceMs) return false;
    doubtSinceMs = undefined;
    const former = cursorOf().number;
    const isBaseGone = snapshot.hashes[1] !== at.baseHash;
    if (isBaseGone) await beginAgain(reader, recording);
    const ancestor = await store?.stepBack(async (blocks) => {
      if (isBaseGone) return blocks.map(() => false);
      const { hashes } = await reader.look(blocks.map(({ number }) => number));
      return blocks.map(({ hash }, index) => hash === hashes[index]);
    });
    moveTo(ancestor ?? baseOf());
    deps.onReorganised(
      recording,
      `${at.network}: blocks ${at.lastBlock} to ${former} were taken back; reading anew`,
    );
    return true;
  }

  /** The chain went back to before the recording began: what was mined since then is newer than the recording. */
  async function beginAgain(reader: ChainReader, recording: Stored<RecordingResource>): Promise<void> {
    const firstBlock = (await firstAfterCommon(reader)) ?? (await firstByTime(reader, recording));
    const [baseHash] = (await reader.look([firstBlock - 1])).hashes;
    if (!baseHash) throw new AppError('Unavailable', 'the network’s chain changed while it was read');
    at = { ...at, firstBlock, baseHash };
  }

  /** The block after the last one from before the recording that is still there; undefined when it cannot be told. */
  async function firstAfterCommon(reader: ChainReader): Promise<number | undefined> {
    const { hashes } = await reader.look(blocksBefore.map(({ number }) => number));
    const last = blocksBefore.find(({ hash }, index) => hash === hashes[index]);
    return last && last.number + 1;
  }

  async function attempt(
    recording: Stored<RecordingResource>,
    network: Stored<NetworkResource>,
  ): Promise<boolean> {
    const reader = deps.readerOf(network, recording.spec.userAddress.toLowerCase());
    if (!reader) throw new AppError('Unavailable', 'the network’s engine is not reached');
    if (at.firstBlock === undefined) {
      await begin(reader, recording, network);
      return true;
    }
    return follow(reader, recording);
  }

  return {
    progress: () => at,
    async step(recording, network) {
      if (at.state === 'recorded') return false;
      if (recording.spec.stopped) stoppingSinceMs ??= clock.nowMs();
      const verdict = judge({ recording, network, progress: at });
      if (verdict.kind === 'end') return end(verdict.message);
      if (verdict.kind === 'wait' || !network) {
        const state = at.firstBlock === undefined ? 'waiting' : 'recording';
        at = { ...at, state, ...(verdict.kind === 'wait' ? { message: verdict.message } : {}) };
        return false;
      }
      try {
        return await attempt(recording, network);
      } catch (error) {
        // What was written, and what was not, is read again.
        store = undefined;
        window.shrink();
        const isGivenUp = stoppingSinceMs !== undefined && clock.nowMs() - stoppingSinceMs > giveUpMs;
        if (isAppError(error) && isGivenUp) return end(`${error.message}; ${kept(at)}`);
        if (isAppError(error)) at = { ...at, message: error.message.slice(0, 1000) };
        throw error;
      }
    },
  };
}

function kept({ lastBlock }: RecordedProgress): string {
  return lastBlock === undefined
    ? 'nothing was captured'
    : `what was captured up to block ${lastBlock} is kept`;
}
