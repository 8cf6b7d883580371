import { createTestCli, type TestCli } from '../../testing/run.ts';
import { startServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let cli: TestCli;
afterEach(async () => {
  server.close();
  await cli.close();
});

const token = (name: string, ...states: string[]) => ({
  id: name,
  name,
  symbol: 'TKN',
  type: 'ERC20',
  deployments: states.map((state) => ({ network_id: 'n', state, token_address: `0x${'a'.repeat(40)}` })),
});

it('what a reset or deleted network had is not counted as deployed, though its address is known', async () => {
  const items = [
    token('all', 'Deployed', 'Deployed'),
    token('part', 'Deployed', 'Lost', 'Error', 'Deploying'),
  ];
  server = await startServer(() => ({ status: 200, body: { kind: 'TokenList', items, metadata: {} } }));
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  const lines = (await cli(['token', 'list'])).stdout.split('\n');
  expect(lines.slice(1, 3)).toEqual([
    expect.stringMatching(/^all .* 2\/2 /),
    expect.stringMatching(/^part .* 1\/4, 1 lost, 1 failed /),
  ]);
});
