import { createTestCli, type TestCli } from '../testing/run.ts';
import { startServer, type TestServer } from '../testing/server.ts';

const endpoints = { rpc: 'http://gateway/rpc' };
const network = {
  id: 'n-1',
  name: 'a',
  metadata: {},
  spec: { chain: { type: 'Base' } },
  status: { state: 'Operational', endpoints },
};

let server: TestServer;
let cli: TestCli;
beforeEach(async () => {
  const bodies: [RegExp, object][] = [
    [/\/api-keys$/, { id: 'k-1', name: 'ci', secret: 's', token: 'k-1.s' }],
    [/\/invitations$/, { id: 'inv-1', token: 'inv-1.s' }],
    [/\/me$/, { workspace: { id: 'w-1' } }],
    [/GET \/v1alpha\/webhooks/, { items: [{ id: 'h-1', name: 'ci' }], metadata: {} }],
    [/\/(webhooks|rotate-secret)$/, { id: 'h-1', name: 'ci', secret: 'whsec_s' }],
    [/\/contracts/, { items: [{ address: '0xc0' }, { address: '0xc1' }], metadata: {} }],
    [/\/faucet/, { txHashes: ['0xaa'] }],
    [/\/token-types/, ['ERC20', 'OFT']],
    [/\/networks\?/, { items: [network], metadata: {} }],
  ];
  server = await startServer(({ method, path }) => ({
    status: 200,
    body: bodies.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1],
  }));
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
});
afterEach(async () => {
  server.close();
  await cli.close();
});

it.each([
  ['network get a', 'n-1\n'],
  ['network open a', 'http://gateway/rpc\n'],
  [`network faucet a 0x${'1'.repeat(40)}`, '0xaa\n'],
  ['contract list a', '0xc0\n0xc1\n'],
  ['token standards', 'ERC20\nOFT\n'],
  ['key create ci --role viewer', 'k-1.s\n'],
  ['invitation create ann@example.com --role viewer', 'inv-1.s\n'],
  ['webhook create ci https://ci.example/hook', 'whsec_s\n'],
  ['webhook get ci', 'h-1\n'],
  ['webhook rotate-secret ci', 'whsec_s\n'],
  ['api POST /workspace/v1alpha1/workspaces/w-1/api-keys', 'k-1.s\n'],
])('"slipway %s --quiet" prints what a script asks for, and nothing else', async (command, stdout) => {
  expect(await cli([...command.split(' '), '--quiet'])).toEqual(
    expect.objectContaining({ code: 0, stdout, stderr: '' }),
  );
});

it('standards are listed with the values that deploy takes', async () => {
  expect((await cli(['token', 'standards'])).stdout).toMatch(/ERC20 +erc20\n/);
});
