import { UserError } from './lib/run.ts';
import { engineTests, leftOutTests } from './suites/engines.ts';
import { runSuite } from './suites/jest.ts';
import { type SuiteResult, summaryLines } from './suites/summary.ts';
import { buildEngines } from './up/heavyEngines.ts';
import { bringUp } from './up/up.ts';

const suites = ['unit', 'integration', 'e2e', 'engines'];
const coverageFlag = '--coverage';

/**
 * `node hack/test.ts [--coverage] [unit] [integration] [e2e] [engines]`: runs the named suites, all of them by default, each to its
 * end, and prints `N passed, N failed` last. The suites e2e and engines are given the service, installed as `make up`
 * does. Engines take minutes to build, and chains to become final: by default that suite has only the tests whose
 * engines are in the cache, without the long ones, and says which those are. With `--coverage` the unit suite also prints how much of the code it has run.
 */
async function main(args: string[]): Promise<void> {
  const names = args.filter((arg) => arg !== coverageFlag);
  const hasCoverage = args.includes(coverageFlag);
  const unknown = names.filter((name) => !suites.includes(name));
  if (unknown.length > 0)
    throw new UserError(`no such suite: ${unknown.join(', ')}; there are ${suites.join(', ')}`);
  const leftOut = names.length === 0 ? leftOutTests() : new Map<string, string>();
  const hasEngines = leftOut.size < engineTests().length;
  const byDefault = suites.filter((name) => name !== 'engines' || hasEngines);
  const wanted = names.length === 0 ? byDefault : suites.filter((name) => names.includes(name));
  const results: SuiteResult[] = [];
  for (const name of wanted) {
    console.log(`\n${name} tests`);
    const options = { hasCoverage, leftOut: name === 'engines' ? [...leftOut.keys()] : [] };
    results.push(await runNamed(name, options));
  }
  console.log(leftOut.size > 0 ? `\n${tellLeftOut(leftOut)}` : '');
  for (const line of summaryLines(results)) console.log(line);
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

function tellLeftOut(leftOut: Map<string, string>): string {
  const files = [...leftOut].map(([file, reason]) => `${file} (${reason})`);
  return `engines: left out ${files.join(', ')}: make test-engines builds them and runs all`;
}

interface RunOptions {
  leftOut: string[];
  hasCoverage: boolean;
}

/** A service that cannot be brought up is one failure, beside what the other suites found. */
async function runNamed(name: string, { leftOut, hasCoverage }: RunOptions): Promise<SuiteResult> {
  if (name === 'unit') return runSuite(name, { hasCoverage });
  if (name === 'integration') return runSuite(name);
  try {
    if (name === 'engines' && leftOut.length === 0) await buildEngines();
    const env = { ...(await bringUp(process.env.CLUSTER || 'auto')) };
    return await runSuite(name, { env, leftOut });
  } catch (error) {
    showError(error);
    return { name, passed: 0, failed: 1, skipped: 0 };
  }
}

function showError(error: unknown): void {
  console.error(error instanceof UserError ? `\n${error.message}` : error);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  showError(error);
  process.exitCode = 1;
});
