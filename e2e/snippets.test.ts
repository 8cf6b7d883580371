import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { blocksOf } from '../hack/lib/codeBlocks.ts';
import { projectRoot } from '../hack/lib/paths.ts';
import { tryRun } from '../hack/lib/run.ts';
import { installPackage } from '../sdk/testing/pack.ts';
import { ensureNodePackages, ownNode } from './lib/packages.ts';
import { serviceUrl, token } from './lib/service.ts';

/** What docs/testing.md says, word for word, in projects of its readers. */

const page = readFileSync(join(projectRoot, 'docs/testing.md'), 'utf8');
const clients = join(import.meta.dirname, 'clients');

/** The code blocks of a section, by its heading, in one language. */
const blocksIn = (section: string, name: string): string[] =>
  blocksOf('docs/testing.md').flatMap(({ heading, language, text }) =>
    heading === section && language === name ? [text] : [],
  );

let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-snippets-'));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  await installPackage(folder);
  const command = join(folder, 'node_modules/.bin/slipway-with-network');
  symlinkSync('../@slipway/sdk/dist/with-network.js', command);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Puts the packages of another project into this one, with their commands. */
async function usePackages(project: string): Promise<void> {
  const modules = join(
    await ensureNodePackages(project, join(clients, project.slice(7), 'package.json')),
    'node_modules',
  );
  for (const name of readdirSync(modules).filter((one) => !one.startsWith('.')))
    symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  for (const name of readdirSync(join(modules, '.bin')))
    symlinkSync(join(modules, '.bin', name), join(folder, 'node_modules/.bin', name));
}

/** Runs a command of the page; returns what it prints. */
async function perform(command: string): Promise<string> {
  const tools = join(projectRoot, 'node_modules/.bin');
  const { code, output } = await tryRun('bash', ['-ec', command], {
    cwd: folder,
    timeoutMs: 240_000,
    env: {
      SLIPWAY_URL: serviceUrl,
      SLIPWAY_API_KEY: token,
      NODE_OPTIONS: undefined,
      PATH: `${dirname(process.execPath)}:${tools}:${ownNode.PATH}`,
      HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
      npm_config_offline: 'true',
      // forge would download its own compiler.
      FOUNDRY_OFFLINE: 'true',
      FOUNDRY_SOLC: join(import.meta.dirname, 'forge/solc.sh'),
    },
  });
  if (code !== 0) throw new Error(`${command} exited with ${code}:\n${output.slice(-8000)}`);
  return output;
}

it('a command runs with a network, and with one of a spec', async () => {
  const [, second = ''] = blocksIn('With any tool', 'sh')[0]?.split('\n').slice(1) ?? [];
  const [spec = ''] = blocksIn('With any tool', 'json');
  writeFileSync(join(folder, 'network.json'), spec);
  expect(second).toContain('--spec network.json');
  expect(await perform(second)).toMatch(/^\d+$/m);
});

it('Foundry tests on a fork, deploys by a script, and finds the network by its name', async () => {
  cpSync(join(clients, 'snippets/foundry'), folder, { recursive: true });
  mkdirSync(join(folder, 'src'));
  cpSync(join(import.meta.dirname, 'forge/src/Counter.sol'), join(folder, 'src/Counter.sol'));
  writeFileSync(join(folder, 'foundry.toml'), blocksIn('Foundry', 'toml')[0] ?? '');
  const commands = (blocksIn('Foundry', 'sh')[0] ?? '').trim().split('\n');
  expect(commands).toHaveLength(2);
  const [test = '', script = ''] = commands;
  expect(await perform(test)).toContain('1 passed; 0 failed');
  expect(await perform(script)).toContain('ONCHAIN EXECUTION COMPLETE');
  expect(await perform(test.replace('"$RPC_URL"', 'slipway'))).toContain('1 passed; 0 failed');
});

it.each([
  ['Hardhat 3', 'hardhat-3', 0, 'module'],
  ['Hardhat 2', 'hardhat-2', 1, 'commonjs'],
])("%s tests on a network of the run, by the page's configuration", async (_name, project, at, type) => {
  await usePackages(`client-${project}`);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'project', private: true, type }));
  writeFileSync(join(folder, 'snippet.js'), blocksIn('Hardhat', 'js')[at] ?? '');
  const own = join(clients, 'snippets', project);
  cpSync(join(own, 'hardhat.config.js'), join(folder, 'hardhat.config.js'));
  mkdirSync(join(folder, 'test'));
  cpSync(join(own, 'deploys.js'), join(folder, 'test/slipway.test.js'));
  mkdirSync(join(folder, 'contracts'));
  cpSync(join(import.meta.dirname, 'forge/src/Counter.sol'), join(folder, 'contracts/Counter.sol'));
  const [, command = ''] = /^`(npx slipway-with-network -- npx hardhat [^`]+)`/m.exec(page) ?? [];
  expect(await perform(command)).toContain('1 passing');
});
