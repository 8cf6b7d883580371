import { UserError } from './lib/run.ts';
import { runSuite } from './suites/jest.ts';
import { type SuiteResult, summaryLines } from './suites/summary.ts';
import { areEnginesBuilt, buildEngines } from './up/heavyEngines.ts';
import { bringUp } from './up/up.ts';

const suites = ['unit', 'integration', 'e2e', 'engines'];
const leftOut = 'engines: left out, for they are not built: make test-engines builds and tests them';
const shortened =
  'engines: without their long tests (two participants finalise): make test-engines runs them all';

/**
 * `node hack/test.ts [unit] [integration] [e2e] [engines]`: runs the named suites, all of them by default, each to its
 * end, and prints `N passed, N failed` last. The suites e2e and engines are given the service, installed as `make up`
 * does. Engines take minutes to build, and chains to become final: by default that suite is left out while they are not in
 * the cache, and else runs without its long tests.
 */
async function main(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !suites.includes(name));
  if (unknown.length > 0)
    throw new UserError(`no such suite: ${unknown.join(', ')}; there are ${suites.join(', ')}`);
  const isShort = names.length === 0;
  const isLeftOut = isShort && !areEnginesBuilt();
  const byDefault = isLeftOut ? suites.filter((name) => name !== 'engines') : suites;
  const wanted = names.length === 0 ? byDefault : suites.filter((name) => names.includes(name));
  const results: SuiteResult[] = [];
  for (const name of wanted) {
    console.log(`\n${name} tests`);
    results.push(await runNamed(name, isShort && name === 'engines'));
  }
  console.log(isShort ? `\n${isLeftOut ? leftOut : shortened}` : '');
  for (const line of summaryLines(results)) console.log(line);
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

/** A service that cannot be brought up is one failure, beside what the other suites found. */
async function runNamed(name: string, isShort: boolean): Promise<SuiteResult> {
  if (name !== 'e2e' && name !== 'engines') return runSuite(name);
  try {
    if (name === 'engines') await buildEngines();
    const env = { ...(await bringUp(process.env.CLUSTER || 'auto')) };
    return await runSuite(name, { env, isShort });
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
