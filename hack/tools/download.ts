import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  createWriteStream,
  globSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../../core/lib/errors.ts';
import { say } from '../lib/progress.ts';
import { run, UserError } from '../lib/run.ts';

/** A program that its project publishes for each platform. `{os}` and `{arch}` stand for such as `linux` and `amd64`. */
export interface Download {
  url: string;
  /**
   * The SHA-256 of what is at the URL, by platform (`linux-amd64`). Or the URL of the file that the project publishes with
   * it: a list with lines such as `<checksum>  <file name>`, or the checksum alone.
   */
  checksums: Readonly<Record<string, string>> | string;
  /** The program's name in what is at the URL, if that is a tar.gz. */
  inArchive?: string;
}

interface DownloadOptions {
  os?: string;
  arch?: string;
  /** How long a host may send nothing. */
  silenceMs?: number;
}

const defaultSilenceMs = 10_000;
const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Downloads the program to `path`. False when there is none for the platform, or when its host does not have it or cannot be
 * reached. DOWNLOAD_MIRROR is the URL of a server that has `/<host>/<path>` for each URL, in the place of all hosts. Throws
 * UserError when what came does not have the checksum.
 */
export async function tryDownload(
  download: Download,
  path: string,
  options: DownloadOptions = {},
): Promise<boolean> {
  const os = options.os ?? process.platform;
  const arch = options.arch ?? architectures[process.arch] ?? process.arch;
  const fill = (url: string) => mirrored(url.replaceAll('{os}', os).replaceAll('{arch}', arch));
  const address = fill(download.url);
  const silenceMs = options.silenceMs ?? defaultSilenceMs;
  const folder = mkdtempSync(join(dirname(path), '.download-'));
  try {
    const request = { address, silenceMs, folder };
    const { checksums } = download;
    const expected =
      typeof checksums === 'string'
        ? await publishedChecksum(fill(checksums), request)
        : checksums[`${os}-${arch}`];
    const file = expected && (await fetchFile(request));
    if (!file) return false;
    if (file.checksum !== expected) throw otherChecksum(file.checksum, expected, { address, checksums });
    await place(file.path, path, download.inArchive);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function mirrored(url: string, mirror = process.env.DOWNLOAD_MIRROR): string {
  return mirror ? url.replace('https:/', mirror.replace(/\/+$/, '')) : url;
}

function otherChecksum(
  actual: string,
  expected: string,
  { address, checksums }: { address: string; checksums: Download['checksums'] },
): UserError {
  const source =
    typeof checksums === 'string' ? 'the one published with it is' : 'hack/tools/downloads.ts pins';
  return new UserError(`${address}: the checksum is ${actual}, but ${source} ${expected}`);
}

interface FileRequest {
  address: string;
  silenceMs: number;
  /** Where what comes is kept. */
  folder: string;
}

async function publishedChecksum(list: string, request: FileRequest): Promise<string | undefined> {
  const file = await fetchFile({ ...request, address: list });
  if (!file) return undefined;
  const lines = (await readFile(file.path, 'utf8')).split('\n').filter((line) => line.trim());
  const rows = lines.map((line) => line.trim().split(/\s+\*?/));
  const isAlone = rows.length === 1 && rows[0]?.length === 1;
  const name = basename(request.address);
  const [checksum] = (isAlone ? rows[0] : rows.find(([, named = '']) => basename(named) === name)) ?? [];
  if (!checksum || !/^[0-9a-f]{64}$/.test(checksum)) {
    throw new UserError(`${list} has no SHA-256 checksum of ${name}`);
  }
  return checksum;
}

async function place(file: string, path: string, inArchive: string | undefined): Promise<void> {
  if (inArchive) await takeOut(file, inArchive, path);
  else renameSync(file, path);
  chmodSync(path, 0o755);
}

async function takeOut(archive: string, name: string, path: string): Promise<void> {
  const unpacked = mkdtempSync(join(dirname(archive), 'unpacked-'));
  await run('tar', ['-xzf', archive, '-C', unpacked]);
  const found = globSync(`**/${name}`, { cwd: unpacked }).map((file) => join(unpacked, file));
  const program = found.find((file) => statSync(file).isFile());
  if (!program) throw new Error(`the archive has no file ${name}`);
  copyFileSync(program, path);
}

/** Hosts that could not be reached by this process. */
const unreachable = new Set<string>();

/** Undefined, with the reason said once for each host, when the host does not have it, or sends nothing for too long. */
async function fetchFile({ address, silenceMs, folder }: FileRequest) {
  const { host } = new URL(address);
  if (unreachable.has(host)) return undefined;
  const silence = new AbortController();
  const giveUp = () => silence.abort(new Error(`the host has sent nothing for ${silenceMs / 1000} s`));
  const timer = setTimeout(giveUp, silenceMs);
  try {
    const answer = await open(address, silence.signal);
    if (answer.statusCode !== 200) return refuse(address, answer);
    const path = join(mkdtempSync(join(folder, 'file-')), 'content');
    const checksum = await save(answer, path, () => timer.refresh());
    return { path, checksum };
  } catch (error) {
    if (!unreachable.has(host)) {
      say(`  ${host} cannot be reached (${reasonOf(error)}): what it has is built or comes from elsewhere`);
    }
    unreachable.add(host);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

const longestRedirection = 5;

/**
 * The answer to a GET, after redirections. Not by fetch: when a host ends its connection while what came before still waits to
 * be written, Node's fetch ends the process.
 */
async function open(
  address: string,
  signal: AbortSignal,
  left = longestRedirection,
): Promise<IncomingMessage> {
  const { get } = address.startsWith('https:') ? https : http;
  const request = get(address, { signal });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  // From now on, what goes wrong is an error of the answer.
  request.on('error', () => undefined);
  const { location } = answer.headers;
  const isRedirected = [301, 302, 303, 307, 308].includes(answer.statusCode ?? 0) && location !== undefined;
  if (!isRedirected) return answer;
  answer.destroy();
  if (left === 0) throw new Error('it redirects too often');
  return open(new URL(location, address).href, signal, left - 1);
}

/** Writes what comes to a file as it comes, because programs are large, and returns its SHA-256. */
async function save(body: AsyncIterable<Uint8Array>, path: string, onChunk: () => void): Promise<string> {
  const hash = createHash('sha256');
  async function* hashed() {
    for await (const chunk of body) {
      onChunk();
      hash.update(chunk);
      yield chunk;
    }
  }
  await pipeline(hashed, createWriteStream(path));
  return hash.digest('hex');
}

function refuse(address: string, answer: IncomingMessage): undefined {
  answer.destroy();
  say(`  ${address} cannot be downloaded (status ${answer.statusCode})`);
}

/** What failed is sometimes in the cause. */
function reasonOf(error: unknown): string {
  return messageOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);
}
