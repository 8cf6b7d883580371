import { createTestCli, type TestCli } from '../../../cli/testing/run.ts';
import { startServer, type TestServer } from '../../../cli/testing/server.ts';
import { systemClock } from '../../../core/lib/clock.ts';

const call = (id: string, more: object = {}) => ({
  id,
  time: `2031-01-31T12:00:0${id}.250Z`,
  service: 'rpc',
  transport: 'http',
  key: 'public',
  method: 'eth_call',
  params: '[{"to":"0xabc"}]',
  durationMs: 12,
  ...more,
});
const failed = { error: { code: 3, message: 'execution reverted' } };

let server: TestServer;
let cli: TestCli;
afterEach(async () => {
  server.close();
  await cli.close();
});

/** Answers requests for calls in turn, the last answer again and again. */
async function answering(...lists: object[]): Promise<void> {
  let index = 0;
  const next = () => lists[Math.min(index++, lists.length - 1)];
  server = await startServer(({ path, method }) => {
    if (method === 'PUT') return { status: 200, body: { enabled: true } };
    if (path.includes('/calls'))
      return { status: 200, body: { kind: 'CallList', enabled: true, missingReplicas: 0, ...next() } };
    return { status: 200, body: { items: [{ id: 'n1', name: 'net' }], metadata: {} } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
}

it('calls are listed with their key, duration, outcome, method and parameters', async () => {
  await answering({ items: [call('1'), call('2', failed), call('3', { error: { message: 'away' } })] });
  const { stdout } = await cli(['network', 'calls', 'net', '--failed', '--limit', '5']);
  expect(stdout).toMatch(/public +12 +ok +eth_call \[\{"to":"0xabc"\}\]\n/);
  expect(stdout).toMatch(/public +12 +3 execution reverted +eth_call/);
  expect(stdout).toMatch(/public +12 +away +eth_call/);
  expect(server.asked.at(-1)?.path).toBe('/v1alpha/networks/n1/calls?failed=true&limit=5');
});

it('the remedy is named where calls are not kept, or some are missing', async () => {
  await answering({ enabled: false, items: [] }, { items: [], missingReplicas: 2 });
  expect((await cli(['network', 'calls', 'net'])).stderr).toContain('slipway network calls net --on');
  expect((await cli(['network', 'calls', 'net'])).stderr).toContain('2 replicas did not answer');
});

it('--on switches them on', async () => {
  await answering({ items: [] });
  const { stdout } = await cli(['network', 'calls', 'net', '--on']);
  expect(stdout).toBe('The calls to net are kept from now on.\n');
  expect(server.asked.at(-1)).toMatchObject({ method: 'PUT', path: '/v1alpha/networks/n1/calls' });
});

it('--follow prints each call once, and asks only for what is new', async () => {
  await answering({ items: [call('1')] }, { items: [call('1'), call('2')] }, { enabled: false, items: [] });
  const clock = { ...systemClock, sleep: async () => {} };
  const { stdout, stderr, code } = await cli(['network', 'calls', 'net', '--follow', '--ndjson'], { clock });
  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  expect(ids).toEqual(['1', '2']);
  expect(code).toBe(1);
  expect(stderr).toContain('not kept');
  expect(decodeURIComponent(server.asked.at(-1)?.path ?? '')).toContain(
    'limit=1000&since=2031-01-31T11:59:52.250Z',
  );
});
