import { createTestCli, type TestCli } from '../testing/run.ts';
import { startServer, type TestServer } from '../testing/server.ts';

const endpoints = { rpc: 'http://gateway/rpc' };
const network = {
  ...{ id: 'n-1', name: 'a', metadata: {}, spec: { chain: { type: 'Base' } } },
  status: { state: 'Operational', endpoints },
};

let server: TestServer;
let cli: TestCli;
beforeEach(async () => {
  const bodies: [RegExp, object][] = [
    [/\/contracts/, { items: [{ address: '0xc0' }, { address: '0xc1' }] }],
    [/\/faucet/, { txHashes: ['0xaa'] }],
    [/\/token-types/, ['ERC20', 'OFT']],
    [/\/networks\?/, { items: [network], metadata: {} }],
    [/./, { url: 'https://a.example/link' }],
  ];
  server = await startServer(({ path }) => ({
    status: 200,
    body: bodies.find(([pattern]) => pattern.test(path))?.[1],
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
  ['network faucet a 0x1', '0xaa\n'],
  ['contract list a', '0xc0\n0xc1\n'],
  ['token standards', 'ERC20\nOFT\n'],
  ['console', 'https://a.example/link\n'],
])('"slipway %s --quiet" prints what a script asks for, and nothing else', async (command, stdout) => {
  expect(await cli([...command.split(' '), '--quiet'])).toEqual(
    expect.objectContaining({ code: 0, stdout, stderr: '' }),
  );
});
