import {
  Contract,
  ContractFactory,
  JsonRpcProvider,
  parseEther,
  type TransactionResponse,
  type Wallet,
  zeroPadBytes,
} from 'ethers';
import { compileConsumer } from '../../core/plugins/chainlink/testing/consumer.ts';
import { getJson } from '../lib/cluster.ts';
import { createHotKey, endpointsOf, remove } from '../lib/networks.ts';
import { type Answer, call, until } from '../lib/service.ts';
import { maintain, minuteMs, start, untilNothingIsLeft } from './families.ts';

let id: string;
let urls: Record<string, string>;
let wallet: Wallet;
let facts: { deployment: string; addresses: Record<string, string>; values: Record<string, string> };

/** Waits until the plugin is ready, under a deployment other than `former`. */
async function pluginReady(former?: string): Promise<typeof facts> {
  const { body } = await until(
    'the plugin to be ready',
    () => call('GET', `/v1alpha/networks/${id}`),
    ({ body: { status } }: Answer) => {
      const entry = status?.plugins?.chainlink;
      return entry?.state === 'Ready' && entry.deployment !== former;
    },
    4 * minuteMs,
  );
  return body.status.plugins.chainlink;
}

beforeAll(async () => {
  const key = await createHotKey();
  id = await start('Ethereum', { privateKeyRef: { name: key.name }, plugins: { chainlink: {} } });
  urls = await endpointsOf(id);
  wallet = key.wallet.connect(
    new JsonRpcProvider(urls.rpc, undefined, { cacheTimeout: -1, pollingInterval: 100 }),
  );
  facts = await pluginReady();
});

async function sent(transaction: Promise<TransactionResponse>): Promise<void> {
  await (await transaction).wait();
}

/** Deploys a consumer, sends a request through it and waits for the answer. */
async function expectFulfilment(payment: bigint): Promise<void> {
  const { linkToken, linkFaucet, operator } = facts.addresses;
  const { abi, bytecode } = await compileConsumer();
  const deployed = await new ContractFactory(abi.fragments, bytecode, wallet).deploy(linkToken, operator);
  await deployed.waitForDeployment();
  const consumer = new Contract(await deployed.getAddress(), abi.fragments, wallet);
  const faucet = new Contract(linkFaucet ?? '', ['function mint(address, uint256)'], wallet);
  await sent(faucet.mint?.(consumer.target, payment) as Promise<TransactionResponse>);
  const specId = zeroPadBytes(`0x${facts.values.echoUint256Job}`, 32);
  await sent(consumer.echo?.(specId, 21, 2, payment) as Promise<TransactionResponse>);
  await until(
    'the answer',
    async () => consumer.value?.() as Promise<bigint>,
    (value) => value === 42n,
    minuteMs,
  );
}

async function logIn(): Promise<Record<string, string>> {
  const secret = await getJson('secrets', facts.values.credentials ?? '');
  const [email, password] = ['email', 'password'].map((name) =>
    Buffer.from(secret.data[name], 'base64').toString(),
  );
  const answer = await fetch(`${urls.chainlink}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  expect(answer.status).toBe(200);
  const [cookie = ''] = answer.headers.getSetCookie();
  expect(cookie).toContain(new URL(urls.chainlink ?? '').pathname);
  return { 'content-type': 'application/json', cookie: cookie.split(';')[0] ?? '' };
}

it("fulfils the request of a consumer that extends Chainlink's client", () =>
  expectFulfilment(parseEther('0.1')));

it('has price feeds with the interface of AggregatorV3', async () => {
  const abi = ['function decimals() view returns (uint8)', 'function latestAnswer() view returns (int256)'];
  const ethUsd = new Contract(facts.addresses.ethUsdFeed ?? '', abi, wallet);
  const linkEth = new Contract(facts.addresses.linkEthFeed ?? '', abi, wallet);
  expect([await ethUsd.decimals?.(), await ethUsd.latestAnswer?.()]).toEqual([8n, 250_000_000_000n]);
  expect([await linkEth.decimals?.(), await linkEth.latestAnswer?.()]).toEqual([18n, 6_000_000_000_000_000n]);
});

it("serves the node's API to who signs in with the credentials of the Secret, and to nobody else", async () => {
  expect((await fetch(`${urls.chainlink}/v2/jobs`)).status).toBe(401);
  const headers = await logIn();
  const jobs = await (await fetch(`${urls.chainlink}/v2/jobs`, { headers })).text();
  for (const name of ['get-uint256', 'echo-uint256', 'feed-eth-usd', 'feed-link-eth']) {
    expect(jobs).toContain(`"name":"${name}"`);
  }
});

it('a feed says what its edited job says', async () => {
  const headers = await logIn();
  const toml = `type = "cron"
schemaVersion = 1
name = "feed-eth-usd"
externalJobID = "d8fc8589-2755-4b97-be19-969be7386690"
evmChainID = "${(await wallet.provider?.getNetwork())?.chainId}"
schedule = "CRON_TZ=UTC * * * * * *"
observationSource = """
encode_tx [type="ethabiencode" abi="updateAnswer(int256 answer)" data="{\\\\"answer\\\\": 310000000000}"];
submit_tx [type="ethtx" to="${facts.addresses.ethUsdFeed}" data="$(encode_tx)" minConfirmations="0"];
encode_tx -> submit_tx;
"""`;
  const job = `${urls.chainlink}/v2/jobs/${facts.values.ethUsdFeedJob}`;
  const edited = await fetch(job, { method: 'PUT', headers, body: JSON.stringify({ toml }) });
  expect(edited.status).toBe(200);
  const abi = ['function latestAnswer() view returns (int256)'];
  const feed = new Contract(facts.addresses.ethUsdFeed ?? '', abi, wallet);
  await until(
    'the answer',
    async () => feed.latestAnswer?.() as Promise<bigint>,
    (value) => value === 310_000_000_000n,
    minuteMs,
  );
});

it('goes on after a Restart', async () => {
  await maintain(id, 'Restart', 1);
  facts = await pluginReady();
  await expectFulfilment(0n);
});

it('ResetState deploys everything again on the new chain', async () => {
  const former = facts.deployment;
  await maintain(id, 'ResetState', 2);
  facts = await pluginReady(former);
  await expectFulfilment(0n);
});

it('leaves nothing behind', async () => {
  await remove(id);
  await untilNothingIsLeft(id);
});
