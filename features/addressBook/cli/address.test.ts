import { createTestCli, type TestCli } from '../../../cli/testing/run.ts';
import { startServer, type TestServer } from '../../../cli/testing/server.ts';

const treasury = `0x${'ab'.repeat(20)}`;
const second = `0x${'cd'.repeat(20)}`;
const network = { id: 'n1', name: 'net', metadata: {}, spec: { chain: { type: 'Base' } } };
const manifest = (name: string) => `
apiVersion: slipway.dev/v1alpha1
kind: AddressName
metadata: { name: "${treasury}", labels: { team: core } }
spec: { name: ${name} }
`;

let server: TestServer;
let cli: TestCli;
let book: { address: string; name: string; note?: string }[];
beforeEach(async () => {
  book = [{ address: treasury, name: 'Treasury' }];
  server = await startServer(({ method, path, body }) => {
    const address = /\/addresses\/(0x[0-9a-f]{40})$/.exec(path)?.[1] ?? '';
    if (method === 'PUT') {
      book = [...book.filter((one) => one.address !== address), { address, ...JSON.parse(body) }];
      return { status: 200, body: book.at(-1) };
    }
    if (method === 'DELETE') {
      const found = book.find((one) => one.address === address);
      book = book.filter((one) => one !== found);
      return { status: found ? 200 : 404, body: found ?? { kind: 'Error', message: 'not named' } };
    }
    if (path.includes('/addresses')) return { status: 200, body: { items: book } };
    if (path.includes('/submit')) return { status: 202, body: { tx_hashes_by_network: { n1: ['0x1'] } } };
    if (path.includes('/faucet')) return { status: 202, body: { txHashes: ['0x2'] } };
    return { status: 200, body: { items: [network], metadata: {} } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
});
afterEach(async () => {
  server.close();
  await cli.close();
});

const sentTo = (path: string) => {
  const { body = '{}' } = server.asked.find((one) => one.method === 'POST' && one.path.includes(path)) ?? {};
  return JSON.parse(body);
};

it('an address is named, listed, and removed by its name or itself', async () => {
  expect((await cli(['address', 'set', second, 'Bridge', '--note', 'of mainnet'])).stdout).toBe(
    `${second} is called "Bridge".\n`,
  );
  expect((await cli(['address', 'list'])).stdout).toMatch(/Bridge +0x(cd){20} +of mainnet/);
  expect((await cli(['address', 'remove', 'bridge'])).code).toBe(0);
  expect((await cli(['address', 'remove', treasury])).stdout).toContain('no longer called "Treasury"');
  expect(book).toEqual([]);
  expect((await cli(['address', 'remove', 'bridge'])).code).toBe(4);
});

it.each([
  ['send', ['send', 'net', 'treasury', '--value', '1'], '"treasury" is'],
  ['tx submit', ['tx', 'submit', 'net', '--to', 'TREASURY', '--value', '1'], '--to "TREASURY" is'],
])('%s takes a name, says the address, and sends that', async (_command, args, text) => {
  const { code, stderr } = await cli(args);
  expect([code, stderr]).toEqual([0, expect.stringContaining(`${text} ${treasury}.`)]);
  expect(sentTo('/submit').transactions_by_network.n1).toMatchObject([{ to: treasury }]);
  expect(server.asked.filter(({ path }) => path.includes('/addresses'))).toHaveLength(1);
});

it('the faucet takes a name', async () => {
  const { stderr } = await cli(['network', 'faucet', 'net', 'treasury']);
  expect(stderr).toContain(`"treasury" is ${treasury}.`);
  expect(sentTo('/faucet')).toEqual({ address: treasury });
});

it('the owner of a token may be a name, and other arguments are what they are', async () => {
  const args = ['--name', 'Gold', '--symbol', 'GLD', '--network', 'net', '--arg', 'total_supply=1'];
  await cli(['token', 'deploy', ...args, '--arg', 'owner=treasury']);
  expect(sentTo('/token/erc20/deploy').deployments).toEqual([
    { network_id: 'n1', args: { total_supply: '1', owner: treasury } },
  ]);
});

it('a name that nobody gave is refused before anything is sent', async () => {
  const { code, stderr } = await cli(['send', 'net', 'vault', '--value', '1']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('"vault" is not an address, nor a name in the address book.'),
  ]);
  expect(server.asked.some(({ method }) => method === 'POST')).toBe(false);
});

it('a name that two addresses have is refused with both', async () => {
  book.push({ address: second, name: 'treasury' });
  const { code, stderr } = await cli(['send', 'net', 'treasury', '--value', '1']);
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining(`2 addresses are called "treasury": ${treasury}, ${second}`),
  ]);
});

it('an address is never looked up, and neither is one that is mistyped', async () => {
  await cli(['send', 'net', treasury, '--value', '1']);
  expect((await cli(['send', 'net', '0xabc', '--value', '1'])).code).toBe(2);
  expect(server.asked.some(({ path }) => path.includes('/addresses'))).toBe(false);
});

it('a manifest names an address, gives it another name, and is found again', async () => {
  const apply = (command: string, name: string) => cli([command, '-f', '-'], { stdin: manifest(name) });
  expect((await apply('apply', 'Treasury')).stdout).toContain('unchanged');
  expect((await apply('diff', 'vault')).stdout).toContain('spec.name: "Treasury" -> "vault"');
  await apply('apply', 'vault');
  expect(book).toEqual([{ address: treasury, name: 'vault' }]);
  await apply('delete', 'vault');
  expect(book).toEqual([]);
});
