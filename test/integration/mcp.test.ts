import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createSourceOf } from '../../apiserver/http/limits/source.ts';
import { eventually } from '../../apiserver/testing/eventually.ts';
import { type NetworkApi, spec, startNetworkApi } from '../../apiserver/testing/networkApi.ts';
import { version } from '../../core/version.ts';
import { tools } from '../../mcp/server.ts';

/** The tools of agents, used by the protocol's own client on the real API server in this process. */

let api: NetworkApi;
let client: Client;
beforeEach(async () => {
  api = await startNetworkApi();
  client = new Client({ name: 'test', version: '1' });
});
afterEach(async () => {
  await client.close();
  await api.close();
});

const overHttp = (key = 'ann.secret-of-ann') =>
  client.connect(
    new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  );

async function use(name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return { isError: isError === true, text: first?.type === 'text' ? first.text : '' };
}

it('each tool says whether it reads alone and whether it may destroy', async () => {
  await overHttp();
  const listed = await client.listTools();
  expect(listed.tools.map(({ name }) => name).sort()).toEqual(tools.map(({ name }) => name).sort());
  expect(listed.tools.length).toBeGreaterThanOrEqual(20);
  const hints = new Map(listed.tools.map(({ name, annotations }) => [name, annotations]));
  expect(hints.get('list_networks')).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  expect(hints.get('delete_network')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
});

it('says which release of Slipway serves it', async () => {
  await overHttp();
  expect(client.getServerVersion()).toMatchObject({ name: 'slipway', version });
});

it('a network is created, found and deleted, and no answer has its key', async () => {
  await overHttp();
  const created = await use('create_network', { name: 'by-agent', developmentAccounts: true });
  expect([created.isError, JSON.parse(created.text)]).toMatchObject([
    false,
    { name: 'by-agent', state: 'Pending' },
  ]);
  const answers = [created];
  for (const name of ['get_network', 'list_accounts', 'get_network_endpoints', 'delete_network']) {
    answers.push(await use(name, { network: 'by-agent' }));
  }
  expect(answers.map(({ isError }) => isError)).toEqual(answers.map(() => false));
  const { json } = await api.request('/v1alpha/secrets');
  const [{ data }] = json.items;
  const key = Buffer.from(data, 'base64').toString('hex');
  expect(answers.filter(({ text }) => text.includes(key) || text.includes(data))).toEqual([]);
  const known = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
  expect(answers.filter(({ text }) => text.includes(known))).toEqual([]);
});

it('contracts are listed of one network and of all', async () => {
  await overHttp();
  await use('create_network', { name: 'by-agent', developmentAccounts: true });
  const empty = { isError: false, text: '[]' };
  expect(await use('list_contracts', { network: 'by-agent', name: 'counter' })).toEqual(empty);
  expect(await use('list_contracts')).toEqual(empty);
});

it.each(tools.map(({ name }) => name))(
  '%s refuses an argument that it does not know, by its name',
  async (name) => {
    await overHttp();
    const { isError, text } = await use(name, { valeu: '5wei' });
    expect([isError, text]).toEqual([true, expect.stringContaining('valeu')]);
  },
);

it.each(['constructor', '__proto__', 'toString', 'foo'])('there is no tool "%s"', async (name) => {
  await overHttp();
  await expect(use(name)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringMatching(`${name} not found`),
  });
});

it('arguments with names that no body may have are refused in a message of the protocol', async () => {
  await overHttp();
  await expect(use('list_networks', { constructor: 1 })).rejects.toMatchObject({
    code: -32600,
    message: expect.stringContaining('params.arguments.constructor is not an allowed key'),
  });
  const headers = { Authorization: 'Bearer ann.secret-of-ann' };
  const answer = await fetch(`${api.url}/mcp`, { method: 'POST', headers, body: '{"prototype":1' });
  expect([answer.status, await answer.json()]).toMatchObject([400, { jsonrpc: '2.0', id: null }]);
});

it.each([{}, { seconds: 1, time: '2031-01-31T12:00:00Z' }])(
  'advance_time takes one of two: %j',
  async (given) => {
    await overHttp();
    const refusal = { isError: true, text: 'give either seconds or time' };
    expect(await use('advance_time', { network: 'any', ...given })).toEqual(refusal);
  },
);

it('an account whose calls wait does not keep others out', async () => {
  await overHttp();
  await use('create_network', { name: 'waiting', developmentAccounts: true });
  const call = (as: string, name: string, args: object, signal?: AbortSignal) =>
    fetch(`${api.url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${as}.secret-of-${as}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
      ...(signal ? { signal } : {}),
    });
  const end = new AbortController();
  const args = { network: 'waiting', state: 'Operational', timeoutSeconds: 60 };
  const held = Array.from({ length: 16 }, () => call('ann', 'wait_for_network', args, end.signal));
  const ofAnn = () => call('ann', 'list_networks', {}).then(({ status }) => status);
  await eventually(ofAnn, (status) => status === 429);
  expect((await call('ben', 'list_networks', {})).status).toBe(200);
  end.abort();
  await Promise.allSettled(held);
  await eventually(ofAnn, (status) => status === 200);
});

it('a method other than POST is refused as such', async () => {
  const headers = { Authorization: 'Bearer ann.secret-of-ann' };
  for (const method of ['GET', 'DELETE', 'OPTIONS'])
    expect((await fetch(`${api.url}/mcp`, { method, headers })).status).toBe(405);
});

it('what the service refuses is for the model to read', async () => {
  await overHttp();
  expect(await use('get_network', { network: 'none' })).toEqual({
    isError: true,
    text: 'there is no network "none" in this workspace: see list_networks',
  });
  const refused = await use('create_network', { name: 'Bad Name' });
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('BadRequest')]);
});

it('a change is audited with the address of its caller, as over REST', async () => {
  await api.close();
  api = await startNetworkApi({ limits: { sourceOf: createSourceOf(1) } });
  const headers = {
    Authorization: 'Bearer ann.secret-of-ann',
    'X-Forwarded-For': '198.51.100.7',
    'X-Slipway-Source': '203.0.113.9',
  };
  await api.request('/v1alpha/networks', { body: { name: 'by-hand', spec }, headers });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { requestInit: { headers } }),
  );
  await use('create_network', { name: 'by-agent' });
  const created = api.audits.filter(({ operation }) => operation === 'createNetwork');
  expect(created.map(({ source }) => source)).toEqual(['198.51.100.7', '198.51.100.7']);
});

it('a caller without a valid key is refused before any tool', async () => {
  await expect(overHttp('ann.wrong')).rejects.toThrow();
  expect((await api.request('/mcp', { as: null, body: {} })).status).toBe(401);
});

it('a language model finds the tools and what else there is at /llms.txt', async () => {
  const { status, text, headers } = await api.request('/llms.txt', { as: null });
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text).toMatch(/^# Slipway\n\n> /);
  for (const part of ['/mcp', '/openapi.json', 'createNetwork']) expect(text).toContain(part);
});

it('slipway mcp serves the same tools on standard input and output', async () => {
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['--no-warnings', 'cli/main.ts', 'mcp'],
      env: { SLIPWAY_URL: api.url, SLIPWAY_API_KEY: 'ann.secret-of-ann' },
    }),
  );
  expect((await client.listTools()).tools).toHaveLength(tools.length);
  expect(await use('list_networks')).toEqual({ isError: false, text: '[]' });
});
