import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureNodePackages, ownNode } from '../../e2e/lib/packages.ts';
import { run } from '../../hack/lib/run.ts';
import { measureRounds, type Row, rowOf } from './rows.ts';
import { createAccounts, type Targets } from './targets.ts';

/** The tests of a public package, as `hardhat test` runs them: on one node, in one process. */
interface Suite {
  work: string;
  /** A folder beside this file, with the packages and the configuration. */
  project: string;
  /** Takes contracts and tests from the packages in the folder, and returns the arguments that run the tests. */
  prepare(folder: string): string[];
}

/** `SUITES=short` runs a part of each, only to see that it runs. */
const isShort = process.env.SUITES === 'short';
const runLimitMs = 600_000;

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}

/** What takes about half a minute: those of tokens and of staking take many minutes more. */
const testFolders = 'access diamond introspection lifecycle metatx payment proxy security utils'.split(' ');
const interfaces = ['token/ERC20/IERC20', 'utils/introspection/IERC165'];

/** The tests of @animoca/ethereum-contracts. Its package has them, and what its contracts compile to. */
const hardhat2: Suite = {
  work: 'test suite with Hardhat 2',
  project: 'hardhat-2',
  prepare(folder) {
    const packages = join(folder, 'node_modules');
    const artifacts = join(folder, 'artifacts');
    for (const part of ['artifacts', 'test']) {
      copy(join(packages, '@animoca', 'ethereum-contracts', part), join(folder, part));
    }
    // The package lacks these two, which the tests look up by name.
    for (const path of interfaces) {
      const file = `${path.split('/').at(-1)}.json`;
      const source = join(packages, '@openzeppelin', 'contracts', 'build', 'contracts', file);
      copy(source, join(artifacts, '@openzeppelin', 'contracts', `${path}.sol`, file));
    }
    const files = testFolders.slice(0, isShort ? 1 : undefined).flatMap((name) => {
      const tests = readdirSync(join(folder, 'test', 'contracts', name));
      return tests
        .filter((file) => file.endsWith('.test.js'))
        .map((file) => `test/contracts/${name}/${file}`);
    });
    return ['test', '--no-compile', '--network', 'measured', ...files];
  },
};

/** The sample project that Hardhat's package has for new projects. Its tests take half a second, so that there are many copies. */
const hardhat3: Suite = {
  work: 'test suite with Hardhat 3',
  project: 'hardhat-3',
  prepare(folder) {
    const template = join(folder, 'node_modules', 'hardhat', 'templates', '02-mocha-ethers');
    copy(join(template, 'contracts', 'Counter.sol'), join(folder, 'contracts', 'Counter.sol'));
    const files = Array.from({ length: isShort ? 3 : 60 }, (_, index) => `test/Counter${index}.ts`);
    for (const file of files) copy(join(template, 'test', 'Counter.ts'), join(folder, file));
    return ['--network', 'measured', 'test', 'mocha', ...files];
  },
};

/** Runs the suite on one node. Throws with its output when a test fails. */
async function runSuite(folder: string, args: string[], env: Record<string, string>): Promise<void> {
  const hardhat = join(folder, 'node_modules', '.bin', 'hardhat');
  const output = await run(hardhat, args, {
    cwd: folder,
    timeoutMs: runLimitMs,
    env: { ...ownNode, ...env, HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', NODE_OPTIONS: undefined },
  });
  if (!/\d+ passing/.test(output)) throw new Error(`no test ran:\n${output}`);
}

/** Test suites of some length, each as a user runs it: from the start of the process to its end. */
export async function measureSuites(targets: Targets, rounds: number): Promise<Row[]> {
  const { mnemonic, addresses } = createAccounts();
  await targets.fund(addresses);
  const rows: Row[] = [];
  for (const { work, project, prepare } of [hardhat2, hardhat3]) {
    const source = join(import.meta.dirname, project);
    const folder = await ensureNodePackages(`bench-${project}`, join(source, 'package.json'));
    cpSync(source, folder, { recursive: true });
    const args = prepare(folder);
    const on = (url: string) => () =>
      runSuite(folder, args, { RPC_URL: url, CHAIN_ID: targets.chainId, MNEMONIC: mnemonic });
    // Compiles what is not compiled yet.
    await on(targets.anvil)();
    rows.push(rowOf(work, await measureRounds(rounds, on(targets.network), on(targets.anvil))));
  }
  return rows;
}
