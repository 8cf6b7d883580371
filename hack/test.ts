import { UserError } from './lib/run.ts';
import { runSuite } from './suites/jest.ts';
import { type SuiteResult, summaryLines } from './suites/summary.ts';
import { areEnginesBuilt, buildEngines } from './up/heavyEngines.ts';
import { bringUp } from './up/up.ts';

const suites = ['unit', 'integration', 'e2e', 'engines'];

/**
 * `node hack/test.ts [unit] [integration] [e2e] [engines]`: runs the named suites, all of them by default, each to its
 * end, and prints `N passed, N failed` last. The suites e2e and engines are given the service, installed as `make up`
 * does. Engines take minutes to build: that suite is left out by default while they are not in the cache.
 */
async function main(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !suites.includes(name));
  if (unknown.length > 0)
    throw new UserError(`no such suite: ${unknown.join(', ')}; there are ${suites.join(', ')}`);
  const isLeftOut = names.length === 0 && !areEnginesBuilt();
  const byDefault = isLeftOut ? suites.filter((name) => name !== 'engines') : suites;
  const wanted = names.length === 0 ? byDefault : suites.filter((name) => names.includes(name));
  const results: SuiteResult[] = [];
  for (const name of wanted) {
    console.log(`\n${name} tests`);
    results.push(await runNamed(name));
  }
  console.log(
    isLeftOut ? '\nengines: left out, for they are not built: make test-engines builds and tests them' : '',
  );
  for (const line of summaryLines(results)) console.log(line);
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

/** A service that cannot be brought up is one failure, beside what the other suites found. */
async function runNamed(name: string): Promise<SuiteResult> {
  if (name !== 'e2e' && name !== 'engines') return runSuite(name);
  try {
    if (name === 'engines') await buildEngines();
    return await runSuite(name, { ...(await bringUp(process.env.CLUSTER || 'auto')) });
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
