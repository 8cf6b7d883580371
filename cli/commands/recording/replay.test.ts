import { createTestCli, type TestCli } from '../../testing/run.ts';
import { startServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let cli: TestCli;
afterEach(async () => {
  server.close();
  await cli.close();
});

it('a replay that outlasts its timeout ends with 124', async () => {
  server = await startServer(() => undefined);
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  const { code, stderr } = await cli(['replay', 'r-1', '--timeout', '50ms']);
  expect([code, stderr]).toEqual([124, expect.stringContaining('The replay was not done after 0.05s.')]);
});
