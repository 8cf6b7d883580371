import type { Installation } from '../api/installation.ts';
import {
  type ChainType,
  chainTypeNames,
  chainTypes,
  clTypes,
  elTypes,
  profiles,
} from '../api/resources/chainSpecs.ts';
import { type ChainSpec, chainSchema } from '../api/resources/network.ts';
import { type PluginName, pluginNames, pluginTable } from '../api/resources/plugins.ts';
import type { ChainOption, ChainTypeOffer } from '../api/rest/chainTypes.ts';
import { hasForkSource, noForkSource } from '../api/rules/forking.ts';
import { pluginsOf } from '../api/rules/plugins.ts';
import type { EngineSet } from '../engines/engineSet.ts';
import { type EngineNeed, engineBlocker } from '../engines/needs.ts';
import { compact } from '../lib/compact.ts';
import { enginesOfPlugin, refusedPlugins } from '../plugins/refusals.ts';
import { plugins } from '../plugins/registry.ts';
import { enginesOfChain, refusedChain } from './registry.ts';

/** What an installation has. */
interface Offered {
  engines: EngineSet;
  forks: Installation['forks'];
}

type Availability = Pick<ChainOption, 'missing' | 'wait'>;

/** What networks of each type can be, and what of it an installation can run now, later, or not at all. */
export function chainTypeOffers(offered: Offered): ChainTypeOffer[] {
  return chainTypeNames.map((type) => ({
    type,
    ...availabilityOf(needsOf(type), offered.engines),
    options: [
      ...profileOptions(type, offered.engines),
      ...forkOptions(type, offered.forks),
      ...clientOptions(type, offered.engines),
      ...pluginNames.flatMap((name) => pluginOption(type, name, offered.engines)),
    ],
  }));
}

function needsOf(type: ChainType): readonly EngineNeed[] {
  const chain = chainWith(type, {});
  return chain ? enginesOfChain({ chain }) : [];
}

function availabilityOf(needs: readonly EngineNeed[], engines: EngineSet): Availability {
  const blocker = engineBlocker(needs, engines);
  if (!blocker) return {};
  if (blocker.kind === 'waiting') return { wait: blocker.message };
  const texts = blocker.kind === 'failed' ? [blocker.message] : blocker.details.map(({ message }) => message);
  return { missing: texts.join('; ') };
}

/** A spec of the type with these settings; undefined when the type does not have them. */
function chainWith(type: ChainType, settings: object): ChainSpec | undefined {
  // Only Ethereum needs a key, and the others may have one.
  const key = type === 'LayerZero' ? {} : { privateKeyRef: { name: 'key' } };
  return chainSchema.safeParse({ type, [chainTypes[type].member]: { ...key, ...settings } }).data;
}

function profileOptions(type: ChainType, engines: EngineSet): ChainOption[] {
  const chains = profiles.map((profile) => chainWith(type, { profile }));
  const offered = chains.flatMap((chain) =>
    chain && refusedChain({ chain }, engines).length === 0 ? chain : [],
  );
  if (offered.length < profiles.length) return [];
  return offered.map((chain, index) => ({
    setting: 'profile',
    value: profiles[index] ?? '',
    ...availabilityOf(enginesOfChain({ chain }), engines),
  }));
}

function forkOptions(type: ChainType, forks: Installation['forks']): ChainOption[] {
  if (!chainWith(type, { forking: { enabled: true } })) return [];
  const missing = hasForkSource(forks, type) ? undefined : noForkSource(type);
  return [{ setting: 'forking', value: 'enabled', ...compact({ missing }) }];
}

function clientOptions(type: ChainType, engines: EngineSet): ChainOption[] {
  if (type !== 'Ethereum') return [];
  const optionOf = (setting: 'elType' | 'clType', value: string): ChainOption => {
    const chain = chainWith(type, { participants: [{ [setting]: value }] });
    const needs = chain ? enginesOfChain({ chain }) : [];
    // What the other client of the participant needs says nothing of this one.
    const own = needs.filter(({ path }) => path.endsWith(setting) || path.endsWith('participants'));
    return {
      setting,
      value,
      ...availabilityOf(
        own.map((need) => ({ ...need, path: setting })),
        engines,
      ),
    };
  };
  return [
    ...elTypes.map((value) => optionOf('elType', value)),
    ...clTypes.map((value) => optionOf('clType', value)),
  ];
}

function pluginOption(type: ChainType, name: PluginName, engines: EngineSet): ChainOption[] {
  const chain = chainWith(type, { plugins: { [name]: {} } });
  if (!chain || refusedPlugins(chain, plugins).length > 0) return [];
  const needs = pluginsOf(chain).flatMap((plugin) => enginesOfPlugin(plugin, plugins));
  const { summary } = pluginTable[name];
  return [{ setting: 'plugins', value: name, description: summary, ...availabilityOf(needs, engines) }];
}
