import type { Config } from 'jest';

const swc = { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } };

const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
} satisfies Config;

/**
 * unit: no cluster; integration: `*.int.test.ts`, a real kube-apiserver; e2e: the chart as installed; faults: e2e under kills
 * and attacks that take minutes; ingress: ingress controllers, of which one takes minutes to build; engines: e2e with clients that take minutes to build; binaries: those clients for minutes,
 * and the SDK in other runtimes, without a cluster.
 */
const config: Config = {
  // Node's own counting: what swc makes of the sources is not instrumented.
  coverageProvider: 'v8',
  coverageReporters: ['text-summary'],
  collectCoverageFrom: ['{core,operator,apiserver,sdk,cli}/**/*.ts', '!**/*.test.ts', '!**/testing/**'],
  // Only what hangs is to end by it: a busy machine is slow.
  testTimeout: 60_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: ['core', 'operator', 'apiserver', 'test', 'hack', 'engines', 'sdk', 'cli', 'console'].map(
        (folder) => `<rootDir>/${folder}`,
      ),
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['\\.(int|binary|ingress)\\.test\\.ts$', '/node_modules/'],
    },
    {
      ...shared,
      displayName: 'binaries',
      roots: ['<rootDir>/core', '<rootDir>/sdk'],
      testMatch: ['**/*.binary.test.ts'],
    },
    {
      ...shared,
      displayName: 'integration',
      roots: ['core', 'operator', 'apiserver', 'test', 'hack', 'sdk'].map((folder) => `<rootDir>/${folder}`),
      testMatch: ['**/*.int.test.ts'],
      globalSetup: '<rootDir>/hack/testenv/globalSetup.ts',
      globalTeardown: '<rootDir>/hack/testenv/globalTeardown.ts',
    },
    {
      ...shared,
      displayName: 'ingress',
      roots: ['<rootDir>/test'],
      testMatch: ['**/*.ingress.test.ts'],
      globalSetup: '<rootDir>/hack/testenv/globalSetup.ts',
      globalTeardown: '<rootDir>/hack/testenv/globalTeardown.ts',
    },
    {
      ...shared,
      displayName: 'e2e',
      roots: ['<rootDir>/e2e'],
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: ['/e2e/engines/', '/e2e/faults/', '\\.fault\\.test\\.ts$'],
    },
    {
      ...shared,
      displayName: 'faults',
      roots: ['<rootDir>/e2e'],
      testMatch: ['**/e2e/faults/**/*.test.ts', '**/*.fault.test.ts'],
    },
    { ...shared, displayName: 'engines', roots: ['<rootDir>/e2e/engines'], testMatch: ['**/*.test.ts'] },
  ],
};

export default config;
