import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestApi, type TestApi } from '../../apiserver/testing/harness.ts';
import { createTestCli, type TestCli } from '../../cli/testing/run.ts';
import { networkType, secretType } from '../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';

/** Commands that need no chain, on the real API server in this process. */

let kube: FakeKube;
let api: TestApi;
let cli: TestCli;
beforeEach(async () => {
  kube = createFakeKube();
  api = await startTestApi({ kube, users: [], hasDefaults: true });
  cli = await createTestCli({ SLIPWAY_URL: api.url, SLIPWAY_API_KEY: 'bootstrap.secret-of-bootstrap' });
});
afterEach(async () => {
  await cli.close();
  await api.close();
});

const report = (name: string, status: object) =>
  kube.patch(networkType, { namespace: 'slipway-default', name }, { status }, 'status');
const create = (name: string) => cli(['network', 'create', name, '--type', 'Arbitrum']);
const keyHex = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

describe('secrets', () => {
  it.each([
    [
      'hexadecimal text from standard input',
      ['--from-file', '-', '--encoding', 'hex'],
      { stdin: `0x${keyHex}\n` },
    ],
    ['raw bytes from standard input', ['--from-file', '-'], { stdin: Buffer.from(keyHex, 'hex') }],
    ['a variable', ['--from-env', 'KEY', '--encoding', 'hex'], { env: { KEY: keyHex } }],
    [
      'base64',
      ['--from-file', '-', '--encoding', 'base64'],
      { stdin: Buffer.from(keyHex, 'hex').toString('base64') },
    ],
  ])('stores the bytes of %s, and shows them only with --data', async (_what, source, options) => {
    const created = await cli(['secret', 'create', 'k', ...source, '--json'], options);
    expect([created.code, created.stderr]).toEqual([0, '']);
    const data = Buffer.from(keyHex, 'hex').toString('base64');
    for (const args of [['get', 'k'], ['list']]) {
      for (const format of ['--json', '--ndjson', '--quiet']) {
        expect((await cli(['secret', ...args, format])).stdout).not.toContain(data);
      }
    }
    expect(created.stdout).not.toContain(data);
    expect((await cli(['secret', 'get', 'k', '--data'])).stdout).toBe(`${data}\n`);
    expect((await cli(['secret', 'delete', 'k'])).stdout).toBe('deleted k\n');
  });

  it('hexadecimal text without --encoding is refused, because its letters would be stored', async () => {
    const { code, stderr } = await cli(['secret', 'create', 'k', '--from-file', '-'], { stdin: keyHex });
    expect([code, stderr]).toEqual([2, expect.stringContaining('Add --encoding hex')]);
    expect((await kube.list(secretType)).items.map(({ metadata }) => metadata.name)).not.toContain('k');
  });

  it.each([[[]], [['--random', '--from-env', 'A']]])('needs exactly one source: %j', async (source) => {
    expect(await cli(['secret', 'create', 'k', ...source])).toMatchObject({ code: 2 });
  });
});

describe('what a network gives to tools', () => {
  const endpoints = {
    rpc: "http://gw/rpc/1/k'k/rpc",
    ws: 'ws://gw/rpc/1/k/ws',
    'admin-ws': 'ws://gw/rpc/1/a/ws',
  };
  const accessKeys = { public: { epoch: 0, observedNonce: 0 }, admin: { epoch: 0, observedNonce: 0 } };
  beforeEach(async () => {
    await create('a');
    await report('a', { state: 'Operational', chainID: '42', endpoints, accessKeys });
  });

  it('env prints exports that a shell takes as they are', async () => {
    const { stdout } = await cli(['network', 'env', 'a']);
    expect(stdout).toBe(
      "export RPC_URL='http://gw/rpc/1/k'\\''k/rpc'\nexport WS_URL='ws://gw/rpc/1/k/ws'\nexport ADMIN_WS_URL='ws://gw/rpc/1/a/ws'\nexport CHAIN_ID='42'\n",
    );
    expect((await cli(['network', 'env', 'a', '--json'])).json).toEqual({
      name: 'a',
      chainId: '42',
      endpoints,
    });
  });

  it.each(['foundry', 'hardhat', 'hardhat2', 'viem', 'web3py'])(
    'the snippet for %s has no keys: it can be committed',
    async (tool) => {
      const { stdout } = await cli(['network', 'env', 'a', '--for', tool]);
      expect(stdout).toContain('RPC_URL');
      expect(stdout).toContain('slipway network env a');
      expect(stdout).not.toContain('http://gw');
    },
  );

  it('open prints a URL, or opens it in the browser', async () => {
    expect((await cli(['network', 'open', 'a'])).stdout).toBe(`${endpoints.rpc}\n`);
    expect((await cli(['network', 'open', 'a', '--service', 'ws', '--browser'])).stdout).toBe('');
    expect(cli.opened).toEqual([endpoints.ws]);
    const { code, stderr } = await cli(['network', 'open', 'a', '--service', 'graph']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('It has: rpc, ws, admin-ws')]);
  });

  it('reading does not wake a stopped network', async () => {
    await report('a', { state: 'Stopped', endpoints });
    for (const args of [['get'], ['env'], ['open']])
      expect((await cli(['network', ...args, 'a'])).code).toBe(0);
    await cli(['network', 'list']);
    const stored = await kube.get(networkType, { namespace: 'slipway-default', name: 'a' });
    expect(stored?.metadata.annotations).not.toHaveProperty(['slipway.dev/wake']);
  });
});

describe('accounts', () => {
  it('a key is shown once, works, and ends a command with 3 when it is revoked', async () => {
    const created = await cli([
      'key',
      'create',
      'ci',
      '--role',
      'developer',
      '--expires-after',
      '1h',
      '--json',
    ]);
    const { id, token, expiresAt } = created.json;
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect((await cli(['key', 'list', '--json'])).stdout).not.toContain(token);
    const env = { SLIPWAY_API_KEY: token };
    expect((await cli(['whoami'], { env })).stdout).toMatch(/Role: +developer/);
    expect((await cli(['key', 'delete', id])).stdout).toBe(`revoked ${id}\n`);
    expect((await cli(['whoami'], { env })).code).toBe(3);
  });

  it('a wait ends with 3 when its key is revoked meanwhile', async () => {
    const { json } = await cli(['key', 'create', 'ci', '--role', 'developer', '--json']);
    let isRevoked = false;
    const { code } = await cli(['network', 'create', 'a', '--type', 'Base', '--wait'], {
      env: { SLIPWAY_API_KEY: json.token },
      onProgress(text) {
        if (isRevoked || !text.includes('a: Pending')) return;
        isRevoked = true;
        void cli(['key', 'delete', json.id]);
      },
    });
    expect(code).toBe(3);
  });

  it('workspaces are created, selected, described and deleted after a confirmation', async () => {
    const { json } = await cli(['workspace', 'create', 'team-a', '--json']);
    expect((await cli(['workspace', 'list'])).stdout).toMatch(/team-a/);
    expect((await cli(['workspace', 'get', '--workspace', json.id])).stdout).toContain('team-a');
    await cli(['workspace', 'update', 'team-a', '--description', 'of team A']);
    expect((await cli(['workspace', 'get', 'team-a', '--json'])).json.description).toBe('of team A');
    expect((await cli(['workspace', 'delete', 'team-a'])).code).toBe(2);
    expect((await cli(['workspace', 'delete', 'team-a', '--yes'])).stdout).toBe('deleted team-a\n');
  });

  it('an update of a workspace does not take back what somebody else changed meanwhile', async () => {
    const { json } = await cli(['workspace', 'create', 'team-a', '--json']);
    const path = `/workspace/v1alpha1/workspaces/${json.id}`;
    const headers = { Authorization: 'Bearer bootstrap.secret-of-bootstrap' };
    const updated = await cli(['workspace', 'update', 'team-a', '--description', 'of team A'], {
      async fetch(url, init) {
        const others = { method: 'PUT', as: null, headers, body: { name: 'team-b' } };
        if (init?.method === 'PUT') expect((await api.request(path, others)).status).toBe(200);
        return fetch(url, init);
      },
    });
    expect([updated.code, updated.stderr]).toEqual([5, expect.stringContaining('was modified')]);
    expect((await cli(['workspace', 'get', json.id, '--json'])).json.name).toBe('team-b');
  });

  it('a name that several workspaces have deletes none of them: an id does', async () => {
    const ids = [];
    for (let count = 0; count < 2; count += 1)
      ids.push((await cli(['workspace', 'create', 'twin', '--json'])).json.id);
    const refused = await cli(['workspace', 'delete', 'twin', '--yes']);
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringContaining('2 workspaces are called "twin"'),
    ]);
    for (const id of ids) expect(refused.stderr).toContain(id);
    expect((await cli(['workspace', 'delete', ids[0] ?? '', '--yes'])).code).toBe(0);
    expect((await cli(['workspace', 'get', 'twin'])).stdout).toContain(ids[1]);
  });

  it('someone is invited, accepts with a new account, gets a role, and is removed', async () => {
    const invited = await cli(['invitation', 'create', 'ann@example.com', '--role', 'viewer', '--json']);
    expect((await cli(['invitation', 'list'])).stdout).toMatch(/ann@example\.com +viewer +Pending/);
    const other = await cli(['invitation', 'create', 'eve@example.com', '--role', 'viewer']);
    expect(other.stdout).toMatch(/Link: +http:\S+\/invitations\/accept#\S+\n/);
    expect((await cli(['invitation', 'delete', 'eve@example.com'])).stdout).toBe('revoked eve@example.com\n');
    const ann = await createTestCli();
    const accept = ['invitation', 'accept', '--new-account', '--url', api.url];
    const accepted = await ann(accept, { stdin: `${invited.json.token}\n` });
    expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringContaining('viewer')]);
    const me = await ann(['whoami', '--json']);
    expect(me.json.role).toBe('viewer');
    const { id } = me.json.user;
    await cli(['member', 'set-role', id, 'developer']);
    expect((await cli(['member', 'list'])).stdout).toMatch(new RegExp(`${id} .*developer`));
    await cli(['member', 'remove', me.json.user.email ?? id]);
    expect((await cli(['member', 'list'])).stdout).not.toContain(id);
    await ann.close();
  });

  it('the key of a new account is shown if it cannot be stored after all', async () => {
    const { stdout: token } = await cli(['invitation', 'create', 'cy@example.com', '--role', 'viewer', '-q']);
    const cy = await createTestCli();
    const accepted = await cy(['invitation', 'accept', '--new-account', '--url', api.url, '-q'], {
      stdin: token,
      async fetch(...args) {
        const response = await fetch(...args);
        await writeFile(join(cy.home, '.config'), 'a file where the folder would be');
        return response;
      },
    });
    expect([accepted.code, accepted.stderr]).toEqual([1, expect.stringContaining('cannot be read')]);
    const env = { SLIPWAY_URL: api.url, SLIPWAY_API_KEY: accepted.stdout.trim() };
    expect((await cli(['whoami', '--json'], { env })).json.user.email).toBe('cy@example.com');
    await cy.close();
  });

  it('an invitation is not accepted with a new account whose key could not be stored', async () => {
    const { json } = await cli(['invitation', 'create', 'bob@example.com', '--role', 'viewer', '--json']);
    const bob = await createTestCli();
    const path = join(bob.home, '.config', 'slipway', 'slipway.json');
    const accept = (...args: string[]) =>
      bob(['invitation', 'accept', '--url', api.url, ...args], { stdin: json.token });
    await bob(['login', '--url', api.url, '--with-token'], { stdin: 'bootstrap.secret-of-bootstrap' });
    await chmod(path, 0o640);
    expect((await accept('--new-account')).code).toBe(3);
    await chmod(path, 0o600);
    const taken = await accept('--new-account', '--profile', 'default');
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('"default" already')]);
    const elsewhere = await accept();
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      2,
      expect.stringContaining('--url is for --new-account'),
    ]);
    expect((await accept('--new-account')).stderr).toContain('as profile "127.0.0.1"');
    expect((await bob(['whoami', '--profile', 'default', '--json'])).json.user.id).toBe('admin');
    expect((await bob(['whoami', '--json'])).json.role).toBe('viewer');
    await bob.close();
  });

  it('login stores a profile, and workspace use changes where it acts', async () => {
    const own = await createTestCli();
    const login = ['login', '--url', api.url, '--with-token'];
    expect((await own(login, { stdin: 'bootstrap.secret-of-bootstrap' })).code).toBe(0);
    const { json } = await own(['workspace', 'create', 'team-b', '--json']);
    expect((await own(['workspace', 'use', 'team-b'])).stderr).toContain(json.id);
    expect((await own(['whoami', '--json'])).json.workspace.name).toBe('team-b');
    const path = join(own.home, '.config', 'slipway', 'slipway.json');
    expect(JSON.parse(await readFile(path, 'utf8')).profiles.default.workspace).toBe(json.id);
    await chmod(path, 0o640);
    expect((await own(['whoami'])).code).toBe(3);
    await own.close();
  });
});

it('workspace use keeps a profile that another terminal stores meanwhile', async () => {
  const own = await createTestCli();
  const login = (...args: string[]) =>
    own(['login', '--url', api.url, '--with-token', ...args], { stdin: 'bootstrap.secret-of-bootstrap' });
  await login();
  await own(['workspace', 'create', 'team-b']);
  const used = await own(['workspace', 'use', 'team-b'], {
    async fetch(url, init) {
      await login('--profile', 'other');
      return fetch(url, init);
    },
  });
  expect(used.code).toBe(0);
  expect((await own(['whoami', '--profile', 'other'])).code).toBe(0);
  expect((await own(['whoami', '--profile', 'default', '--json'])).json.workspace.name).toBe('team-b');
  await own.close();
});

describe('a profile whose workspace is gone', () => {
  let own: TestCli;
  const login = () =>
    own(['login', '--url', api.url, '--with-token'], { stdin: 'bootstrap.secret-of-bootstrap' });
  beforeEach(async () => {
    own = await createTestCli();
    await login();
    await own(['workspace', 'create', 'team-c']);
    await own(['workspace', 'use', 'team-c']);
  });
  afterEach(() => own.close());

  it('acts in the workspace of its key after it deleted the other', async () => {
    expect((await own(['workspace', 'delete', 'team-c', '--yes'])).stderr).toContain(
      'Profile "default" acts in the workspace of its key from now on.',
    );
    expect((await own(['network', 'list'])).code).toBe(0);
  });

  it('can select another, and sign in again, when somebody else deleted it', async () => {
    await cli(['workspace', 'delete', 'team-c', '--yes']);
    const { code, stderr } = await own(['network', 'list']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('slipway workspace list')]);
    expect((await own(['workspace', 'list'])).code).toBe(0);
    const again = await login();
    expect([again.code, (await own(['network', 'list'])).code]).toEqual([0, 0]);
  });
});

describe('tokens and transactions', () => {
  beforeEach(async () => {
    await cli(['secret', 'create', 'default-key', '--random', '--type', 'private-key']);
    await create('a');
  });
  const deploy = ['token', 'deploy', '--name', 'Coin', '--symbol', 'COIN', '--arg', 'total_supply=1000'];

  it('a token is deployed, found by its symbol, and deleted', async () => {
    const { code, json } = await cli([...deploy, '--network', 'a', '--label', 'team=x', '--json']);
    expect([code, json.deployments[0].args]).toEqual([0, { total_supply: '1000' }]);
    expect((await cli(['token', 'list', '--standard', 'erc20', '-l', 'team=x'])).stdout).toMatch(
      /Coin +COIN +ERC20 +0\/1/,
    );
    expect((await cli(['token', 'get', 'COIN'])).stdout).toContain(json.id);
    expect((await cli(['token', 'standards'])).stdout).toContain('ERC20');
    const waited = await cli(['token', 'wait', 'COIN', '--timeout', '1s']);
    expect([waited.code, waited.stderr]).toEqual([124, expect.stringContaining('COIN: deployed on 0/1')]);
    await cli([...deploy, '--network', 'a']);
    expect((await cli(['token', 'get', 'COIN'])).stderr).toContain('2 tokens are called "COIN"');
    expect((await cli(['token', 'delete', json.id])).code).toBe(0);
    expect((await cli(['token', 'get', 'NONE'])).code).toBe(4);
  });

  it('a token without a network is refused before a request', async () => {
    expect(await cli(deploy)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Add --name, --symbol and --network'),
    });
  });

  it('transactions are listed, and refused in the words of the command line', async () => {
    expect(await cli(['tx', 'list', '--state', 'mined', '--json'])).toMatchObject({
      code: 0,
      json: { items: [] },
    });
    const { code } = await cli(['tx', 'get', `0x${'1'.repeat(64)}`]);
    expect(code).toBe(4);
    const wrong = await cli(['tx', 'submit', 'a', '--to', 'nobody']);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/^Error: --to "nobody" is not an address/),
    ]);
  });

  it.each([
    ['network create b --type Arbitrum --chain-id x', '--chain-id: '],
    ['network create b --type Arbitrum --plugin uniswap', '--plugin uniswap: '],
    ['network create b --type Arbitrum --idle-after soon', '--idle-after: '],
    ['network create B --type Arbitrum', '<name>: '],
    ['network create b --type Arbitrum --label a=/', '--label a: '],
    ['token deploy --name A --symbol A --network a --arg total_supply=many', '--arg total_supply: '],
  ])('slipway %s is refused in the words of the command line', async (command, words) => {
    const { code, stderr } = await cli(command.split(' '));
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Error: ${words}`)]);
  });

  it.each([['network faucet a nobody'], ['recording start nobody a'], ['recording list --address nobody']])(
    'slipway %s is refused: "nobody" is not an address, nor a name in the address book',
    async (command) => {
      const { code, stderr } = await cli(command.split(' '));
      expect([code, stderr]).toEqual([2, expect.stringContaining('"nobody" is not an address')]);
    },
  );

  it('a replay needs a recording or a document, and a recording a network', async () => {
    expect((await cli(['replay'])).code).toBe(2);
    expect((await cli(['replay', '-f', '-'], { stdin: '{}' })).stderr).toContain('is not a replay document');
    expect((await cli(['recording', 'list', '--json'])).json).toEqual({ items: [] });
    expect(
      (await cli(['recording', 'start', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'none'])).code,
    ).toBe(4);
  });

  it('snapshots and contracts of a network are listed; a stopped network has none to take', async () => {
    expect((await cli(['snapshot', 'list', '--network', 'a', '--json'])).json).toEqual({ items: [] });
    expect((await cli(['snapshot', 'create', 'a', 'early'])).code).toBe(5);
    expect((await cli(['contract', 'list', 'a', '--json'])).json).toEqual({ items: [] });
    expect((await cli(['snapshot', 'revert', 'a', 'none'])).code).toBe(4);
  });
});
