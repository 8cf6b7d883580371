import type { Config } from 'jest';

/**
 * Node runs the tests as they are, and the files of a worker share the modules that they import: making a world of its own
 * for each file takes longer than most tests. This runner has no limits of time; hack/suites/reporter.ts has one for files.
 */
const shared = {
  // The former release that an upgrade began from.
  modulePathIgnorePatterns: ['<rootDir>/\\.slipway/'],
  runner: 'jest-light-runner',
  transform: {},
} satisfies Config;

const withKubeApiserver = {
  roots: ['core', 'operator', 'apiserver', 'admission', 'forks', 'features', 'test', 'hack', 'sdk'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  globalSetup: '<rootDir>/hack/testenv/globalSetup.ts',
  globalTeardown: '<rootDir>/hack/testenv/globalTeardown.ts',
} satisfies Config;

/**
 * - unit: nothing but Node
 * - chains: real chains as processes
 * - integration: a real kube-apiserver
 * - e2e: the chart as installed; what a file does, it does to objects of its own
 * - alone: as e2e, by files that change the installation, end its pods, or measure how it answers
 * - copies: changes of the code in a copy of the checkout, for minutes
 * - crashes: as integration, for minutes, with an operator that dies at each write
 * - faults: as e2e, under kills and attacks that take minutes
 * - engines: as e2e, with clients that take minutes to build
 * - binaries: those clients for minutes, and the SDK in other runtimes, without a cluster
 * - upgrade: what hack/upgrade/main.ts runs on the previous release
 * - monitoring: alerts and dashboard by Prometheus itself
 * - ingress: real ingress controllers, of which one takes minutes to build
 */
const config: Config = {
  reporters: ['default', '<rootDir>/hack/suites/reporter.ts'],
  testSequencer: '<rootDir>/hack/suites/sequencer.ts',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: [
        'core',
        'operator',
        'apiserver',
        'features',
        'admission',
        'forks',
        'test',
        'hack',
        'engines',
        'sdk',
        'cli',
        'mcp',
        'console',
        'bench',
      ].map((folder) => `<rootDir>/${folder}`),
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: [
        '\\.(int|chain|copy|binary|monitoring|ingress)\\.test\\.ts$',
        '/features/[^/]+/e2e/',
        '/node_modules/',
      ],
    },
    { ...shared, displayName: 'chains', testMatch: ['**/*.chain.test.ts'] },
    { ...shared, displayName: 'copies', testMatch: ['**/*.copy.test.ts'] },
    {
      ...shared,
      displayName: 'binaries',
      roots: ['<rootDir>/apiserver', '<rootDir>/core', '<rootDir>/features', '<rootDir>/sdk'],
      testMatch: ['**/*.binary.test.ts'],
    },
    {
      ...shared,
      ...withKubeApiserver,
      displayName: 'integration',
      testMatch: ['**/*.int.test.ts'],
      testPathIgnorePatterns: ['\\.long\\.int\\.test\\.ts$', '/node_modules/'],
    },
    { ...shared, ...withKubeApiserver, displayName: 'crashes', testMatch: ['**/*.long.int.test.ts'] },
    { ...shared, ...withKubeApiserver, displayName: 'monitoring', testMatch: ['**/*.monitoring.test.ts'] },
    { ...shared, ...withKubeApiserver, displayName: 'ingress', testMatch: ['**/*.ingress.test.ts'] },
    {
      ...shared,
      displayName: 'e2e',
      roots: ['<rootDir>/e2e', '<rootDir>/features'],
      testMatch: ['**/e2e/**/*.test.ts'],
      testPathIgnorePatterns: [
        ...[
          '/e2e/engines/',
          '/e2e/faults/',
          '/e2e/upgrade/',
          '\\.(alone|fault)\\.test\\.ts$',
          '/node_modules/',
        ],
      ],
    },
    {
      ...shared,
      displayName: 'alone',
      roots: ['<rootDir>/e2e', '<rootDir>/features'],
      testMatch: ['**/*.alone.test.ts'],
    },
    {
      ...shared,
      displayName: 'faults',
      roots: ['<rootDir>/e2e'],
      testMatch: ['**/e2e/faults/**/*.test.ts', '**/*.fault.test.ts'],
    },
    { ...shared, displayName: 'upgrade', roots: ['<rootDir>/e2e/upgrade'], testMatch: ['**/*.test.ts'] },
    { ...shared, displayName: 'engines', roots: ['<rootDir>/e2e/engines'], testMatch: ['**/*.test.ts'] },
  ],
};

export default config;
