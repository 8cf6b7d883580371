import type { ChainType } from '../../../api/resources/chainSpecs.ts';
import type { EvmDriver } from '../driver.ts';
import { evmDrivers } from '../drivers.ts';
import { evmChains } from '../evmChains.ts';

/** Block gas limits, fees and hardforks differ, so each type is tested. */
export const everyType: [ChainType, EvmDriver][] = evmChains.map(({ type }) => [type, evmDrivers[type]]);
