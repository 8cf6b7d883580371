import { createTestCli, type TestCli } from '../testing/run.ts';
import { startServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let cli: TestCli;
afterEach(async () => {
  server.close();
  await cli.close();
});

const manifest = 'apiVersion: slipway.dev/v1alpha1\nkind: Network\nmetadata: { name: a }\nspec: {}\n';

it.each([
  ['the service fails', 500, 'Internal', manifest, 7],
  ['the service refuses', 400, 'BadRequest', manifest, 7],
  ['the key is not valid', 401, 'Unauthorized', manifest, 3],
  ['the manifest is not YAML', 200, '', 'a: [', 2],
])(
  'diff, whose code 1 says that something differs, has another one where %s',
  async (_what, status, reason, stdin, expected) => {
    server = await startServer(() => ({ status, body: { kind: 'Error', reason, message: 'what is wrong' } }));
    cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
    const { code, stderr } = await cli(['diff', '-f', '-'], { stdin });
    expect([code, stderr]).toEqual([expected, expect.stringMatching(/^Error: /)]);
  },
);

it('labels that Slipway sets, which kubectl shows, are left out, so that its output can be applied', async () => {
  const asked: unknown[] = [];
  server = await startServer(({ method, body }) => {
    if (method !== 'GET') asked.push(JSON.parse(body));
    return method === 'GET'
      ? { status: 200, body: { kind: 'NetworkList', items: [], metadata: {} } }
      : { status: 201, body: { id: 'i', name: 'a', metadata: {}, spec: {} } };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  const labels = '{ slipway.dev/id: b, slipway.dev/owner: ann, team: core }';
  const stdin = manifest.replace('{ name: a }', `{ name: a, labels: ${labels} }`);
  await cli(['apply', '-f', '-'], { stdin });
  expect(asked.length).toBeGreaterThan(0);
  for (const one of asked) expect(one).toMatchObject({ metadata: { labels: { team: 'core' } } });
  expect(JSON.stringify(asked)).not.toContain('slipway.dev/');
});

it('all that is wrong with the objects of a file is said at once, with their kinds', async () => {
  server = await startServer(() => ({ status: 200, body: { items: [], metadata: {} } }));
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  const stdin = [
    'apiVersion: slipway.dev/v2\nkind: Network\nmetadata: { name: a }\nspec: {}\n',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec: {}\n',
    'apiVersion: slipway.dev/v1alpha1\nkind: Netwrk\nmetadata: { name: a }\n',
    'apiVersion: slipway.dev/v1alpha1\nkind: Token\n',
  ].join('---\n');
  const { code, stderr } = await cli(['apply', '-f', '-'], { stdin });
  expect(code).toBe(2);
  expect(stderr.split('\n').map((line) => line.replace(/These can: .*/, 'These can'))).toEqual([
    'Error: 6 mistakes. Nothing was changed.',
    '  stdin:1: apiVersion is "slipway.dev/v2", and only slipway.dev/v1alpha1 is known. Write slipway.dev/v1alpha1.',
    '  stdin:6: apiVersion is "apps/v1", and only slipway.dev/v1alpha1 is known. Apply this Deployment with kubectl.',
    '  stdin:11: Netwrk cannot be applied through REST. These can',
    '  stdin:11: spec is missing. Add it.',
    '  stdin:15: metadata.name is missing. Objects are found again by their names.',
    '  stdin:15: spec is missing. Add it.',
    '',
  ]);
});
