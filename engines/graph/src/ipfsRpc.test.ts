import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ipfsRpc } from './ipfsRpc.ts';
import { type Budgets, openStore } from './store.ts';

const hello = 'QmZULkCELmmk5XNfCgTnCyFgAVxBRBXyDHGGMVoLFLiXEN';
let folder: string;
let server: Server | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-ipfs-'));
  writeFileSync(join(folder, 'secret'), 'not of the store');
});
afterEach(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(budgets: Budgets = { files: 10, bytes: 1000 }): Promise<string> {
  const own = createServer(ipfsRpc(openStore(join(folder, 'files'), budgets)));
  server = own;
  await new Promise<void>((resolve) => void own.listen(0, '127.0.0.1', resolve));
  const address = own.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/api/v0`;
}

function formOf(files: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(files)) form.append('file', new Blob([text]), name);
  return form;
}

const post = (url: string, body?: FormData | string) =>
  fetch(url, { method: 'POST', ...(body === undefined ? {} : { body }) });

it('answers an add with a line for each file, in their order, by their decoded names', async () => {
  const url = await serve();
  const files = { 'abis%2FA.json': 'hello\n', b: '' };
  const lines = (await (await post(`${url}/add?pin=true`, formOf(files))).text()).split('\n');
  expect(lines.map((line) => (line === '' ? '' : JSON.parse(line)))).toEqual([
    { Name: 'abis/A.json', Hash: hello, Size: '14' },
    { Name: 'b', Hash: 'QmbFMke1KXqnYyBBWxB74N4c5SBnJMVAiMNRcGu6x1AwQH', Size: '6' },
    '',
  ]);
});

it('returns what was added, with and without /ipfs/, and in part', async () => {
  const url = await serve();
  await post(`${url}/add`, formOf({ a: 'hello\n' }));
  const textOf = async (query: string) => (await post(`${url}/cat?arg=${query}`)).text();
  expect(await textOf(hello)).toBe('hello\n');
  expect(await textOf(`/ipfs/${hello}`)).toBe('hello\n');
  expect(await textOf(`${hello}&offset=1&length=3`)).toBe('ell');
});

it.each(['../secret', '/ipfs/../secret', '%2e%2e%2fsecret', '.draft', hello])(
  'cat does not return what was not added: %s',
  async (arg) => {
    const answer = await post(`${await serve()}/cat?arg=${arg}`);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({
      Type: 'error',
      Message: expect.stringContaining('not found'),
    });
  },
);

it('a name of a file never becomes a path', async () => {
  const url = await serve();
  await post(`${url}/add`, formOf({ '..%2F..%2Fsecret': 'hello\n' }));
  expect(readdirSync(join(folder, 'files'))).toEqual([hello]);
});

it.each([
  ['files', { files: 1, bytes: 1000 }, /at most 1 files.*ResetState/],
  ['bytes', { files: 10, bytes: 7 }, /at most 7 bytes.*ResetState/],
])('a store with too many %s refuses the next and keeps the others', async (_what, budgets, message) => {
  const url = await serve(budgets);
  await post(`${url}/add`, formOf({ a: 'hello\n' }));
  const refused = await post(`${url}/add`, formOf({ b: 'more' }));
  expect(refused.status).toBe(500);
  expect(await refused.json()).toMatchObject({ Message: expect.stringMatching(message) });
  expect((await post(`${url}/add`, formOf({ again: 'hello\n' }))).status).toBe(200);
  expect((await post(`${url}/cat?arg=${hello}`)).status).toBe(200);
});

it('counts what an earlier process has stored', async () => {
  await post(`${await serve()}/add`, formOf({ a: 'hello\n' }));
  server?.close();
  const url = await serve({ files: 1, bytes: 1000 });
  expect((await post(`${url}/cat?arg=${hello}`)).status).toBe(200);
  expect((await post(`${url}/add`, formOf({ b: 'more' }))).status).toBe(500);
});

it.each([
  ['a body that is not a form', 'add', 'text', 400],
  ['a call that it does not have', 'dag/put', '', 404],
  ["a member of every object's prototype", 'constructor', '', 404],
])('refuses %s', async (_what, call, body, status) => {
  expect((await post(`${await serve()}/${call}`, body)).status).toBe(status);
});

it('takes POST only, as Kubo does', async () => {
  expect((await fetch(`${await serve()}/version`)).status).toBe(405);
});
