import type { PluginName } from '../api/resources/plugins.ts';
import { chainlink } from './chainlink/plugin.ts';
import { dfns } from './dfns/plugin.ts';
import { graph } from './graph/graph.ts';
import type { Plugin } from './plugin.ts';
import { uniswap } from './uniswap/plugin.ts';
import { vrf } from './vrf/plugin.ts';

export type PluginRegistry = { readonly [Name in PluginName]?: Plugin<Name> };

/**
 * The plugins that this version runs: one folder next to this file and one line here each. Specs may name all of
 * `pluginTable` (core/api/resources/plugins.ts); those that are not listed here are refused as not yet available.
 */
export const plugins: PluginRegistry = { chainlink, dfns, graph, uniswap, vrf };
