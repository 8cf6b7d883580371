import { createTestCli, type TestCli } from '../../../cli/testing/run.ts';
import { startServer, type TestServer } from '../../../cli/testing/server.ts';

let server: TestServer;
let cli: TestCli;
afterEach(async () => {
  server.close();
  await cli.close();
});

/** Answers `body` to everything but the question for the workspace. */
async function answering(body: object): Promise<void> {
  server = await startServer(({ path }) => ({
    status: 200,
    body: path.endsWith('/me') ? { kind: 'Me', workspace: { id: 'w1', name: 'team' } } : body,
  }));
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
}

it('usage shows what is used of the budgets, and each day', async () => {
  await answering({
    kind: 'Usage',
    budgets: [
      { name: 'networks', used: 3, max: 1000 },
      { name: 'secrets', used: 12 },
    ],
    days: [{ day: '2031-01-31', networkHours: 1.5, rpcCalls: 70, transactions: 2 }],
  });
  const { code, stdout } = await cli(['usage', '--days', '1']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/networks +3 +1000\nsecrets +12 +no limit\n/);
  expect(stdout).toMatch(/2031-01-31 +1\.50 +70 +2\n/);
  expect(server.asked.at(-1)?.path).toBe('/workspace/v1alpha1/workspaces/w1/usage?days=1');
});

it('usage shows what is stored, and nothing of it where the service does not say', async () => {
  const usage = { kind: 'Usage', budgets: [], days: [] };
  await answering({ ...usage, stored: [{ kind: 'recordings', bytes: 5000 }] });
  expect((await cli(['usage'])).stdout).toMatch(/stored +bytes\nrecordings +5000\n/i);
  server.close();
  await answering(usage);
  expect((await cli(['usage'])).stdout).not.toMatch(/stored/i);
});
