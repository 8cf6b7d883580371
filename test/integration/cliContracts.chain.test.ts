import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fragment, id } from 'ethers';
import { startTestApi, type TestApi } from '../../apiserver/testing/harness.ts';
import { createTestCli, type TestCli } from '../../cli/testing/run.ts';
import { tokenType } from '../../core/api/resources/resources.ts';
import { aToken } from '../../core/api/testing/builders.ts';
import { artifact } from '../../core/evm/testing/contracts.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import {
  type ChainScene,
  createChainScene,
  type SceneNetwork,
  sceneSealer,
} from '../../core/outbox/testing/scene.ts';

import { chainOf } from '../../mcp/features.ts';
import { tools } from '../../mcp/server.ts';
import { createClient } from '../../sdk/src/client.ts';

/** The command line on a real chain, signed by the service: nobody has a wallet. */

const stranger = `0x${'7e'.repeat(20)}`;

let kube: FakeKube;
let scene: ChainScene;
let network: SceneNetwork;
let api: TestApi;
let cli: TestCli;
let folder: string;
beforeAll(async () => {
  kube = createFakeKube();
  scene = await createChainScene(kube);
  network = await scene.addNetwork('net');
  api = await startTestApi({ kube, users: [scene.user], upstreams: scene.upstreams, sealer: sceneSealer });
  const key = `${scene.user.userId}.secret-of-${scene.user.userId}`;
  cli = await createTestCli({ SLIPWAY_URL: api.url, SLIPWAY_API_KEY: key });
  folder = await mkdtemp(join(tmpdir(), 'slipway-artifact-'));
  await writeFile(join(folder, 'Token.json'), JSON.stringify(artifact('Token')));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await cli.close();
  await api.close();
  await scene.stop();
});

it('a contract is deployed from its artifact, written to and read, with the key of the caller alone', async () => {
  const file = join(folder, 'Token.json');
  const owner = scene.wallet.address;
  const args = ['Token', 'TOK', '1000', owner];
  const created = await cli(['send', 'net', '--create', file, ...args, '--wait']);
  expect([created.code, created.stderr]).toEqual([0, expect.stringContaining('Created contract 0x')]);
  const address = /Created contract (0x\w+)/.exec(created.stderr)?.[1] ?? '';
  expect((await cli(['call', 'net', address, 'balanceOf(address)(uint256)', owner])).stdout).toBe('1000\n');
  const sent = await cli(['send', 'net', address, 'transfer', stranger, '7', '--abi', file, '--wait']);
  expect([sent.code, sent.stdout]).toEqual([0, expect.stringMatching(/^0x[0-9a-f]{64}\n$/)]);
  const read = await cli(['call', 'net', address, 'balanceOf', stranger, '--abi', file, '--json']);
  expect(read.json).toEqual({ function: 'balanceOf(address)', result: '7' });
});

describe('by name', () => {
  let address: string;
  beforeAll(async () => {
    const args = ['Named', 'NMD', '1000', scene.wallet.address];
    const { stderr } = await cli(['send', 'net', '--create', join(folder, 'Token.json'), ...args, '--wait']);
    address = /Created contract (0x\w+)/.exec(stderr)?.[1] ?? '';
    seedToken('NMD', address);
    seedToken('TWO', `0x${'2'.repeat(40)}`);
  });

  /** A token of ours that is at this address. */
  function seedToken(symbol: string, tokenAddress: string) {
    const { id: networkID, resource } = network;
    const enclaveID = resource.status?.enclaveID;
    const spec = { name: `The ${symbol}`, symbol };
    const token = aToken({ name: symbol.toLowerCase(), namespace: scene.user.namespace, spec });
    const deployment = { network: 'net', networkID, enclaveID, state: 'Deployed' as const, tokenAddress };
    kube.seed(tokenType, { ...token, status: { deployments: [deployment] } });
  }

  it('a contract is found by a part of its name or of its token', async () => {
    const listed = await cli(['contract', 'list', 'net', '--name', 'nmd']);
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining(`${address} `)]);
    expect(listed.stdout).toContain('CappedToken');
    expect(listed.stdout).not.toContain('2222');
  });

  it('a contract is called, written to and searched by the symbol of its token', async () => {
    const owner = scene.wallet.address;
    const sent = await cli(['send', 'net', 'NMD', 'transfer(address,uint256)', stranger, '7', '--wait']);
    expect(sent.code).toBe(0);
    const read = await cli(['call', 'net', 'NMD', 'balanceOf(address)(uint256)', owner]);
    expect([read.code, read.stdout]).toEqual([0, '993\n']);
    const logs = await cli(['logs', 'net', 'NMD', 'Transfer', '--limit', '1']);
    expect(logs.stdout).toContain('Transfer(');
  });

  it('a name that several contracts have, or none, says what to do', async () => {
    const several = await cli(['call', 'net', 'CappedToken', 'cap()(uint256)']);
    expect([several.code, several.stderr]).toEqual([
      5,
      expect.stringMatching(/^Error: 2 contracts are called "CappedToken": 0x.*\nUse one of these\.\n$/),
    ]);
    const none = await cli(['call', 'net', 'Nothing', 'cap()(uint256)']);
    expect([none.code, none.stderr]).toEqual([
      4,
      'Error: There is no contract "Nothing" here.\nSee: slipway contract list net\n',
    ]);
  });

  it('coins are sent to addresses alone', async () => {
    const { code, stderr } = await cli(['send', 'net', 'NMD', '--value', '1']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"NMD" is not an address')]);
  });
});

describe('a transaction that reverts', () => {
  let contract: string;
  let file: string;
  beforeAll(async () => {
    const abi = ['function set(uint256 value)', 'error TooBig(uint256 value)'].map((one) =>
      Fragment.from(one),
    );
    const selector = id('TooBig(uint256)').slice(2, 10);
    // Whatever it is called with, it reverts with TooBig(7).
    const code = `63${selector}60e01b600052600760045260246000fd`;
    const bytecode = `0x74${code}6000526015600bf3`;
    file = join(folder, 'Box.json');
    await writeFile(
      file,
      JSON.stringify({ abi: abi.map((one) => JSON.parse(one.format('json'))), bytecode }),
    );
    const { stderr } = await cli(['send', 'net', '--create', file, '--wait']);
    contract = /Created contract (0x\w+)/.exec(stderr)?.[1] ?? '';
  });
  const set = (...options: string[]) => cli(['send', 'net', contract, 'set', '9', '--abi', file, ...options]);

  it('is refused with what the contract says', async () => {
    const { code, stderr } = await set();
    expect([code, stderr]).toEqual([
      1,
      'Error: The transaction would revert: TooBig(7)\nNothing was sent. To send it all the same, add --gas-limit GAS.\n',
    ]);
  });

  it('fails with what the contract says, and its hash is there once', async () => {
    const { code, stdout, stderr } = await set('--gas-limit', '100000', '--wait');
    expect(code).toBe(6);
    expect(stderr).toContain(`Error: The transaction failed: TooBig(7)\nSee: slipway tx get ${stdout}`);
  });

  it('is refused to agents with what the contract says', async () => {
    const sdk = createClient({
      url: api.url,
      apiKey: `${scene.user.userId}.secret-of-${scene.user.userId}`,
    });
    const client = { ...sdk, chain: chainOf?.(sdk) };
    const { signal } = new AbortController();
    const send = tools.find(({ name }) => name === 'send_transaction');
    const input = {
      network: 'net',
      to: contract,
      function: 'set',
      args: [9],
      abi: await readFile(file, 'utf8'),
    };
    await expect(send?.run({ client, signal, addressNamed: async () => undefined }, input)).rejects.toThrow(
      'it would revert: TooBig(7)',
    );
  });

  it('is called with what the contract says', async () => {
    const { stderr } = await cli(['call', 'net', contract, 'set', '9', '--abi', file]);
    expect(stderr).toBe('Error: The call reverted: TooBig(7)\n');
  });
});

it('what the service refuses is said in the words of the command', async () => {
  const refused = [
    await cli(['send', 'net', stranger, '--value', '999999999ether']),
    await cli(['tx', 'submit', 'net', '--to', '0x70997970c51812dc3a010c7d01b50e0d17dc79C9']),
    await cli(['tx', 'submit', 'net', '--to', stranger, '--data', '0x1']),
  ];
  expect(refused.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
    expect.stringMatching(/^Error: --value: .* holds \d+ wei/),
    expect.stringMatching(/^Error: --to .*checksum/),
    expect.stringMatching(/^Error: --data: /),
  ]);
});

it('a transfer needs no function', async () => {
  const sent = await cli(['send', 'net', stranger, '--value', '0.5ether', '--wait']);
  expect(sent.code).toBe(0);
  const { stdout } = await cli(['network', 'accounts', 'net']);
  expect(stdout).toContain(`${scene.wallet.address}   `);
});

it('what is wrong is said before anything is sent', async () => {
  const refused = [
    await cli(['send', 'net', 'alice', '--value', '1']),
    await cli(['send', 'net', '0x70997970c51812dc3a010c7d01b50e0d17dc79C9', '--value', '1']),
    await cli(['send', 'net', stranger, 'set(uint256)', '-1']),
    await cli(['send', 'net', stranger, 'set(uint256)']),
    await cli(['send', 'net', stranger, 'set', '1']),
    await cli(['call', 'net', stranger, 'number()(uint256)']),
  ];
  expect(refused.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 1]);
  expect(refused.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
    'Error: "alice" is not an address, nor a name in the address book.',
    'Error: 0x70997970c51812dc3a010c7d01b50e0d17dc79C9 has a wrong checksum.',
    'Error: Argument 1 is uint256: use a whole number from 0 to 2^256-1.',
    'Error: Set takes 1 argument (uint256), not 0.',
    'Error: The contract is not verified: write "set" with its types, as balanceOf(address)(uint256), or give its ABI: --abi FILE.',
    'Error: The answer cannot be read: nothing came back: there is no contract at this address, or it has no such function',
  ]);
});
