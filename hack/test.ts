import { UserError } from './lib/run.ts';
import { engineTests, leftOutTests } from './suites/engines.ts';
import { runSuite } from './suites/jest.ts';
import { type SuiteResult, summaryLines } from './suites/summary.ts';
import { buildEngines } from './up/heavyEngines.ts';
import { bringUp } from './up/up.ts';

const suites = ['unit', 'integration', 'e2e', 'engines'];
/**
 * `node hack/test.ts [unit] [integration] [e2e] [engines]`: runs the named suites, all of them by default, each to its
 * end, and prints `N passed, N failed` last. The suites e2e and engines are given the service, installed as `make up`
 * does. Engines take minutes to build, and chains to become final: by default that suite has only the tests whose
 * engines are in the cache, without the long ones, and says which those are.
 */
async function main(names: string[]): Promise<void> {
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
    results.push(await runNamed(name, name === 'engines' ? [...leftOut.keys()] : []));
  }
  console.log(leftOut.size > 0 ? `\n${tellLeftOut(leftOut)}` : '');
  for (const line of summaryLines(results)) console.log(line);
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

function tellLeftOut(leftOut: Map<string, string>): string {
  const files = [...leftOut].map(([file, reason]) => `${file} (${reason})`);
  return `engines: left out ${files.join(', ')}: make test-engines builds them and runs all`;
}

/** A service that cannot be brought up is one failure, beside what the other suites found. */
async function runNamed(name: string, leftOut: string[]): Promise<SuiteResult> {
  if (name !== 'e2e' && name !== 'engines') return runSuite(name);
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
