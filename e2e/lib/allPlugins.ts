import { pluginNames } from '../../core/api/resources/plugins.ts';
import { isBuilt } from '../../hack/tools/build.ts';
import { getJson, kubectl } from './cluster.ts';
import { createHotKey, createNetwork, endpointsOf, reach, remove } from './networks.ts';
import { askRpc } from './readinessCalls.ts';
import { call, until } from './service.ts';

/** Why not all plugins can run here; undefined if they can. */
export const allPluginsSkipReason =
  isBuilt('gnd') && isBuilt('chainlink') && isBuilt('postgres.tar')
    ? undefined
    : 'skipped: run `make engines ENGINES="postgres graph chainlink"`';

const plugins = Object.fromEntries(pluginNames.map((name) => [name, {}]));

interface Entry {
  state: string;
  deployment: string;
  addresses?: Record<string, string>;
}
type Entries = Record<string, Entry>;

interface AllPluginsCase {
  /** Of an Ethereum network. */
  chain?: object;
  /** From the request until every plugin is ready. */
  limitMs: number;
}

/** All plugins on one network: from nothing to ready, a new chain, an idle stop and a wake, and removed again. */
export function describeAllPlugins({ chain = {}, limitMs }: AllPluginsCase): void {
  let id: string;
  let name: string;
  let present: Entries;
  const ofNetwork = () => `slipway.dev/network=${id}`;

  beforeAll(async () => {
    const key = await createHotKey();
    const { status, body } = await createNetwork({ privateKeyRef: { name: key.name }, ...chain, plugins });
    if (status !== 201) throw new Error(JSON.stringify(body));
    ({ id, name } = body);
  });

  /** The entries in the status once every plugin is ready, each under a deployment other than before. */
  async function untilReady(former: Entries = {}): Promise<Entries> {
    const { body } = await until(
      'every plugin to be ready',
      () => call('GET', `/v1alpha/networks/${id}`),
      ({ body: { status } }) =>
        pluginNames.every((plugin) => {
          const entry = status.plugins?.[plugin];
          return entry?.state === 'Ready' && entry.deployment !== former[plugin]?.deployment;
        }) && readyConditions(status) === pluginNames.length,
      limitMs,
    );
    return body.status.plugins;
  }

  /** Something has happened at each address on the present chain. */
  async function expectOnChain(): Promise<void> {
    const { rpc } = await endpointsOf(id);
    const ask = (method: string, address: string) => askRpc(rpc, { method, params: [address, 'latest'] });
    for (const address of Object.values(present).flatMap(({ addresses = {} }) => Object.values(addresses))) {
      const [code, balance] = [await ask('eth_getCode', address), await ask('eth_getBalance', address)];
      expect([address, code !== '0x' || balance !== '0x0']).toEqual([address, true]);
    }
  }

  it('all plugins run on one network', async () => {
    await reach(id, 'Operational', limitMs);
    present = await untilReady();
    await expectOnChain();
    const secrets = (await getJson('secrets', '--selector', `${ofNetwork()},slipway.dev/plugin`)).items;
    expect(secrets.length).toBeGreaterThan(0);
  });

  it('all plugins begin again on the chain of a ResetState', async () => {
    const { body } = await call('GET', `/v1alpha/networks/${id}`);
    const spec = { ...body.spec, maintenanceRequest: { action: 'ResetState', nonce: 1 } };
    const { status } = await call('PUT', `/v1alpha/networks/${id}`, { body: { name, spec } });
    expect(status).toBe(200);
    present = await untilReady(present);
    await expectOnChain();
  });

  it('no pod of a plugin is left when the network stops, and all plugins are ready again after it wakes', async () => {
    const patch = JSON.stringify({ status: { lastWakeUpAt: '2020-01-01T00:00:00Z' } });
    const args = ['patch', 'networks.slipway.dev', name, '--subresource=status', '--type=merge'];
    expect((await kubectl([...args, '--patch', patch])).code).toBe(0);
    await until(
      `${name} in Stopped`,
      () => getJson('networks.slipway.dev', name),
      ({ status }) => status.state === 'Stopped',
    );
    await untilLeft('pods', ofNetwork());
    present = await untilReady(present);
    await expectOnChain();
  });

  it('plugins that are removed leave nothing, and the chain goes on', async () => {
    const { body } = await call('GET', `/v1alpha/networks/${id}`);
    const { plugins: _removed, ...ethereum } = body.spec.chain.ethereum;
    const spec = { ...body.spec, chain: { ...body.spec.chain, ethereum } };
    const { status } = await call('PUT', `/v1alpha/networks/${id}`, { body: { name, spec } });
    expect(status).toBe(200);
    await untilLeft(kinds, `${ofNetwork()},slipway.dev/plugin`);
    const after = await reach(id, 'Operational');
    expect(after.status.enclaveID).toBe(body.status.enclaveID);
    const states = Object.values<Entry>(after.status.plugins ?? {}).map(({ state }) => state);
    expect(states).not.toContain('Ready');
    await until(
      'no plugin to be in the status',
      () => getJson('networks.slipway.dev', name),
      ({ status: { plugins: left = {} } }) => Object.keys(left).length === 0,
    );
    await expectOnChain();
  });

  it('a network that is deleted leaves nothing of its plugins', async () => {
    await remove(id);
    await untilLeft(kinds, ofNetwork());
  });
}

/** How many plugins are ready by their conditions, which are written apart from what the plugins tell. */
function readyConditions({ conditions }: { conditions: { type: string; status: string }[] }): number {
  return conditions.filter(({ type, status }) => type.startsWith('Plugin') && status === 'True').length;
}

const kinds = 'pods,services,configmaps,secrets,persistentvolumeclaims,endpointslices';

async function untilLeft(what: string, selector: string): Promise<void> {
  const left = async () => (await kubectl(['get', what, '--selector', selector, '-o', 'name'])).stdout.trim();
  await until(`${selector} to leave`, left, (names) => names === '');
}
