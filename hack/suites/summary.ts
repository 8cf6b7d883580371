/** What jest writes with `--json`: the numbers that count. */
export interface SuiteReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  /** Test files that could not even be loaded. */
  numRuntimeErrorTestSuites: number;
}

export interface SuiteResult {
  name: string;
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Counts one suite. A file that did not load is a failure, and so is a suite without a report (it crashed),
 * with no test run at all, or whose exit code tells of a failure that no test shows.
 */
export function countSuite(name: string, report: SuiteReport | undefined, exitCode: number): SuiteResult {
  if (!report) return { name, passed: 0, failed: 1, skipped: 0 };
  const passed = report.numPassedTests;
  const counted = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const isBroken = exitCode !== 0 || passed === 0;
  return { name, passed, failed: counted === 0 && isBroken ? 1 : counted, skipped: report.numPendingTests };
}

/** The lines that end a run; the last one is the sum, alone. */
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
