import { createTestCli, type TestCli } from '../testing/run.ts';
import { startServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let cli: TestCli;
afterEach(async () => {
  server.close();
  await cli.close();
});

it('a snapshot of another network is said to be that', async () => {
  const network = { id: 'n-1', name: 'a', metadata: {}, spec: { chain: { type: 'Base' } } };
  const snapshot = { id: 's-1', name: 'before', spec: { network: 'b' } };
  server = await startServer(({ path }) => {
    const items = path.includes('/snapshots') ? [snapshot] : [network];
    return { status: 200, body: { items, metadata: {} } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  const { code, stderr } = await cli(['snapshot', 'revert', 'a', 'before']);
  expect([code, stderr]).toEqual([
    4,
    'Error: Snapshot "before" is of network "b", not of "a".\nSee: slipway snapshot list --network a\n',
  ]);
  expect(server.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
});
