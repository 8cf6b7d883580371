import { recordOf } from '../../lib/typed.ts';
import { createEvmDriver, type EvmDriver } from './driver.ts';
import { type EvmChainType, evmChains } from './evmChains.ts';

/** The driver of each EVM chain; Ethereum's runs networks without participants. */
export const evmDrivers: Readonly<Record<EvmChainType, EvmDriver>> = recordOf(
  evmChains.map((chain) => [chain.type, createEvmDriver(chain)]),
);
