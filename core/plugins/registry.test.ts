import { tokenContractsForTests } from '../../hack/contracts/forTests.ts';
import { pluginNames, pluginTable } from '../api/resources/plugins.ts';
import type { Plugin } from './plugin.ts';
import { plugins } from './registry.ts';
import { describePlugin } from './testing/conformance.ts';
import { vrf } from './vrf/plugin.ts';
import { committeeOf } from './vrf/steps/committee.ts';

it.each(pluginNames)(
  '%s is registered under its own name, if at all, and an empty object switches it on',
  (name) => {
    expect(plugins[name]?.name ?? name).toBe(name);
    expect(pluginTable[name].config.safeParse({}).success).toBe(true);
  },
);

const contracts = tokenContractsForTests();
const registered = Object.values<Plugin | undefined>(plugins).filter((plugin) => plugin !== undefined);

for (const plugin of registered) {
  describe(`the plugin ${plugin.name}`, () => describePlugin({ plugin, config: {}, contracts }));
}

describe('the plugin vrf with a committee', () => {
  const body = JSON.stringify({ public_key: '5e'.repeat(128), genesis_time: 1, period: 1 });
  const members = Object.entries(committeeOf(body)).map(([name, value]) => [`committee.${name}`, value]);
  describePlugin({ plugin: vrf, config: { type: 'mpc' }, contracts, known: Object.fromEntries(members) });
});
