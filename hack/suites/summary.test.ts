import { countSuite, summaryLines } from './summary.ts';

const report = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numRuntimeErrorTestSuites: 0 };

describe('counting a suite', () => {
  it.each([
    ['all pass', report, 0, { passed: 5, failed: 0 }],
    ['tests fail', { ...report, numFailedTests: 2 }, 1, { passed: 5, failed: 2 }],
    ['a file does not load', { ...report, numRuntimeErrorTestSuites: 1 }, 1, { passed: 5, failed: 1 }],
    ['jest fails although no test does (teardown, coverage)', report, 1, { passed: 5, failed: 1 }],
    ['no test ran', { ...report, numPassedTests: 0 }, 0, { passed: 0, failed: 1 }],
    ['jest crashed before it wrote a report', undefined, 134, { passed: 0, failed: 1 }],
  ])('%s', (_reason, given, exitCode, expected) => {
    expect(countSuite('unit', given, exitCode)).toMatchObject(expected);
  });
});

describe('the summary of a run', () => {
  it('ends with the sum of all suites', () => {
    const results = [
      { name: 'unit', passed: 5, failed: 0, skipped: 1 },
      { name: 'e2e', passed: 7, failed: 2, skipped: 0 },
    ];
    expect(summaryLines(results)).toEqual([
      'unit: 5 passed, 0 failed, 1 skipped',
      'e2e: 7 passed, 2 failed, 0 skipped',
      '12 passed, 2 failed',
    ]);
  });
});
