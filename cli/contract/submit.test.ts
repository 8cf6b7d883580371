import { createTestCli, type TestCli } from '../testing/run.ts';
import { startServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let cli: TestCli;
afterEach(async () => {
  server.close();
  await cli.close();
});

const networks = ['n-1', 'n-2', 'n-3'].map((id) => ({ id, name: id.replace('n-', 'net-') }));

it.each([
  [['n-2'], 'Error: Network "net-2" accepted none: is away 2\n'],
  [['n-2', 'n-3'], 'Error: 2 networks accepted none.\n  net-2: is away 2\n  net-3: is away 3\n'],
])('all networks that accepted nothing are named: %j', async (left, stderr) => {
  const errors = left.map((id) => [id, { reason: 'Unavailable', message: `is away ${id.slice(2)}` }]);
  const answer = {
    tx_hashes_by_network: { 'n-1': ['0xaa'] },
    errors_by_network: Object.fromEntries(errors),
  };
  server = await startServer(({ method }) => ({
    status: 200,
    body: method === 'POST' ? answer : { items: networks, metadata: {} },
  }));
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  const body = { transactions_by_network: { 'n-1': [] } };
  const outcome = await cli(['tx', 'submit', '--file', '-'], { stdin: JSON.stringify(body) });
  expect([outcome.code, outcome.stdout, outcome.stderr]).toEqual([1, '0xaa\n', stderr]);
});
