import { jest } from '@jest/globals';
import { createMint, getMint, getOrCreateAssociatedTokenAccount, mintTo } from '@solana/spl-token';
import { Keypair, type PublicKey } from '@solana/web3.js';
import { getJson } from '../lib/cluster.ts';
import { endpointsOf, reach, remove } from '../lib/networks.ts';
import { configure, readRevision, rollBack } from '../lib/release.ts';
import { until } from '../lib/service.ts';
import { ask, createSecret, maintain, minuteMs, start } from './families.ts';
import { connect, disconnectAll, genesisBalance } from './solanaChain.ts';

jest.setTimeout(5 * minuteMs);

const payer = Keypair.generate();
let keyName: string;
beforeAll(async () => {
  keyName = await createSecret(payer.secretKey);
});
afterAll(disconnectAll);

describe('a fork', () => {
  let source: string;
  let account: PublicKey;
  let revision: string;

  beforeAll(async () => {
    source = await start('Solana', { privateKeyRef: { name: keyName } });
    const connection = connect(await endpointsOf(source));
    account = await createMint(connection, payer, payer.publicKey, null, 3);
    const own = await getOrCreateAssociatedTokenAccount(connection, payer, account, payer.publicKey);
    await mintTo(connection, payer, account, own.address, payer, 77n);
    const [service] = (await getJson('services', '--selector', `slipway.dev/network=${source}`)).items;
    const { name, namespace } = service.metadata;
    revision = await readRevision();
    await configure(
      `forkSources.Solana=http://${name}.${namespace}.svc:8899`,
      `solana.clone.accounts={${account.toBase58()}}`,
    );
  });
  afterAll(() => rollBack(revision));

  it('contains the accounts that the installation lists and keeps them after the source is deleted', async () => {
    const chain = { privateKeyRef: { name: keyName }, forking: { enabled: true, blockHeight: 'latest' } };
    const id = await start('Solana', chain);
    const connection = connect(await endpointsOf(id));
    expect((await getMint(connection, account)).supply).toBe(77n);
    expect(await connection.getBalance(payer.publicKey)).toBe(genesisBalance);
    await until(
      'a final slot',
      () => connection.getSlot('finalized'),
      (slot) => slot > 0,
      2 * minuteMs,
    );
    await remove(source);
    await maintain(id, 'Restart', 1);
    expect((await getMint(connection, account)).supply).toBe(77n);
    await remove(id);
  });

  it('reports why it cannot start when its source is unavailable', async () => {
    const { body } = await ask('Solana', { forking: { enabled: true } });
    const { status } = await reach(body.id, 'Error', 2 * minuteMs);
    expect(status.message).toMatch(/exited with code 1/);
    expect(status.message).not.toContain('svc:8899');
    await remove(body.id);
  });
});

it('rejects a fork at a past block', async () => {
  const { status, body } = await ask('Solana', { forking: { enabled: true, blockHeight: '5' } });
  const path = 'spec.chain.solana.forking.blockHeight';
  expect([status, body.details]).toEqual([
    400,
    [{ path, message: expect.stringMatching(/current state of accounts/) }],
  ]);
});
