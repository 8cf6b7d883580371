import { addMember, removeMember } from '../lib/accounts.ts';
import { readRestarts } from '../lib/components.ts';
import { createHotKey, createNetwork, endpointsOf, reach, remove } from '../lib/networks.ts';
import { call, token } from '../lib/service.ts';

/** Requests that would hurt other tenants. Each is refused with a message that names the limit, and everybody else keeps working. */

const mebibyte = 1024 * 1024;
const replay = '/transaction/v1alpha1/transaction/recording/replay';

const rpc = (url: string, method: string, params: unknown[] = []) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }).then((answer) => answer.json() as Promise<{ result?: unknown; error?: { message: string } }>);

let id: string;
let urls: Record<string, string>;
beforeAll(async () => {
  const key = await createHotKey();
  const { body } = await createNetwork({ privateKeyRef: { name: key.name } });
  id = body.id;
  await reach(id, 'Operational');
  urls = await endpointsOf(id);
});
afterAll(() => remove(id));

const documentOf = (items: string) =>
  `{"replayDocument":{"version":"slipway.replay/v1","networks":{"n1":{"chainId":"1","firstBlock":0,"lastBlock":0,"transactions":[${items}]}}}}`;

it.each([
  ['31 MiB of {}', documentOf(`{}${',{}'.repeat((31 * mebibyte) / 3)}`), 413],
  ['200,000 invalid transactions', documentOf(`{}${',{}'.repeat(200_000)}`), 400],
  ['200,000 unknown fields', `{${Array.from({ length: 200_000 }, (_, n) => `"k${n}":0`).join()}}`, 400],
])('%s are refused, and no replica ends', async (_what, text, status) => {
  const before = await readRestarts();
  // What such a body costs is for its account alone to pay.
  const attacker = await addMember(token, 'default', 'developer');
  const headers = { Authorization: `Bearer ${attacker.token}` };
  const answer = await call('POST', replay, { text, headers });
  await removeMember(token, 'default', attacker);
  expect([answer.status, answer.body.kind]).toEqual([status, 'Error']);
  expect(JSON.stringify(answer.body).length).toBeLessThan(20_000);
  expect((await call('GET', '/v1alpha/networks?limit=1')).status).toBe(200);
  expect(await readRestarts()).toEqual(before);
});

it('more participants than a network may have are refused', async () => {
  const participants = Array.from({ length: 16 }, () => ({ count: 32 }));
  const { status, body } = await createNetwork({ privateKeyRef: { name: 'any' }, participants });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('quota.participants');
});

it('an account that the admin URL impersonates sends nothing through the public URL', async () => {
  const from = '0x00000000000000000000000000000000000000aa';
  const { rpc: open = '', admin = '' } = urls;
  await rpc(admin, 'anvil_setBalance', [from, '0xde0b6b3a7640000']);
  await rpc(admin, 'anvil_impersonateAccount', [from]);
  await rpc(admin, 'anvil_autoImpersonateAccount', [true]);
  const transfer = [{ from, to: from, value: '0x1' }];
  const refused = await rpc(open, 'eth_sendTransaction', transfer);
  expect(refused.error?.message).toContain('not available on the public URL');
  const sent = await rpc(admin, 'eth_sendTransaction', transfer);
  expect(sent.result).toMatch(/^0x[0-9a-f]{64}$/);
});

it('nothing changes the id of a chain', async () => {
  const { rpc: open = '', admin = '' } = urls;
  const before = (await rpc(open, 'eth_chainId')).result;
  for (const method of ['anvil_setChainId', 'hardhat_setChainId', 'evm_setChainId']) {
    expect((await rpc(admin, method, [1])).error?.message).toContain('set chainID in its spec');
  }
  expect((await rpc(open, 'eth_chainId')).result).toBe(before);
});
