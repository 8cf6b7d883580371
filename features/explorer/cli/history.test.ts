import { createTestCli, type TestCli } from '../../../cli/testing/run.ts';
import { startServer, type TestServer } from '../../../cli/testing/server.ts';

const [account, other, contract] = ['ab', 'cd', 'ef'].map((byte) => `0x${byte.repeat(20)}`);
const network = { id: 'n1', name: 'net', metadata: {}, spec: { chain: { type: 'Ethereum' } } };
const common = {
  block: '7',
  time: '2026-01-01T00:00:00Z',
  fee: '0',
  value: '0',
  status: 'success',
  inner: [],
};
const transactions = [
  { ...common, hash: '0x4', from: other, to: contract },
  { ...common, hash: '0x3', from: account, created: contract, status: 'failed' },
  { ...common, hash: '0x2', from: account, to: other, value: '1500000000000000000' },
  { ...common, hash: '0x1', from: other, to: account, method: '0xd09de08a' },
];
const transfer = {
  hash: '0x5',
  block: '8',
  token: contract,
  standard: 'ERC-20',
  from: other,
  to: account,
  amount: '12',
};

let server: TestServer;
let cli: TestCli;
let isRunning: boolean;
beforeEach(async () => {
  isRunning = true;
  server = await startServer(({ path }) => {
    if (!path.includes('/accounts/')) return { status: 200, body: { items: [network], metadata: {} } };
    if (!isRunning)
      return { status: 409, body: { kind: 'Error', reason: 'Conflict', message: 'it is Stopped' } };
    if (path.includes('/transfers')) return { status: 200, body: { items: [transfer], metadata: {} } };
    const isFirst = !path.includes('cursor');
    const items = isFirst ? transactions.slice(0, 2) : transactions.slice(2);
    return { status: 200, body: { items, metadata: isFirst ? { cursor: 'next' } : {} } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
});
afterEach(async () => {
  server.close();
  await cli.close();
});

const lines = (text: string) => text.trim().split('\n').slice(1);

it('says of each transaction what the account had to do with it, over all pages', async () => {
  const { stdout } = await cli(['history', 'net', `${account}`]);
  expect(lines(stdout)).toEqual([
    expect.stringMatching(new RegExp(`0x4 +success +called within +${other} +0$`)),
    expect.stringMatching(new RegExp(`0x3 +failed +creates +${contract} +0$`)),
    expect.stringMatching(new RegExp(`0x2 +success +sends +${other} +1\\.5$`)),
    expect.stringMatching(new RegExp(`0x1 +success +gets 0xd09de08a +${other} +0$`)),
  ]);
});

it('reads no more pages than it shows', async () => {
  const { stdout } = await cli(['history', 'net', `${account}`, '--limit', '2', '--json']);
  expect(JSON.parse(stdout).items).toHaveLength(2);
  expect(server.asked.filter(({ path }) => path.includes('cursor'))).toEqual([]);
});

it.each([
  ['--transfers', 'account'],
  ['--token', 'token'],
])('%s shows transfers', async (flag, of) => {
  const { stdout } = await cli(['history', 'net', `${account}`, flag]);
  expect(lines(stdout)).toEqual([expect.stringMatching(/^8 +0x5 +0x(ef){20} +ERC-20 .* 12$/)]);
  expect(server.asked.at(-1)?.path).toContain(`of=${of}`);
});

it('names the command that starts a network that does not run', async () => {
  isRunning = false;
  const { code, stderr } = await cli(['history', 'net', `${account}`]);
  expect([code, stderr]).toEqual([5, expect.stringContaining('slipway network wake net --wait')]);
});

it('refuses both kinds of transfers at once', async () => {
  expect((await cli(['history', 'net', `${account}`, '--token', '--transfers'])).code).toBe(2);
});
