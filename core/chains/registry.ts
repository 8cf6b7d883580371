import type { Engines } from '../api/installation.ts';
import { type ChainType, chainTypeNames, chainTypes, layer2Types } from '../api/resources/chainSpecs.ts';
import type { ChainSpec, NetworkSpec } from '../api/resources/network.ts';
import { pluginsOf } from '../api/rules/plugins.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import { recordOf } from '../lib/typed.ts';
import { withPlugins } from '../plugins/extendPlan.ts';
import type { Plugin } from '../plugins/plugin.ts';
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
const extended = recordOf(
  chainTypeNames.map((type) => {
    const driver: ChainDriver | undefined = drivers[type];
    return [type, driver && withPlugins(driver)];
  }),
);

/** The driver of `type`, or undefined when its networks run no engine. */
export function driverOf(type: ChainType): ChainDriver | undefined {
  return extended[type];
}

const notYet = 'not yet available on this installation';

/** Each part of a valid spec that cannot run with these engines, with its path; empty when all of it can. */
export function unavailableParts(
  { chain }: NetworkSpec,
  engines: Engines,
  registered: PluginRegistry = plugins,
): ErrorDetail[] {
  if (!chain[chainTypes[chain.type].member]) return [];
  return [
    ...refusePlugins(chain, engines, registered),
    ...(driverOf(chain.type)?.refuse?.(chain, engines) ?? []),
  ];
}

function refusePlugins(chain: ChainSpec, engines: Engines, registered: PluginRegistry): ErrorDetail[] {
  const found = pluginsOf(chain);
  return found.flatMap(({ name, config, path }) => {
    const plugin: Plugin | undefined = registered[name];
    if (!plugin) return [{ path, message: `is ${notYet}: omit it` }];
    const others = found.map((one) => one.name).filter((other) => other !== name);
    const details = plugin.refuse?.({ config, type: chain.type, engines, others }) ?? [];
    return details.map((detail) => ({ ...detail, path: [path, detail.path].filter(Boolean).join('.') }));
  });
}
