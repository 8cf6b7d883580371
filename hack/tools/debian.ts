import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { compact } from '../../core/lib/compact.ts';
import { parseLdd } from '../images/libraries.ts';
import type { Note } from '../lib/progress.ts';
import { run, tryRun, UserError } from '../lib/run.ts';
import type { DebianTool } from './catalogue.ts';

/**
 * Makes a tar of files from Debian packages and of the shared libraries that they need, for an image's root. apt gets the
 * release's newest patch.
 */
export async function packDebianFiles(tool: DebianTool, path: string, note: Note): Promise<void> {
  await requireApt(tool);
  const folder = mkdtempSync(join(dirname(path), '.packages-'));
  const root = join(folder, 'root');
  try {
    const unpacked = await unpackPackages(tool.debianPackages, folder, note);
    const files = filesOf(tool, unpacked);
    for (const file of files) copy(join(unpacked, file), join(root, file));
    for (const library of await librariesOf(files, unpacked)) {
      const source = library.startsWith(unpacked) ? relative(unpacked, library) : library;
      copy(library, join(root, source.replace(/^\/?(usr\/)?lib\//, 'usr/lib/')));
    }
    const order = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
    await run('tar', ['-cf', path, ...order, '-C', root, '.']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Unpacks Debian packages in a folder, and returns the one that their paths begin from. apt verifies them. Nothing is
 * installed, and root is not needed.
 */
export async function unpackPackages(packages: string[], folder: string, note?: Note): Promise<string> {
  const unpacked = join(folder, 'unpacked');
  await run('apt-get', ['download', ...packages], {
    cwd: folder,
    remedy: 'run `apt-get update`, then the command again',
    ...compact({ onLine: note }),
  });
  for (const archive of globSync('*.deb', { cwd: folder })) {
    await run('dpkg-deb', ['--extract', archive, unpacked], { cwd: folder });
  }
  return unpacked;
}

/** The version of a package that apt would download; undefined if there is none, or no apt. */
export async function candidateOf(name: string): Promise<string | undefined> {
  const { code, stdout } = await tryRun('apt-cache', ['policy', name], { env: { LC_ALL: 'C' } });
  const version = /^ *Candidate: (\S+)$/m.exec(stdout)?.[1];
  return code === 0 && version !== '(none)' ? version : undefined;
}

/** What the tool wants of the packages, and the copyright notices of all of them. */
function filesOf({ files, without }: DebianTool, unpacked: string): string[] {
  const found = globSync([...files, 'usr/share/doc/*/copyright'], { cwd: unpacked, exclude: without });
  // Node's glob ends the names of links with a slash.
  return found
    .map((file) => file.replace(/\/$/, ''))
    .filter((file) => statSync(join(unpacked, file)).isFile());
}

/** The loader fits only the C library that it came with. */
const isInBaseImage = (path: string) => /\/(ld-linux[^/]*|lib[cm]\.so\.6)$/.test(path);

/** Absolute paths; those of the packages go before those of this machine. */
async function librariesOf(files: string[], unpacked: string): Promise<string[]> {
  const programs = files.filter((file) => /\/bin\/|\.so$/.test(file)).map((file) => join(unpacked, file));
  const folders = globSync('{usr/,}lib/*-linux-gnu', { cwd: unpacked }).map((one) => join(unpacked, one));
  const output = await run('ldd', programs, { env: { LD_LIBRARY_PATH: folders.join(':') } });
  const missing = /^\s*(\S+) => not found$/m.exec(output)?.[1];
  if (missing) throw new UserError(`${missing} is in none of the packages and not on this machine`);
  return parseLdd(output).filter((path) => !isInBaseImage(path));
}

/** As a file of its own, also where the source is a link. */
function copy(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(source, target);
}

/** Throws UserError where there is no apt, or its release has other versions. */
async function requireApt({ debianPackages: [wanted = ''] }: DebianTool): Promise<void> {
  if (await candidateOf(wanted)) return;
  throw new UserError(
    `${wanted} is taken from the packages of Debian 12, and apt on this machine does not have it: run \`apt-get update\`, or use the chart's default image`,
  );
}
