import { chainTypes } from '../resources/chainSpecs.ts';
import type { ChainSpec } from '../resources/network.ts';
import { type PluginConfig, type PluginName, pluginNames } from '../resources/plugins.ts';

/** A plugin that a spec switches on. */
export interface ChosenPlugin {
  name: PluginName;
  config: PluginConfig;
  /** Where the spec has it, from `spec` on. */
  path: string;
}

/** The gateway asks at each request. */
const none: readonly ChosenPlugin[] = [];

/** The plugins that a chain's spec switches on, in the order of the table of plugins. */
export function pluginsOf(chain: ChainSpec): readonly ChosenPlugin[] {
  const { member } = chainTypes[chain.type];
  const spec = chain[member];
  if (!spec || !('plugins' in spec) || !spec.plugins) return none;
  const given: Partial<Record<PluginName, PluginConfig | undefined>> = spec.plugins;
  return pluginNames.flatMap((name) => {
    const config = given[name];
    return config === undefined ? [] : [{ name, config, path: `spec.chain.${member}.plugins.${name}` }];
  });
}
