import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../hack/lib/paths.ts';
import { run } from '../hack/lib/run.ts';
import { installPackage } from './testing/pack.ts';

/** The package as its users install it. */

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-pack-'));
  await installPackage(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = `
import { createClient, isSlipwayError, SlipwayError, type Client, type Network } from '@slipway/sdk';
import { withNetwork, type TestNetwork } from '@slipway/sdk/fixture';

const client: Client = createClient({ url: 'http://127.0.0.1:1', apiKey: 'k.s', retries: 0 });
const error: unknown = await client.networks.get('n').catch((thrown: unknown) => thrown);
if (!isSlipwayError(error, 'Unreachable') || !(error instanceof SlipwayError)) throw error;
const failure: unknown = await withNetwork({ client }, ({ rpc }: TestNetwork) => rpc).catch((thrown: unknown) => thrown);
if (!isSlipwayError(failure, 'Unreachable')) throw failure;
export const stateOf = ({ status }: Network): string => {
  // Known states are suggested, and others are allowed.
  if (status?.state === 'Operational') return 'up';
  return status?.state ?? 'unknown';
};
// @ts-expect-error no network has this member
export const wrong = (network: Network) => network.nonsense;
console.log('it works');
`;

it.each([
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])('compiles in strict projects without types of Node, as %s with %s', async (module, moduleResolution) => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'program.ts'), program);
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    module,
    moduleResolution,
    outDir: 'built',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  await run(process.execPath, [join(projectRoot, 'node_modules/typescript/bin/tsc')], { cwd: folder });
  const printed = await run(process.execPath, ['built/program.js'], {
    cwd: folder,
    env: { NODE_OPTIONS: undefined },
  });
  expect(printed.trim()).toBe('it works');
});

it('brings the command that runs others with a network', async () => {
  const command = join(folder, 'node_modules/@slipway/sdk/dist/with-network.js');
  const env = { SLIPWAY_URL: undefined, NODE_OPTIONS: undefined };
  await expect(run(process.execPath, [command, '--', 'true'], { env })).rejects.toThrow('set SLIPWAY_URL');
});
