import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { cachePath } from '../lib/paths.ts';
import { type Note, step } from '../lib/progress.ts';
import { buildCrate } from './cargo.ts';
import { catalogue, type LinkedTool, type Tool, type ToolName } from './catalogue.ts';
import { packDebianFiles } from './debian.ts';
import { tryDownload } from './download.ts';
import { familyFolder } from './families.ts';
import { buildGo } from './go.ts';
import { fetchNpmProgram } from './npm.ts';

/** The path of a built tool. The folder's name changes with the tool's version and the content of its module folder. */
export function toolPath(name: ToolName): string {
  const tool: Tool = catalogue[name];
  return cachePath('bin', `${name}-${tool.version}-${stampOf(tool)}`, name);
}

/** True when the cache contains the tool as its module folder currently defines it. */
export function isBuilt(name: ToolName): boolean {
  return existsSync(toolPath(name));
}

/** Downloads a tool; false when it cannot be had this way. */
export async function downloadTool(name: ToolName): Promise<boolean> {
  const tool: Tool = catalogue[name];
  const download = 'download' in tool ? tool.download : undefined;
  if (!download) return false;
  const options = 'isForLinux' in tool && tool.isForLinux ? { os: 'linux' } : {};
  return enterCache(name, (path) => tryDownload(download, path, options));
}

/** Builds a tool, or takes it from the package that has it. */
export async function buildTool(name: ToolName): Promise<void> {
  const tool: Tool = catalogue[name];
  if ('linkedIn' in tool) {
    await enterCache(name, async (path) => {
      linkSync(toolPath(tool.linkedIn), path);
      return true;
    });
    return;
  }
  const time = 'takes' in tool ? `, which takes ${tool.takes}` : '';
  const verb = 'npmPackage' in tool ? 'getting' : 'building';
  await step(`${verb} ${name} ${tool.version}${time}`, (note) =>
    enterCache(name, async (path) => {
      await build(tool, { name, path, note });
      return true;
    }),
  );
}

/** A tool enters the cache completely or not at all: false when `make` could not make it. */
async function enterCache(name: ToolName, make: (path: string) => Promise<boolean>): Promise<boolean> {
  const target = toolPath(name);
  mkdirSync(cachePath('bin'), { recursive: true });
  const draft = mkdtempSync(cachePath('bin', `.${name}-`));
  try {
    if (!(await make(join(draft, name)))) return false;
    rmSync(join(target, '..'), { recursive: true, force: true });
    renameSync(draft, join(target, '..'));
    return true;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

interface Target {
  name: string;
  path: string;
  note: Note;
}

async function build(tool: Exclude<Tool, LinkedTool>, target: Target): Promise<void> {
  if ('crate' in tool) return buildCrate(tool, target);
  if ('npmPackage' in tool) return fetchNpmProgram(tool, target.path);
  if ('debianPackages' in tool) return packDebianFiles(tool, target.path, target.note);
  return buildGo(tool, target);
}

/** A short hash of a tool's catalogue entry and the sources in its folder. Where it can be had makes no other tool of it. */
function stampOf(tool: Tool): string {
  const folder = familyFolder(tool.family);
  const hash = createHash('sha256').update(JSON.stringify({ ...tool, download: undefined }));
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  for (const file of files.filter(isSource).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 10);
}

/** Not what cargo leaves in the folder when it is run there by hand. */
function isSource(file: string): boolean {
  return /\.(go|mod|sum|rs)$|^Cargo\.(toml|lock)$/.test(file) && !file.startsWith('target/');
}
