import { createTestCli, type TestCli } from '../../../cli/testing/run.ts';
import { startServer, type TestServer } from '../../../cli/testing/server.ts';

const secret = 'whsec_c2VjcmV0';
const webhook = {
  kind: 'Webhook',
  id: '3f0c9d7e-6a51-4f6e-9b7c-0d2a8b1c4e5f',
  name: 'ci',
  metadata: { rev: 4, labels: {} },
  spec: { url: 'https://a.example/hook', types: ['network.*'], secretRef: { name: 'ci-5e1c' } },
  status: { state: 'Active', pending: 2 },
};
const delivery = { kind: 'WebhookDelivery', id: 'd-1', type: 'webhook.test', state: 'pending', attempts: 0 };

let server: TestServer;
let cli: TestCli;
beforeEach(async () => {
  server = await startServer(({ method, path }) => {
    const [where = ''] = path.split('?');
    if (where.endsWith('/deliveries')) return { status: 200, body: { items: [delivery], metadata: {} } };
    if (/\/(test|resend)$/.test(where)) return { status: 202, body: delivery };
    if (where.endsWith('/rotate-secret')) return { status: 200, body: { ...webhook, secret } };
    if (method === 'GET') return { status: 200, body: { items: [webhook], metadata: {} } };
    return {
      status: method === 'POST' ? 201 : 200,
      body: method === 'POST' ? { ...webhook, secret } : webhook,
    };
  });
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
});
afterEach(async () => {
  server.close();
  await cli.close();
});

const last = () => {
  const { method, path, body } = server.asked.at(-1) ?? { method: '', path: '', body: '' };
  return [method, path, body ? JSON.parse(body) : undefined];
};
const one = `/v1alpha/webhooks/${webhook.id}`;

it('create sends the spec, and shows the signing secret', async () => {
  const args = [
    'webhook',
    'create',
    'ci',
    'https://a.example/hook',
    '--type',
    'network.*',
    '--match',
    'team=a',
  ];
  const { code, stdout } = await cli(args);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`Secret:   ${secret}\n`)]);
  const spec = {
    url: 'https://a.example/hook',
    types: ['network.*'],
    selector: { matchLabels: { team: 'a' } },
  };
  expect(last()).toEqual(['POST', '/v1alpha/webhooks', { name: 'ci', spec }]);
});

it('update changes what is named, and refuses to overwrite what it has not seen', async () => {
  await cli(['webhook', 'update', 'ci', '--paused', '--description', 'for CI']);
  const spec = { ...webhook.spec, paused: true, description: 'for CI' };
  expect(last()).toEqual(['PUT', one, { metadata: { rev: 4 }, spec }]);
});

it.each([
  ['rotate-secret', ['--overlap', '1h'], ['POST', `${one}/rotate-secret`, { overlapSeconds: 3600 }]],
  ['test', [], ['POST', `${one}/test`, undefined]],
  ['resume', [], ['POST', `${one}/resume`, undefined]],
  ['resend', ['d-1'], ['POST', `${one}/deliveries/d-1/resend`, undefined]],
  ['delete', [], ['DELETE', one, undefined]],
  [
    'deliveries',
    ['--selector', 'state == failed'],
    ['GET', `${one}/deliveries?selector=state+%3D%3D+failed`, undefined],
  ],
])('%s goes to the webhook of that name', async (command, more, expected) => {
  expect((await cli(['webhook', command, 'ci', ...more])).code).toBe(0);
  expect(last()).toEqual(expected);
});

it('list and get show no secret; a webhook that is not there ends with 4', async () => {
  expect((await cli(['webhook', 'list'])).stdout).toMatch(/^NAME +STATE +PENDING +URL +ID\nci +Active +2 /);
  expect((await cli(['webhook', 'get', 'ci'])).stdout).not.toContain('Secret');
  expect((await cli(['webhook', 'get', 'other'])).code).toBe(4);
});

it('a manifest of a webhook updates the one of its name, and never prints its secret', async () => {
  const manifest = (url: string, name = 'ci') =>
    `apiVersion: slipway.dev/v1alpha1\nkind: Webhook\nmetadata: { name: ${name} }\nspec: { url: "${url}", types: ["network.*"] }\n`;
  const apply = (text: string) => cli(['apply', '-f', '-'], { stdin: text });
  expect((await apply(manifest('https://a.example/hook'))).stdout).toBe('webhook/ci unchanged\n');
  expect((await apply(manifest('https://b.example/hook'))).stdout).toBe('webhook/ci updated\n');
  expect(last()).toEqual([
    'PUT',
    one,
    { metadata: { labels: {} }, spec: { url: 'https://b.example/hook', types: ['network.*'] } },
  ]);
});

it('a workspace that is not found is reported as such, not as one without webhooks', async () => {
  const notFound = { kind: 'Error', reason: 'NotFound', message: 'Workspace not found' };
  const elsewhere = await startServer(() => ({ status: 404, body: notFound }));
  const env = { SLIPWAY_URL: elsewhere.url };
  const { code, stdout, stderr } = await cli(['webhook', 'list', '--workspace', 'w-1', '--json'], { env });
  expect([code, stdout, stderr]).toEqual([4, '', expect.stringContaining('Workspace not found')]);
  elsewhere.close();
});
