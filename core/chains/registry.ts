import type { Engines } from '../api/installation.ts';
import { type ChainType, chainTypeNames, chainTypes, layer2Types } from '../api/resources/chainSpecs.ts';
import type { NetworkSpec } from '../api/resources/network.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import { recordOf } from '../lib/typed.ts';
import { type ExtendedDriver, withPlugins } from '../plugins/extendPlan.ts';
import { refusedPlugins } from '../plugins/refusals.ts';
import { type PluginRegistry, plugins } from '../plugins/registry.ts';
import type { ChainDriver } from './driver.ts';
import { withParticipants } from './ethereum/driver.ts';
import { evmDrivers } from './evm/drivers.ts';
import { withRealClient } from './evm/real/driver.ts';
import { placedAccounts } from './evm/state.ts';
import { solana } from './solana/driver.ts';
import { thorchain } from './thorchain/driver.ts';

const { Ethereum } = evmDrivers;

const layer2 = recordOf(layer2Types.map((type) => [type, withRealClient(evmDrivers[type])]));

/** The driver of each chain type; LayerZero runs no engine: the operator wires its members (operator/layerzero). */
const drivers = {
  ...layer2,
  Ethereum: withParticipants(Ethereum, (code) => placedAccounts(Ethereum.facts.contracts, code)),
  Solana: solana,
  LayerZero: undefined,
  Thorchain: thorchain,
} satisfies Record<ChainType, ChainDriver | undefined>;

/** Types whose networks run engines. */
export const engineChainTypes: readonly ChainType[] = chainTypeNames.filter(
  (type) => drivers[type] !== undefined,
);

/** With what the plugins of a network add to its plan. */
const extended = extendedBy(plugins);

function extendedBy(registered: PluginRegistry) {
  return recordOf(
    chainTypeNames.map((type) => {
      const driver: ChainDriver | undefined = drivers[type];
      return [type, driver && withPlugins(driver, registered)];
    }),
  );
}

/** The driver of `type`, or undefined when its networks run no engine. */
export function driverOf(type: ChainType, registered: PluginRegistry = plugins): ExtendedDriver | undefined {
  return registered === plugins ? extended[type] : extendedBy(registered)[type];
}

/** Each part of a valid spec that cannot run with these engines, with its path; empty when all of it can. */
export function unavailableParts(
  { chain }: NetworkSpec,
  engines: Engines,
  registered: PluginRegistry = plugins,
): ErrorDetail[] {
  const refused = refusedPlugins(chain, engines, registered);
  return [...refused.flatMap(({ details }) => details), ...unavailableChain({ chain }, engines)];
}

/** The same for the chain alone: a plugin that cannot run does not keep its network from running. */
export function unavailableChain({ chain }: NetworkSpec, engines: Engines): ErrorDetail[] {
  if (!chain[chainTypes[chain.type].member]) return [];
  return driverOf(chain.type)?.refuse?.(chain, engines) ?? [];
}
