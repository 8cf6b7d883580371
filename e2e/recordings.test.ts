import { jest } from '@jest/globals';
import { JsonRpcProvider, parseEther } from 'ethers';
import { releaseNamespace } from '../hack/up/names.ts';
import { balancesOf, type Market, runMarket, stranger } from '../test/integration/testing/market.ts';
import { ask, dismiss, join, type Person } from './lib/accounts.ts';
import { getJson, kubectl, runProgram } from './lib/cluster.ts';
import { runForgeScript } from './lib/foundry.ts';
import { createHotKey, endpointsOf, type HotKey, reach, remove } from './lib/networks.ts';
import { call, freshName, token, until } from './lib/service.ts';

jest.setTimeout(180_000);

const base = '/transaction/v1alpha1/transaction/recording';

interface Place {
  id: string;
  name: string;
  url: string;
  provider: JsonRpcProvider;
}

let key: HotKey;
/** Who replays: another member of the workspace than the one who records. */
let player: Person;
/** Address of the player's default key. */
let caller: string;
const places: Place[] = [];
beforeAll(async () => {
  key = await createHotKey();
  player = await join(token, 'default', 'developer');
  const read = () => getJson('users.slipway.dev', player.userId, '--namespace', releaseNamespace);
  const { status } = await until('the default key', read, (user) => user.status?.address !== undefined);
  caller = status.address;
});
afterAll(async () => {
  for (const { provider } of places) provider.destroy();
  await Promise.all(places.map(({ id }) => remove(id)));
  await dismiss(token, 'default', player);
});

async function start(type: 'Ethereum' | 'Base' | 'Optimism' | 'Arbitrum'): Promise<Place> {
  const name = freshName('rec');
  const chain = { type, [type.toLowerCase()]: { privateKeyRef: { name: key.name } } };
  const { status, body } = await call('POST', '/v1alpha/networks', { body: { name, spec: { chain } } });
  expect([status, body.message]).toEqual([201, undefined]);
  await reach(body.id, 'Operational');
  const { rpc = '' } = await endpointsOf(body.id);
  const provider = new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1, pollingInterval: 50 });
  const place = { id: body.id, name, url: rpc, provider };
  places.push(place);
  const sent = await key.wallet.connect(provider).sendTransaction({ to: caller, value: parseEther('1000') });
  await sent.wait();
  return place;
}

/** The network as the scenario's steps see a chain. */
function chainOf({ provider, url }: Place) {
  const wallet = key.wallet.connect(provider);
  return {
    provider,
    url,
    wallet,
    send: () => Promise.reject(new Error('not used')),
  } as unknown as Parameters<typeof runMarket>[0];
}

const replay = (body: object) => ask(player.token, 'POST', `${base}/replay`, body);
const record = async (networkIds: string[]): Promise<string> => {
  const body = { userAddress: key.wallet.address, networkIds };
  const answer = await call('POST', `${base}/start`, { body });
  expect([answer.status, answer.body.message]).toEqual([201, 'recording']);
  return answer.body.recordingId;
};
const stop = async (recordingId: string) => {
  const answer = await call('POST', `${base}/stop`, { body: { recordingId } });
  expect([answer.status, answer.body.state]).toEqual([200, 'recorded']);
  return answer.body;
};
interface Recorded {
  nonce: number;
  contract_address?: string;
  created_contracts?: string[];
}
const transactionsOf = (
  recording: { recorded_data: { networks: Record<string, { transactions: Recorded[] }> } },
  id: string,
) => recording.recorded_data.networks[id]?.transactions ?? [];
const nonceOf = ({ provider }: Place) => provider.getTransactionCount(key.wallet.address);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('tokens, a factory with its children and a swap pool, on two networks', () => {
  const sources: { place: Place; market: Market }[] = [];
  let recordingId: string;

  it('are recorded whole, with what Foundry’s programs send through the gateway', async () => {
    const found = await Promise.all([start('Ethereum'), start('Optimism')]);
    const firsts = await Promise.all(found.map(nonceOf));
    recordingId = await record(found.map(({ id }) => id));
    for (const place of found) sources.push({ place, market: await runMarket(chainOf(place), 3n) });
    const [first] = found;
    if (!first) throw new Error('no network');
    await runForgeScript('Deploy.s.sol', { url: first.url, key: key.wallet.privateKey });
    const signing = ['--private-key', key.wallet.privateKey, '--rpc-url', first.url, '--json'];
    const cast = await runProgram('cast', ['send', ...signing, '--create', '0x600160005360016000f3']);
    expect([cast.code, cast.stderr]).toEqual([0, '']);
    const lasts = await Promise.all(found.map(nonceOf));
    const recording = await stop(recordingId);
    for (const [index, { id }] of found.entries()) {
      const nonces = transactionsOf(recording, id).map(({ nonce }) => nonce);
      expect(nonces).toEqual(range(firsts[index] ?? 0, lasts[index] ?? 0));
    }
    const children = transactionsOf(recording, first.id).flatMap(
      ({ created_contracts = [] }) => created_contracts,
    );
    expect(children).toHaveLength(4);
  });

  it('match transaction by transaction on two fresh networks of other types, with the same balances', async () => {
    const targets = await Promise.all([start('Base'), start('Arbitrum')]);
    const networkMapping = Object.fromEntries(
      sources.map(({ place }, index) => [place.id, targets[index]?.id]),
    );
    const { status, body } = await replay({ recordingId, networkMapping });
    expect(status).toBe(200);
    const all = Object.values<{ match: boolean }[]>(body.transactions).flat();
    expect(all.filter(({ match }) => !match)).toEqual([]);
    expect(body).toMatchObject({ success: true, totalTransactions: all.length });
    const { body: recording } = await call('GET', `${base}/${recordingId}`);
    for (const [index, { place, market }] of sources.entries()) {
      const target = targets[index];
      if (!target) throw new Error('no target');
      const recorded = transactionsOf(recording, place.id);
      const replayed: Recorded[] = body.transactions[target.id];
      const former = [market.tokenA, market.tokenB, market.pair];
      const tokens = former.map((address) => {
        const at = recorded.findIndex(({ contract_address, created_contracts = [] }) =>
          [contract_address, ...created_contracts].includes(address.toLowerCase()),
        );
        const child = recorded[at]?.created_contracts?.indexOf(address.toLowerCase()) ?? -1;
        return (
          (child === -1 ? replayed[at]?.contract_address : replayed[at]?.created_contracts?.[child]) ?? ''
        );
      });
      expect(await balancesOf(chainOf(target), tokens, caller)).toEqual(
        await balancesOf(chainOf(place), former, key.wallet.address),
      );
      expect(await balancesOf(chainOf(target), tokens, stranger)).toEqual(
        await balancesOf(chainOf(place), former, stranger),
      );
    }
  });

  it('are exported as a document that replays as well', async () => {
    const [place] = sources;
    const { status, body: replayDocument } = await call('GET', `${base}/${recordingId}/document`);
    expect([status, replayDocument.version]).toEqual([200, 'slipway.replay/v1']);
    const { body } = await replay({ replayDocument, dryRun: true });
    expect(body).toMatchObject({ success: true, networks: expect.arrayContaining([place?.place.id]) });
  });
});

it('a recording made with kubectl goes on while the operator is replaced, and is stopped by a patch', async () => {
  const place = await start('Ethereum');
  const name = freshName('kept');
  const manifest = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Recording',
    metadata: { name },
    spec: { userAddress: key.wallet.address, networks: [place.name] },
  };
  expect((await kubectl(['apply', '-f', '-'], JSON.stringify(manifest))).code).toBe(0);
  const wait = (condition: string) =>
    kubectl(['wait', `recordings.slipway.dev/${name}`, `--for=${condition}`, '--timeout=60s']);
  expect((await wait('condition=Ready')).code).toBe(0);
  const first = await nonceOf(place);
  const wallet = key.wallet.connect(place.provider);
  const pay = async () => (await wallet.sendTransaction({ to: stranger, value: 1n })).wait();
  await pay();
  const selector = 'app.kubernetes.io/component=operator';
  await kubectl(['delete', 'pods', '--namespace', releaseNamespace, '--selector', selector, '--wait=false']);
  for (let i = 0; i < 5; i++) await pay();
  await kubectl([
    'patch',
    `recordings.slipway.dev/${name}`,
    '--type=merge',
    '-p',
    '{"spec":{"stopped":true}}',
  ]);
  expect((await wait('jsonpath={.status.state}=recorded')).code).toBe(0);
  const find = () => call('GET', `${base}/list-all?networkId=${place.id}&state=recorded`);
  const { body: list } = await until('its place in the list', find, ({ body }) => body.length === 1);
  expect(list).toMatchObject([{ state: 'recorded', user_address: key.wallet.address }]);
  const { body } = await call('GET', `${base}/${list[0].id}`);
  expect(transactionsOf(body, place.id).map(({ nonce }) => nonce)).toEqual(range(first, first + 6));
  const { stdout } = await kubectl(['get', 'brec', name]);
  expect(stdout).toMatch(/NAME +STATE +ADDRESS +TRANSACTIONS +AGE\n.* recorded +0x\w{40} +6 /);
  await kubectl(['delete', `recordings.slipway.dev/${name}`]);
  const chunks = async () => kubectl(['get', 'recordingchunks.slipway.dev', '-o', 'name']);
  const uid = list[0].id;
  await until('the end of its chunks', chunks, ({ stdout: names }) => !names.includes(uid));
});

it('a recording ends on a network that begins anew, and keeps what it has', async () => {
  const place = await start('Ethereum');
  const recordingId = await record([place.id]);
  const wallet = key.wallet.connect(place.provider);
  await (await wallet.sendTransaction({ to: stranger, value: 1n })).wait();
  const read = () => call('GET', `${base}/${recordingId}`);
  await until('the capture', read, ({ body }) => body.networks[0].transactions === 1);
  const { body: network } = await call('GET', `/v1alpha/networks/${place.id}`);
  const spec = { ...network.spec, maintenanceRequest: { action: 'ResetState', nonce: 1 } };
  await call('PUT', `/v1alpha/networks/${place.id}`, { body: { name: network.name, spec } });
  const { body } = await until('the mark', read, (answer) => answer.body.networks[0].state === 'recorded');
  expect(body).toMatchObject({
    state: 'recording',
    networks: [{ message: expect.stringContaining('new chain') }],
  });
  const stopped = await stop(recordingId);
  expect(transactionsOf(stopped, place.id)).toHaveLength(1);
});
