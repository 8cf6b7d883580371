/** The numbers that are read from the report of `jest --json`. */
export interface SuiteReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  /** Test files that failed to load. */
  numRuntimeErrorTestSuites: number;
}

export interface SuiteResult {
  name: string;
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Counts one suite. These also count as a failure: a file that did not load, a suite without a report (it crashed),
 * a suite in which no test ran, and a non-zero exit code without a failed test.
 */
export function countSuite(name: string, report: SuiteReport | undefined, exitCode: number): SuiteResult {
  if (!report) return { name, passed: 0, failed: 1, skipped: 0 };
  const passed = report.numPassedTests;
  const counted = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const isBroken = exitCode !== 0 || passed === 0;
  return { name, passed, failed: counted === 0 && isBroken ? 1 : counted, skipped: report.numPendingTests };
}

/** The summary lines of a run; the last one contains only the totals. */
export function summaryLines(results: SuiteResult[]): string[] {
  const sum = (pick: (result: SuiteResult) => number): number =>
    results.reduce((total, result) => total + pick(result), 0);
  return [
    ...results.map(
      ({ name, passed, failed, skipped }) =>
        `${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`,
    ),
    `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed`,
  ];
}
