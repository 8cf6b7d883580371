import type { PluginName } from '../api/resources/plugins.ts';
import type { Plugin } from './plugin.ts';

export type PluginRegistry = { readonly [Name in PluginName]?: Plugin<Name> };

/**
 * The plugins that this version runs: one folder beside this file and one line here each, `graph,` for example. Specs
 * may name all of `pluginTable` (core/api/resources/plugins.ts); what is not here is refused as not yet available.
 */
export const plugins: PluginRegistry = {};
