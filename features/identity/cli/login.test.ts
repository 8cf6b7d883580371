import { profilesPath, readProfiles } from '../../../cli/config/profiles.ts';
import { createTestCli, type TestCli } from '../../../cli/testing/run.ts';
import { type Answering, startServer, type TestServer } from '../../../cli/testing/server.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';

const asked = {
  kind: 'DeviceSignIn',
  version: 'v1alpha1',
  deviceCode: 'device.secret',
  userCode: 'BCDF-GHJK',
  url: 'https://slipway.example/sign-in/device',
  intervalSeconds: 0,
  urlWithCode: 'https://slipway.example/sign-in/device?code=BCDF-GHJK',
  expiresAt: '2030-01-01T00:00:00Z',
};
const me = { kind: 'Me', user: { id: 'u-1' }, role: 'owner', permissions: [] };
const problem = (status: number, reason: string) => ({
  status,
  body: { kind: 'Error', reason, message: 'what is wrong', requestId: 'r-1' },
});

/** What the service answers after its first two answers, which are Pending. */
let outcome: ReturnType<Answering>;
let polls: number;
let server: TestServer;
let cli: TestCli;
beforeEach(async () => {
  polls = 0;
  outcome = { status: 200, body: { state: 'Approved' } };
  server = await startServer(({ path, headers }) => {
    if (path.endsWith('/device-sign-ins')) return { status: 201, body: asked };
    if (path.endsWith('/poll')) {
      polls += 1;
      return polls < 3 ? { status: 200, body: { state: 'Pending' } } : outcome;
    }
    if (path.endsWith('/api-key')) return { status: 201, body: { token: 'my.key' } };
    if (headers.authorization === 'Bearer my.key') {
      const id = headers['x-workspace-id'];
      return { status: 200, body: { ...me, ...(id ? { workspace: { id, name: 'team' } } : {}) } };
    }
    return problem(401, 'Unauthorized');
  });
  cli = await createTestCli();
});
afterEach(async () => {
  server.close();
  await cli.close();
});

const login = (args: string[], options: Parameters<TestCli>[1] = {}) =>
  cli(['login', '--url', server.url, ...args], options);
const sent = (end: string) => server.asked.filter(({ path }) => path.endsWith(end));

it('on a terminal it opens the page with the code, waits, and stores the key that it gets', async () => {
  const { code, stderr } = await login([], { answers: [] });
  expect([code, stderr]).toEqual([0, expect.stringContaining('Your code is  BCDF-GHJK\n')]);
  expect(cli.opened).toEqual([asked.urlWithCode]);
  expect([polls, sent('/api-key')[0]?.body]).toEqual([3, '{"deviceCode":"device.secret"}']);
  expect(stderr).not.toMatch(/my\.key|device\.secret/);
  expect((await cli(['whoami'])).code).toBe(0);
});

it('says which machine asks', async () => {
  await login([], { answers: [] });
  expect(JSON.parse(sent('/device-sign-ins')[0]?.body ?? '{}').name).toMatch(/\S/);
});

it.each([
  ['without a terminal', {}],
  ['over SSH', { answers: [], env: { SSH_CONNECTION: '10.0.0.1 22' } }],
])('--device %s shows the address, and opens nothing', async (_what, options) => {
  const { code, stderr } = await login(['--device', '--quiet'], options);
  expect([code, cli.opened]).toEqual([0, []]);
  expect(stderr).toContain(`Open  ${asked.urlWithCode}\n`);
});

it.each([
  ['was denied', { status: 200, body: { state: 'Denied' } }, 'denied in the console'],
  ['is over', problem(404, 'NotFound'), 'The code is no longer valid'],
])('a code that %s signs nobody in', async (_what, answer, expected) => {
  outcome = answer;
  const { code, stderr } = await login([], { answers: [] });
  expect([code, stderr]).toEqual([3, expect.stringContaining(expected)]);
  expect((await cli(['whoami'])).stderr).toContain('You are not signed in.');
});

it('waits its interval between two questions', async () => {
  const clock = createManualClock(0);
  const interval = { ...asked, intervalSeconds: 3 };
  server.close();
  server = await startServer(({ path }) =>
    path.endsWith('/poll') ? problem(404, 'NotFound') : { status: 201, body: interval },
  );
  const isWaiting = Promise.withResolvers<void>();
  const running = login(['--device'], {
    clock,
    onProgress: (text) => text.includes('Waiting') && isWaiting.resolve(),
  });
  await isWaiting.promise;
  clock.advance(2_999);
  expect(sent('/poll')).toEqual([]);
  clock.advance(1);
  expect((await running).code).toBe(3);
  expect(sent('/poll')).toHaveLength(1);
});

it('keeps the profiles that other terminals stored while it waited', async () => {
  polls = 3;
  const clock = createManualClock(0);
  const isWaiting = Promise.withResolvers<void>();
  const running = login(['--device', '--profile', 'patient'], {
    clock,
    onProgress: (text) => text.includes('Waiting') && isWaiting.resolve(),
  });
  await isWaiting.promise;
  expect((await login(['--with-token', '--profile', 'other'], { stdin: 'my.key' })).code).toBe(0);
  clock.advance(0);
  expect((await running).code).toBe(0);
  const { stdout } = await cli(['profile', 'list', '--json']);
  const { items } = JSON.parse(stdout);
  expect(items.map(({ name }: { name: string }) => name).sort()).toEqual(['other', 'patient']);
});

it('signing in again keeps the workspace that was selected, at the same address only', async () => {
  const workspace = async () => {
    const { profiles } = await readProfiles(profilesPath({ env: {}, home: cli.home }));
    return profiles.default?.workspace;
  };
  const id = '5f0c9d6e-7a55-4e9c-8b16-4f1a63a4a001';
  await login(['--workspace', id], { answers: [] });
  await login([], { answers: [] });
  expect(await workspace()).toBe(id);
  const elsewhere = server.url.replace('127.0.0.1', 'localhost');
  await cli(['login', '--profile', 'default', '--url', elsewhere], { answers: [] });
  expect(await workspace()).toBeUndefined();
});

it('asks for a key where there are none for devices, and says so to whoever asked for one', async () => {
  server.close();
  server = await startServer(({ path, headers }) => {
    if (path.endsWith('/device-sign-ins')) return problem(403, 'Forbidden');
    return headers.authorization === 'Bearer my.key'
      ? { status: 200, body: me }
      : problem(401, 'Unauthorized');
  });
  expect((await login([], { answers: ['my.key'] })).code).toBe(0);
  const { code, stderr } = await login(['--device']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('--with-token')]);
});

it('with --with-token a terminal is asked for the key, and the console for nothing', async () => {
  expect((await login(['--with-token'], { answers: ['my.key'] })).code).toBe(0);
  expect(sent('/device-sign-ins')).toEqual([]);
  expect((await login(['--with-token', '--device'], { stdin: 'my.key' })).code).toBe(2);
});

it('says that a key in the environment still comes before the profile', async () => {
  const env = { SLIPWAY_API_KEY: 'other.key' };
  expect((await login([], { answers: [], env })).stderr).toContain('SLIPWAY_API_KEY is set');
  expect((await cli(['profile', 'use', 'default'], { env })).stderr).toContain('add --profile default.');
  expect((await cli(['profile', 'use', 'default'])).stderr).not.toContain('SLIPWAY_API_KEY');
});
