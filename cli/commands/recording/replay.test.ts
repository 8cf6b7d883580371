import { createTestCli, type TestCli } from '../../testing/run.ts';
import { startServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let cli: TestCli;
afterEach(async () => {
  server.close();
  await cli.close();
});

const recording = { id: 'r-1', name: 'rec', state: 'recorded', network_ids: ['n-1'] };
const networks = ['n-1', 'n-2'].map((id) => ({ id, name: id.replace('n-', 'net-') }));

/** Replays end as the answer says; there is none without it. */
async function start(answer?: object): Promise<void> {
  server = await startServer(({ method, path }) => {
    if (method === 'POST') return answer && { status: 200, body: answer };
    if (path.includes('/recording')) return { status: 200, body: [recording] };
    const selector = new URL(path, server.url).searchParams.get('selector') ?? '';
    const name = /name == ([-\w]+)/.exec(selector)?.[1];
    const items = networks.filter((one) => name === undefined || one.name === name);
    return { status: 200, body: { items, metadata: {} } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
}

it('recordings and networks are found by their names', async () => {
  await start({ success: true, totalTransactions: 0, transactions: {} });
  const gone = '3f0c9d7e-6a51-4f6e-9b7c-0d2a8b1c4e5f';
  const { code } = await cli(['replay', 'rec', '--map', 'net-1=net-2', '--map', `${gone}=net-2`]);
  expect([code, JSON.parse(server.asked.find(({ method }) => method === 'POST')?.body ?? '')]).toEqual([
    0,
    { recordingId: 'r-1', networkMapping: { 'n-1': 'n-2', [gone]: 'n-2' } },
  ]);
});

it('a network of a document is what the document calls it, whatever networks are called so', async () => {
  await start({ success: true, totalTransactions: 0, transactions: {} });
  const networks = { 'net-1': { chain_id: '1', transactions: [] } };
  await cli(['replay', '--file', '-', '--map', 'net-1=net-2'], { stdin: JSON.stringify({ networks }) });
  const sent = JSON.parse(server.asked.find(({ method }) => method === 'POST')?.body ?? '');
  expect(sent.networkMapping).toEqual({ 'net-1': 'n-2' });
});

it('a dry run says what would be sent, and compares nothing', async () => {
  const transactions = { 'n-2': [{ original_hash: '0xaa', status: 'skipped', match: false }] };
  await start({ success: true, totalTransactions: 1, transactions });
  const { stdout } = await cli(['replay', 'rec', '--map', 'net-1=net-2', '--dry-run']);
  expect(stdout).toBe(
    'RECORDED   NETWORK   PROBLEMS\n0xaa       net-2     -\n1 transactions would be sent\n',
  );
});

it('a replay that outlasts its timeout ends with 124', async () => {
  await start();
  const { code, stderr } = await cli(['replay', 'rec', '--timeout', '50ms']);
  expect([code, stderr]).toEqual([124, expect.stringContaining('The replay was not done after 0.05s.')]);
});

it.each([
  ['a network twice', ['rec', '--map', 'net-1=net-2', '--map', 'net-1=net-1'], '--map net-1 is given twice'],
  [
    'it by name and id',
    ['rec', '--map', 'net-1=net-2', '--map', 'n-1=net-1'],
    '--map net-1 and --map n-1 are one',
  ],
  ['no target', ['rec', '--map', 'net-1'], 'Example: --map my-net=other-net'],
  ['a recording and a document', ['rec', '--file', '-'], 'Name a recording or a document, not both.'],
  ['nothing', [], 'Name a recording or a document.\n'],
])('%s is wrong usage, and nothing is sent', async (_what, args, message) => {
  await start({ success: true, totalTransactions: 0, transactions: {} });
  const { code, stderr } = await cli(['replay', ...args]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(server.asked.filter(({ method }) => method === 'POST')).toEqual([]);
});
