import { createTestCli, type TestCli } from '../../../cli/testing/run.ts';
import { startServer, type TestServer } from '../../../cli/testing/server.ts';

const network = { id: 'n-1', name: 'net', metadata: {}, spec: { chain: { type: 'Base' } } };
const manifest = (methods: string[]) => `
apiVersion: slipway.dev/v1alpha1
kind: RpcKey
metadata: { name: ci, labels: { team: core } }
spec: { network: net, expiresAt: "2031-07-01T00:00:00Z", methods: ${JSON.stringify(methods)} }
`;

let server: TestServer;
let cli: TestCli;
let keys: object[];
beforeEach(async () => {
  keys = [];
  server = await startServer(({ method, path, body }) => {
    if (!path.includes('/keys')) return { status: 200, body: { items: [network], metadata: {} } };
    if (method === 'POST') keys.push({ kind: 'RpcKey', state: 'Active', ...JSON.parse(body) });
    if (method === 'DELETE') return { status: 200, body: keys.pop() };
    return method === 'POST' ? { status: 201, body: keys[0] } : { status: 200, body: { items: keys } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
});
afterEach(async () => {
  server.close();
  await cli.close();
});

const apply = (command: string, methods = ['eth_*']) =>
  cli([command, '-f', '-'], { stdin: manifest(methods) });

it('a key is created for its network, and found again', async () => {
  expect(await apply('apply')).toMatchObject({ code: 0 });
  expect(keys).toMatchObject([{ name: 'ci', expiresAt: '2031-07-01T00:00:00Z', methods: ['eth_*'] }]);
  expect((await apply('apply')).stdout + (await apply('diff')).stdout).not.toContain('create');
  expect(keys).toHaveLength(1);
});

it('a change is refused: what has the URL must not find that it opens something else', async () => {
  await apply('apply');
  const { code, stderr } = await apply('apply', ['net_version']);
  expect([code, stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('an RpcKey cannot be changed'),
  ]);
  expect(code).not.toBe(0);
});

it('a key that is deleted is revoked', async () => {
  await apply('apply');
  expect(await apply('delete')).toMatchObject({ code: 0 });
  expect(server.asked.find(({ method }) => method === 'DELETE')?.path).toMatch(/n-1\/keys\/ci$/);
});
