import { createHotKey, endpointsOf, type HotKey, reach, remove } from '../lib/networks.ts';
import { call, until } from '../lib/service.ts';
import { maintain, minuteMs, start } from './families.ts';
import {
  type Counter,
  clicksOf,
  deployCounter,
  deploySubgraph,
  type GraphUrls,
  queryGraph,
  untilClicks,
} from './graphProject.ts';

const name = 'demo/counter';

interface GraphNetwork {
  id: string;
  key: HotKey;
  urls: GraphUrls;
  rpc: string;
}

async function urlsOf(id: string): Promise<Pick<GraphNetwork, 'urls' | 'rpc'>> {
  const { rpc = '', graph = '', ipfs = '', ...more } = await endpointsOf(id);
  const { 'graph-admin': admin = '', 'graph-status': status = '' } = more;
  return { rpc, urls: { graph, status, admin: `${admin}/`, ipfs: `${ipfs}/api/v0` } };
}

/** What the network reports of the plugin once it is ready. */
async function untilReady(id: string): Promise<Record<string, unknown>> {
  const { body } = await until(
    'the plugin graph to be ready',
    () => call('GET', `/v1alpha/networks/${id}`),
    ({ body }) => body.status?.plugins?.graph?.state === 'Ready',
    2 * minuteMs,
  );
  return body.status.plugins.graph;
}

/** Deploys the project's subgraph for a new counter with one click. */
async function deployAll({ urls, rpc, key }: GraphNetwork): Promise<Counter> {
  const counter = await deployCounter(rpc, key.wallet.privateKey);
  await counter.increment();
  await deploySubgraph(urls, { network: 'mainnet', address: counter.address, name });
  return counter;
}

describe('a network with the plugin graph', () => {
  let network: GraphNetwork;
  let counter: Counter;

  beforeAll(async () => {
    const key = await createHotKey();
    const id = await start('Ethereum', { privateKeyRef: { name: key.name }, plugins: { graph: {} } });
    network = { id, key, ...(await urlsOf(id)) };
  });
  afterAll(() => remove(network.id));

  it('reports that it is ready, and what subgraphs call the chain', async () => {
    expect(await untilReady(network.id)).toMatchObject({ values: { network: 'mainnet' } });
  });

  it('takes a subgraph from the unmodified graph-cli, and answers queries', async () => {
    counter = await deployAll(network);
    expect(await untilClicks(network.urls, name, 1)).toMatchObject([{ count: '1', counterName: 'clicks' }]);
    await counter.increment();
    await untilClicks(network.urls, name, 2);
  });

  it('tells how far each subgraph is', async () => {
    const { data } = await queryGraph(
      `${network.urls.status}/graphql`,
      '{ indexingStatuses { health synced } }',
    );
    expect(data?.indexingStatuses).toContainEqual({ health: 'healthy', synced: true });
  });

  it('does not let anybody deploy with the public URL', async () => {
    const { urls } = network;
    expect(urls.graph).toMatch(/graph$/);
    const other = urls.graph.replace(/graph$/, 'graph-admin');
    expect((await fetch(other, { method: 'POST', body: '{}' })).status).toBeGreaterThanOrEqual(400);
  });

  it('has its history after a Restart', async () => {
    await maintain(network.id, 'Restart', 1);
    await reach(network.id, 'Operational');
    await untilReady(network.id);
    await untilClicks(network.urls, name, 2);
    await counter.increment();
    await untilClicks(network.urls, name, 3);
  });

  it('begins with nothing after a ResetState, and takes the subgraph again', async () => {
    await maintain(network.id, 'ResetState', 2);
    await reach(network.id, 'Operational');
    await untilReady(network.id);
    expect(await clicksOf(network.urls, name)).toBeUndefined();
    await deployAll(network);
    await untilClicks(network.urls, name, 1);
  });
});
