import { type ClientEnvironment, runNodeProject, runPythonProject } from './lib/clientProjects.ts';
import { runProgram } from './lib/cluster.ts';
import { runForge } from './lib/forge.ts';
import { runForgeCreate, runForgeScript, runForgeTest } from './lib/foundry.ts';
import { createHotKey, createNetwork, endpointsOf, type HotKey, reach, remove } from './lib/networks.ts';
import { call } from './lib/service.ts';

/** A fresh network for each project. */
let key: HotKey;
let id: string;
let environment: ClientEnvironment;
beforeEach(async () => {
  key = await createHotKey();
  const { status, body } = await createNetwork({ privateKeyRef: { name: key.name } });
  if (status !== 201) throw new Error(JSON.stringify(body));
  id = body.id;
  const { status: reached } = await reach(id, 'Operational');
  const { rpc = '', ws = '', admin = '', 'admin-ws': adminWs = '', verify = '' } = await endpointsOf(id);
  environment = {
    RPC_URL: rpc,
    WS_URL: ws,
    ADMIN_URL: admin,
    ADMIN_WS_URL: adminWs,
    CHAIN_ID: reached.chainID,
    VERIFY_URL: verify,
    PRIVATE_KEY: key.wallet.privateKey,
  };
});
afterEach(() => remove(id));

const nodeProjects: [string, string, string[]][] = [
  ['Hardhat 2 on the public URL', 'hardhat-2', ['hardhat', '--network', 'public', 'test', 'test/public.js']],
  ['Hardhat 2 on the admin URL', 'hardhat-2', ['hardhat', '--network', 'admin', 'test', 'test/admin.js']],
  [
    'Hardhat 3 on the public URL',
    'hardhat-3',
    ['hardhat', '--network', 'public', 'test', 'mocha', 'test/public.js'],
  ],
  [
    'Hardhat 3 on the admin URL',
    'hardhat-3',
    ['hardhat', '--network', 'admin', 'test', 'mocha', 'test/admin.js'],
  ],
  [
    'hardhat-verify',
    'hardhat-3',
    ['hardhat', '--build-profile', 'production', '--network', 'public', 'test', 'mocha', 'test/verify.js'],
  ],
  ['viem', 'viem', ['node', '--test', 'chain.js']],
  ['ethers', 'ethers', ['node', '--test', 'chain.js']],
];

it.each(nodeProjects)("a project's own tests pass: %s", async (_title, project, command) => {
  await runNodeProject(project, command, environment);
});

it("a project's own tests pass: web3.py", async () => {
  await runPythonProject('web3py', environment);
});

it("a project's own scripts and tests pass: Foundry", async () => {
  const signing = { url: environment.RPC_URL, key: environment.PRIVATE_KEY };
  const counter = await runForgeCreate('src/Counter.sol:Counter', signing, ['41']);
  await runForgeScript('Deploy.s.sol', signing);
  const report = await runForgeTest('CounterTest', environment.RPC_URL, { COUNTER: counter, EXPECTED: '41' });
  expect(report).toMatch(/2 tests passed, 0 failed/);
  const call = ['send', counter, 'increment()', '--confirmations', '3', '--rpc-url', signing.url];
  const { code, stderr } = await runProgram('cast', [...call, '--private-key', signing.key]);
  if (code !== 0) throw new Error(stderr);
});

it('forge verify-contract verifies a contract at the endpoint of the network', async () => {
  const signing = { url: environment.RPC_URL, key: environment.PRIVATE_KEY };
  const address = await runForgeCreate('src/Counter.sol:Counter', signing, ['41']);
  const about = [
    '--chain-id',
    environment.CHAIN_ID,
    '--compiler-version',
    '0.8.28+commit.7893614a',
    '--watch',
  ];
  const verifier = ['--verifier', 'sourcify', '--verifier-url', environment.VERIFY_URL];
  const { output } = await runForge([
    'verify-contract',
    ...[address, 'src/Counter.sol:Counter', ...about, ...verifier],
  ]);
  expect(output).toContain('exact_match');
  const { body } = await call('GET', `/v1alpha/networks/${id}/contracts/${address}`);
  expect(body).toMatchObject({ name: 'src/Counter.sol:Counter', match: 'exact_match' });
});
