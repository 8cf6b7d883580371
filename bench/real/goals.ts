/** The goals of the work of `bench/real.ts`: at most this many times what its peer takes. */
export const goals: Record<string, number> = {
  'viem: send and receipt': 1.4,
  'viem: snapshot, send and revert': 1.5,
  'viem: ten reads one after the other': 2.3,
  'viem: twenty reads at once': 1.5,
  'forge script': 1.25,
  'forge test on a fork of it': 1.25,
  'test suite with Hardhat 2': 1.25,
  'test suite with Hardhat 3': 1.25,
  'reads of a warm fork': 1.05,
  'second fork of a block': 0.5,
};

/** What the work is compared with, where that is not a plain anvil. */
export const peers: Record<string, string> = {
  'reads of a warm fork': 'anvil that forks the source itself',
  'second fork of a block': 'first fork of the block',
};
