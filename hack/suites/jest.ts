import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { printCoverage } from './coverage.ts';
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

/** These change or stop parts of the installed chart, or need the whole machine. */
const oneAtATime = ['alone', 'faults', 'engines', 'upgrade'];
/** These wait for processes and servers much of the time. */
const waiting = ['chains', 'integration', 'e2e'];

/** Runs a jest project with live output and counts its tests. */
export async function runSuite(name: string, options: SuiteOptions = {}): Promise<SuiteResult> {
  const { env = {}, hasCoverage = false } = options;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-suite-'));
  const reportFile = join(folder, 'report.json');
  const coverageFolder = join(folder, 'coverage');
  const child = spawn(process.execPath, jestArguments(name, options, reportFile), {
    cwd: projectRoot,
    env: {
      ...process.env,
      ...env,
      ...(hasCoverage ? { NODE_V8_COVERAGE: coverageFolder } : {}),
      PATH: testPath(),
    },
    // With --json the human-readable output is on standard error.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { promise, resolve } = Promise.withResolvers<number>();
  child.once('error', () => resolve(127));
  child.once('close', (code) => resolve(code ?? 128));
  try {
    const result = countSuite(name, readReport(reportFile, await promise), await promise);
    if (hasCoverage) await printCoverage(coverageFolder);
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function jestArguments(
  name: string,
  { skippedFiles = [], files = [] }: SuiteOptions,
  reportFile: string,
): string[] {
  const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');
  const several = waiting.includes(name) ? availableParallelism() + 2 : Math.max(2, availableParallelism());
  const workers = oneAtATime.includes(name) ? 1 : several;
  return [
    '--no-warnings',
    jest,
    '--selectProjects',
    name,
    `--maxWorkers=${workers}`,
    ...skippedFiles.flatMap((file) => ['--testPathIgnorePatterns', `/${file.replaceAll('.', '\\.')}$`]),
    ...(files.length > 0 ? ['--runTestsByPath', ...files] : []),
    // A failed test may leave handles open, which must not keep the next suites from running.
    '--forceExit',
    '--json',
    '--outputFile',
    reportFile,
  ];
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
