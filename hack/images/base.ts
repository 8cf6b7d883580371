import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { UserError } from '../lib/run.ts';
import { libraryEntries } from './libraries.ts';
import { buildScratchImage, fileEntry, textEntry } from './scratch.ts';
import type { BuiltImage } from './store.ts';
import type { TarEntry } from './tar.ts';

/** Node 24 with its shared libraries and no shell; replaces node:24-bookworm-slim. */
export const NODE_IMAGE = 'localhost/slipway/node:24';
/** glibc, libgcc and libstdc++, with `sh` and a few tools for entry points; replaces debian:bookworm-slim. */
export const CC_IMAGE = 'localhost/slipway/cc:12';

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const passwd = [
  'root:x:0:0:root:/root:/sbin/nologin',
  'node:x:1000:1000:node:/home/node:/sbin/nologin',
  'nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin',
].join('\n');
const group = ['root:x:0:', 'node:x:1000:', 'nonroot:x:65532:'].join('\n');

/** What the scripts of engines use. */
const tools = [
  'sh',
  'awk',
  'bash',
  'cat',
  'chmod',
  'cksum',
  'grep',
  'gzip',
  'ls',
  'mv',
  'rm',
  'sed',
  'sleep',
  'sync',
  'tail',
  'tr',
  'wc',
];

async function toolEntries(tool: string): Promise<TarEntry[]> {
  const path = `/bin/${tool}`;
  return [...(await libraryEntries(path)), fileEntry(path, path)];
}

/** Base images for Dockerfiles, by name; each is built from files of this machine. */
export const baseImages: Record<string, () => Promise<BuiltImage>> = {
  [NODE_IMAGE]: async () => {
    const node = nodeBinary();
    const files = [...(await commonFiles(node)), fileEntry('/usr/local/bin/node', node)];
    return buildScratchImage({ image: NODE_IMAGE, files, command: ['node'] });
  },
  [CC_IMAGE]: async () => {
    const files = [
      ...(await commonFiles(nodeBinary())),
      ...(await Promise.all(tools.map(toolEntries))).flat(),
    ];
    const byPath = new Map(files.map((file) => [file.path, file]));
    return buildScratchImage({ image: CC_IMAGE, files: [...byPath.values()] });
  },
};

/** The names of our base images that occur in a Dockerfile or in build arguments. */
export function namedBaseImages(texts: string[]): string[] {
  return Object.keys(baseImages).filter((name) => texts.some((text) => text.includes(name)));
}

async function commonFiles(program: string): Promise<TarEntry[]> {
  const certificates = existsSync(CERTIFICATES) ? [fileEntry(CERTIFICATES, CERTIFICATES, 0o644)] : [];
  return [
    ...(await libraryEntries(program)),
    ...certificates,
    textEntry('/etc/passwd', `${passwd}\n`),
    textEntry('/etc/group', `${group}\n`),
    textEntry('/etc/nsswitch.conf', 'hosts: files dns\n'),
    { path: '/tmp', mode: 0o1777 },
  ];
}

/** The project's own Node, which npm installs as a dependency. */
function nodeBinary(): string {
  const binary = join(projectRoot, 'node_modules', 'node', 'bin', 'node');
  if (!existsSync(binary)) throw new UserError('node_modules is missing: run `npm install` first');
  const isElf = readFileSync(binary).subarray(1, 4).toString('latin1') === 'ELF';
  if (!isElf)
    throw new UserError('base images can only be built on Linux: use node:24-bookworm-slim instead');
  return binary;
}
