import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../core/lib/errors.ts';
import { say } from '../lib/progress.ts';
import { run, UserError } from '../lib/run.ts';

/** A program that its project publishes for each platform. `{os}` and `{arch}` stand for such as `linux` and `amd64`. */
export interface Download {
  url: string;
  /** The SHA-256 of what is at the URL, by platform (`linux-amd64`). Or the URL of the project's own list of them. */
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
 * Downloads the program to `path`. False when there is none for the platform, or when its host cannot be reached: then it
 * is built. Throws UserError when what came does not have the checksum.
 */
export async function tryDownload(
  download: Download,
  path: string,
  options: DownloadOptions = {},
): Promise<boolean> {
  const os = options.os ?? process.platform;
  const arch = options.arch ?? architectures[process.arch] ?? process.arch;
  const fill = (url: string) => url.replaceAll('{os}', os).replaceAll('{arch}', arch);
  const { checksums } = download;
  if (typeof checksums !== 'string' && !checksums[`${os}-${arch}`]) return false;
  const address = fill(download.url);
  const silenceMs = options.silenceMs ?? defaultSilenceMs;
  const expected =
    typeof checksums === 'string'
      ? await publishedChecksum(fill(checksums), { address, silenceMs })
      : checksums[`${os}-${arch}`];
  const content = expected && (await contentOf(address, silenceMs));
  if (!content) return false;
  const actual = createHash('sha256').update(content).digest('hex');
  if (actual !== expected) {
    const source = typeof checksums === 'string' ? `${fill(checksums)} has` : 'hack/tools/catalogue.ts pins';
    throw new UserError(`${address}: the checksum is ${actual}, but ${source} ${expected}`);
  }
  if (download.inArchive) await takeOut(content, download.inArchive, path);
  else writeFileSync(path, content);
  chmodSync(path, 0o755);
  return true;
}

/** From a list with lines such as `<checksum>  <file name>`. */
async function publishedChecksum(
  list: string,
  { address, silenceMs }: { address: string; silenceMs: number },
): Promise<string | undefined> {
  const text = await contentOf(list, silenceMs);
  if (!text) return undefined;
  const lines = text.toString('utf8').split('\n');
  const words = lines.map((line) => line.trim().split(/\s+\*?/));
  const checksum = words.find(([, file]) => file && basename(file) === basename(address))?.[0];
  if (!checksum || !/^[0-9a-f]{64}$/.test(checksum)) {
    throw new UserError(`${list} has no SHA-256 checksum of ${basename(address)}`);
  }
  return checksum;
}

async function takeOut(archive: Buffer, name: string, path: string): Promise<void> {
  const folder = mkdtempSync(join(dirname(path), '.archive-'));
  try {
    const unpacked = join(folder, 'unpacked');
    mkdirSync(unpacked);
    writeFileSync(join(folder, 'archive.tar.gz'), archive);
    await run('tar', ['-xzf', join(folder, 'archive.tar.gz'), '-C', unpacked]);
    const found = globSync(`**/${name}`, { cwd: unpacked }).map((file) => join(unpacked, file));
    const program = found.find((file) => statSync(file).isFile());
    if (!program) throw new Error(`the archive has no file ${name}`);
    copyFileSync(program, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Undefined, with the reason said, when the host does not have it, or sends nothing for too long. */
async function contentOf(address: string, silenceMs: number): Promise<Buffer | undefined> {
  const silence = new AbortController();
  const giveUp = () => silence.abort(new Error(`the host has sent nothing for ${silenceMs / 1000} s`));
  const timer = setTimeout(giveUp, silenceMs);
  try {
    const answer = await fetch(address, { signal: silence.signal });
    if (!answer.ok || !answer.body) throw new Error(`status ${answer.status}`);
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) {
      timer.refresh();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    say(`  ${address} cannot be downloaded (${messageOf(error)}): it is built instead`);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
