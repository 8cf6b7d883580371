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

it('audit names the user, the key, the action and how often', async () => {
  await answering({
    kind: 'AuditEntryList',
    metadata: {},
    items: [
      {
        at: '2031-01-31T00:00:00Z',
        userID: 'u1',
        userName: 'Ada',
        apiKeyID: 'k1',
        apiKeyName: 'ci',
        action: 'deleteNetwork',
        outcome: 'ok',
        count: 2,
        objects: ['Network a (1)', 'Network b (2)'],
      },
    ],
  });
  const { stdout } = await cli(['audit', '--action', 'deleteNetwork']);
  expect(stdout).toMatch(/Ada +key ci +deleteNetwork \(2 times\) +ok +- +Network a \(1\), Network b \(2\)\n/);
  expect(server.asked.at(-1)?.path).toBe('/workspace/v1alpha1/workspaces/w1/audit?action=deleteNetwork');
});
