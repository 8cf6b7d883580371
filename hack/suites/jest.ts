import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { countSuite, type SuiteReport, type SuiteResult } from './summary.ts';

interface SuiteOptions {
  env?: Record<string, string>;
  /** Names of test files to skip. */
  skippedFiles?: string[];
  /** The test files to run, by their paths in the project; all of the suite by default. */
  files?: string[];
  /** Prints the coverage of the production code. */
  hasCoverage?: boolean;
}

/** Runs a jest project with live output and counts its tests. */
export async function runSuite(
  name: string,
  { env = {}, skippedFiles = [], files = [], hasCoverage = false }: SuiteOptions = {},
): Promise<SuiteResult> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-suite-'));
  const reportFile = join(folder, 'report.json');
  const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = ['--experimental-vm-modules', '--no-warnings', jest, '--selectProjects', name];
  // The suites that use the installed chart share one service, and some of them stop parts of it. The others wait for real
  // engines and servers much of the time, so they use every processor.
  args.push(['e2e', 'faults', 'engines', 'upgrade'].includes(name) ? '--runInBand' : '--maxWorkers=100%');
  for (const file of skippedFiles) args.push('--testPathIgnorePatterns', `/${file.replaceAll('.', '\\.')}$`);
  if (files.length > 0) args.push('--runTestsByPath', ...files);
  if (hasCoverage) args.push('--coverage');
  // A failed test may leave handles open, which must not keep the next suites from running.
  args.push('--forceExit');
  const child = spawn(process.execPath, [...args, '--json', '--outputFile', reportFile], {
    cwd: projectRoot,
    env: { ...process.env, ...env, PATH: testPath() },
    // With --json the human-readable output is on standard error; standard output has only the coverage.
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
    console.error(`jest exited with code ${exitCode} and did not write a report`);
    return undefined;
  }
}

/** PATH with the project's own kubectl, helm and other programs before the machine's. */
function testPath(): string {
  const own = [join(projectRoot, 'node_modules', '.bin'), join(projectRoot, '.slipway', 'bin')];
  return [...own, process.env.PATH ?? ''].join(delimiter);
}
