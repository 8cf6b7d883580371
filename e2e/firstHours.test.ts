import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as AgentClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { getAddress, Interface, JsonRpcProvider, Wallet } from 'ethers';
import { artifact, creationOf } from '../core/evm/testing/contracts.ts';
import { startBrowser } from '../hack/console/browser.ts';
import { projectRoot } from '../hack/lib/paths.ts';
import { createClient } from '../sdk/src/client.ts';
import { readDefaultKey } from './lib/accounts.ts';
import { findProblems } from './lib/browserPage.ts';
import { bin, ok } from './lib/cli.ts';
import { kubectl } from './lib/cluster.ts';
import { runForgeCreate } from './lib/foundry.ts';
import { remove } from './lib/networks.ts';
import { deployToken, transferToken } from './lib/sending.ts';
import { call, freshName, serviceUrl, token, until } from './lib/service.ts';

/** From the sign-in to a contract that was deployed, written to, and whose event was seen: each person with one tool alone. */

const stranger = `0x${'7e'.repeat(20)}`;
const abi = new Interface(artifact('Token').abi);
const amount = '7';
const constructorArgs = (owner: string) => ['Token', 'TOK', '1000', owner];

let name: string;
let owner: string;
let folder: string;
beforeAll(async () => {
  owner = (await readDefaultKey()).address;
});
beforeEach(async () => {
  name = freshName('first');
  folder = await mkdtemp(join(tmpdir(), 'slipway-first-'));
  writeFileSync(join(folder, 'Token.json'), JSON.stringify(artifact('Token')));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
  const { body } = await call('GET', `/v1alpha/networks?selector=metadata.name%3D%3D${name}`);
  for (const { id } of body.items) await remove(id);
});

test('in the browser', async () => {
  const browser = await startBrowser();
  try {
    const page = await (await browser.newContext()).newPage();
    const { json: link } = await ok(['console', '--json']);
    await page.goto(link.url);
    await page.getByRole('heading', { name: 'Sign in with this link' }).waitFor();
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('link', { name: 'Create network' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.keyboard.press('Enter');
    await page.locator('[data-state=Operational]').first().waitFor();
    await page.getByRole('link', { name: 'Explorer' }).click();
    await deployToken(page, owner);
    await transferToken(page, { to: stranger, amount });
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByLabel('Event', { exact: true }).selectOption('Transfer(address,address,uint256)');
    const newest = page.getByRole('tabpanel').getByRole('listitem').first();
    await newest.getByText(stranger, { exact: false }).waitFor();
    await newest.getByText(amount, { exact: true }).waitFor();
    expect(await findProblems(page)).toEqual([]);
  } finally {
    await browser.close();
  }
});

test('with the command line', async () => {
  await ok(['network', 'create', name, '--new-key', '--wait']);
  const created = [
    'send',
    name,
    ...constructorArgs(owner),
    '--create',
    join(folder, 'Token.json'),
    '--wait',
    '--json',
  ];
  const { json } = await ok(created);
  const address = json.submissions[0].contract_address;
  await ok(['send', name, address, 'transfer(address,uint256)', stranger, amount, '--wait']);
  const { json: found } = await ok([
    'logs',
    name,
    address,
    'Transfer',
    '--abi',
    join(folder, 'Token.json'),
    '--json',
  ]);
  expect(found.items[0]).toMatchObject({
    event: 'Transfer(address,address,uint256)',
    args: { value: amount },
  });
  await ok(['secret', 'delete', `${name}-key`, '--yes']).catch(() => undefined);
});

test('with the SDK', async () => {
  const client = createClient({ url: serviceUrl, apiKey: token });
  const { id } = await client.networks.create({ name, spec: { chain: { type: 'Base', base: {} } } });
  await client.waitFor(id, 'Operational', { timeoutMs: 300_000 });
  const send = async (item: { to?: string; data: string }) => {
    const { tx_hashes_by_network: sent } = await client.transactions.submit({
      transactions_by_network: { [id]: [{ ...item, value: '0' }] },
    });
    return client.waitForTransaction(sent[id]?.[0] ?? '', { networkId: id });
  };
  const { contract_address: address = '' } = await send({
    data: await creationOf('Token', constructorArgs(owner)),
  });
  await send({ to: address, data: abi.encodeFunctionData('transfer', [stranger, amount]) });
  const filter = {
    address,
    fromBlock: '0x0',
    toBlock: '0xff',
    topics: [abi.getEvent('Transfer')?.topicHash],
  };
  const reads = [{ method: 'eth_getLogs', params: [filter] }];
  // By its path, since the method belongs to a feature.
  const { answers } = await client.request<{ answers: { result?: unknown }[] }>(
    'POST',
    `/v1alpha/networks/${id}/chain`,
    { body: { reads } },
  );
  const logs = (answers[0]?.result ?? []) as { topics: string[]; data: string }[];
  const transfers = logs.map((log) => abi.parseLog(log)?.args);
  expect(transfers.at(-1)?.map(String)).toEqual([owner, getAddress(stranger), amount]);
});

test('through an agent', async () => {
  const agent = new AgentClient({ name: 'first-hour', version: '1.0.0' });
  await agent.connect(new StdioClientTransport({ command: join(bin, 'slipway'), args: ['mcp'] }));
  const use = async (tool: string, input: Record<string, unknown>) => {
    const { content, isError } = await agent.callTool({ name: tool, arguments: input });
    const text = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
    if (isError) throw new Error(`${tool}: ${text}`);
    return JSON.parse(text);
  };
  try {
    await use('create_network', { name });
    await use('wait_for_network', { network: name });
    const mined = async ({ hash }: { hash: string }) =>
      until(
        `${hash} to be mined`,
        () => use('get_transaction', { hash, network: name }),
        ({ state }) => state === 'mined',
      );
    const { abi: entries, bytecode } = artifact('Token');
    const created = await use('deploy_contract', {
      network: name,
      abi: entries,
      bytecode,
      args: constructorArgs(owner),
    });
    const { contract_address: address } = await mined(created);
    const transfer = {
      network: name,
      to: address,
      function: 'transfer(address,uint256)',
      args: [stranger, amount],
    };
    await mined(await use('send_transaction', transfer));
    const events = await use('get_contract_events', {
      network: name,
      address,
      abi: entries,
      event: 'Transfer',
    });
    expect(events[0]).toMatchObject({ event: 'Transfer(address,address,uint256)', args: { value: amount } });
  } finally {
    await agent.close();
  }
});

test('with kubectl and Foundry', async () => {
  const key = Wallet.createRandom();
  const manifest = [
    {
      kind: 'Secret',
      spec: { type: 'private-key', data: Buffer.from(key.privateKey.slice(2), 'hex').toString('base64') },
    },
    { kind: 'Network', spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name } } } } },
  ].map((part) => JSON.stringify({ apiVersion: 'slipway.dev/v1alpha1', metadata: { name }, ...part }));
  expect(await kubectl(['apply', '-f', '-'], manifest.join('\n---\n'))).toMatchObject({ code: 0 });
  await kubectl(['wait', '--for=condition=Ready', '--timeout=300s', `bnet/${name}`]);
  const { stdout } = await kubectl(['get', 'secret', `${name}-access`, '-o', 'jsonpath={.data.rpc}']);
  const url = Buffer.from(stdout, 'base64').toString();
  const address = await runForgeCreate(
    `${join(projectRoot, 'e2e/forge/src/Counter.sol')}:Counter`,
    { url, key: key.privateKey },
    ['41'],
  );
  const provider = new JsonRpcProvider(url, undefined, { staticNetwork: true });
  const counter = new Interface([
    'function increment()',
    'event Counted(address indexed by, uint256 number)',
  ]);
  const sent = await key
    .connect(provider)
    .sendTransaction({ to: address, data: counter.encodeFunctionData('increment') });
  await sent.wait();
  const [log] = await provider.getLogs({ address, fromBlock: 0 });
  provider.destroy();
  expect(counter.parseLog(log ?? { topics: [], data: '' })?.args.number).toBe(42n);
  await kubectl(['delete', 'bsec', name]);
});
