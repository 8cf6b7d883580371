import type { ChosenPlugin } from '../../../core/api/rules/plugins.ts';
import type { Plugin } from '../../../core/plugins/plugin.ts';
import { type PluginRegistry, plugins } from '../../../core/plugins/registry.ts';
import type { ServicePolicy, Services } from './policy.ts';

/** The services of a network's plugins: plain HTTP and WebSockets below their names. */
export function pluginServicesOf(
  chosen: readonly ChosenPlugin[],
  registered: PluginRegistry = plugins,
): Services {
  const all = chosen.flatMap(({ name, config }) => {
    const plugin: Plugin | undefined = registered[name];
    return Object.entries(plugin?.services(config) ?? {});
  });
  return new Map(
    all.map(([name, { needs }]): [string, ServicePolicy] => [
      name,
      { kind: 'plainHttp', ports: [name], needs, isApplication: true },
    ]),
  );
}
