import type { PluginName } from '../../../core/api/resources/plugins.ts';
import { type Plugin, pluginScope } from '../../../core/plugins/plugin.ts';

/** A plugin in the place of one that is not under test: on the chain alone, and using whatever the network has besides. */
export function companionOf(tested: PluginName): Plugin {
  return tested === 'dfns' ? inPlaceOf('graph') : inPlaceOf('dfns');
}

const inPlaceOf = (name: PluginName): Plugin => ({
  name,
  engines: () => [],
  services: () => ({}),
  uses: ({ others }) => others,
  plan: () => ({ parts: [] }),
  steps({ network, others, reports = {} }) {
    if (others.some((other) => reports[other] === undefined)) throw new Error('a report is missing');
    return [
      {
        kind: 'create',
        network: network.id,
        name: 'contract',
        title: 'create a contract',
        after: [],
        scope: pluginScope(name, network),
        signer: 'service',
        initCode: () => '0x6001600c60003960016000f300',
      },
    ];
  },
  report: ({ network }, known) => ({ addresses: { contract: known.get(network.id, 'contract') } }),
});
