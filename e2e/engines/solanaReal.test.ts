import { createMint, getMint, getOrCreateAssociatedTokenAccount, mintTo } from '@solana/spl-token';
import { getJson } from '../lib/cluster.ts';
import { endpointsOf, remove } from '../lib/networks.ts';
import { configure, readRevision, rollBack } from '../lib/release.ts';
import { until } from '../lib/service.ts';
import { maintain, minuteMs, start } from './families.ts';
import { connect, disconnectAll, genesisBalance } from './solanaChain.ts';
import {
  describeUse,
  expectChainOutlivesPod,
  expectEndpoints,
  expectNewChainAfterIdleStop,
  expectNewGenesis,
  expectNothingIsLeft,
  expectRestartKeepsChain,
  type SolanaNetwork,
  startSolana,
} from './solanaNetwork.ts';

afterAll(disconnectAll);

let network: SolanaNetwork;
beforeAll(async () => {
  network = await startSolana('real');
});

describe('a network with the profile "real"', () => {
  it('has its endpoints, a named chain id and a funded key', () => expectEndpoints(network, 'one validator'));
  describeUse(() => network);
  it('Restart keeps the chain and its history', () => expectRestartKeepsChain(network));
  it('ResetState creates a new genesis', () => expectNewGenesis(network));
  it('stops when idle and starts a new chain at the next call', () => expectNewChainAfterIdleStop(network));
  it('a persistent network keeps its chain when its pod is lost', () =>
    expectChainOutlivesPod(network, 'real'));
});

describe('a fork with the profile "real"', () => {
  let revision: string;
  beforeAll(async () => {
    revision = await readRevision();
  });
  afterAll(() => rollBack(revision));

  it('contains the accounts that the installation lists and keeps them after the source is deleted', async () => {
    const { payer, keyName, connection: source, id: sourceId } = network;
    const account = await createMint(source, payer, payer.publicKey, null, 3);
    const own = await getOrCreateAssociatedTokenAccount(source, payer, account, payer.publicKey);
    await mintTo(source, payer, account, own.address, payer, 77n);
    const [service] = (await getJson('services', '--selector', `slipway.dev/network=${sourceId}`)).items;
    const { name, namespace } = service.metadata;
    await configure(
      `forkSources.Solana=http://${name}.${namespace}.svc:8899`,
      `solana.clone.accounts={${account.toBase58()}}`,
    );
    const forking = { enabled: true, blockHeight: 'latest' };
    const id = await start('Solana', { profile: 'real', privateKeyRef: { name: keyName }, forking });
    const connection = connect(await endpointsOf(id));
    expect((await getMint(connection, account)).supply).toBe(77n);
    expect(await connection.getBalance(payer.publicKey)).toBe(genesisBalance);
    await until(
      'a final slot',
      () => connection.getSlot('finalized'),
      (slot) => slot > 0,
      2 * minuteMs,
    );
    await remove(sourceId);
    await maintain(id, 'Restart', 1);
    expect((await getMint(connection, account)).supply).toBe(77n);
    await remove(id);
  });

  it('leaves nothing behind when it is deleted', () => expectNothingIsLeft(network));
});
