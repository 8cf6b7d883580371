import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Download, tryDownload } from './download.ts';

const program = '#!/bin/sh\n';
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const platform = { os: 'linux', arch: 'amd64' };

let folder: string;
let archive: Buffer;
let server: Server;
let host: string;
let asked: string[];
const answers: Record<string, RequestListener> = {
  '/tool-linux-amd64': (_request, response) => response.end(program),
  '/moved-linux-amd64': (_request, response) =>
    response.writeHead(302, { location: '/tool-linux-amd64' }).end(),
  '/tool-linux-amd64.tar.gz': (_request, response) => response.end(archive),
  '/tool-linux-amd64.sha256': (_request, response) => response.end(`${sha256(program)}\n`),
  '/example.com/bin/tool-linux-amd64': (_request, response) => response.end(program),
  '/sha256sum.txt': (_request, response) =>
    response.end(`${'0'.repeat(64)}  other\n${sha256(archive)}  build/tool-linux-amd64.tar.gz\n`),
};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-download-'));
  mkdirSync(join(folder, 'tool-v1', 'tool.d'), { recursive: true });
  writeFileSync(join(folder, 'tool-v1', 'tool'), program);
  archive = execFileSync('tar', ['-cz', 'tool-v1'], { cwd: folder });
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers[request.url ?? ''];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const path = () => join(folder, 'tool');
const get = (url: string, more: Partial<Download> = {}, options: Parameters<typeof tryDownload>[2] = {}) => {
  const checksums = { 'linux-amd64': sha256(program) };
  return tryDownload({ url, checksums, ...more }, path(), { ...platform, ...options });
};

describe('a published program', () => {
  beforeEach(() => rmSync(path(), { force: true }));

  it('with the pinned checksum can be run', async () => {
    expect(await get(`${host}/tool-{os}-{arch}`)).toBe(true);
    expect(readFileSync(path(), 'utf8')).toBe(program);
    expect(statSync(path()).mode & 0o777).toBe(0o755);
  });

  it('is taken out of its archive, wherever it is there', async () => {
    const checksums = { 'linux-amd64': sha256(archive) };
    expect(await get(`${host}/tool-{os}-{arch}.tar.gz`, { checksums, inArchive: 'tool' })).toBe(true);
    expect(readFileSync(path(), 'utf8')).toBe(program);
    expect(statSync(path()).mode & 0o777).toBe(0o755);
  });

  it('is checked against the list of its release', async () => {
    const more = { checksums: `${host}/sha256sum.txt`, inArchive: 'tool' };
    expect(await get(`${host}/tool-{os}-{arch}.tar.gz`, more)).toBe(true);
    await expect(get(`${host}/tool-{os}-{arch}`, more)).rejects.toThrow(
      'no SHA-256 checksum of tool-linux-amd64',
    );
  });

  it('is checked against the checksum in the file beside it', async () => {
    const more = { checksums: `${host}/tool-{os}-{arch}.sha256` };
    expect(await get(`${host}/tool-{os}-{arch}`, more)).toBe(true);
    expect(readFileSync(path(), 'utf8')).toBe(program);
  });

  it('comes from the mirror that DOWNLOAD_MIRROR names', async () => {
    process.env.DOWNLOAD_MIRROR = `${host}/`;
    try {
      expect(await get('https://example.com/bin/tool-{os}-{arch}')).toBe(true);
    } finally {
      delete process.env.DOWNLOAD_MIRROR;
    }
    expect(asked).toEqual(['/example.com/bin/tool-linux-amd64']);
  });

  it('comes from where its host redirects to', async () => {
    expect(await get(`${host}/moved-{os}-{arch}`)).toBe(true);
    expect(asked).toEqual(['/moved-linux-amd64', '/tool-linux-amd64']);
  });

  it('comes from a host that ends the connection after it', async () => {
    const large = Buffer.alloc(64 * 1024 * 1024, 'x');
    const closing = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.concat([Buffer.from('HTTP/1.0 200 OK\r\n\r\n'), large])));
    });
    await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve));
    const { port } = closing.address() as AddressInfo;
    const checksums = { 'linux-amd64': sha256(large) };
    expect(await get(`http://127.0.0.1:${port}/tool`, { checksums })).toBe(true);
    closing.close();
  });

  it('that is another one is rejected with its address', async () => {
    const checksums = { 'linux-amd64': '0'.repeat(64) };
    await expect(get(`${host}/tool-{os}-{arch}`, { checksums })).rejects.toThrow(
      /tool-linux-amd64: the checksum/,
    );
    expect(() => statSync(path())).toThrow();
  });
});

describe('a program is built', () => {
  it.each([
    ['its host cannot be reached', () => get('http://127.0.0.1:1/tool')],
    ['its host does not have it', () => get(`${host}/gone-{os}-{arch}`)],
    [
      'the list of checksums cannot be had',
      () => get(`${host}/tool-{os}-{arch}`, { checksums: `${host}/gone.txt` }),
    ],
  ])('when %s', async (_reason, attempt) => {
    expect(await attempt()).toBe(false);
  });

  it.each([
    ['does not answer', () => undefined],
    ['stops in the middle', (_request, response) => void response.write('#!')],
  ] satisfies [string, RequestListener][])(
    'when its host %s, which is not asked again',
    async (_how, answer) => {
      let calls = 0;
      const other = createServer((request, response) => {
        calls += 1;
        answer(request, response);
      });
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const { port } = other.address() as AddressInfo;
      const getSoon = (name: string) => get(`http://127.0.0.1:${port}/${name}`, {}, { silenceMs: 200 });
      expect(await getSoon('tool')).toBe(false);
      expect(await getSoon('another')).toBe(false);
      expect(calls).toBe(1);
      other.closeAllConnections();
      other.close();
    },
  );

  it('when none is published for the platform, without asking its host', async () => {
    expect(await get(`${host}/tool-{os}-{arch}`, { checksums: {} })).toBe(false);
    expect(asked).toEqual([]);
  });
});
