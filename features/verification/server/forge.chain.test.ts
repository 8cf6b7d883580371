import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import type { SceneNetwork } from '../../../core/outbox/testing/scene.ts';
import { runForge } from '../../../e2e/lib/forge.ts';
import { startVerifyWorld, type VerifyWorld } from './testing/world.ts';

const chainId = '1200000001';
const first = '0000000000000000000000000000000000000000000000000000000000000029';
let world: VerifyWorld;
let network: SceneNetwork;
let deployed: { deployedTo: string; transactionHash: string };
beforeAll(async () => {
  world = await startVerifyWorld(createFakeKube());
  network = await world.scene.addNetwork('first');
  deployed = await deploy();
});
afterAll(() => world.close());

/** With the build of the compiler, which forge otherwise looks up on the internet. */
function verify(...args: string[]) {
  const about = ['--chain-id', chainId, '--compiler-version', '0.8.28+commit.7893614a', '--watch'];
  return runForge(['verify-contract', deployed.deployedTo, 'src/Counter.sol:Counter', ...about, ...args]);
}

const contract = () => world.api.request(`/v1alpha/networks/${network.id}/contracts/${deployed.deployedTo}`);

it('forge verify-contract verifies with Sourcify at the endpoint as it is', async () => {
  const creation = ['--creation-transaction-hash', deployed.transactionHash];
  const { code, output } = await verify(
    '--verifier',
    'sourcify',
    '--verifier-url',
    world.urlOf(network.id, 'verify'),
    ...creation,
  );
  expect([code, output]).toEqual([0, expect.stringContaining('exact_match')]);
  const { status, json } = await contract();
  expect(status).toBe(200);
  expect(json).toMatchObject({
    name: 'src/Counter.sol:Counter',
    match: 'exact_match',
    runtimeMatch: 'exact_match',
    creationMatch: 'exact_match',
    constructorArguments: `0x${first}`,
    compiler: expect.stringMatching(/^0\.8\.28\+commit\.7893614a/),
  });
  expect(json.abi.map(({ name }: { name?: string }) => name)).toContain('increment');
  expect(Object.keys(json.sources)).toEqual(['src/Counter.sol']);
  const again = await verify(
    '--verifier',
    'sourcify',
    '--verifier-url',
    `${world.urlOf(network.id, 'verify')}/`,
  );
  expect(again.output).toContain('already verified');
});

it('forge verify-contract verifies as with Blockscout, and as a custom verifier finds it verified', async () => {
  await world.scene.reset(network);
  deployed = await deploy();
  const url = ['--verifier-url', `${world.urlOf(network.id, 'verify')}/api`];
  expect((await contract()).status).toBe(404);
  const { code, output } = await verify('--verifier', 'blockscout', ...url);
  expect([code, output]).toEqual([0, expect.stringContaining('Pass - Verified')]);
  expect((await contract()).json).toMatchObject({ match: 'exact_match', runtimeMatch: 'exact_match' });
  const again = await verify('--verifier', 'custom', ...url);
  expect(again.output).toContain('already verified');
});

async function deploy() {
  const signing = [
    '--rpc-url',
    world.urlOf(network.id, 'rpc'),
    '--private-key',
    world.scene.wallet.privateKey,
  ];
  const args = ['--broadcast', '--json', '--use', '0.8.28', '--constructor-args', '41'];
  const { output } = await runForge(['create', 'src/Counter.sol:Counter', ...signing, ...args]);
  return JSON.parse(/\{.*"deployedTo".*\}/s.exec(output)?.[0] ?? `"${output}"`);
}
