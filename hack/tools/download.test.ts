import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryDownload } from './download.ts';

const program = '#!/bin/sh\n';
const checksum = createHash('sha256').update(program).digest('hex');

let folder: string;
let server: Server;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-download-'));
  server = createServer((request, response) => {
    response.statusCode = request.url === '/tool-linux-amd64' ? 200 : 404;
    response.end(program);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tool-{platform}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const path = () => join(folder, 'tool');

it('a program with the pinned checksum can be run', async () => {
  const checksums = { 'linux-amd64': checksum };
  expect(await tryDownload({ url, checksums }, path(), 'linux-amd64')).toBe(true);
  expect(readFileSync(path(), 'utf8')).toBe(program);
  expect(statSync(path()).mode & 0o777).toBe(0o755);
});

it('another program is rejected with its address', async () => {
  const checksums = { 'linux-amd64': '0'.repeat(64) };
  await expect(tryDownload({ url, checksums }, path(), 'linux-amd64')).rejects.toThrow(
    /tool-linux-amd64: the checksum/,
  );
});

it.each([
  ['none is published for the platform', 'http://127.0.0.1:1/', {}],
  ['its host cannot be reached', 'http://127.0.0.1:1/', { 'linux-amd64': checksum }],
  ['its host does not have it', 'gone', { 'linux-amd64': checksum }],
])('a program is built when %s', async (_reason, address, checksums) => {
  const from = address === 'gone' ? url.replace('tool', 'gone') : address;
  expect(await tryDownload({ url: from, checksums }, path(), 'linux-amd64')).toBe(false);
});
