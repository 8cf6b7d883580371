import {
  createMint,
  getAccount,
  getMint,
  getOrCreateAssociatedTokenAccount,
  mintTo,
} from '@solana/spl-token';
import {
  type Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  type PublicKey,
  sendAndConfirmTransaction,
  Transaction,
} from '@solana/web3.js';
import { getJson } from '../lib/cluster.ts';
import { endpointsOf, reach, remove } from '../lib/networks.ts';
import { configure, readRevision, rollBack } from '../lib/release.ts';
import { ask, createSecret, maintain, minuteMs, start } from './families.ts';
import { connect, disconnectAll, genesisBalance, pay } from './solanaChain.ts';
import { codeOf, deployProgram, helloTo, memo } from './solanaProgram.ts';

const payer = Keypair.generate();
let keyName: string;
beforeAll(async () => {
  keyName = await createSecret(payer.secretKey);
});
afterAll(disconnectAll);

/** What the source has before it is forked. */
interface Source {
  id: string;
  connection: Connection;
  mint: PublicKey;
  tokens: PublicKey;
  program: PublicKey;
}

async function startSource(): Promise<Source> {
  const id = await start('Solana', { privateKeyRef: { name: keyName } });
  const connection = connect(await endpointsOf(id));
  const mint = await createMint(connection, payer, payer.publicKey, null, 3);
  const tokens = await getOrCreateAssociatedTokenAccount(connection, payer, mint, payer.publicKey);
  await mintTo(connection, payer, mint, tokens.address, payer, 77n);
  const program = Keypair.generate();
  const code = await codeOf(connection, memo);
  await deployProgram(connection, { payer, buffer: Keypair.generate(), program, code });
  return { id, connection, mint, tokens: tokens.address, program: program.publicKey };
}

describe('a fork', () => {
  let source: Source;
  let revision: string;
  let id: string;
  let connection: Connection;

  beforeAll(async () => {
    source = await startSource();
    const [service] = (await getJson('services', '--selector', `slipway.dev/network=${source.id}`)).items;
    const { name, namespace } = service.metadata;
    revision = await readRevision();
    await configure(`forkSources.Solana=http://${name}.${namespace}.svc:8899`);
    const chain = { privateKeyRef: { name: keyName }, forking: { enabled: true, blockHeight: 'latest' } };
    id = await start('Solana', chain);
    connection = connect(await endpointsOf(id));
  });
  afterAll(() => rollBack(revision));

  it('has the accounts of its source, and its own genesis and hot key', async () => {
    expect((await getMint(connection, source.mint)).supply).toBe(77n);
    expect((await getAccount(connection, source.tokens)).amount).toBe(77n);
    expect(await connection.getBalance(payer.publicKey)).toBe(genesisBalance);
    expect(await connection.getGenesisHash()).not.toBe(await source.connection.getGenesisHash());
  });

  it("runs its source's programs", async () => {
    const call = new Transaction().add(helloTo(source.program));
    const sent = await sendAndConfirmTransaction(connection, call, [payer]);
    const found = await connection.getTransaction(sent, { maxSupportedTransactionVersion: 0 });
    expect(found?.meta?.logMessages?.join('\n')).toContain('hello from slipway');
  });

  it('writes nothing to its source', async () => {
    const receiver = Keypair.generate().publicKey;
    await pay(connection, payer, receiver);
    expect(await connection.getBalance(receiver)).toBe(LAMPORTS_PER_SOL);
    expect(await source.connection.getBalance(receiver)).toBe(0);
  });

  it('goes on without its source: what was read stays, and the rest is an error instead of nothing', async () => {
    const untouched = Keypair.generate().publicKey;
    await pay(source.connection, payer, untouched);
    await remove(source.id);
    await maintain(id, 'Restart', 1);
    expect((await getMint(connection, source.mint)).supply).toBe(77n);
    await expect(connection.getBalance(untouched)).rejects.toThrow(/internal error/i);
    expect(await connection.getBalance(payer.publicKey)).toBeGreaterThan(0);
    await remove(id);
  });

  it('reports why it cannot start when its source is unavailable', async () => {
    const { body } = await ask('Solana', { forking: { enabled: true } });
    const { status } = await reach(body.id, 'Error', 2 * minuteMs);
    expect(status.message).toMatch(/exited with code 1.*the fork source/s);
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
