import { profilesPath, readProfiles, writeProfiles } from './config/profiles.ts';
import { createTestCli, type TestCli } from './testing/run.ts';
import { type Answering, startServer, type TestServer } from './testing/server.ts';

let server: TestServer;
let cli: TestCli;
afterEach(async () => {
  server.close();
  await cli.close();
});

async function use(answer: Answering): Promise<void> {
  server = await startServer(answer);
  cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
}

const problem = (status: number, reason: string, more: object = {}) => ({
  status,
  body: { kind: 'Error', reason, message: 'what is wrong', requestId: 'r-1', ...more },
});

it.each([
  [400, 'BadRequest', 1],
  [401, 'Unauthorized', 3],
  [403, 'Forbidden', 3],
  [404, 'NotFound', 4],
  [409, 'Conflict', 5],
  [413, 'TooLarge', 1],
  [500, 'Internal', 1],
])('an answer %i (%s) ends with exit code %i', async (status, reason, expected) => {
  await use(() => problem(status, reason));
  const { code, stdout, stderr } = await cli(['whoami']);
  expect([code, stdout]).toEqual([expected, '']);
  expect(stderr).toMatch(/^Error: what is wrong\n/);
  expect(stderr).toMatch(/\nRequest: r-1\n$/);
});

it.each([
  [['tx', 'get', '0x12'], 'Check the hash: slipway tx list. Transactions are kept for about a day.'],
  [['api', 'GET', '/nope'], 'Check the path and its ids. docs/api.md lists the paths.'],
  [['whoami'], 'Check the name or id, and the id of the workspace: slipway workspace list'],
])('what is not found is to be checked where it was given: %s', async (args, remedy) => {
  await use(() => problem(404, 'NotFound'));
  expect((await cli(args)).stderr).toBe(`Error: what is wrong\n${remedy}\nRequest: r-1\n`);
});

it.each([
  ['network', 'list'],
  ['network', 'get', 'net'],
  ['network', 'types'],
  ['webhook', 'list'],
  ['address', 'list'],
  ['whoami'],
])('JSON of something else at the URL is not taken for an answer: %s', async (...args) => {
  await use(() => ({ status: 200, body: { foo: 1 } }));
  const { code, stdout, stderr } = await cli(args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Error: the answer is not one of Slipway/);
});

it('what is wrong before anything is asked is not taken for an answer', async () => {
  await use(() => undefined);
  const { code, stderr } = await cli(['network', 'list'], { env: { SLIPWAY_API_KEY: 'bad key' } });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: apiKey has characters [^\n]+\n$/)]);
  expect(server.asked).toEqual([]);
});

it('control characters in what the service answers do not reach the terminal', async () => {
  const details = [{ path: 'a', message: 'reverted: \u009b2J' }];
  await use(() => problem(400, 'BadRequest', { message: 'reverted: \u001b]0;x\u0007', details }));
  expect((await cli(['whoami'])).stderr).toBe('Error: reverted:  ]0;x \n  a: reverted:  2J\nRequest: r-1\n');
});

it('the fields that the API refused are named, and with --json everything is one object on stderr', async () => {
  const details = [{ path: 'spec.chain.type', message: 'required' }];
  await use(() => problem(400, 'BadRequest', { details }));
  expect((await cli(['whoami'])).stderr).toContain('\n  spec.chain.type: required\n');
  const { stdout, stderr } = await cli(['whoami', '--json']);
  expect(stdout).toBe('');
  expect(JSON.parse(stderr)).toEqual({
    error: { message: 'what is wrong', details, reason: 'BadRequest', requestId: 'r-1', exitCode: 1 },
  });
});

it('a service that does not answer is reported as such', async () => {
  await use(() => undefined);
  server.close();
  const { code, stderr } = await cli(['whoami', '--json']);
  expect([code, JSON.parse(stderr).error]).toEqual([
    1,
    expect.objectContaining({ reason: 'Unreachable', remedy: expect.stringContaining('Check the address') }),
  ]);
});

describe('--workspace', () => {
  const id = '5f0c9d6e-7a55-4e9c-8b16-4f1a63a4a001';
  const asked: (string | string[] | undefined)[] = [];
  const answer: Answering = ({ path, headers }) => {
    if (!path.endsWith('/me')) {
      const items = [{ id, name: 'team', metadata: {} }];
      return { status: 200, body: { kind: 'WorkspaceList', items, metadata: { total: 1 } } };
    }
    asked.push(headers['x-workspace-id']);
    return { status: 200, body: { kind: 'Me', user: { id: 'u-1' }, permissions: [] } };
  };
  beforeEach(async () => {
    asked.length = 0;
    await use(answer);
  });

  it.each(['team', id])('%s is the workspace that the command acts in', async (given) => {
    expect((await cli(['whoami', '--workspace', given])).code).toBe(0);
    expect(asked).toEqual([id]);
  });

  it('a name that no workspace of the caller has is refused before anything is done', async () => {
    const { code, stderr } = await cli(['whoami', '--workspace', 'other']);
    expect([code, stderr]).toEqual([
      4,
      'Error: There is no workspace "other" here.\nSee: slipway workspace list\n',
    ]);
    expect(asked).toEqual([]);
  });
});

describe('the remedy', () => {
  const remedyOf = async (args: string[]) => JSON.parse((await cli([...args, '--json'])).stderr).error.remedy;

  it('of a key that is not valid names where it comes from', async () => {
    await use(() => problem(401, 'Unauthorized'));
    const path = profilesPath({ env: {}, home: cli.home });
    await writeProfiles(path, { current: 'a', profiles: { a: { url: server.url, apiKey: 'a.b' } } });
    expect(await remedyOf(['whoami'])).toMatch(/^Replace the key in SLIPWAY_API_KEY, or unset it\./);
    expect(await remedyOf(['whoami', '--profile', 'a'])).toBe('Sign in again: slipway login --profile a');
    const { stderr } = await cli(['whoami'], { env: { SLIPWAY_URL: '', SLIPWAY_API_KEY: '' } });
    expect(stderr).toContain('\nSign in again: slipway login\n');
  });

  it.each([
    ['a budget that is used up', 429, 'TooManyRequests'],
    ['a conflict', 409, 'Conflict'],
  ])('of %s is what the service says', async (_what, status, reason) => {
    await use((_asked, response) => {
      response.setHeader('Retry-After', '300');
      return problem(status, reason);
    });
    expect(await remedyOf(['whoami'])).toBeUndefined();
  });

  it.each([
    ['a page', 200, '<html>'],
    ['no such page', 404, '<html>'],
  ])('of %s of another web server is to check the address', async (_what, status, text) => {
    await use((_asked, response) => {
      response.writeHead(status, { 'Content-Type': 'text/html' });
      response.end(text);
      return undefined;
    });
    const { message, remedy = '' } = JSON.parse((await cli(['whoami', '--json'])).stderr).error;
    expect(`${message} ${remedy}`).toMatch(
      /check that the URL is that of a Slipway installation|Check the address/,
    );
  });
});

it('a request that the service asks to repeat much later says so, and why', async () => {
  const stop = new AbortController();
  await use((_asked, response) => {
    response.setHeader('Retry-After', '60');
    return problem(429, 'TooManyRequests');
  });
  const { code, stderr } = await cli(['whoami'], {
    signal: stop.signal,
    onProgress: (text) => text.includes('Retrying') && stop.abort(),
  });
  expect([code, stderr]).toEqual([130, expect.stringMatching(/^what is wrong\. Retrying in 60s\.\n/)]);
});

it('what the service warns of goes to stderr', async () => {
  await use((_asked, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', Warning: '299 - "a new chain begins"' });
    response.end('{}');
    return undefined;
  });
  expect(await cli(['api', 'PUT', '/v1alpha/networks/x', '-d', '-'], { stdin: '{}' })).toMatchObject({
    code: 0,
    stdout: '{}\n',
    stderr: 'Warning: a new chain begins\n',
  });
});

it('logs that have no line print none', async () => {
  await use(({ path }, response) => {
    if (!path.includes('/logs'))
      return { status: 200, body: { items: [{ id: 'n', name: 'a' }], metadata: {} } };
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end();
    return undefined;
  });
  expect(await cli(['network', 'logs', 'a', '--tail', '0'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '',
  });
});

describe('api', () => {
  it('sends method, path, body and headers, and prints the answer', async () => {
    await use(() => ({ status: 200, body: { a: 1 } }));
    const args = ['api', 'post', '/v1alpha/networks?x=1', '-d', '-', '--header', 'X-Request-ID: mine'];
    expect((await cli(args, { stdin: '{"name":"a"}' })).stdout).toBe('{\n  "a": 1\n}\n');
    expect(server.asked[0]).toMatchObject({
      method: 'POST',
      path: '/v1alpha/networks?x=1',
      body: '{"name":"a"}',
    });
    expect(server.asked[0]?.headers).toMatchObject({
      authorization: 'Bearer id.secret',
      'x-request-id': 'mine',
      'idempotency-key': expect.any(String),
    });
  });

  it.each([
    ['a body', ['api', 'POST', '/x', '-d', '-'], '[1, 9007199254740993]'],
    [
      'an argument of a token',
      [
        'token',
        'deploy',
        '--name',
        'A',
        '--symbol',
        'A',
        '--network',
        'a',
        '--arg',
        'liquidity=9007199254740993',
      ],
      '',
    ],
  ])(
    '%s with a number that a double would change reaches the service with all digits',
    async (_what, args, stdin) => {
      await use(({ method }) =>
        method === 'POST'
          ? { status: 201, body: { id: 't', symbol: 'A', name: 'A', type: 'ERC20', decimals: 18 } }
          : { status: 200, body: { items: [{ id: 'n', name: 'a' }], metadata: {} } },
      );
      expect((await cli(args, { stdin })).stderr).not.toContain('Error');
      expect(server.asked.find(({ method }) => method === 'POST')?.body).toContain('9007199254740993');
    },
  );

  it.each([
    ['no path', ['api', 'GET', 'v1alpha/networks'], 'must begin with "/"'],
    [
      'credentials on the command line',
      ['api', 'GET', '/', '--header', 'Authorization: Bearer x'],
      'would show credentials',
    ],
    ['a body that is not JSON', ['api', 'POST', '/', '-d', '-'], 'Standard input is not JSON.'],
    ['a file that is not there', ['api', 'POST', '/', '-d', '/none'], '/none cannot be read: ENOENT.'],
  ])('refuses %s', async (_what, args, message) => {
    await use(() => ({ status: 200, body: {} }));
    expect(await cli(args, { stdin: '{' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
    expect(server.asked).toEqual([]);
  });
});

describe('usage', () => {
  beforeEach(() => use(() => ({ status: 200, body: {} })));

  it.each([
    [
      'an unknown command',
      ['network', 'creat'],
      "unknown command 'creat'.\nDid you mean create? See: slipway network --help",
    ],
    [
      'an unknown option',
      ['network', 'list', '--jsn'],
      "unknown option '--jsn'.\nDid you mean --json? See: slipway network list --help",
    ],
    [
      'a missing argument',
      ['network', 'get'],
      "missing required argument 'network'.\nSee: slipway network get --help",
    ],
    ['a missing option', ['apply'], 'See: slipway apply --help'],
    ['a value that is none of the choices', ['network', 'env', 'a', '--for', 'x'], 'Allowed choices are'],
    ['two formats at once', ['whoami', '--json', '--ndjson'], 'cannot be used with'],
    [
      'a duration that is none',
      ['network', 'create', 'a', '--type', 'Base', '--wait', '--timeout', 'soon'],
      '--timeout soon is not a duration.',
    ],
    [
      'a duration that no calendar has',
      ['key', 'create', 'a', '--role', 'viewer', '--expires-after', '99999999d'],
      '--expires-after 99999999d is more than 100 years.',
    ],
    ['a body for a GET', ['api', 'GET', '/', '-d', '-'], 'GET takes no body.'],
    [
      'a network beside a file that names its own',
      ['tx', 'submit', 'a', '--file', '-'],
      'The file says where to submit, not "a".',
    ],
    ['a recipient beside a file', ['tx', 'submit', '--to', '0x1', '--file', '-'], 'cannot be used with'],
    [
      'data twice',
      ['tx', 'submit', 'a', '--data', '0x', '--data-file', '-'],
      "option '--data <hex>' cannot be used with option '--data-file <path>'",
    ],
    [
      'a network beside a file with a token',
      ['token', 'deploy', '--file', '-', '--network', 'a'],
      'cannot be used with',
    ],
    [
      'a standard that is none',
      ['token', 'deploy', '--standard', 'erc21'],
      'Allowed choices are erc20, erc3643, oft, cct/burn-mint, cct/lock-release.\nSee:',
    ],
    [
      'an access key that is none',
      ['network', 'rotate-keys', 'a', '--key', 'all'],
      'Allowed choices are public, admin.',
    ],
    [
      'a block that is none',
      ['call', 'a', `0x${'11'.repeat(20)}`, 'f()', '--block', 'newest'],
      'Use a number, or one of: latest, earliest, pending, safe, finalized',
    ],
    [
      'a chain type that does not exist',
      ['network', 'create', 'a', '--type', 'Etherum', '--new-key'],
      'Allowed choices are Ethereum, Arbitrum,',
    ],
    [
      'a plugin that does not exist',
      ['network', 'create', 'a', '--new-key', '--plugin', 'foo'],
      'Allowed choices are chainlink, dfns, graph, uniswap, vrf.',
    ],
    ['two keys', ['network', 'create', 'a', '--key', 'k', '--new-key'], 'cannot be used with'],
    ['two ways to sign in', ['login', '--device', '--with-token'], 'cannot be used with'],
    [
      'a wait without time',
      ['network', 'wake', 'a', '--wait', '--timeout', '0'],
      '--timeout 0 leaves no time to wait.',
    ],
    [
      'a timeout of no wait',
      ['network', 'create', 'a', '--type', 'Base', '--timeout', '5m'],
      '--timeout has no effect without --wait.\nAdd --wait, or leave it out. See: slipway network create --help',
    ],
    [
      'a timeout of neither a wait nor a pruning',
      ['apply', '-f', 'x.yaml', '--timeout', '5m'],
      '--timeout has no effect without --wait or --prune.',
    ],
    [
      'a label that selects nothing',
      ['apply', '-f', 'x.yaml', '-l', 'team=a'],
      '--label has no effect without --prune.',
    ],
  ])('%s ends with 2 and says where to read more', async (_what, args, message) => {
    const { code, stdout, stderr } = await cli(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.startsWith('Error: ') || stderr.startsWith('{"error"')).toBe(true);
    expect(stderr).toContain(message);
    expect(server.asked).toEqual([]);
  });

  it.each([
    ['network list --limit all', 1],
    ['network list --limit 0', 1],
    ['tx list --limit 0', 1],
    ['webhook deliveries a --limit 0', 1],
    ['member list --limit -1', 1],
    ['audit --limit 1.5', 1],
    ['key list --limit 9007199254740993', 1],
    ['usage --days 0', 1],
    ['network create a --new-key --gas-limit 0', 1],
    ['network create a --new-key --block-time 1e3', 1],
    ['token deploy --decimals -1', 0],
  ])('%s ends with 2 before anything is sent: it takes whole numbers from %i on', async (command, least) => {
    const args = command.split(' ');
    const { code, stderr } = await cli(args);
    const message = `${args.slice(-2).join(' ')} is not a whole number of at least ${least}.`;
    expect([code, stderr]).toEqual([2, `Error: ${message}\nUse digits only.\n`]);
    expect(server.asked).toEqual([]);
  });

  it('help goes to stdout and ends with 0, with examples', async () => {
    const { code, stdout, stderr } = await cli(['network', 'create', '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: slipway network create \[options\] <name>\n/);
    expect(stdout).toContain('\nExamples:\n  $ slipway network create my-net --new-key --wait\n');
  });
});

describe('login', () => {
  const me = {
    kind: 'Me',
    user: { id: 'u-1' },
    role: 'owner',
    permissions: ['networks:read'],
    workspace: { id: 'w', name: 'team' },
  };
  const answer: Answering = ({ headers }) =>
    headers.authorization === 'Bearer my.key' ? { status: 200, body: me } : problem(401, 'Unauthorized');
  let signedOut: (args: string[], options?: Parameters<TestCli>[1]) => ReturnType<TestCli>;
  beforeEach(async () => {
    await use(answer);
    await cli.close();
    cli = await createTestCli();
    signedOut = (args, options) => cli([...args, '--url', server.url], options);
  });

  it('checks the key from standard input, and stores it', async () => {
    const { code, stderr } = await signedOut(['login', '--with-token'], { stdin: 'my.key\n' });
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`Signed in to ${server.url} as profile "default"`),
    ]);
    expect(stderr).not.toContain('my.key');
    expect((await cli(['whoami'])).stdout).toContain('Workspace:    team (w)\n');
  });

  it('asks on a terminal', async () => {
    expect((await signedOut(['login', '--profile', 'p'], { answers: ['my.key'] })).code).toBe(0);
    expect((await cli(['profile', 'list', '--json'])).json.items).toMatchObject([
      { name: 'p', isCurrent: true },
    ]);
  });

  it('does not replace the key of another installation', async () => {
    const elsewhere = { url: 'https://elsewhere.example', apiKey: 'their.key' };
    const path = profilesPath({ env: {}, home: cli.home });
    await writeProfiles(path, { current: 'p', profiles: { p: elsewhere } });
    const login = () => signedOut(['login', '--with-token'], { stdin: 'my.key' });
    expect([(await login()).code, (await login()).code]).toEqual([0, 0]);
    const host = new URL(server.url).host;
    const mine = { url: server.url, apiKey: 'my.key' };
    expect(await readProfiles(path)).toEqual({ current: host, profiles: { p: elsewhere, [host]: mine } });

    await writeProfiles(path, { current: 'p', profiles: { p: elsewhere, [host]: elsewhere } });
    const { code, stderr } = await login();
    expect([code, stderr]).toEqual([
      2,
      'Error: Profile "p" is for https://elsewhere.example, and its key would be lost.\nName another one with --profile NAME.\n',
    ]);
    expect((await signedOut(['login', '--with-token', '--profile', 'p'], { stdin: 'my.key' })).code).toBe(0);
  });

  it.each([
    ['a key that is not valid', { stdin: 'other.key' }, 3],
    ['anything but a key', { stdin: 'nothing' }, 2],
  ])('%s is not stored', async (_what, options, expected) => {
    expect((await signedOut(['login', '--with-token'], options)).code).toBe(expected);
    expect((await cli(['whoami'])).stderr).toContain('You are not signed in.');
  });

  it('a key that the installation refuses is reported as such', async () => {
    const { stderr } = await signedOut(['login', '--with-token'], { stdin: 'other.key' });
    expect(stderr).toMatch(/does not accept this API key: .*\nRun "slipway login" without --with-token/);
  });

  it('without a terminal it does not wait for an answer', async () => {
    const { code, stderr } = await signedOut(['login']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Add --with-token')]);
  });
});
