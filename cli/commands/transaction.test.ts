import { createTestCli, type TestCli } from '../testing/run.ts';
import { startServer, type TestServer } from '../testing/server.ts';

const network = { id: 'n-1', name: 'a', metadata: {}, spec: { chain: { type: 'Base' } } };
const answer = { tx_hashes_by_network: { 'n-1': ['0xaa', '0xbb'] } };

let server: TestServer;
let cli: TestCli;
afterEach(async () => {
  server.close();
  await cli.close();
});

/** Every transaction is in `state`. */
async function submitting(state: string, others: object = {}): Promise<void> {
  server = await startServer(({ method, path }) => {
    if (path.startsWith('/v1alpha/networks'))
      return { status: 200, body: { items: [network], metadata: {} } };
    if (method === 'POST') return { status: 202, body: answer };
    return { status: 200, body: { hash: '0xaa', state, ...others } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
}

const submit = ['tx', 'submit', 'a', '--to', `0x${'1'.repeat(40)}`];

it.each([
  ['mined', 'with 0 when all are mined', 0],
  ['failed', 'with 6 when one failed', 6],
  ['broadcast', 'with 124 after its timeout', 124],
])(
  'a wait for %s transactions ends %s, and what was sent is on stdout in any case',
  async (state, _how, code) => {
    await submitting(state);
    const args = [...submit, '--wait', '--timeout', '50ms'];
    expect(await cli(args)).toMatchObject({ code, stdout: '0xaa\n0xbb\n' });
    expect(await cli([...args, '--json'])).toMatchObject({ code, json: answer });
  },
);

it('with --quiet, the hashes are what is printed', async () => {
  await submitting('mined');
  expect(await cli([...submit, '--quiet'])).toMatchObject({ code: 0, stdout: '0xaa\n0xbb\n', stderr: '' });
});

it('after a wait, the JSON has what each transaction did', async () => {
  const created = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
  await submitting('mined', { contract_address: created });
  const { json } = await cli([...submit, '--wait', '--json']);
  expect(json).toMatchObject({ submissions: [{ state: 'mined', contract_address: created }, {}] });
  expect((await cli([...submit, '--wait'])).stderr).toContain(`Created contract ${created}`);
});
