import type { Engines } from '../api/installation.ts';
import { type ChainType, chainTypeNames, chainTypes } from '../api/resources/chainSpecs.ts';
import type { NetworkSpec } from '../api/resources/network.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import type { ChainDriver } from './driver.ts';
import { withParticipants } from './ethereum/driver.ts';
import { evmDrivers } from './evm/drivers.ts';
import { placedAccounts } from './evm/state.ts';
import { solana } from './solana/driver.ts';
import { thorchain } from './thorchain/driver.ts';

const { Ethereum } = evmDrivers;

/** The driver of each chain type; LayerZero runs no engine: the operator wires its members (operator/layerzero). */
const drivers = {
  ...evmDrivers,
  Ethereum: withParticipants(Ethereum, (code) => placedAccounts(Ethereum.facts.contracts, code)),
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
