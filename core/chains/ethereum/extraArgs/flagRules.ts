import type { FlagRule } from './flagTypes.ts';

/** BesuCommand of 25.11.0. Without its own price, the pool has that of the miner. */
export const besuGasPrices: FlagRule = {
  says: '`--tx-pool-min-gas-price` is at most `--min-gas-price`, which is 1000 unless it is set.',
  refusalOf(numberOf) {
    const [pool, miner] = [numberOf('--tx-pool-min-gas-price', 0), numberOf('--min-gas-price', 1_000)];
    if (pool <= miner) return undefined;
    return `"--tx-pool-min-gas-price" is ${pool}, more than "--min-gas-price", ${miner}: set "--min-gas-price" to at least as much`;
  },
};

/** Its own numbers unless they are set: two billion bytes, 50 peers, 2,048 transactions. */
const memoryHint = 2_000_000_000;
const activePeers = 50;
const generalBytes = 32_000_000n;
const bytesPerPeer = 1_250_000n;
const bytesPerTransaction = 40_960n;

/**
 * MemoryHintMan of 1.36.1: what is left after peers and network is for the pool by less than half, and it exits if that is too
 * little. Of what is left the network takes up to a fifth; hashes take a tenth of the pool's half.
 */
export const nethermindMemory: FlagRule = {
  says:
    'Nethermind keeps 1.25 MB for each of `--Network.MaxActivePeers` (50 unless it is set) and 40 KiB for each of `--TxPool.Size` ' +
    '(2048), and exits if the pool needs more than about a third of the rest of `--Init.MemoryHint` (2000000000).',
  refusalOf(numberOf) {
    const [hint, peers] = [
      numberOf('--Init.MemoryHint', memoryHint),
      numberOf('--Network.MaxActivePeers', activePeers),
    ];
    const size = numberOf('--TxPool.Size', 2_048);
    const left = hint - generalBytes - peers * bytesPerPeer;
    const most = (left * 36n) / 100n / bytesPerTransaction;
    if (size <= most) return undefined;
    return `"--TxPool.Size" is ${size}, but "--Init.MemoryHint", ${hint}, with ${peers} of "--Network.MaxActivePeers" leaves room for ${most}: lower it, or raise "--Init.MemoryHint"`;
  },
};
