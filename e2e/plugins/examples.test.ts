import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleOf, pagesOfPlugins } from '../../hack/lib/examples.ts';
import { projectRoot } from '../../hack/lib/paths.ts';
import { isBuilt } from '../../hack/tools/build.ts';
import { runProgram } from '../lib/cluster.ts';
import { remove } from '../lib/networks.ts';
import { call } from '../lib/service.ts';

const programs: Partial<Record<(typeof pagesOfPlugins)[number], Parameters<typeof isBuilt>[0]>> = {
  chainlink: 'chainlink',
  graph: 'gnd',
};

/** What each example prints last. */
const results = {
  chainlink: /310000000000/,
  dfns: /^Confirmed\n1000$/m,
  graph: /"count": "1"/,
  uniswap: /^[1-9]\d{20,}/m,
  vrf: /\[\d+.*, \d+.*, \d+.*\]/,
};

/** The networks and keys of the examples, which name them at random. */
async function cleanUp(): Promise<void> {
  const { body: networks } = await call('GET', '/v1alpha/networks?limit=500');
  const { body: secrets } = await call('GET', '/v1alpha/secrets?limit=500');
  const isExample = ({ name }: { name: string }) => /^example-\d+$/.test(name);
  for (const { id } of networks.items.filter(isExample)) await remove(id);
  for (const { id } of secrets.items.filter(isExample)) await call('DELETE', `/v1alpha/secrets/${id}`);
}
afterEach(cleanUp);

describe.each(pagesOfPlugins)('the page of %s', (page) => {
  const program = programs[page];
  const test = program === undefined || isBuilt(program) ? it : it.skip;

  test(`has an example that works as it stands${test === it ? '' : ` (skipped: ${program} is not built)`}`, async () => {
    // In a separate folder, as in a fresh checkout.
    const folder = mkdtempSync(join(tmpdir(), 'slipway-example-'));
    for (const name of ['.slipway', 'node_modules', 'e2e', 'contracts'])
      symlinkSync(join(projectRoot, name), join(folder, name));
    // forge would download its own compiler.
    const compiler = `export FOUNDRY_OFFLINE=true FOUNDRY_SOLC=${join(projectRoot, 'e2e', 'forge', 'solc.sh')}`;
    const script = ['set -eo pipefail', `cd ${folder}`, compiler, exampleOf(page), 'rm -rf "$work"'].join(
      '\n',
    );
    try {
      const { code, stdout, stderr } = await runProgram('bash', ['-c', script]);
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(results[page]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
