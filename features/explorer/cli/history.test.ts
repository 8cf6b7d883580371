import { createTestCli, type TestCli } from '../../../cli/testing/run.ts';
import { startServer, type TestServer } from '../../../cli/testing/server.ts';

const [account, other, contract] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`, `0x${'ef'.repeat(20)}`];
const network = { id: 'n1', name: 'net', metadata: {}, spec: { chain: { type: 'Ethereum' } } };
const common = {
  block: '7',
  time: '2026-01-01T00:00:00Z',
  fee: '0',
  value: '0',
  status: 'success',
  inner: [] as object[],
};
const covered = { first: '0', from: '0', to: '8', untraced: 0 };
const inner = (type: string, from: string, to: string, value = '0') => ({ type, from, to, value });
const transactions = [
  { ...common, hash: '0x4', from: other, to: contract },
  { ...common, hash: '0x3', from: account, created: contract, status: 'failed' },
  { ...common, hash: '0x2', from: account, to: other, value: '1500000000000000000' },
  { ...common, hash: '0x1', from: other, to: account, method: '0xd09de08a' },
];
const transfer = {
  hash: '0x5',
  block: '8',
  time: '2026-01-01T00:00:00Z',
  token: contract,
  standard: 'ERC-20',
  from: other,
  to: account,
  amount: '12',
};

let server: TestServer;
let cli: TestCli;
let isRunning: boolean;
let listed: typeof transactions;
let searched: typeof covered;
beforeEach(async () => {
  isRunning = true;
  [listed, searched] = [transactions, covered];
  server = await startServer(({ path }) => {
    if (!path.includes('/accounts/')) return { status: 200, body: { items: [network], metadata: {} } };
    if (!isRunning)
      return { status: 409, body: { kind: 'Error', reason: 'Conflict', message: 'it is Stopped' } };
    if (path.includes('/transfers'))
      return { status: 200, body: { items: [transfer], covered, metadata: {} } };
    const isFirst = !path.includes('cursor');
    const items = isFirst ? listed.slice(0, 2) : listed.slice(2);
    return { status: 200, body: { items, covered: searched, metadata: isFirst ? { cursor: 'next' } : {} } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
});
afterEach(async () => {
  server.close();
  await cli.close();
});

const lines = (text: string) => text.trim().split('\n').slice(1);

it('says of each transaction what the account had to do with it, over all pages', async () => {
  const { stdout } = await cli(['history', 'net', account]);
  expect(lines(stdout)).toEqual([
    expect.stringMatching(new RegExp(`0x4 +success +called within +${other} +0 +-$`)),
    expect.stringMatching(new RegExp(`0x3 +failed +creates +${contract} +0 +-$`)),
    expect.stringMatching(new RegExp(`0x2 +success +sends +${other} +1\\.5 +-$`)),
    expect.stringMatching(new RegExp(`0x1 +success +gets 0xd09de08a +${other} +0 +-$`)),
  ]);
});

it('reads no more pages than it shows', async () => {
  const { stdout } = await cli(['history', 'net', account, '--limit', '2', '--json']);
  expect(JSON.parse(stdout).items).toHaveLength(2);
  expect(server.asked.filter(({ path }) => path.includes('cursor'))).toEqual([]);
});

it('shows what the account got, paid and created within a transaction, and that it was created there', async () => {
  const [plain = { ...common, hash: '', from: other, to: contract }] = transactions;
  listed = [
    {
      ...plain,
      inner: [
        inner('CALL', contract, account, '1500000000000000000'),
        inner('CALL', account, other, '200000000000000000'),
      ],
    },
    { ...plain, inner: [inner('CREATE2', contract, account), inner('CREATE', account, other)] },
  ];
  const { stdout } = await cli(['history', 'net', account]);
  expect(lines(stdout)).toEqual([
    expect.stringMatching(/called within .* gets 1\.5, pays 0.2$/),
    expect.stringMatching(/created within .* creates 1$/),
  ]);
});

it('says which blocks were not searched, and in JSON which were', async () => {
  searched = { ...covered, from: '5', untraced: 2 };
  const { stdout, stderr } = await cli(['history', 'net', account, '--json']);
  expect(stderr).toContain('Blocks 0 to 4 were not searched');
  expect(stderr).toContain('no traces of 2 of these blocks');
  expect(JSON.parse(stdout)).toMatchObject({ covered: searched, items: [{}, {}, {}, {}] });
});

it.each([
  [['--transfers'], 'account'],
  [['--transfers', '--of', 'token'], 'token'],
])('%s shows transfers', async (flags, of) => {
  const { stdout } = await cli(['history', 'net', account, ...flags]);
  expect(lines(stdout)).toEqual([
    expect.stringMatching(/^8 +2026-01-01T00:00:00Z +0x5 +0x(ef){20} +ERC-20 .* 12$/),
  ]);
  expect(server.asked.at(-1)?.path).toContain(`of=${of}`);
});

it('names the command that starts a network that does not run', async () => {
  isRunning = false;
  const { code, stderr } = await cli(['history', 'net', account]);
  expect([code, stderr]).toEqual([5, expect.stringContaining('slipway network wake net --wait')]);
});

it('refuses to say whose transfers where none are shown', async () => {
  expect((await cli(['history', 'net', account, '--of', 'token'])).code).toBe(2);
});
