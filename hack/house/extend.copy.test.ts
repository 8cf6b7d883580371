import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CopyOfCheckout, copyOfCheckout } from '../testing/copyOfCheckout.ts';

/**
 * A Layer 2 is one data file and one registry line; a plugin is one folder, one registry line and one row in the table of
 * the contract. Made up, in a copy of the checkout.
 */

const chain = `import { defineEvmChain } from '../../chain.ts';
import { multicall3, wrappedNative } from '../../contracts.ts';

export const cinder = defineEvmChain({
  type: 'Cinder',
  name: 'Cinder One',
  currency: { name: 'Cinder', symbol: 'CIN', decimals: 18 },
  publicChainId: 777_001,
  relatedChainIds: [777_002],
  chainIdPrefix: 210,
  blockTimeSeconds: 3,
  network: 'ethereum',
  hardfork: 'cancun',
  gasLimit: 25_000_000,
  baseFeeWei: 500_000_000,
  contracts: [
    multicall3,
    wrappedNative('0x00000000000000000000000000000000000000B1', { name: 'Wrapped Cinder', symbol: 'WCIN' }),
  ],
  caveats: ['no embers'],
});
`;

const plugin = `import type { Plugin } from '../../plugin.ts';

export const lantern: Plugin<'lantern'> = {
  name: 'lantern',
  engines: () => [{ engine: 'evm-dev', path: '' }],
  services: () => ({ lantern: { part: 'node', port: 'http', needs: 'public' } }),
  plan: ({ chain }) => ({
    parts: [
      {
        name: 'node',
        engine: 'evm-dev',
        args: [chain.rpcUrl],
        files: {},
        ports: { http: 8000 },
        readyPort: 'http',
      },
    ],
  }),
};
`;

/** What the copy makes of both, as JSON. */
const questions = `import { servicesOf } from '../apiserver/gateway/policy/families.ts';
import { forkSourcesSchema } from '../core/api/installation.ts';
import { isEvmChain } from '../core/api/resources/chainSpecs.ts';
import { networkCreateSchema } from '../core/api/resources/network.ts';
import { pluginsOf } from '../core/api/rules/plugins.ts';
import { detailsOf } from '../core/api/rules/issues.ts';
import { driverOf, unavailableParts } from '../core/chains/registry.ts';

const problemsOf = (chain) => {
  const parsed = networkCreateSchema.safeParse({ name: 'n', spec: { chain } });
  return parsed.success ? [] : detailsOf(parsed.error).map(({ path }) => path);
};
const chain = { type: 'Cinder', cinder: { plugins: { lantern: {} } } };
const driver = driverOf('Cinder');
const context = { mnemonicAddresses: [], deriveSecret: () => '', hostOf: (part) => part };
const plan = driver.plan({ chain, chainId: driver.generateChainId('ffffffff'), ...context });
const plugins = pluginsOf(chain);
console.log(
  JSON.stringify({
    good: problemsOf(chain),
    missing: problemsOf({ type: 'Cinder' }),
    wrong: problemsOf({ type: 'Cinder', cinder: {}, base: {} }),
    isEvm: isEvmChain('Cinder'),
    args: plan.parts[0].args.slice(4, 8),
    caveats: plan.caveats,
    parts: plan.parts.map(({ name }) => name),
    services: Object.keys(plan.services),
    gateway: ['rpc', 'lantern', 'vrf'].map((name) => servicesOf({ type: 'Cinder', plugins }).get(name)?.kind),
    unavailable: unavailableParts({ chain }, { images: { 'evm-dev': {} }, offers: {}, allowed: {} }).map(({ path }) => path),
    refusals: ['777001', '777002'].map((id) => driver.refuseChainId(id, false) !== undefined),
    forks: forkSourcesSchema.safeParse({ Cinder: 'https://a.example' }).success,
  }),
);
`;

let copy: CopyOfCheckout;
const write = (path: string, text: string) => writeFileSync(join(copy.folder, path), text);

beforeAll(() => {
  copy = copyOfCheckout();
  write('core/chains/evm/chains/cinder.ts', chain);
  const chains = 'core/chains/evm/registry.ts';
  write(chains, `${copy.read(chains)}export { cinder } from '../chains/cinder.ts';\n`);
  const table = 'core/api/resources/plugins.ts';
  const row = "  lantern: { config: noConfig, description: 'A lantern.', hosts: everyEvmChain },\n} as const";
  write(table, copy.read(table).replace('} as const', row));
  mkdirSync(join(copy.folder, 'core/plugins/lantern'));
  write('core/plugins/lantern/lantern.ts', plugin);
  const plugins = 'core/plugins/registry.ts';
  const registered = copy
    .read(plugins)
    .replace('\n\n', "\nimport { lantern } from '../lantern/lantern.ts';\n\n")
    .replace('plugins: PluginRegistry = {', 'plugins: PluginRegistry = { lantern,');
  write(plugins, registered);
  copy.node('hack/generate/main.ts');
});
afterAll(() => copy.remove());

it('a Layer 2 and a plugin are their files and a line for each registry: all else that differs is generated', () => {
  expect(copy.changed().sort()).toEqual([
    'charts/slipway/templates/crds/networks.yaml',
    'charts/slipway/values.schema.json',
    'core/api/resources/plugins.ts',
    'core/chains/evm/registry.ts',
    'core/plugins/registry.ts',
    'crds/networks.yaml',
    'docs/api.md',
    'docs/chains.md',
    'docs/openapi.json',
    'sdk/src/generated/currencies.ts',
    'sdk/src/generated/types.ts',
  ]);
});

it('the Layer 2 is in the custom resource, in the chart and in all documents', () => {
  const crd = copy.read('crds/networks.yaml');
  expect(crd).toContain("|| has(self.cinder) && self.type == 'Cinder'");
  expect(crd).toContain('spec.chain.cinder is only for spec.chain.type Cinder');
  const { schemas } = JSON.parse(copy.read('docs/openapi.json')).components;
  expect(schemas.ChainSpec.properties.type.enum).toContain('Cinder');
  expect(schemas.ChainSpec.properties.cinder).toMatchObject({ $ref: '#/components/schemas/Layer2Spec' });
  const values = JSON.parse(copy.read('charts/slipway/values.schema.json'));
  expect(values.properties.forkSources.properties).toHaveProperty('Cinder');
  expect(copy.read('docs/api.md')).toContain('| spec.chain.cinder | [Layer2Spec](#layer2spec) |');
  const page = copy.read('docs/chains.md');
  expect(page).toContain(
    '| Cinder | Cinder One | CIN | 777001 | 210xxxxxxx | 3 s | cancun | 25 M | 0.5 gwei |',
  );
  expect(page).toContain('| WCIN | `0x00000000000000000000000000000000000000B1` | wrapped CIN |');
  expect(page).toContain('Differences from the public chain:\n- no embers\n');
});

it('the Layer 2 is validated and planned, with what the plugin adds', () => {
  write('questions.ts', questions);
  expect(JSON.parse(copy.node('questions.ts'))).toEqual({
    good: [],
    missing: ['spec.chain.cinder'],
    wrong: ['spec.chain.base'],
    isEvm: true,
    args: ['--chain-id', '2104967295', '--hardfork', 'cancun'],
    caveats: ['no embers'],
    parts: ['rpc', 'lantern-node'],
    services: ['rpc', 'lantern'],
    gateway: ['jsonRpc', 'plainHttp', null],
    unavailable: [],
    refusals: [true, true],
    forks: true,
  });
});

it('both are held to the suites of their seams, whose tables derive from the registries', () => {
  const jest = ['--no-warnings', 'node_modules/jest/bin/jest.js'];
  const suites = 'core/(plugins/registry|chains/registry|chains/evm/facts)';
  const output = copy.node(...jest, '--selectProjects', 'unit', '-i', '--testPathPatterns', suites, '--json');
  const { testResults } = JSON.parse(output.slice(output.indexOf('{')));
  const titles: string[] = testResults.flatMap(
    ({ assertionResults }: { assertionResults: { ancestorTitles: string[]; title: string }[] }) =>
      assertionResults.map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' ')),
  );
  expect(titles.filter((title) => /^Cinder /.test(title)).length).toBeGreaterThan(5);
  expect(titles.filter((title) => /^the plugin lantern /.test(title)).length).toBeGreaterThan(5);
});

it('both fit the types of all the code', () => {
  expect(copy.node('node_modules/typescript/bin/tsc', '--noEmit', '--incremental', 'false')).toBe('');
});
