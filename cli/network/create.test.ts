import { chainTypes } from '../../core/api/resources/chainSpecs.ts';
import { pluginNames } from '../../core/api/resources/plugins.ts';
import { createTestCli, type TestCli } from '../testing/run.ts';
import { startServer, type TestServer } from '../testing/server.ts';
import { createOptions } from './create.ts';

let server: TestServer;
let cli: TestCli;
afterEach(async () => {
  server?.close();
  await cli?.close();
});

it.each([
  ['--type <type>', Object.keys(chainTypes)],
  ['--plugin <name>', pluginNames],
])('%s has the choices of the contract', (flags, expected) => {
  const choices = createOptions.find((option) => option.flags === flags)?.choices ?? [];
  expect([...choices].sort()).toEqual([...expected].sort());
});

it('an option that networks of a type do not have is said to be none of theirs', async () => {
  const unknown = (member: string) => ({ path: `spec.chain.solana.${member}`, message: 'unknown field' });
  const details = [unknown('mnemonicRef'), unknown('plugins.vrf')];
  server = await startServer(() => ({
    status: 400,
    body: { kind: 'Error', reason: 'BadRequest', message: 'the body is invalid', details },
  }));
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  const { code, stderr } = await cli(['network', 'create', 'a', '--type', 'solana', '--mnemonic', 'm']);
  expect([code, stderr.split('\n')[0]]).toEqual([
    1,
    'Error: --mnemonic: not for this type of network; --plugin vrf: not for this type of network',
  ]);
});
