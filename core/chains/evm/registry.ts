/**
 * Every EVM chain that a network can be: one file in `chains/` and one line here. Everything else derives from them, through
 * `evmChains.ts`, the only module that reads this.
 */
export { arbitrum } from './chains/arbitrum.ts';
export { avalanche } from './chains/avalanche.ts';
export { base } from './chains/base.ts';
export { bnb } from './chains/bnb.ts';
export { ethereum } from './chains/ethereum.ts';
export { fantom } from './chains/fantom.ts';
export { mantle } from './chains/mantle.ts';
export { optimism } from './chains/optimism.ts';
export { polygon } from './chains/polygon.ts';
export { zksync } from './chains/zksync.ts';
