import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../hack/lib/paths.ts';
import { bin, exec, ok, slipway, start } from './lib/cli.ts';
import { call, freshName, serviceUrl, token, until } from './lib/service.ts';

/** Every group of commands on the installed chart, as processes of the file that `make up` leaves. */

const name = freshName('cli');
const other = freshName('cli');
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-e2e-cli-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await slipway(['network', 'delete', name, other, '--ignore-missing']);
  await slipway(['secret', 'delete', `${name}-key`]);
});

it('make up leaves it signed in, by a file that only its owner reads; it is a plugin of kubectl too', async () => {
  expect((await ok(['whoami', '--json'])).json.kind).toBe('Me');
  expect(statSync(join(projectRoot, '.slipway', 'slipway.json')).mode & 0o777).toBe(0o600);
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: process.env.HOME };
  const { stdout } = await exec(join(bin, 'kubectl'), ['slipway', 'whoami'], { env });
  expect(stdout).toContain(serviceUrl);
});

it('create --wait ends with 0 when the network is Operational, with each step on a plain line', async () => {
  const { json, stderr } = await ok([
    'network',
    'create',
    name,
    '--new-key',
    '--label',
    'suite=cli',
    '--wait',
    '--json',
  ]);
  expect(json.status.state).toBe('Operational');
  expect(stderr).toMatch(new RegExp(`${name}: Pending.*\\n(.*\\n)*${name}: Operational.*\\n$`));
});

it('create --wait ends with 6 at once on Error, and with 124 after the timeout', async () => {
  const wrong = await slipway([
    'network',
    'create',
    other,
    '--key',
    freshName('none'),
    '--wait',
    '--timeout',
    '2m',
  ]);
  expect([wrong.code, wrong.stderr]).toEqual([6, expect.stringContaining(`network "${other}" ended: `)]);
  await ok(['network', 'delete', other, '--wait']);
  const late = await slipway(['network', 'create', other, '--type', 'Base', '--wait', '--timeout', '1ms']);
  expect([late.code, late.stderr]).toEqual([124, expect.stringContaining('and goes on.')]);
});

it('an interrupted wait ends with 130, and the network goes on', async () => {
  await ok(['network', 'stop', other, '--wait']);
  const waiting = start(['network', 'watch', other]);
  await waiting.seen('Stopped');
  waiting.interrupt();
  expect(await waiting.ended).toBe(130);
  await ok(['network', 'wake', other, '--wait']);
});

it('lists, shows, and hands URLs to tools', async () => {
  const { json } = await ok(['network', 'list', '-l', 'suite=cli', '--json']);
  expect(json.items.map((item: { name: string }) => item.name)).toEqual([name]);
  expect((await ok(['network', 'get', name])).stdout).toContain('Operational');
  const exports = await ok(['network', 'env', name]);
  const { stdout } = await exec('sh', [
    '-c',
    `eval "$1"; printf '%s %s' "$RPC_URL" "$CHAIN_ID"`,
    'sh',
    exports.stdout,
  ]);
  const [url = '', chainId] = stdout.split(' ');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const { result } = (await answer.json()) as { result: string };
  expect(Number(result)).toBe(Number(chainId));
  for (const tool of ['foundry', 'hardhat', 'hardhat2', 'viem', 'web3py'])
    await ok(['network', 'env', name, '--for', tool]);
  expect((await ok(['network', 'open', name])).stdout).toBe(`${url}\n`);
  expect((await ok(['network', 'logs', name, '--tail', '5'])).stdout.split('\n').length).toBeLessThanOrEqual(
    6,
  );
});

it('the faucet pays, transactions are mined or end with 6', async () => {
  const paid = await ok(['network', 'faucet', name, address, '--amount', '1000', '--json']);
  const [hash] = paid.json.txHashes;
  await until(
    'the payment',
    () => slipway(['tx', 'get', hash, '--json']),
    ({ json }) => json?.state === 'mined',
  );
  const sent = await ok(['tx', 'submit', name, '--to', address, '--value', '1', '--wait', '--json']);
  const [own] = Object.values<string[]>(sent.json.tx_hashes_by_network).flat();
  expect((await ok(['tx', 'list', '--network', name, '--json'])).json.items[0].hash).toBe(own);
  // Creation code that reverts.
  const failed = await slipway([
    'tx',
    'submit',
    name,
    '--data',
    '0x60006000fd',
    '--gas-limit',
    '100000',
    '--wait',
  ]);
  expect([failed.code, failed.stderr]).toEqual([6, expect.stringContaining('failed')]);
});

it('a token is deployed with --wait, and recorded transactions are replayed', async () => {
  const symbol = `C${freshName('x').slice(-6).toUpperCase()}`;
  const deploy = [
    'token',
    'deploy',
    '--name',
    'Cli',
    '--symbol',
    symbol,
    '--network',
    name,
    '--arg',
    'total_supply=1000',
  ];
  const { json } = await ok([...deploy, '--wait', '--json']);
  expect(json.deployments[0].token_address).toMatch(/^0x/);
  expect((await ok(['token', 'get', symbol])).stdout).toContain(json.deployments[0].token_address);
  await ok(['token', 'wait', symbol]);
  const me = (await ok(['whoami', '--json'])).json.user.address;
  const recording = await ok(['recording', 'start', me, name, '--wait', '--json']);
  await ok(['tx', 'submit', name, '--to', address, '--value', '1', '--wait']);
  await ok(['recording', 'stop', recording.json.id, '--wait']);
  const document = join(folder, 'recording.json');
  await ok(['recording', 'export', recording.json.id, '-o', document]);
  expect((await ok(['recording', 'list', '--network', name, '--json'])).json.items[0].id).toBe(
    recording.json.id,
  );
  expect((await ok(['replay', recording.json.id, '--dry-run', '--json'])).json.totalTransactions).toBe(1);
  expect((await ok(['replay', '--file', document, '--json'])).json.success).toBe(true);
  await ok(['recording', 'delete', recording.json.id]);
  await ok(['token', 'delete', symbol]);
});

it('a snapshot is taken and returned to; a reset, a restart and new access keys wait for what they start', async () => {
  const snapshot = freshName('snap');
  await ok(['snapshot', 'create', name, snapshot, '--wait']);
  expect((await ok(['snapshot', 'list', '--network', name])).stdout).toContain(snapshot);
  await ok(['snapshot', 'revert', name, snapshot, '--wait']);
  const before = (await ok(['network', 'get', name, '--json'])).json;
  const reset = (await ok(['network', 'reset', name, '--wait', '--json'])).json;
  expect(reset.status.enclaveID).not.toBe(before.status.enclaveID);
  await ok(['network', 'restart', name, '--wait']);
  const url = (await ok(['network', 'open', name])).stdout;
  await ok(['network', 'rotate-keys', name, '--key', 'public']);
  expect((await ok(['network', 'open', name])).stdout).not.toBe(url);
  expect(
    (await ok(['network', 'update', name, '--block-time', '1', '--wait', '--json'])).json.spec.chain.ethereum
      .blockTime,
  ).toBe(1);
  expect((await ok(['contract', 'list', name, '--json'])).json).toEqual({ items: [] });
});

it('manifests are applied, compared, pruned and deleted through REST', async () => {
  const label = freshName('apply');
  const manifest = (network: string, more = '') =>
    `apiVersion: slipway.dev/v1alpha1\nkind: Network\nmetadata: { name: ${network}, labels: { group: ${label} } }\nspec:\n${more}  chain: { type: Arbitrum, arbitrum: {} }\n`;
  const [one, two] = [freshName('m'), freshName('m')];
  const file = join(folder, 'networks.yaml');
  writeFileSync(file, `${manifest(one)}---\n${manifest(two)}`);
  expect((await slipway(['diff', '-f', file])).code).toBe(1);
  expect((await slipway(['diff', '-f', join(folder, 'none.yaml')])).code).toBe(2);
  await ok(['apply', '-f', file, '--wait']);
  expect((await ok(['diff', '-f', file])).stdout).toBe('');
  writeFileSync(file, manifest(one, '  idleAfter: 1h\n'));
  const applied = await ok(['apply', '-f', file, '--prune', '-l', `group=${label}`, '--yes']);
  expect(applied.stdout).toBe(`network/${one} updated\nnetwork/${two} deleted\n`);
  await ok(['delete', '-f', file, '--wait']);
  expect((await slipway(['network', 'get', one])).code).toBe(4);
});

it('events are printed as they happen, and sent on', async () => {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    request.on('data', (chunk) => received.push(String(chunk)));
    request.on('end', () => response.writeHead(204).end());
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const listening = start([
    'events',
    'listen',
    '--type',
    'network.*',
    '--existing',
    '--forward-to',
    `http://127.0.0.1:${port}/`,
  ]);
  await listening.seen(name);
  await ok(['network', 'stop', other, '--wait']);
  await listening.seen('network.stopped');
  listening.interrupt();
  expect(await listening.ended).toBe(130);
  await until(
    'the forwarded event',
    async () => received.join(''),
    (text) => text.includes('network.stopped'),
  );
  receiver.close();
});

it('webhooks are created, rotated, paused and deleted', async () => {
  const hook = freshName('hook');
  const created = await ok([
    'webhook',
    'create',
    hook,
    'https://receiver.example/hooks',
    '--type',
    'network.*',
    '--json',
  ]);
  expect(created.json.secret).toMatch(/^whsec_/);
  expect((await ok(['webhook', 'list', '--json'])).stdout).not.toContain(created.json.secret);
  expect((await ok(['webhook', 'rotate-secret', hook, '--json'])).json.secret).not.toBe(created.json.secret);
  await ok(['webhook', 'test', hook]);
  const { items } = (await ok(['webhook', 'deliveries', hook, '--json'])).json;
  expect(items.filter(({ trigger }: { trigger: string }) => trigger === 'test')).toHaveLength(1);
  await ok(['webhook', 'update', hook, '--paused']);
  await ok(['webhook', 'get', hook]);
  await ok(['webhook', 'delete', hook]);
});

it('a key from "key create" signs in elsewhere, and ends commands with 3 once it is revoked', async () => {
  const key = (await ok(['key', 'create', name, '--role', 'developer', '--expires-after', '10m', '--json']))
    .json;
  const env = { SLIPWAY_CONFIG: join(folder, 'slipway.json') };
  await ok(['login', '--url', serviceUrl, '--with-token'], { input: key.token, env });
  expect(statSync(env.SLIPWAY_CONFIG).mode & 0o777).toBe(0o600);
  expect((await ok(['whoami', '--json'], { env })).json.role).toBe('developer');
  const watching = start(['network', 'watch', name], env);
  await watching.seen(name);
  await ok(['key', 'delete', key.id]);
  expect(await watching.ended).toBe(3);
  expect((await slipway(['network', 'list'], { env })).code).toBe(3);
  await ok(['logout'], { env });
});

it('workspaces, members and invitations are managed', async () => {
  const workspace = freshName('cli');
  const { id } = (await ok(['workspace', 'create', workspace, '--json'])).json;
  const inside = ['--workspace', id];
  const invitation = (
    await ok(['invitation', 'create', 'ann@example.com', '--role', 'viewer', '--json', ...inside])
  ).json;
  expect((await ok(['invitation', 'list', ...inside])).stdout).toContain('ann@example.com');
  await ok(['invitation', 'delete', invitation.id, ...inside]);
  expect((await ok(['member', 'list', ...inside, '--json'])).json.items).toHaveLength(1);
  expect((await ok(['network', 'list', ...inside, '--json'])).json.items).toEqual([]);
  await ok(['workspace', 'delete', workspace, '--yes']);
});

it('api makes any request; the environment signs in without a file; conflicts end with 5', async () => {
  const env = { SLIPWAY_CONFIG: join(folder, 'none.json'), SLIPWAY_URL: serviceUrl, SLIPWAY_API_KEY: token };
  const { stdout } = await ok(['api', 'GET', '/v1alpha/networks?limit=1'], { env });
  expect(JSON.parse(stdout).kind).toBe('NetworkList');
  expect((await slipway(['network', 'create', name, '--key', `${name}-key`])).code).toBe(5);
  expect((await slipway(['secret', 'delete', `${name}-key`])).code).toBe(5);
  expect((await call('GET', '/v1alpha/networks')).status).toBe(200);
});

it('delete --wait returns when the network is gone', async () => {
  await ok(['network', 'delete', name, other, '--wait']);
  expect((await slipway(['network', 'get', name])).code).toBe(4);
  await ok(['secret', 'delete', `${name}-key`]);
});
