import { type ChainType, chainTypeNames, chainTypes, layer2Types } from '../api/resources/chainSpecs.ts';
import type { NetworkSpec } from '../api/resources/network.ts';
import { pluginsOf } from '../api/rules/plugins.ts';
import type { EngineSet } from '../engines/engineSet.ts';
import { type EngineNeed, refusedNeeds } from '../engines/needs.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import { recordOf } from '../lib/typed.ts';
import { type ExtendedDriver, withPlugins } from '../plugins/extendPlan.ts';
import { enginesOfPlugin, refusedPlugins } from '../plugins/refusals.ts';
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

/**
 * Each part of a valid spec that this installation cannot run, with its path; empty when all of it can, now or once what
 * it needs has been built.
 */
export function unavailableParts(
  { chain }: NetworkSpec,
  set: EngineSet,
  registered: PluginRegistry = plugins,
): ErrorDetail[] {
  return [
    ...refusedPlugins(chain, registered).flatMap(({ details }) => details),
    ...refusedNeeds(enginesOfNetwork({ chain }, registered), set),
    ...refusedChain({ chain }, set),
  ];
}

/** The engines of the chain and of its plugins. */
export function enginesOfNetwork(
  { chain }: NetworkSpec,
  registered: PluginRegistry = plugins,
): readonly EngineNeed[] {
  const ofPlugins = pluginsOf(chain).flatMap((one) => enginesOfPlugin(one, registered));
  return [...enginesOfChain({ chain }), ...ofPlugins];
}

/** The engines that the chain itself needs: a plugin that cannot run does not keep its network from running. */
export function enginesOfChain({ chain }: NetworkSpec): readonly EngineNeed[] {
  return hasSpec(chain) ? (driverOf(chain.type)?.engines(chain) ?? []) : [];
}

/** The parts of the chain that this installation cannot run, whatever engines there are. */
export function refusedChain({ chain }: NetworkSpec, set: EngineSet): ErrorDetail[] {
  return hasSpec(chain) ? (driverOf(chain.type)?.refuse?.(chain, set) ?? []) : [];
}

const hasSpec = (chain: NetworkSpec['chain']) => chain[chainTypes[chain.type].member] !== undefined;
