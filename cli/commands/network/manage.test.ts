import { createTestCli, type TestCli } from '../../testing/run.ts';
import { startServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let cli: TestCli;
afterEach(async () => {
  server.close();
  await cli.close();
});

/** Answers each request as the table says that is found under its method and path. */
async function answering(answers: Record<string, { status: number; body: object }>): Promise<void> {
  const none = { status: 200, body: { items: [], metadata: {} } };
  server = await startServer(({ method, path }) => answers[`${method} ${path}`] ?? none);
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
}

const create = ['network', 'create', 'a', '--new-key'];
const asked = () => server.asked.map(({ method, path }) => `${method} ${path}`);

it('the key of a network that is refused is deleted again', async () => {
  await answering({
    'POST /v1alpha/secrets': { status: 201, body: { id: 's-1' } },
    'POST /v1alpha/networks': { status: 400, body: { reason: 'BadRequest', message: 'no such chain' } },
    'DELETE /v1alpha/secrets/s-1': { status: 200, body: {} },
  });
  const { code, stderr } = await cli(create);
  expect([code, stderr]).toEqual([
    1,
    'Created secret "a-key" with a random key.\nDeleted secret "a-key" again: no network uses it.\nError: no such chain\n',
  ]);
  expect(asked().at(-1)).toBe('DELETE /v1alpha/secrets/s-1');
});

it('a network is created, deleted and created again with the key that was created for it', async () => {
  const chain = { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'a-key' } } };
  const network = { id: 'n-1', name: 'a', metadata: {}, spec: { chain } };
  let [secrets, networks]: [object[], object[]] = [[], []];
  server = await startServer(({ method, path, body }) => {
    if (method === 'DELETE') {
      networks = [];
      return { status: 200, body: network };
    }
    if (method === 'GET')
      return { status: 200, body: { items: path.includes('/secrets') ? secrets : networks, metadata: {} } };
    if (path.endsWith('/networks')) networks = [network];
    else if (secrets.length > 0) return { status: 409, body: { reason: 'Conflict', message: 'taken' } };
    else secrets = [{ id: 's-1', ...JSON.parse(body) }];
    return { status: 201, body: path.endsWith('/networks') ? network : secrets[0] };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  expect(await cli(create)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Created secret "a-key"'),
  });
  expect(await cli(create)).toMatchObject({
    code: 5,
    stderr:
      'Error: There is a network "a" already.\nUse another name, or delete it: slipway network delete a\n',
  });
  expect(await cli(['network', 'delete', 'a'])).toMatchObject({
    stdout: 'deleted a\n',
    stderr: 'Its key stays in secret "a-key". To delete it as well: slipway secret delete a-key\n',
  });
  expect(await cli(create)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Using secret "a-key", which --new-key created before.'),
  });
});

it.each([
  ['has no label', {}, ''],
  ['is that of another member', { 'slipway-new-key-of': 'a' }, 'ownerID'],
])('a key that is there already and %s is named with the ways out', async (_what, labels, isListedFor) => {
  const body = { reason: 'Conflict', message: 'taken' };
  const secret = { id: 's-1', name: 'a-key', metadata: { labels } };
  server = await startServer(({ method, path }) => {
    if (method === 'POST') return { status: 409, body };
    const isListed = path.includes('/secrets') && path.includes(isListedFor);
    return { status: 200, body: { items: isListed ? [secret] : [], metadata: {} } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  const { code, stderr } = await cli(create);
  expect([code, stderr]).toEqual([
    5,
    'Error: There is a secret "a-key" already.\nUse it with --key a-key instead of --new-key, or delete it: slipway secret delete a-key\n',
  ]);
  expect(asked()).not.toContain('POST /v1alpha/networks');
});

it('a wait for a reset ends when another request has taken its place before it began', async () => {
  const chain = { type: 'Base' };
  const asking = (action: string, nonce: number) => ({
    id: 'n-1',
    name: 'a',
    metadata: { rev: nonce },
    status: { state: 'Operational' },
    spec: { chain, maintenanceRequest: { action, nonce } },
  });
  const seen = [{ ...asking('', 0), spec: { chain } }, asking('Restart', 2)];
  server = await startServer(({ method, path }) => {
    if (method === 'PUT') return { status: 200, body: asking('ResetState', 1) };
    if (!path.includes('/networks?')) return { status: 404, body: {} };
    return { status: 200, body: { items: [seen.length > 1 ? seen.shift() : seen[0]], metadata: {} } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  const { code, stderr } = await cli(['network', 'reset', 'a', '--wait']);
  expect([code, stderr]).toEqual([
    6,
    expect.stringContaining('another request has taken the place of this ResetState'),
  ]);
});
