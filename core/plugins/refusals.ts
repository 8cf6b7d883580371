import type { ChainSpec } from '../api/resources/network.ts';
import type { PluginName } from '../api/resources/plugins.ts';
import { type ChosenPlugin, pluginsOf } from '../api/rules/plugins.ts';
import type { EngineNeed } from '../engines/needs.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import type { Plugin } from './plugin.ts';
import type { PluginRegistry } from './registry.ts';

export interface RefusedPlugin {
  name: PluginName;
  /** With paths from `spec` on. */
  details: ErrorDetail[];
}

/** The plugins of a chain's spec that cannot run on it, whatever engines there are. */
export function refusedPlugins(chain: ChainSpec, registered: PluginRegistry): RefusedPlugin[] {
  const found = pluginsOf(chain);
  return found.flatMap(({ name, config, path }) => {
    const plugin: Plugin | undefined = registered[name];
    if (!plugin) {
      const message = 'is not yet available on this installation: omit it';
      return [{ name, details: [{ path, message }] }];
    }
    const others = found.map((one) => one.name).filter((other) => other !== name);
    const refused = plugin.refuse?.({ config, type: chain.type, others }) ?? [];
    const details = refused.map((detail) => ({ ...detail, path: below(path, detail.path) }));
    return details.length === 0 ? [] : [{ name, details }];
  });
}

/** The engines that a plugin needs, with paths from `spec` on. */
export function enginesOfPlugin(
  { name, config, path }: ChosenPlugin,
  registered: PluginRegistry,
): EngineNeed[] {
  const plugin: Plugin | undefined = registered[name];
  return (plugin?.engines(config) ?? []).map((need) => ({ ...need, path: below(path, need.path) }));
}

function below(path: string, member: string): string {
  return [path, member].filter(Boolean).join('.');
}
