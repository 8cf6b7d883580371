import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { messageOf } from '../../core/lib/errors.ts';
import { say } from '../lib/progress.ts';
import { UserError } from '../lib/run.ts';

/** A program that its project publishes as one file for each platform. */
export interface Download {
  /** `{platform}` stands for such as `linux-amd64`. */
  url: string;
  /** SHA-256 in hexadecimal, by platform. */
  checksums: Readonly<Record<string, string>>;
}

const limitMs = 120_000;
const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The name of this machine among a project's files, such as `linux-amd64`. */
const ownPlatform = `${process.platform}-${architectures[process.arch] ?? process.arch}`;

/**
 * Downloads the program for a platform to `path`. False when there is none, or when its host cannot be reached: then it is
 * built. Throws UserError when the checksum of what came is not the pinned one.
 */
export async function tryDownload(
  { url, checksums }: Download,
  path: string,
  platform = ownPlatform,
): Promise<boolean> {
  const pinned = checksums[platform];
  if (!pinned) return false;
  const address = url.replace('{platform}', platform);
  const content = await contentOf(address);
  if (!content) return false;
  const actual = createHash('sha256').update(content).digest('hex');
  if (actual !== pinned) {
    throw new UserError(`${address}: the checksum is ${actual}, but hack/tools/catalogue.ts pins ${pinned}`);
  }
  writeFileSync(path, content, { mode: 0o755 });
  return true;
}

async function contentOf(address: string): Promise<Buffer | undefined> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(limitMs) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  } catch (error) {
    say(`  ${address} cannot be downloaded (${messageOf(error)}): it is built instead`);
    return undefined;
  }
}
