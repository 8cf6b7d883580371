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

/** Error(string) of what every call reverts with. */
const data = `0x08c379a0${'20'.padStart(64, '0')}${'4'.padStart(64, '0')}${'646f6e65'.padEnd(64, '0')}`;
const reverted = { message: 'execution reverted', data };
/** No answer, as of a node that ends meanwhile. */
const lost = {};

/** A network with these endpoints, whose node answers with what is there for a method. */
async function start(map: object, results: Record<string, unknown> = {}): Promise<void> {
  calls = [];
  server = await startServer(({ path, body }) => {
    if (path.endsWith('/endpoints')) return { status: 200, body: { map } };
    if (path.endsWith('/chain'))
      return { status: 200, body: { answers: [{ error: reverted }], contracts: [] } };
    if (path !== '/rpc/n-1/key/admin') return { status: 200, body: { items: [network], metadata: {} } };
    const call: { method: string; params: unknown[] } = JSON.parse(body);
    calls.push(call);
    const result = results[call.method] ?? null;
    if (result === lost) return { status: 502, body: { reason: 'Unavailable', message: 'the node is away' } };
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

it('says what the contract refuses, and ends the impersonation', async () => {
  await start({ admin }, { eth_sendTransaction: { message: 'execution reverted' } });
  const { code, stderr } = await cli(send);
  expect([code, stderr]).toEqual([1, expect.stringContaining('The transaction would revert: done')]);
  expect(calls.at(-1)?.method).toBe('anvil_stopImpersonatingAccount');
});

it('says what the node refuses', async () => {
  await start({ admin }, { anvil_setBalance: { message: 'no such account' } });
  const { stderr } = await cli(['network', 'set-balance', 'a', whale, '100']);
  expect(stderr).toContain('The network refused it: no such account');
});

it('what may have been sent is not said to be refused, although it reverts by now', async () => {
  await start({ admin }, { eth_sendTransaction: lost });
  const { stderr } = await cli(send);
  expect(stderr).toContain('the node is away');
  expect(stderr).not.toMatch(/would revert|refused/);
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

const block = { number: '0x5', timestamp: '0x730b7d40' };

it.each([
  ['mine one block', ['mine', 'a'], ['anvil_mine', ['0x1']]],
  ['mine blocks', ['mine', 'a', '64'], ['anvil_mine', ['0x40']]],
  ['a time from now', ['time', 'a', '+1h30m'], ['evm_increaseTime', ['0x1518']]],
  ['a date', ['time', 'a', '2031-01-31'], ['evm_setNextBlockTimestamp', ['0x72e49900']]],
  ['a time', ['time', 'a', '2031-01-31T12:00:00+01:00'], ['evm_setNextBlockTimestamp', ['0x72e533b0']]],
])('the clock: %s', async (_what, args, [method, params]) => {
  await start({ admin }, { eth_getBlockByNumber: block });
  const { code, stdout, stderr } = await cli(['network', ...args]);
  expect([code, stdout, stderr]).toEqual([0, 'a is at block 5, of 2031-03-01T12:00:00Z.\n', '']);
  expect(calls[0]).toMatchObject({ method, params });
});

it.each([
  ['mine', '0', 'is not a number of blocks'],
  ['mine', '10001', 'is not a number of blocks'],
  ['mine', '1e3', 'is not a number of blocks'],
  ['time', '1h', 'is not a time'],
  ['time', '+5x', 'is not a duration'],
  ['time', '+5ms', 'is less than a second'],
  ['time', '2031-13-01', 'is not a time'],
])('the clock: %s %s is refused before anything is sent', async (command, text, message) => {
  await start({ admin });
  const { code, stderr } = await cli(['network', command, 'a', text]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(server.asked).toEqual([]);
});

it('without an admin URL, says who has one', async () => {
  await start({ rpc: 'http://x/rpc/n-1/key/rpc' });
  const { code, stderr } = await cli(send);
  expect([code, stderr]).toEqual([1, expect.stringContaining('You have no admin URL of this network.')]);
  expect(calls).toEqual([]);
});
