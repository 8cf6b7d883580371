import { systemClock } from '../../core/lib/clock.ts';
import { createTestCli, type TestCli } from '../testing/run.ts';
import { startServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let cli: TestCli;
afterEach(async () => {
  server.close();
  await cli.close();
});

it('each change has the time of the day, in UTC', async () => {
  const network = { id: 'n-1', name: 'a', metadata: {}, spec: { chain: { type: 'Base' } } };
  const answers = [[network], [network]];
  server = await startServer(() => ({
    status: 200,
    body: { items: answers.shift() ?? [], metadata: {} },
  }));
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  const nowMs = () => Date.parse('2031-01-31T14:05:09+02:00');
  const clock = { ...systemClock, nowMs, sleep: async () => {} };
  const { code, stdout } = await cli(['network', 'watch', 'a'], { clock });
  expect([code, stdout]).toEqual([0, '12:05:09Z  a: Pending\na: deleted\n']);
});

it.each([
  ['network', 'watch', 'a'],
  ['network', 'logs', 'a', '--follow'],
  ['network', 'calls', 'a', '--follow'],
])('an interruption ends slipway %s %s %s without a message', async (...args) => {
  const network = { id: 'n-1', name: 'a', metadata: {}, spec: { chain: { type: 'Base' } } };
  const stop = new AbortController();
  server = await startServer(({ path }) => {
    if (/logs|calls/.test(path)) stop.abort();
    return { status: 200, body: { items: [network], metadata: {} } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  const onOutput = () => stop.abort();
  expect(await cli(args, { signal: stop.signal, onOutput })).toMatchObject({ code: 130, stderr: '' });
});
