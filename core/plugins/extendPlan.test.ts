import type { ChainSpec } from '../api/resources/network.ts';
import { allEngines } from '../chains/ethereum/testing/planInput.ts';
import { evmDrivers } from '../chains/evm/drivers.ts';
import { unavailableParts } from '../chains/registry.ts';
import { planContext } from '../chains/testing/planContext.ts';
import type { EngineSet } from '../engines/engineSet.ts';
import { aSetOf } from '../engines/testing/engineSets.ts';
import { withPlugins } from './extendPlan.ts';
import { testPlugin } from './testing/testPlugin.ts';

const registered = { vrf: testPlugin };
const driver = evmDrivers.Base;
const chainWith = (plugins: NonNullable<ChainSpec['base']>['plugins']): ChainSpec => ({
  type: 'Base',
  base: { plugins },
});
const inputOf = (chain: ChainSpec) => ({
  chain,
  chainId: '1400000001',
  mnemonicAddresses: [],
  ...planContext,
});
const withVrf = inputOf(chainWith({ vrf: { type: 'mpc' } }));

describe('the plan of a network with a plugin', () => {
  const before = driver.plan(withVrf);
  const plan = withPlugins(driver, registered).plan(withVrf);

  it('runs the parts of the chain, and the parts of the plugin under its name', () => {
    expect(plan.parts.map(({ name }) => name)).toEqual(['rpc', 'vrf-node', 'vrf-store']);
    expect(plan.parts[0]).toEqual(before.parts[0]);
    expect(plan).toMatchObject({ caveats: before.caveats });
  });

  it('loses no chain with a part of the plugin', () => {
    const own = { plugin: 'vrf', losesChainWith: 'nothing' };
    expect(plan.parts.slice(1)).toEqual([expect.objectContaining(own), expect.objectContaining(own)]);
  });

  it('has the services of both, with who may use them', () => {
    expect(plan.services).toEqual({
      ...before.services,
      vrf: { part: 'vrf-node', port: 'http', needs: 'public' },
      'vrf-admin': { part: 'vrf-node', port: 'admin', needs: 'admin' },
    });
  });

  it('keeps secrets under the name of the plugin, including those of init programs', () => {
    const key = planContext.deriveSecret('plugin/vrf/key');
    expect(plan.secrets).toEqual({ 'vrf-key': key });
    const files = { '/etc/key': 'vrf-key' };
    expect(plan.parts[1]).toMatchObject({ secretFiles: files, init: [{ secretFiles: files }] });
  });

  it('gives parts the hosts of the chain and of other parts', () => {
    const [, node] = plan.parts;
    expect(node?.args).toContain(`http://${planContext.hostOf('rpc')}:8545`);
    expect(node?.files['/etc/test/config.json']).toContain(planContext.hostOf('vrf-store'));
  });
});

it.each([
  ['at its own port', 'rpc', 8546, `ws://${planContext.hostOf('rpc')}:8546`],
  ['at the port of its JSON-RPC', 'none', 8546, `ws://${planContext.hostOf('rpc')}:8545`],
])('a plugin learns where the chain takes WebSockets: %s', (_reason, service, port, expected) => {
  const seen: string[] = [];
  const vrf: typeof testPlugin = {
    ...testPlugin,
    plan(input) {
      seen.push(input.chain.wsUrl);
      return testPlugin.plan(input);
    },
  };
  const chain: typeof driver = {
    ...driver,
    plan(input) {
      const plan = driver.plan(input);
      const parts = plan.parts.map((part) => ({ ...part, ports: { ...part.ports, ws: port } }));
      const services =
        service === 'rpc' ? { ...plan.services, ws: { part: 'rpc', port: 'ws' } } : plan.services;
      return { ...plan, parts, services };
    },
  };
  withPlugins(chain, { vrf }).plan(withVrf);
  expect(seen).toEqual([expected]);
});

it.each([
  ['names no plugin', inputOf(chainWith(undefined))],
  ['names one that this version does not run', inputOf(chainWith({ graph: {} }))],
])('a network that %s is planned by its driver only', (_reason, input) => {
  const { plugins: _, ...plan } = withPlugins(driver, registered).plan(input);
  expect(plan).toEqual(driver.plan(input));
});

it('two services with the same name are refused', () => {
  const services = () => ({ rpc: { part: 'node', port: 'http', needs: 'public' } as const });
  const extended = withPlugins(driver, { vrf: { ...testPlugin, services } });
  expect(extended.plan(withVrf)).toEqual({
    ...driver.plan(withVrf),
    plugins: { run: [], refused: { vrf: 'two services of a network are named rpc' }, waiting: {} },
  });
});

it('a plugin that the installation cannot run is reported with the remedy, and the others run', () => {
  const chain = chainWith({ vrf: { type: 'mpc' }, graph: {} });
  const without = withPlugins(driver, registered).plan({ ...inputOf(chain), engines: aSetOf({}) });
  expect(without.parts.map(({ name }) => name)).toEqual(['rpc']);
  expect(without.plugins).toEqual({
    run: [],
    refused: {
      vrf: `${path}.vrf: needs engines.evm-dev, which this installation lacks: set engines.evm-dev in the chart`,
      graph: `${path}.graph: is not yet available on this installation: omit it`,
    },
    waiting: {},
  });
  const withIt = withPlugins(driver, registered).plan({ ...inputOf(chain), engines: allEngines });
  expect(withIt.plugins?.run.map(({ parts }) => parts)).toEqual([['vrf-node', 'vrf-store']]);
});

describe('a plugin whose engine is being built', () => {
  const since = '2030-01-02T12:03:10Z';
  const offered = (offer: EngineSet['offers'][keyof EngineSet['offers']]): EngineSet => ({
    ...aSetOf({}),
    ...(offer ? { offers: { 'evm-dev': offer } } : {}),
  });
  const planWith = (engines: EngineSet) =>
    withPlugins(driver, { vrf: testPlugin }).plan({ ...withVrf, engines }).plugins;

  it('waits, and says for what', () => {
    const building = { state: 'Building', takes: 'about a minute', since } as const;
    expect(planWith(offered(building))).toEqual({
      run: [],
      refused: {},
      waiting: { vrf: 'engines.evm-dev is being built, which takes about a minute (since 12:03:10 UTC)' },
    });
  });

  it('is refused while the build fails, with the reason', () => {
    const failed = { state: 'Failed', takes: 'about a minute', since, reason: 'no space' } as const;
    const refused = { vrf: expect.stringMatching(/^engines.evm-dev could not be built .*: no space; /) };
    expect(planWith(offered(failed))).toEqual({ run: [], refused, waiting: {} });
  });
});

const path = 'spec.chain.base.plugins';
it.each([
  ['is registered', chainWith({ vrf: { type: 'mpc' } }), []],
  [
    'is not registered',
    chainWith({ graph: {} }),
    [{ path: `${path}.graph`, message: 'is not yet available on this installation: omit it' }],
  ],
  [
    'refuses its config',
    chainWith({ vrf: { type: 'vrfv2plus' } }),
    [{ path: `${path}.vrf.type`, message: 'needs the plugin chainlink' }],
  ],
])('what cannot be run of a plugin that %s', (_reason, chain, details) => {
  expect(unavailableParts({ chain }, allEngines, registered)).toEqual(details);
});
