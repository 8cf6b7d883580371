import type { ChainType } from '../../../api/resources/chainSpecs.ts';
import { arbitrum } from '../chains/arbitrum.ts';
import { avalanche } from '../chains/avalanche.ts';
import { base } from '../chains/base.ts';
import { bnb } from '../chains/bnb.ts';
import { ethereum } from '../chains/ethereum.ts';
import { fantom } from '../chains/fantom.ts';
import { mantle } from '../chains/mantle.ts';
import { optimism } from '../chains/optimism.ts';
import { polygon } from '../chains/polygon.ts';
import { zksync } from '../chains/zksync.ts';
import type { EvmDriver } from '../driver.ts';

/** Block gas limits, fees and hardforks differ: what holds on one has to be tried on each. */
export const everyType: [ChainType, EvmDriver][] = [
  ['Ethereum', ethereum],
  ['Arbitrum', arbitrum],
  ['Optimism', optimism],
  ['Base', base],
  ['BNB', bnb],
  ['Avalanche', avalanche],
  ['Fantom', fantom],
  ['Mantle', mantle],
  ['ZKSync', zksync],
  ['Polygon', polygon],
];
