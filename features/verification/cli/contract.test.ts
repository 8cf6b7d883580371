import { createTestCli, type TestCli } from '../../../cli/testing/run.ts';
import { startServer, type TestServer } from '../../../cli/testing/server.ts';

const address = `0x${'a'.repeat(40)}`;
const abi = [{ type: 'function', name: 'number', inputs: [], outputs: [], stateMutability: 'view' }];

let server: TestServer;
let cli: TestCli;
beforeEach(async () => {
  const listed = (name: string, at: string) => ({ name, address: at, origin: 'verified' });
  const items = [
    listed('src/Counter.sol:Counter', address),
    listed('src/Counter2.sol:Counter2', `0x${'b'.repeat(40)}`),
  ];
  server = await startServer(({ path }) => {
    if (path.endsWith(`/contracts/${address}`)) return { status: 200, body: { address, abi, sources: {} } };
    if (path.includes('/contracts')) return { status: 200, body: { items, metadata: {} } };
    return { status: 200, body: { items: [{ id: 'n1', name: 'net' }], metadata: {} } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
});
afterEach(async () => {
  server.close();
  await cli.close();
});

it('the ABI of a contract is printed by its name alone', async () => {
  const { code, stdout } = await cli(['contract', 'get', 'net', 'Counter', '--abi']);
  expect([code, JSON.parse(stdout)]).toEqual([0, abi]);
  expect(server.asked.map(({ path }) => path)).toContain('/v1alpha/networks/n1/contracts?name=Counter');
});

it('an address is taken as it is', async () => {
  expect((await cli(['contract', 'get', 'net', address, '--abi'])).code).toBe(0);
  expect(server.asked.filter(({ path }) => path.includes('?name='))).toEqual([]);
});
