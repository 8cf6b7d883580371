import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from './client.ts';
import { parseRegistry } from './reference.ts';

describe('REGISTRY', () => {
  it.each([
    [
      'registry.example.com/team/slipway',
      'registry.example.com',
      'team/slipway',
      'https://registry.example.com',
    ],
    ['registry.example.com:5000/', 'registry.example.com:5000', '', 'https://registry.example.com:5000'],
    ['localhost:5000/a', 'localhost:5000', 'a', 'http://localhost:5000'],
    ['127.0.0.1:5000', '127.0.0.1:5000', '', 'http://127.0.0.1:5000'],
    ['docker.io/ada', 'docker.io', 'ada', 'https://registry-1.docker.io'],
  ])('%s is host, path and address', (text, host, path, url) => {
    expect(parseRegistry(text)).toEqual({ host, path, url });
  });

  it.each(['registry.example.com/Team', 'a b', 'host/a//b', 'https://'])('%s is refused', (text) => {
    expect(() => parseRegistry(text)).toThrow('use host/path');
  });
});

/** Hosted registries give tokens at another address. */
describe('a registry with tokens', () => {
  let server: Server;
  let folder: string;
  let host: string;
  let asked: string[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-tokens-'));
    server = createServer((request, response) => {
      const { url = '', headers } = request;
      const { authorization } = headers;
      asked.push(`${url} ${authorization ?? 'nobody'}`);
      if (url.startsWith('/token')) {
        response.end(JSON.stringify({ token: authorization ? 'full' : 'read' }));
        return;
      }
      const challenge = `Bearer realm="http://${host}/token",service="registry",scope="repository:a:pull"`;
      response.setHeader('WWW-Authenticate', challenge);
      const statuses: Record<string, number> = { 'Bearer full': 200, 'Bearer read': 403 };
      response.writeHead(statuses[authorization ?? ''] ?? 401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked = [];
    process.env.DOCKER_CONFIG = folder;
  });
  afterEach(() => {
    delete process.env.DOCKER_CONFIG;
    rmSync(join(folder, 'config.json'), { force: true });
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const send = async () => (await createClient(parseRegistry(host), 'team/a')).send('POST', 'blobs/uploads/');

  it('gets a token for pushing with the login of docker, and uses it from then on', async () => {
    const auth = Buffer.from('ada:secret:1').toString('base64');
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ auths: { [host]: { auth } } }));
    const client = await createClient(parseRegistry(host), 'team/a');
    await client.send('POST', 'blobs/uploads/');
    await client.send('POST', 'blobs/uploads/');
    expect(asked).toEqual([
      '/v2/team/a/blobs/uploads/ nobody',
      `/token?service=registry&scope=repository%3Ateam%2Fa%3Apull%2Cpush Basic ${auth}`,
      '/v2/team/a/blobs/uploads/ Bearer full',
      '/v2/team/a/blobs/uploads/ Bearer full',
    ]);
  });

  it('says what to do when the token may not push', async () => {
    await expect(send()).rejects.toThrow(
      `refuses the push with 403. What to do: log in with \`docker login ${host}\``,
    );
  });

  it('that cannot be reached is named', async () => {
    const client = await createClient(parseRegistry('127.0.0.1:1'), 'a');
    await expect(client.send('GET', 'manifests/1')).rejects.toThrow(
      /127\.0\.0\.1:1 cannot be reached .*check REGISTRY/,
    );
  });
});
