import { createTestCli, type TestCli } from '../../../cli/testing/run.ts';
import { startServer, type TestServer } from '../../../cli/testing/server.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';

const url = 'https://slipway.example/rpc/n1/key/rpc';
const key = {
  kind: 'RpcKey',
  name: 'ci',
  state: 'Active',
  createdAt: '2031-01-01T00:00:00Z',
  endpoints: { rpc: url },
};

let server: TestServer;
let cli: TestCli;
beforeEach(async () => {
  server = await startServer(({ path, method }) => {
    if (!path.includes('/keys'))
      return { status: 200, body: { items: [{ id: 'n1', name: 'net' }], metadata: {} } };
    if (method === 'GET')
      return { status: 200, body: { items: [key, { ...key, name: 'old', methods: ['eth_*'] }] } };
    return { status: method === 'POST' ? 201 : 200, body: key };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
});
afterEach(async () => {
  server.close();
  await cli.close();
});

it('create prints the URL alone, and sends the expiry and the methods', async () => {
  const args = ['network', 'keys', 'create', 'net', 'ci', '--expires-after', '24h', '--method', 'eth_*'];
  const clock = createManualClock(Date.parse('2031-01-31T12:00:00.500Z'));
  expect((await cli(args, { clock })).stdout).toBe(`${url}\n`);
  const { path, body } = server.asked.at(-1) ?? { path: '', body: '' };
  expect(path).toBe('/v1alpha/networks/n1/keys');
  expect(JSON.parse(body)).toEqual({ name: 'ci', expiresAt: '2031-02-01T12:00:00Z', methods: ['eth_*'] });
});

it('list shows the state, the expiry, the methods and the URL', async () => {
  const { stdout } = await cli(['network', 'keys', 'list', 'net']);
  expect(stdout).toMatch(/ci +Active +never +all +https:/);
  expect(stdout).toMatch(/old +Active +never +eth_\* +https:/);
});

it('revoke deletes the key', async () => {
  const { stdout } = await cli(['network', 'keys', 'revoke', 'net', 'ci']);
  expect(stdout).toBe('The key "ci" is revoked.\n');
  expect(server.asked.at(-1)).toMatchObject({ method: 'DELETE', path: '/v1alpha/networks/n1/keys/ci' });
});
