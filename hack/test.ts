import { UserError } from './lib/run.ts';
import { runSuite } from './suites/jest.ts';
import { type SuiteResult, summaryLines } from './suites/summary.ts';
import { bringUp } from './up/up.ts';

const suites = ['unit', 'integration', 'e2e'];

/**
 * `node hack/test.ts [unit] [integration] [e2e]`: runs the named suites, all of them by default, each to its end,
 * and prints `N passed, N failed` last. The e2e suite is given the service, installed as `make up` does.
 */
async function main(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !suites.includes(name));
  if (unknown.length > 0)
    throw new UserError(`no such suite: ${unknown.join(', ')}; there are ${suites.join(', ')}`);
  const wanted = suites.filter((name) => names.length === 0 || names.includes(name));
  const results: SuiteResult[] = [];
  for (const name of wanted) {
    console.log(`\n${name} tests`);
    results.push(name === 'e2e' ? await runE2e() : await runSuite(name));
  }
  console.log('');
  for (const line of summaryLines(results)) console.log(line);
  if (results.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

/** A service that cannot be brought up is one failure, beside what the other suites found. */
async function runE2e(): Promise<SuiteResult> {
  try {
    return await runSuite('e2e', { ...(await bringUp(process.env.CLUSTER || 'auto')) });
  } catch (error) {
    showError(error);
    return { name: 'e2e', passed: 0, failed: 1, skipped: 0 };
  }
}

function showError(error: unknown): void {
  console.error(error instanceof UserError ? `\n${error.message}` : error);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  showError(error);
  process.exitCode = 1;
});
