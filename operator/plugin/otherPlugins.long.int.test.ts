import { dfns } from '../../core/plugins/dfns/plugin.ts';
import { graph } from '../../core/plugins/graph/graph.ts';
import type { Plugin } from '../../core/plugins/plugin.ts';
import { uniswap } from '../../core/plugins/uniswap/plugin.ts';
import { vrf } from '../../core/plugins/vrf/plugin.ts';
import { createTestKube } from '../../hack/testenv/testKube.ts';
import { describePluginInCluster } from './testing/suite.ts';

const cluster = createTestKube();
afterAll(() => cluster.close());

// Their steps run on a real chain, and ask no services.
describe.each<[string, Plugin, openCredentials: string[]]>([
  ['graph', graph, []],
  ['vrf', vrf, []],
  ['uniswap', uniswap, []],
  ['dfns', dfns, ['orgId', 'credId']],
])('%s', (_name, plugin, openCredentials) => {
  describePluginInCluster(cluster, { plugin, config: {}, openCredentials, deaths: 'at the first step' });
});
