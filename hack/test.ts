import { browserRemedy, findBrowser } from './console/browser.ts';
import { formatDuration } from './lib/format.ts';
import { runProgram } from './lib/program.ts';
import { UserError } from './lib/run.ts';
import { browserTests, e2eFolders } from './suites/browser.ts';
import { findCrashes } from './suites/crashes.ts';
import { engineTests, skippedTests } from './suites/engines.ts';
import { runSuite } from './suites/jest.ts';
import { type SuiteResult, summaryLines } from './suites/summary.ts';
import { buildEngines } from './up/heavyEngines.ts';
import { bringUp } from './up/up.ts';

const suites = [
  'unit',
  'chains',
  'integration',
  'e2e',
  'alone',
  'copies',
  'crashes',
  'faults',
  'binaries',
  'engines',
  'monitoring',
  'ingress',
];
/** Suites that run only when named, because they take long, each with the command that runs it. */
const onlyByName: Record<string, string> = {
  copies: 'make test-all',
  crashes: 'make test-faults',
  faults: 'make test-faults',
  binaries: 'make test-engines',
  monitoring: 'make test-monitoring',
  ingress: 'make test-ingress',
};
/** Suites that need no installed service. */
const withoutInstallation = ['chains', 'integration', 'copies', 'crashes', 'monitoring', 'ingress'];
/** Suites that end no process of the service. */
const undisturbed = ['e2e', 'engines'];
/** What is not a suite of its own. */
const elsewhere: Record<string, string> = {
  kind: 'make test-kind',
  upgrade: 'make test-upgrade',
  current: 'make test-current',
  soak: 'make soak',
};
const coverageFlag = '--coverage';
const allFlag = '--all';

/**
 * `node hack/test.ts [--coverage] [--all] [SUITE...]`: runs the named suites of jest.config.ts, by default those that no
 * other command runs, and prints `N passed, N failed` last. A failing suite does not stop the next one. The e2e and engines
 * suites run against the service, which is installed as by `make up`. Engines take minutes to build and chains take minutes
 * to become final, so by default the engines suite skips long tests and tests whose engines are not in the cache, and lists
 * them. With `--coverage` the unit suite also prints its coverage.
 */
async function main(args: string[]): Promise<void> {
  const hasCoverage = args.includes(coverageFlag);
  const named = args.filter((arg) => arg !== coverageFlag && arg !== allFlag);
  const names = args.includes(allFlag) ? suites : named;
  const unknown = names.filter((name) => !suites.includes(name));
  if (unknown.length > 0)
    throw new UserError(`unknown test suite: ${unknown.join(', ')}; choose from ${suites.join(', ')}`);
  const skippedFiles = names.length === 0 ? skippedTests() : new Map<string, string>();
  const unseen = testsWithoutBrowser();
  const hasEngines = skippedFiles.size < engineTests().length;
  const byDefault = suites.filter((name) => !onlyByName[name] && (name !== 'engines' || hasEngines));
  const wanted = names.length === 0 ? byDefault : suites.filter((name) => names.includes(name));
  const results: SuiteResult[] = [];
  for (const name of wanted) {
    const skipped: Record<string, string[]> = { engines: [...skippedFiles.keys()], ...unseen };
    results.push(await runTimed(name, { hasCoverage, skippedFiles: skipped[name] ?? [] }));
  }
  console.log(skippedFiles.size > 0 ? `\n${describeSkipped(skippedFiles)}` : '');
  for (const line of wanted.flatMap((name) => describeUnseen(name, unseen[name]))) console.log(line);
  for (const [name, command] of names.length === 0 ? Object.entries({ ...onlyByName, ...elsewhere }) : []) {
    console.log(`${name}: not run by default; run \`${command}\``);
  }
  for (const line of summaryLines(results)) console.log(line);
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

async function runTimed(name: string, options: RunOptions): Promise<SuiteResult> {
  const startedMs = Date.now();
  console.log(`\n${name} tests`);
  const result = await runNamed(name, options);
  console.log(`${name} tests took ${formatDuration(Date.now() - startedMs)}`);
  return result;
}

/** The tests of each suite that need a browser where there is none. */
function testsWithoutBrowser(): Record<string, string[]> {
  return findBrowser() ? {} : { e2e: browserTests(...e2eFolders), faults: browserTests('e2e/faults') };
}

function describeUnseen(name: string, files: readonly string[] = []): string[] {
  return files.map((file) => `${name}: skipped ${file} (${browserRemedy})`);
}

function describeSkipped(skippedFiles: Map<string, string>): string {
  const files = [...skippedFiles].map(([file, reason]) => `${file} (${reason})`);
  return `engines: skipped ${files.join(', ')}; run \`make test-engines\` to build all engines and run every test`;
}

interface RunOptions {
  skippedFiles: string[];
  hasCoverage: boolean;
}

/** A service that cannot be installed counts as one failure; the other suites still run. */
async function runNamed(name: string, { skippedFiles, hasCoverage }: RunOptions): Promise<SuiteResult> {
  if (name === 'unit') return runSuite(name, { hasCoverage });
  if (withoutInstallation.includes(name)) return runSuite(name);
  try {
    if (['binaries', 'engines'].includes(name) && skippedFiles.length === 0) await buildEngines();
    if (name === 'binaries') return await runSuite(name);
    return await runInstalled(name, skippedFiles);
  } catch (error) {
    showError(error);
    return { name, passed: 0, failed: 1, skipped: 0 };
  }
}

/** In a suite that ends no process of the service, one that ended is a failure. */
async function runInstalled(name: string, skippedFiles: string[]): Promise<SuiteResult> {
  const env = { ...(await bringUp(process.env.CLUSTER || 'auto')) };
  const startedMs = Date.now();
  const result = await runSuite(name, { env, skippedFiles });
  if (!undisturbed.includes(name)) return result;
  const crashes = await findCrashes(env.KUBECONFIG, startedMs);
  for (const crash of crashes) console.error(`${name}: ${crash}; \`kubectl logs --previous\` shows why`);
  return { ...result, failed: result.failed + crashes.length };
}

function showError(error: unknown): void {
  console.error(error instanceof UserError ? `\n${error.message}` : error);
}

runProgram(() => main(process.argv.slice(2)));
