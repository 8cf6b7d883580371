import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { networkType, secretType } from '../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../core/kube/testing/fake/fake.ts';
import { ensureNodePackages } from '../e2e/lib/packages.ts';
import { projectRoot } from '../hack/lib/paths.ts';
import { run } from '../hack/lib/run.ts';
import { startInstallation, type TestInstallation } from './testing/installation.ts';
import { installPackage } from './testing/pack.ts';

/** The package as it is published, in the runtimes that people use, which npm's registry has as packages. */
const project = join(projectRoot, 'e2e', 'clients', 'runtimes');

const skipReason =
  process.platform === 'linux' && process.arch === 'x64' ? '' : ' (skipped: pinned for Linux on x64 alone)';
const suite = skipReason ? describe.skip : describe;

let folder: string;
let programs: Record<'deno' | 'bun', string>;
let kube: FakeKube;
let installation: TestInstallation;

const permissions = ['--allow-net', '--allow-env', '--allow-read', '--no-prompt'];
const runtimes: [name: string, command: () => string[]][] = [
  ['Node', () => [process.execPath, 'flow.js']],
  [
    'Deno, with network, environment and files alone',
    () => [programs.deno, 'run', ...permissions, 'flow.js'],
  ],
  ['Bun', () => [programs.bun, 'run', 'flow.js']],
];

suite(`in other runtimes${skipReason}`, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-runtimes-'));
    cpSync(project, folder, { recursive: true });
    await installPackage(folder);
    const packages = await ensureNodePackages('client-runtimes', join(project, 'package.json'));
    const modules = join(packages, 'node_modules');
    programs = {
      deno: join(modules, '@deno/linux-x64-glibc/deno'),
      bun: join(modules, '@oven/bun-linux-x64/bin/bun'),
    };
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeEach(async () => {
    kube = createFakeKube();
    const users = [{ userId: 'ann', workspaceId: 'one', namespace: 'ws-one' }];
    installation = await startInstallation({ kube, users });
  });
  afterEach(() => installation.stop());

  it.each(runtimes)(
    'the fixture, lists, events and errors of the SDK work in %s',
    async (_name, commandOf) => {
      const [program = '', ...args] = commandOf();
      const printed = await run(program, args, {
        cwd: folder,
        env: {
          SLIPWAY_URL: installation.api.url,
          SLIPWAY_API_KEY: installation.apiKey,
          NODE_OPTIONS: undefined,
          HOME: folder,
          DENO_NO_UPDATE_CHECK: '1',
        },
      });
      expect(JSON.parse(printed)).toEqual({
        id: expect.any(String),
        rpc: 'http://gateway/rpc/n/key/rpc',
        state: 'Operational',
        types: ['network.present', 'stream.ready'],
        isListed: true,
        hasKey: true,
        gone: 404,
        refused: true,
      });
      const [networks, secrets] = await Promise.all([kube.list(networkType), kube.list(secretType)]);
      expect([networks.items, secrets.items]).toEqual([[], []]);
    },
  );
});
