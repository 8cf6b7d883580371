import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cachePath, projectRoot } from '../lib/paths.ts';
import { type Note, step } from '../lib/progress.ts';
import { run, tryRun, UserError } from '../lib/run.ts';
import { buildCrate, requireCargo } from './cargo.ts';
import { catalogue, type GoTool, type Tool, type ToolName } from './catalogue.ts';
import { packDebianFiles } from './debian.ts';
import { tryDownload } from './download.ts';
import { fetchNpmProgram } from './npm.ts';

/** Binaries have no debug information, so they are small and quick to link. Those without C are static. */
const BUILD_ENVIRONMENT = { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false', GOWORK: 'off' };
const REMEDY =
  'check that the Go module proxy is reachable (see `go env GOPROXY`), then run the command again';

/** The path of a built tool. The folder's name changes with the tool's version and the content of its module folder. */
export function toolPath(name: ToolName): string {
  const tool: Tool = catalogue[name];
  return cachePath('bin', `${name}-${tool.version}-${stampOf(tool)}`, name);
}

/** True when the cache contains the tool as its module folder currently defines it. */
export function isBuilt(name: ToolName): boolean {
  return existsSync(toolPath(name));
}

/** Builds the tools of one family, one after another; each enters the cache completely or not at all. */
export async function buildFamily(names: ToolName[]): Promise<void> {
  const tools = names.map((name): [ToolName, Tool] => [name, catalogue[name]]);
  for (const [name, tool] of tools) {
    if ('crate' in tool) await requireCargo(name, tool);
  }
  for (const [name, tool] of tools) {
    const time = 'takes' in tool ? `, which takes ${tool.takes}` : '';
    await step(`building ${name} ${tool.version}${time}`, (note) => buildTool(name, note));
  }
}

async function buildTool(name: ToolName, note: Note): Promise<void> {
  const tool: Tool = catalogue[name];
  const target = toolPath(name);
  mkdirSync(cachePath('bin'), { recursive: true });
  const draft = mkdtempSync(cachePath('bin', `.${name}-`));
  try {
    await make(tool, { name, path: join(draft, name), note });
    rmSync(join(target, '..'), { recursive: true, force: true });
    renameSync(draft, join(target, '..'));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

interface Target {
  name: string;
  path: string;
  note: Note;
}

function make(tool: Tool, target: Target): Promise<void> {
  if ('crate' in tool) return buildCrate(tool, target);
  if ('npmPackage' in tool) return fetchNpmProgram(tool, target.path);
  if ('debianPackages' in tool) return packDebianFiles(tool, target.path, target.note);
  return buildGo(tool, target);
}

async function buildGo(tool: GoTool, { name, path, note }: Target): Promise<void> {
  if (tool.download && (await tryDownload(tool.download, path))) return;
  await requireGo(tool.family);
  const flags = ['-s', '-w', ...(tool.linkFlags ?? [])].join(' ');
  const tags = tool.tags ? ['-tags', tool.tags.join(',')] : [];
  await run('go', ['build', '-trimpath', ...tags, '-ldflags', flags, '-o', path, tool.goPackage], {
    cwd: familyFolder(tool.family),
    env: {
      ...BUILD_ENVIRONMENT,
      ...(tool.hasC ? { CGO_ENABLED: '1' } : {}),
      ...(tool.isForLinux ? { GOOS: 'linux' } : {}),
    },
    logFile: cachePath('logs', `build-${name}.log`),
    onLine: note,
    remedy: REMEDY,
  });
}

/** Throws UserError with instructions when Go is missing or too old for the family's go.mod. */
async function requireGo(family: string): Promise<void> {
  const required = goVersionOf(readFileSync(join(familyFolder(family), 'go.mod'), 'utf8'));
  const advice = `Building ${family} needs Go ${required} or newer: install it from https://go.dev/dl/ and add it to PATH`;
  const answer = await tryRun('go', ['list', '-m'], {
    cwd: familyFolder(family),
    env: BUILD_ENVIRONMENT,
  });
  if (answer.code === 127) throw new UserError(`The \`go\` command is not installed. ${advice}.`);
  if (answer.code !== 0) throw new UserError(`${answer.output.trim()}\n${advice}.`);
}

/** The `go` line of a go.mod file. */
export function goVersionOf(goMod: string): string {
  return /^go (\S+)$/m.exec(goMod)?.[1] ?? 'stable';
}

/** A short hash of a tool's catalogue entry and the sources in its folder. */
function stampOf(tool: Tool): string {
  const folder = familyFolder(tool.family);
  const hash = createHash('sha256').update(JSON.stringify(tool));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
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

/** The folder of a family's sources. */
export function familyFolder(family: string): string {
  return family.startsWith('engines/') ? join(projectRoot, family) : join(import.meta.dirname, family);
}
