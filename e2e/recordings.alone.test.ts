import { JsonRpcProvider, parseEther } from 'ethers';
import { releaseNamespace } from '../hack/up/names.ts';
import { balancesOf, type Market, runMarket, stranger } from '../test/integration/testing/market.ts';
import { addMember, ask, type Person, removeMember } from './lib/accounts.ts';
import { getJson, kubectl, runProgram } from './lib/cluster.ts';
import { selectorOf } from './lib/components.ts';
import { runForgeScript } from './lib/foundry.ts';
import { createHotKey, endpointsOf, type HotKey, reach, remove } from './lib/networks.ts';
import { call, freshName, token, until } from './lib/service.ts';

const base = '/transaction/v1alpha1/transaction/recording';

interface ChainAccess {
  id: string;
  name: string;
  url: string;
  provider: JsonRpcProvider;
}

let key: HotKey;
/** The member who replays; a different member of the workspace records. */
let player: Person;
/** The address of the player's default key. */
let caller: string;
const openChains: ChainAccess[] = [];
beforeAll(async () => {
  key = await createHotKey();
  player = await addMember(token, 'default', 'developer');
  const read = () => getJson('users.slipway.dev', player.userId, '--namespace', releaseNamespace);
  const { status } = await until('the default key', read, (user) => user.status?.address !== undefined);
  caller = status.address;
});
afterAll(async () => {
  for (const { provider } of openChains) provider.destroy();
  await Promise.all(openChains.map(({ id }) => remove(id)));
  await removeMember(token, 'default', player);
});

async function start(type: 'Ethereum' | 'Base' | 'Optimism' | 'Arbitrum'): Promise<ChainAccess> {
  const name = freshName('rec');
  const chain = { type, [type.toLowerCase()]: { privateKeyRef: { name: key.name } } };
  const { status, body } = await call('POST', '/v1alpha/networks', { body: { name, spec: { chain } } });
  expect([status, body.message]).toEqual([201, undefined]);
  await reach(body.id, 'Operational');
  const { rpc = '' } = await endpointsOf(body.id);
  const provider = new JsonRpcProvider(rpc, undefined, { cacheTimeout: -1, pollingInterval: 50 });
  const access = { id: body.id, name, url: rpc, provider };
  openChains.push(access);
  const sent = await key.wallet.connect(provider).sendTransaction({ to: caller, value: parseEther('1000') });
  await sent.wait();
  return access;
}

/** The network in the form that the scenario's steps expect. */
function chainOf({ provider, url }: ChainAccess) {
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
const nonceOf = ({ provider }: ChainAccess) => provider.getTransactionCount(key.wallet.address);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('tokens, a factory with child contracts and a swap pool on two networks', () => {
  const sources: { access: ChainAccess; market: Market }[] = [];
  let recordingId: string;

  it("are recorded completely, including transactions that Foundry's tools send through the gateway", async () => {
    const found = await Promise.all([start('Ethereum'), start('Optimism')]);
    const firsts = await Promise.all(found.map(nonceOf));
    recordingId = await record(found.map(({ id }) => id));
    for (const access of found) sources.push({ access, market: await runMarket(chainOf(access), 3n) });
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

  it('replay on two new networks of other types with every transaction matching and the same balances', async () => {
    const targets = await Promise.all([start('Base'), start('Arbitrum')]);
    const networkMapping = Object.fromEntries(
      sources.map(({ access }, index) => [access.id, targets[index]?.id]),
    );
    const { status, body } = await replay({ recordingId, networkMapping });
    expect(status).toBe(200);
    const all = Object.values<{ match: boolean }[]>(body.transactions).flat();
    expect(all.filter(({ match }) => !match)).toEqual([]);
    expect(body).toMatchObject({ success: true, totalTransactions: all.length });
    const { body: recording } = await call('GET', `${base}/${recordingId}`);
    for (const [index, { access, market }] of sources.entries()) {
      const target = targets[index];
      if (!target) throw new Error('no target');
      const recorded = transactionsOf(recording, access.id);
      const replayed: Recorded[] = body.transactions[target.id];
      const previous = [market.tokenA, market.tokenB, market.pair];
      const tokens = previous.map((address) => {
        const at = recorded.findIndex(({ contract_address, created_contracts = [] }) =>
          [contract_address, ...created_contracts].includes(address.toLowerCase()),
        );
        const child = recorded[at]?.created_contracts?.indexOf(address.toLowerCase()) ?? -1;
        return (
          (child === -1 ? replayed[at]?.contract_address : replayed[at]?.created_contracts?.[child]) ?? ''
        );
      });
      expect(await balancesOf(chainOf(target), tokens, caller)).toEqual(
        await balancesOf(chainOf(access), previous, key.wallet.address),
      );
      expect(await balancesOf(chainOf(target), tokens, stranger)).toEqual(
        await balancesOf(chainOf(access), previous, stranger),
      );
    }
  });

  it('can be exported as a document that can be replayed', async () => {
    const [access] = sources;
    const { status, body: replayDocument } = await call('GET', `${base}/${recordingId}/document`);
    expect([status, replayDocument.version]).toEqual([200, 'slipway.replay/v1']);
    const { body } = await replay({ replayDocument, dryRun: true });
    expect(body).toMatchObject({ success: true, networks: expect.arrayContaining([access?.access.id]) });
  });
});

it('a recording created with kubectl continues while the operator is replaced and is stopped by a patch', async () => {
  const access = await start('Ethereum');
  const name = freshName('kept');
  const manifest = {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Recording',
    metadata: { name },
    spec: { userAddress: key.wallet.address, networks: [access.name] },
  };
  expect((await kubectl(['apply', '-f', '-'], JSON.stringify(manifest))).code).toBe(0);
  const wait = (condition: string) =>
    kubectl(['wait', `recordings.slipway.dev/${name}`, `--for=${condition}`, '--timeout=60s']);
  expect((await wait('condition=Ready')).code).toBe(0);
  const first = await nonceOf(access);
  const wallet = key.wallet.connect(access.provider);
  const pay = async () => (await wallet.sendTransaction({ to: stranger, value: 1n })).wait();
  await pay();
  await kubectl(['delete', 'pods', ...selectorOf('operator'), '--wait=false']);
  for (let i = 0; i < 5; i++) await pay();
  await kubectl([
    'patch',
    `recordings.slipway.dev/${name}`,
    '--type=merge',
    '-p',
    '{"spec":{"stopped":true}}',
  ]);
  expect((await wait('jsonpath={.status.state}=recorded')).code).toBe(0);
  const find = () => call('GET', `${base}/list-all?networkId=${access.id}&state=recorded`);
  const { body: list } = await until('the recording in the list', find, ({ body }) => body.length === 1);
  expect(list).toMatchObject([{ state: 'recorded', user_address: key.wallet.address }]);
  const { body } = await call('GET', `${base}/${list[0].id}`);
  expect(transactionsOf(body, access.id).map(({ nonce }) => nonce)).toEqual(range(first, first + 6));
  const { stdout } = await kubectl(['get', 'brec', name]);
  expect(stdout).toMatch(/NAME +STATE +ADDRESS +TRANSACTIONS +AGE\n.* recorded +0x\w{40} +6 /);
  await kubectl(['delete', `recordings.slipway.dev/${name}`]);
  const chunks = async () => kubectl(['get', 'recordingchunks.slipway.dev', '-o', 'name']);
  const uid = list[0].id;
  await until('its chunks to be deleted', chunks, ({ stdout: names }) => !names.includes(uid));
});

it('a recording stops on a network that is reset and keeps what it has recorded', async () => {
  const access = await start('Ethereum');
  const recordingId = await record([access.id]);
  const wallet = key.wallet.connect(access.provider);
  await (await wallet.sendTransaction({ to: stranger, value: 1n })).wait();
  const read = () => call('GET', `${base}/${recordingId}`);
  await until('the transaction to be captured', read, ({ body }) => body.networks[0].transactions === 1);
  const { body: network } = await call('GET', `/v1alpha/networks/${access.id}`);
  const spec = { ...network.spec, maintenanceRequest: { action: 'ResetState', nonce: 1 } };
  await call('PUT', `/v1alpha/networks/${access.id}`, { body: { name: network.name, spec } });
  const { body } = await until(
    'the network to be marked as recorded',
    read,
    (answer) => answer.body.networks[0].state === 'recorded',
  );
  expect(body).toMatchObject({
    state: 'recording',
    networks: [{ message: expect.stringContaining('new chain') }],
  });
  const stopped = await stop(recordingId);
  expect(transactionsOf(stopped, access.id)).toHaveLength(1);
});
