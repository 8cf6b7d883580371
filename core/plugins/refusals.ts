import type { EngineName, Engines } from '../api/installation.ts';
import type { ChainSpec } from '../api/resources/network.ts';
import type { PluginName } from '../api/resources/plugins.ts';
import { pluginsOf } from '../api/rules/plugins.ts';
import type { EnginePart } from '../chains/driver.ts';
import type { ErrorDetail } from '../lib/errors.ts';
import type { Plugin } from './plugin.ts';
import type { PluginRegistry } from './registry.ts';

export interface RefusedPlugin {
  name: PluginName;
  /** With paths from `spec` on. */
  details: ErrorDetail[];
}

/** The plugins of a chain's spec that cannot run on it with these engines. */
export function refusedPlugins(
  chain: ChainSpec,
  engines: Engines,
  registered: PluginRegistry,
): RefusedPlugin[] {
  const found = pluginsOf(chain);
  return found.flatMap(({ name, config, path }) => {
    const plugin: Plugin | undefined = registered[name];
    if (!plugin) {
      const message = 'is not yet available on this installation: omit it';
      return [{ name, details: [{ path, message }] }];
    }
    const others = found.map((one) => one.name).filter((other) => other !== name);
    const refused = plugin.refuse?.({ config, type: chain.type, engines, others }) ?? [];
    const details = refused.map((detail) => ({
      ...detail,
      path: [path, detail.path].filter(Boolean).join('.'),
    }));
    return details.length === 0 ? [] : [{ name, details }];
  });
}

/** An engine of these parts for which the installation has no image. */
export function missingEngine(parts: readonly EnginePart[], engines: Engines): EngineName | undefined {
  const programs = parts.flatMap((part) => [part, ...(part.init ?? [])]);
  return programs.map(({ engine }) => engine).find((engine) => engines[engine] === undefined);
}
