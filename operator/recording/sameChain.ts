import { compact } from '../../core/lib/compact.ts';
import type { CaptureState } from './captureState.ts';
import type { ChainSnapshot } from './chain.ts';

/** The blocks that `standingOf` needs in a snapshot: the last one read, the one before the first, and the chain's first. */
export const askedBlocks = (cursor: number, base: number): number[] => [cursor, base, 0, 1];

/**
 * - `same`: the chain is as it was read so far.
 * - `restarted`: it is, but another process of the engine runs it: it was stored, or nothing was read yet.
 * - `rolledBack`: it is the same chain, which lost some of its blocks.
 * - `restored`: another process runs a chain that lost blocks. It may be another chain.
 * - `new`: it is another chain.
 * - `unclear`: it lost blocks, and the engine does not tell its processes apart.
 */
type Standing = 'same' | 'restarted' | 'rolledBack' | 'restored' | 'new' | 'unclear';

/** How a chain relates to the one that was read so far. Block 0 cannot tell: forks of a chain share it. */
export function standingOf({ progress }: CaptureState, { hashes, instance }: ChainSnapshot): Standing {
  const [cursor, base, genesis, second] = hashes;
  const { genesisHash, secondHash = second, lastHash, baseHash, instanceID } = progress;
  if (genesis !== genesisHash) return 'new';
  const isSameLine = cursor === lastHash && base === baseHash;
  const isKnown = instanceID !== undefined && instance !== undefined;
  const isOther = isKnown && instance !== instanceID;
  if (isSameLine) return isOther ? 'restarted' : 'same';
  if (isKnown && !isOther) return 'rolledBack';
  if (second !== secondHash) return 'new';
  return isOther ? 'restored' : 'unclear';
}

/** Remembers what identifies the chain, some of which shows only after its first block. */
export function remember(state: CaptureState, { hashes, instance }: ChainSnapshot): void {
  const { secondHash = hashes[3], instanceID } = state.progress;
  if (state.progress.secondHash === secondHash && instanceID === (instance ?? instanceID)) return;
  state.progress = { ...state.progress, ...compact({ secondHash, instanceID: instance ?? instanceID }) };
}
