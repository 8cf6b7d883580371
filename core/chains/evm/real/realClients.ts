import type { RealClient } from '../chain.ts';
import { avalanchego } from './avalanchego.ts';
import { bsc } from './bsc.ts';
import { opGeth } from './opGeth.ts';
import type { RealClientRow } from './realClient.ts';

/** The clients of public chains, by their name in the facts of a chain. */
export const realClients: Readonly<Record<RealClient, RealClientRow>> = {
  'op-geth': opGeth,
  bsc,
  avalanchego,
};
