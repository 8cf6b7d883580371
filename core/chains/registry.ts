import type { Engines } from '../api/installation.ts';
import { type ChainType, chainTypeNames, chainTypes } from '../api/resources/chainSpecs.ts';
import type { NetworkSpec } from '../api/resources/network.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import type { ChainDriver } from './driver.ts';
import { withParticipants } from './ethereum/driver.ts';
import { arbitrum } from './evm/chains/arbitrum.ts';
import { avalanche } from './evm/chains/avalanche.ts';
import { base } from './evm/chains/base.ts';
import { bnb } from './evm/chains/bnb.ts';
import { ethereum } from './evm/chains/ethereum.ts';
import { fantom } from './evm/chains/fantom.ts';
import { mantle } from './evm/chains/mantle.ts';
import { optimism } from './evm/chains/optimism.ts';
import { polygon } from './evm/chains/polygon.ts';
import { zksync } from './evm/chains/zksync.ts';
import { placedAccounts } from './evm/state.ts';
import { solana } from './solana/driver.ts';
import { thorchain } from './thorchain/driver.ts';

/** The driver of each chain type; LayerZero runs no engine: the operator wires its members (operator/layerzero). */
const drivers = {
  Ethereum: withParticipants(ethereum, (code) => placedAccounts(ethereum.facts.contracts, code)),
  Arbitrum: arbitrum,
  Optimism: optimism,
  Base: base,
  BNB: bnb,
  Avalanche: avalanche,
  Fantom: fantom,
  Mantle: mantle,
  ZKSync: zksync,
  Polygon: polygon,
  Solana: solana,
  LayerZero: undefined,
  Thorchain: thorchain,
} satisfies Record<ChainType, ChainDriver | undefined>;

/** Types whose networks run engines. */
export const engineChainTypes: readonly ChainType[] = chainTypeNames.filter(
  (type) => drivers[type] !== undefined,
);

/** The driver of `type`, or undefined when its networks run no engine. */
export function driverOf(type: ChainType): ChainDriver | undefined {
  return drivers[type];
}

const notYet = 'not yet available on this installation';

/** Each part of a valid spec that cannot be run with these engines, with its path; empty when all of it can. */
export function unavailableParts(spec: NetworkSpec, engines: Engines): ErrorDetail[] {
  const { type } = spec.chain;
  const { member } = chainTypes[type];
  const chain = spec.chain[member];
  if (!chain) return [];
  const plugins = 'plugins' in chain ? Object.entries(chain.plugins ?? {}) : [];
  const details = plugins
    .filter(([, plugin]) => plugin !== undefined)
    .map(([plugin]) => ({
      path: `spec.chain.${member}.plugins.${plugin}`,
      message: `is ${notYet}: leave it out`,
    }));
  return [...details, ...(driverOf(type)?.refuse?.(spec.chain, engines) ?? [])];
}
