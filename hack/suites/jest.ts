import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { countSuite, type SuiteReport, type SuiteResult } from './summary.ts';

interface SuiteOptions {
  env?: Record<string, string>;
  /** Names of test files that are not to run. */
  leftOut?: string[];
  /** Prints how much of the production code the tests have run. */
  hasCoverage?: boolean;
}

/** Runs one of jest's projects, its output shown as it comes, and counts its tests. */
export async function runSuite(
  name: string,
  { env = {}, leftOut = [], hasCoverage = false }: SuiteOptions = {},
): Promise<SuiteResult> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-suite-'));
  const reportFile = join(folder, 'report.json');
  const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--experimental-vm-modules', '--no-warnings', jest, '--selectProjects', name];
  // The suites on the installed chart share one service, and some of them stop parts of it.
  if (name === 'e2e' || name === 'engines') args.push('--runInBand');
  for (const file of leftOut) args.push('--testPathIgnorePatterns', `/${file.replaceAll('.', '\\.')}$`);
  if (hasCoverage) args.push('--coverage');
  // A test that fails may leave something open: the suites after it are to run all the same.
  args.push('--forceExit');
  const child = spawn(process.execPath, [...args, '--json', '--outputFile', reportFile], {
    cwd: projectRoot,
    env: { ...process.env, ...env, PATH: testPath() },
    // With --json people read standard error; on standard output there is the coverage alone.
    stdio: ['ignore', hasCoverage ? 'inherit' : 'ignore', 'inherit'],
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  child.once('error', () => resolve(127));
  child.once('close', (code) => resolve(code ?? 128));
  try {
    return countSuite(name, readReport(reportFile, await promise), await promise);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file: string, exitCode: number): SuiteReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SuiteReport;
  } catch {
    console.error(`jest ended with ${exitCode} and left no report`);
    return undefined;
  }
}

/** kubectl, helm and the project's own programs before the machine's. */
function testPath(): string {
  const own = [join(projectRoot, 'node_modules', '.bin'), join(projectRoot, '.slipway', 'bin')];
  return [...own, process.env.PATH ?? ''].join(delimiter);
}
