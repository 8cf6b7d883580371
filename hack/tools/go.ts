import { mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { hasDocker } from '../images/engine.ts';
import { cachePath, projectRoot } from '../lib/paths.ts';
import type { Note } from '../lib/progress.ts';
import { run, tryRun, UserError } from '../lib/run.ts';
import type { GoTool } from './catalogue.ts';
import { familyFolder } from './families.ts';

const gibibyte = 1024 ** 3;
/** What each of the compilers that run side by side may use: they may have half of the machine's memory. */
const compilerMemory = Math.min(2 * gibibyte, totalmem() / availableParallelism() / 2);
/** Go's compiler collects its garbage rarely, or only when its memory is full: a fifth to a quarter less CPU time than by default. */
const garbageCollection =
  compilerMemory < gibibyte
    ? { GOGC: '400' }
    : { GOGC: 'off', GOMEMLIMIT: `${Math.floor(compilerMemory / 1024 ** 2)}MiB` };

/** Programs without C are static. */
const BUILD_ENVIRONMENT = {
  CGO_ENABLED: '0',
  ...garbageCollection,
  GOFLAGS: '-mod=readonly -buildvcs=false',
  GOWORK: 'off',
};
const REMEDY =
  'check that the Go module proxy is reachable (see `go env GOPROXY`), then run the command again';

interface Target {
  name: string;
  path: string;
  note: Note;
}

/** Builds a program with the machine's Go; where that is missing or too old, in a container of Go's own image. */
export async function buildGo(tool: GoTool, { name, path, note }: Target): Promise<void> {
  const cwd = familyFolder(tool.family);
  const options = { logFile: cachePath('logs', `build-${name}.log`), onLine: note };
  const environment = {
    ...BUILD_ENVIRONMENT,
    ...(tool.hasC ? { CGO_ENABLED: '1' } : {}),
    ...(tool.isForLinux ? { GOOS: 'linux' } : {}),
  };
  const problem = await problemOfGo(tool.family);
  if (!problem) {
    await run('go', buildArguments(tool, path), { ...options, cwd, env: environment, remedy: REMEDY });
    return;
  }
  const canCross = !tool.hasC || process.platform === 'linux';
  if (!(canCross && (await hasDocker()))) throw new UserError(problem);
  const remedy = 'check that Docker can pull the image and that the Go module proxy is reachable';
  await run('docker', containerArguments(tool, path, environment), { ...options, remedy });
}

/** Downloads the modules that a later build needs, so that it does not wait for them. A failure is left to the build. */
export async function fetchModules({ family, goPackage }: GoTool): Promise<void> {
  const options = { cwd: familyFolder(family), env: BUILD_ENVIRONMENT };
  await tryRun('go', ['list', '-deps', goPackage], options);
}

/** Binaries have no debug information: they are small, quick to link, and take a tenth less time to compile. */
const WITHOUT_DEBUG_INFORMATION = ['-trimpath', '-gcflags=all=-dwarf=false'];

function buildArguments(tool: GoTool, output: string): string[] {
  const flags = ['-s', '-w', ...(tool.linkFlags ?? [])].join(' ');
  const tags = tool.tags ? ['-tags', tool.tags.join(',')] : [];
  return ['build', ...WITHOUT_DEBUG_INFORMATION, ...tags, '-ldflags', flags, '-o', output, tool.goPackage];
}

const systems: Partial<Record<NodeJS.Platform, string>> = { darwin: 'darwin', linux: 'linux' };

/** The checkout is read only; modules and compiled packages stay in the cache for the next program. */
function containerArguments(tool: GoTool, path: string, environment: Record<string, string>): string[] {
  const folder = familyFolder(tool.family);
  const cache = cachePath('go');
  // Docker would make a missing folder as root.
  mkdirSync(cache, { recursive: true });
  const inside = {
    GOOS: systems[process.platform] ?? 'linux',
    GOARCH: process.arch === 'x64' ? 'amd64' : process.arch,
    ...environment,
    HOME: '/cache',
    GOCACHE: '/cache/build',
    GOMODCACHE: '/cache/modules',
    ...(process.env.GOPROXY ? { GOPROXY: process.env.GOPROXY } : {}),
  };
  return [
    ...['run', '--rm', '--user', `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`],
    ...[
      '--volume',
      `${projectRoot}:/src:ro`,
      '--volume',
      `${dirname(path)}:/out`,
      '--volume',
      `${cache}:/cache`,
    ],
    ...['--workdir', `/src/${relative(projectRoot, folder)}`],
    ...Object.entries(inside).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    ...[`golang:${requiredGo(tool.family)}`, 'go'],
    ...buildArguments(tool, `/out/${relative(dirname(path), path)}`),
  ];
}

/** Why the machine's Go cannot build the family, with what to install; undefined when it can. */
async function problemOfGo(family: string): Promise<string | undefined> {
  const required = requiredGo(family);
  const advice = `Building ${family} needs Go ${required} or newer: install it from https://go.dev/dl/ and add it to PATH, or start Docker`;
  const answer = await tryRun('go', ['list', '-m'], { cwd: familyFolder(family), env: BUILD_ENVIRONMENT });
  if (answer.code === 127) return `The \`go\` command is not installed. ${advice}.`;
  return answer.code === 0 ? undefined : `${answer.output.trim()}\n${advice}.`;
}

function requiredGo(family: string): string {
  return goVersionOf(readFileSync(join(familyFolder(family), 'go.mod'), 'utf8'));
}

/** The `go` line of a go.mod file. */
export function goVersionOf(goMod: string): string {
  return /^go (\S+)$/m.exec(goMod)?.[1] ?? 'stable';
}
