import { createTestCli, type TestCli } from '../testing/run.ts';
import { startServer, type TestServer } from '../testing/server.ts';

const network = { id: 'n-1', name: 'a', metadata: {}, spec: { chain: { type: 'Base' } } };
const whale = `0x${'5a'.repeat(20)}`;
const token = `0x${'22'.repeat(20)}`;
const admin = 'http://elsewhere.example.com/rpc/n-1/key/admin';

let server: TestServer;
let cli: TestCli;
let calls: { method: string; params: unknown[] }[];
afterEach(async () => {
  server.close();
  await cli.close();
});

/** A network with these endpoints, whose node answers with what is there for a method. */
async function start(map: object, results: Record<string, unknown> = {}): Promise<void> {
  calls = [];
  server = await startServer(({ path, body }) => {
    if (path.endsWith('/endpoints')) return { status: 200, body: { map } };
    if (path !== '/rpc/n-1/key/admin') return { status: 200, body: { items: [network], metadata: {} } };
    const call: { method: string; params: unknown[] } = JSON.parse(body);
    calls.push(call);
    const result = results[call.method] ?? null;
    const isError = typeof result === 'object' && result !== null && 'message' in result;
    return { status: 200, body: isError ? { error: result } : { result } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
}

const send = ['send', 'a', `0x${'11'.repeat(20)}`, '--value', '1ether', '--as', whale];

it('sends as another account by the admin URL, and waits for the receipt', async () => {
  await start({ admin }, { eth_sendTransaction: '0xaa', eth_getTransactionReceipt: { status: '0x1' } });
  expect(await cli([...send, '--wait'])).toMatchObject({ code: 0, stdout: '0xaa\n' });
  expect(calls.map(({ method }) => method)).toEqual([
    'anvil_impersonateAccount',
    'eth_sendTransaction',
    'anvil_stopImpersonatingAccount',
    'eth_getTransactionReceipt',
  ]);
  expect(calls[1]?.params).toMatchObject([{ from: whale, value: '0xde0b6b3a7640000' }]);
});

it('says what the node refuses, and ends the impersonation', async () => {
  await start({ admin }, { eth_sendTransaction: { message: 'Insufficient funds' } });
  const { code, stderr } = await cli(send);
  expect([code, stderr]).toEqual([1, expect.stringContaining('The network refused it: Insufficient funds')]);
  expect(calls.at(-1)?.method).toBe('anvil_stopImpersonatingAccount');
});

it('a transaction that fails on the chain ends the wait with 6, and its hash is there', async () => {
  await start({ admin }, { eth_sendTransaction: '0xaa', eth_getTransactionReceipt: { status: '0x0' } });
  expect(await cli([...send, '--wait'])).toMatchObject({ code: 6, stdout: '0xaa\n' });
});

it.each([
  ['coins', [], 'anvil_setBalance', [whale, '0x64']],
  ['a token', ['--token', token], 'anvil_dealERC20', [whale, token, '0x64']],
])('sets a balance of %s', async (_what, options, method, params) => {
  await start({ admin });
  expect(await cli(['network', 'set-balance', 'a', whale, '100', ...options])).toMatchObject({ code: 0 });
  expect(calls).toMatchObject([{ method, params }]);
});

it('without an admin URL, says who has one', async () => {
  await start({ rpc: 'http://x/rpc/n-1/key/rpc' });
  const { code, stderr } = await cli(send);
  expect([code, stderr]).toEqual([1, expect.stringContaining('You have no admin URL of this network.')]);
  expect(calls).toEqual([]);
});
